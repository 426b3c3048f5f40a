"""Which service and which way of meeting a note tells of, and which it only mentions."""

from collections.abc import Callable

import pytest

from billing.notes.result import NoteResult, Outcome

Coder = Callable[..., NoteResult]
DX = "\nDx: Generalized anxiety disorder."

CODED = {
    "his support group": ("45 minutes in my office. Told of his support group, where he met a man.", "90834"),
    "a group of others": ("45 minutes in my office. Their church group sang on Sunday.", "90834"),
    "her group, attended": (
        "Client attended her weekly DBT skills group, 90 minutes, 6 members present.",
        "90853",
    ),
    "what the entry is for": (
        "This entry is for the individual session only, 11:40 to 12:20. (He was in the relapse prevention"
        " group "
        "from 10:00 to 11:30; Marcy keeps that record.)",
        "90834",
    ),
    "a benefit": (
        "Individual, visit two of six, 45 minutes. Of her marriage: couples counseling is a benefit she has, "
        "and I explained it.",
        "90834",
    ),
    "group in short": ("SUD process grp, 7 present, 90 minutes.", "90853"),
    "a student absent": ("Family therapy session without the student, 50 minutes. Both parents.", "90846"),
    "a veteran present": ("Family psychotherapy with veteran present, 50 minutes. Wife, daughter.", "90847"),
    "a named child absent": ("Family psychotherapy, 45 min, child (Perpetua, 5) not present today.", "90846"),
    "a double session": ("EMDR, double session as agreed, 90 minutes.", "90837"),
    "an evaluation on referral": (
        "I saw Mr. Castellanos for a psychiatric diagnostic evaluation on the referral of his dentist. The "
        "interview took an hour and a quarter.",
        "90791",
    ),
    "an intake after referral": (
        "Met with Ms. Ito for an intake after referral by her physician. It took 70 minutes.",
        "90791",
    ),
    "an evaluation talked about": (
        "He came in low. We discussed a psychiatric evaluation, and he will think about it. 50 minutes.",
        "90834",
    ),
    "an evaluation told late": (
        "First meeting with Ms. Ito, thirty-one, an actuary who came here from Seattle for love and stayed "
        "for the ferries. I used the 70 minutes for a diagnostic evaluation, with background and goals.",
        "90791",
    ),
    "as it was in the end": (
        "Ben had been talking about the house for weeks. He came in with his mother at ten and it was a "
        "family session, 50 minutes. They spoke of the dog.",
        "90847",
    ),
    "a closed group with attendance": (
        "Anger & Emotion Group (closed, week 5)\nAttendance today: 7 of 8\nTime: 5:30 PM to 7:00 PM\n"
        "Individual note, client D.P.: Attended entire group.",
        "90853",
    ),
    "her own doctor's intake": ("45 minutes. On Monday she met her new doctor for an intake.", "90834"),
}


@pytest.mark.parametrize(("text", "expected"), CODED.values(), ids=CODED.keys())
def test_the_service_told_is_coded(code: Coder, text: str, expected: str) -> None:
    result = code(text + DX)
    assert ([p.code for p in result.procedures], result.outcome) == ([expected], Outcome.CODED)


ASKED = {
    "two services": ("Individual 30 minutes with Sam, then 25 minutes with both parents.", "time_conflict"),
    "group, then individual": ("Group 60 minutes, then individual 30 minutes.", "time_conflict"),
    "a superbill": ("Individual, 45 minutes. I marked 90837 on the superbill.", "procedure_conflict"),
    "an entry": ("Individual, 45 minutes. I entered 90837 for today.", "procedure_conflict"),
    "a slip": ("Individual, 45 minutes. The slip came already filled in: 90847.", "procedure_conflict"),
    "parents only": ("Appointment type: INDIV 50 min\nWho attended: parents only.", "service_conflict"),
    "booked as another": (
        "Individual therapy. All three stayed, and the whole of it was a family session about the curfew, 50 "
        "minutes.",
        "service_conflict",
    ),
    "two relatives": ("Grandmother and aunt seen without Tavi. 60 minutes.", "service_unknown"),
    "joined by Zoom": (
        "Mode: in person\nIndividual, 45 minutes. Joined client by Zoom as he was away.",
        "place_conflict",
    ),
    "seen with a wife": ("Seen with his wife, 50 minutes.", "service_unknown"),
    "a joint meeting": ("Joint meeting with Paul and his wife Dana, 50 minutes.", "service_unknown"),
    "a couple": ("Fourth meeting, both present throughout, 50 minutes.", "service_unknown"),
    "a mother and a father": ("Mr. and Mrs. Boateng and I met for fifty minutes.", "service_unknown"),
    "a child's parents": ("Met with Priya's parents without Priya for 55 minutes.", "service_unknown"),
}


@pytest.mark.parametrize(("text", "reason"), ASKED.values(), ids=ASKED.keys())
def test_a_service_in_doubt_is_asked(code: Coder, text: str, reason: str) -> None:
    assert code(text + DX).reasons == (reason,)


MISSED = {
    "a title": "MISSED APPOINTMENT, individual therapy, today 11:00 to 11:45. Left a card.",
    "nobody spoken to": "Mr. Lund was not seen or spoken to today. Case manager, 20 minutes.",
    "the opening": "Mr. Lund did not come. I waited twenty minutes. Individual, 50 minutes.",
}


@pytest.mark.parametrize("text", MISSED.values(), ids=MISSED.keys())
def test_a_missed_visit_is_not_billable(code: Coder, text: str) -> None:
    assert code(text + DX).reasons == ("not_rendered",)


HELD = {
    "policy": "Individual, 45 minutes. Missed appointment policy reviewed.",
    "a brother": "Individual, 45 minutes. Her brother did not come to the wedding.",
    "earlier ones": "Individual, 45 minutes. He did not come to the last two sessions.",
}


@pytest.mark.parametrize("text", HELD.values(), ids=HELD.keys())
def test_what_else_was_missed_is_no_missed_visit(code: Coder, text: str) -> None:
    assert code(text + DX).outcome is Outcome.CODED


BY_PHONE = {
    "instead": "Planned as an office visit. We held the individual session by telephone instead, 45 minutes.",
    "done": "Individual, 45 minutes. Scheduled in office; done over the phone because of snow.",
    "stayed home": "Client did not come to the clinic; session was done by telephone, individual, 45"
    " minutes.",
}


@pytest.mark.parametrize("text", BY_PHONE.values(), ids=BY_PHONE.keys())
def test_a_visit_by_telephone_is_asked_with_its_modifier(code: Coder, text: str) -> None:
    result = code(text + DX)
    assert ([p.modifier for p in result.procedures], result.reasons) == (["93"], ("place_conflict",))


IN_THE_OFFICE = [
    "Called from the car on the phone to her mother.",
    "Spoke with the pharmacy by phone afterwards.",
    "Spells shortened, per her son's video, from nine minutes to three.",
    "She works from home and had a Zoom meeting at nine.",
    "Two events on video-EEG, both non-epileptic.",
    "He attended a virtual meeting of AA.",
    "Her online group plays chess.",
]


@pytest.mark.parametrize("text", IN_THE_OFFICE)
def test_calls_and_videos_of_others_are_no_telehealth(code: Coder, text: str) -> None:
    result = code(f"Individual session, 45 minutes. {text}{DX}")
    assert ([p.modifier for p in result.procedures], result.outcome) == ([None], Outcome.CODED)


def test_an_individual_visit_by_phone_has_its_time(code: Coder) -> None:
    result = code("Individual by phone, audio only, 45 minutes." + DX, place="telehealth")
    assert [(p.code, p.modifier) for p in result.procedures] == [("90834", "93")]


@pytest.mark.parametrize(
    "text",
    [
        "Telehealth template used by mistake, pt here in person in room 6. Individual, 40 minutes.",
        "Was to be on video; his router failed, we met face to face in the clinic. Individual, 40 minutes.",
    ],
)
def test_telehealth_that_came_to_the_office_has_no_modifier(code: Coder, text: str) -> None:
    result = code(text + DX, place="telehealth")
    assert ([p.modifier for p in result.procedures], result.reasons) == ([None], ("place_conflict",))


def test_parents_and_patient_together_are_a_session_with_the_patient(code: Coder) -> None:
    result = code(
        "FBT family session - present: Ari (15, patient), mother, father\nClock: 17:10 to 18:00\nDx: GAD\n"
        "Weight shared with parents only."
    )
    assert result.procedures[0].code == "90847"


def test_the_telephone_that_took_the_cameras_place_is_the_way_of_meeting(code: Coder) -> None:
    result = code(
        "Modality: [ ] Video [x] Phone only - camera failed\nIndividual therapy, 34 minutes.\nDx: GAD",
        place="telehealth",
    )
    assert [(p.code, p.modifier) for p in result.procedures] == [("90832", "93")]


def test_a_client_who_did_not_come_was_not_seen(code: Coder) -> None:
    result = code("DX: GAD.\nI: Cl. did not come for 2:00 appt. Last wk's session was 45 min and went well.")
    assert result.reasons[:1] == ("not_rendered",)


def test_a_family_session_without_the_child_named_by_initials(code: Coder) -> None:
    said = "Family therapy without R.S., by video with mother and father, 45 minutes.\nDx: GAD"
    assert code(said, place="telehealth").procedures[0].code == "90846"


def test_a_group_that_was_cancelled_is_no_group(code: Coder) -> None:
    said = "Came for the relapse group; the group was cancelled, and we had an individual session of 44 min."
    assert code(f"{said}\nDx: GAD").procedures[0].code == "90834"


def test_an_earlier_crisis_visit_lends_no_minutes(code: Coder) -> None:
    said = (
        "CRISIS (psychotherapy for crisis), 26 minutes in all. Her last crisis visit, 80 minutes, was in May."
    )
    assert code(f"{said}\nDx: GAD").reasons == ("crisis_under_30",)


NAMES = (
    "Mossbank Therapy Group",
    "MOSSBANK PSYCHOTHERAPY GROUP, LLC",
    "Rivera Family Therapy",
    "Rivera Family Therapy | 100 Main St",
    "Practice: Rivera Family Therapy",
    "Lantern Family & Couples Therapy",
    "The Therapy Group of Denver",
    "Harbor & Pine Couples Counseling  Progress Note",
    "**Rivera Family Therapy**",
    "# Rivera Family Therapy",
    "RIVERA FAMILY THERAPY 555-0100",
    "Oak Park Couples Therapy (555) 010-0100",
    "Family Counseling of Greater Boise",
    "Center for Family Therapy",
    "Individual, Couples & Family Therapy",
)


@pytest.mark.parametrize("name", NAMES)
def test_the_name_of_a_practice_is_no_service(code: Coder, name: str) -> None:
    told = code(f"{name}\nMet in the office, 45 minutes. Individual psychotherapy with client.{DX}")
    assert [procedure.code for procedure in told.procedures] == ["90834"]
    assert told.outcome is Outcome.CODED


@pytest.mark.parametrize("name", NAMES)
def test_where_only_the_name_of_a_practice_names_a_service_a_person_is_asked(code: Coder, name: str) -> None:
    told = code(f"{name}\nClient: B. D.     2:00 PM - 2:45 PM, in office\nWorked on sleep.{DX}")
    assert told.outcome is Outcome.NEEDS_REVIEW


@pytest.mark.parametrize(
    "name", ["Family Therapy Associates", "Couples Therapy Center", "Group Therapy Associates"]
)
def test_a_practice_that_is_called_after_a_service_alone_is_none(code: Coder, name: str) -> None:
    told = code(f"{name}\nMet in the office, 45 minutes. Individual psychotherapy with client.{DX}")
    assert [procedure.code for procedure in told.procedures] == ["90834"]
    assert told.outcome is Outcome.CODED


@pytest.mark.parametrize(
    "told",
    ["Met in the office, 45 minutes. Individual psychotherapy.", "Session type: Individual\n45 minutes"],
)
def test_what_stands_behind_a_clinicians_letters_is_no_service(code: Coder, told: str) -> None:
    result = code(f"Ana Rivera, MFT - Couples and Family Therapy\n{told}{DX}")
    assert result.outcome is Outcome.CODED
    assert [procedure.code for procedure in result.procedures] == ["90834"]


@pytest.mark.parametrize("name", ["rivera family therapy", "Rivera Family Therapy - Individual Note"])
@pytest.mark.parametrize(
    "told",
    [
        "Process group, 90 minutes, eight members present.",
        "Group therapy, 8 members, 90 minutes.",
    ],
)
def test_a_service_in_the_first_words_alone_against_another_below_is_asked_about(
    code: Coder, name: str, told: str
) -> None:
    assert code(f"{name}\n{told}{DX}").outcome is Outcome.NEEDS_REVIEW


@pytest.mark.parametrize(
    ("title", "told", "procedure"),
    [
        ("Phoenix Rising Group Therapy", "90 minutes, 6 members. Client spoke twice.", "90853"),
        ("Kestrel Skills Group", "90 minutes. Client spoke twice.", "90853"),
        ("Bowenian Family Therapy", "50 minutes with client and mother.", "90847"),
        ("Gottman Couples Therapy", "Client and husband present, 50 minutes.", "90847"),
    ],
)
def test_a_group_or_a_way_of_working_is_no_practice(
    code: Coder, title: str, told: str, procedure: str
) -> None:
    coded = code(f"{title}\n{told}{DX}")
    assert [each.code for each in coded.procedures] == [procedure]
    assert coded.outcome is Outcome.CODED


def test_a_title_with_the_words_of_a_practice_alone_is_the_service(code: Coder) -> None:
    told = code(f"Adolescent DBT Skills Group\n90 minutes, 6 members. Client spoke twice.{DX}")
    assert [procedure.code for procedure in told.procedures] == ["90853"]
    assert told.outcome is Outcome.CODED


def test_a_postal_code_is_no_procedure(code: Coder) -> None:
    told = code(f"1250 Bellflower Blvd, Long Beach, CA 90840\nIndividual psychotherapy, 35 min.{DX}")
    assert [procedure.code for procedure in told.procedures] == ["90832"]
    assert told.outcome is Outcome.CODED
