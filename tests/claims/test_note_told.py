"""What a partner reads about a note: its minutes against those sent, its place, where it differs."""

from decimal import Decimal
from typing import Any
from uuid import UUID

import pytest

from claims import actions
from claims.models import Claim, Transmission
from sessions_app.models import SessionNote
from tests.cast import REMOVED, Api, day_of_service
from tests.claims.process import run_until_quiet

DIAGNOSIS = "Assessment: Generalized anxiety disorder (F41.1), improving."
NOTE_ONLY = {"session__diagnosisCodes": REMOVED, "session__durationMinutes": REMOVED}


def told(partner: Api, session_id: str) -> dict[str, Any]:
    run_until_quiet()
    return partner.get(f"/sessions/{session_id}").json()


def summaries(shown: dict[str, Any], kind: str) -> list[str]:
    return [entry["summary"] for entry in shown["timeline"] if entry["type"] == kind]


def test_minutes_that_give_the_same_code_as_the_notes_hold_nothing(partner: Api) -> None:
    note = f"Individual psychotherapy, 60 minutes.\n{DIAGNOSIS}"
    shown = told(partner, partner.submitted(session__durationMinutes=75, session__noteText=note))
    assert shown["status"] == "paid", shown["message"]
    words = "The note documents other minutes than were sent (sent: 75; note: 60)."
    assert [words in summary for summary in summaries(shown, "session.warning")].count(True) == 1
    assert summaries(shown, "note.checked") == [
        f"The note was compared with the codes sent, and they differ. {words}"
    ]


def test_minutes_without_codes_are_compared_with_the_notes_too(partner: Api) -> None:
    note = f"Individual psychotherapy, 60 minutes.\n{DIAGNOSIS}"
    submitted = {**NOTE_ONLY, "session__durationMinutes": 75, "session__noteText": note}
    shown = told(partner, partner.submitted(**submitted))
    assert shown["status"] == "paid", shown["message"]
    assert any("other minutes than were sent" in each for each in summaries(shown, "session.warning"))


def test_minutes_that_give_another_code_than_the_notes_are_asked_in_true_words(partner: Api) -> None:
    note = f"Individual psychotherapy, 60 minutes.\n{DIAGNOSIS}"
    shown = told(partner, partner.submitted(session__durationMinutes=45, session__noteText=note))
    assert shown["status"] == "processing"
    assert "The note documents other minutes than were sent, and they give another code." in shown["message"]
    said = " ".join(entry["summary"] for entry in shown["timeline"])
    assert "contradict" not in shown["message"] + said
    assert "What was sent" not in said


def test_a_difference_is_told_in_words(partner: Api) -> None:
    note = "Individual psychotherapy, 60 minutes.\nDx: Generalized anxiety disorder; panic disorder."
    submitted = {"session__durationMinutes": REMOVED, "session__procedureCodes": [{"code": "90834"}]}
    shown = told(partner, partner.submitted(session__noteText=note, **submitted))
    (summary,) = summaries(shown, "note.checked")
    assert summary == (
        "The note was compared with the codes sent, and they differ. The note's minutes belong to another "
        "procedure code (sent: 90834; note: 90837). The note states a diagnosis that was not sent (note: "
        "F41.0)."
    )


def test_a_warning_says_which_of_the_diagnoses_the_note_lacks(partner: Api) -> None:
    codes = [{"code": "F41.1"}, {"code": "F41.0"}]
    note = f"Individual psychotherapy, 55 minutes.\n{DIAGNOSIS}"
    shown = told(partner, partner.submitted(session__noteText=note, session__diagnosisCodes=codes))
    lacking = "The note doesn't state this diagnosis (sent: F41.0)."
    assert [each for each in summaries(shown, "session.warning") if lacking in each]
    assert lacking in summaries(shown, "note.checked")[0]


def test_a_name_that_differs_is_not_told(partner: Api) -> None:
    note = f"Patient: Zelda Fitzgerald\nIndividual psychotherapy, 55 minutes.\n{DIAGNOSIS}"
    shown = told(partner, partner.submitted(session__noteText=note))
    (summary,) = summaries(shown, "note.checked")
    assert summary.endswith("they differ. The note may name another patient than the session.")


def test_a_note_that_was_by_video_asks_for_the_place_and_for_nothing_else(partner: Api) -> None:
    note = f"Individual psychotherapy by video, 50 minutes, client at home.\n{DIAGNOSIS}"
    sent = {**NOTE_ONLY, "session__placeOfService": REMOVED, "session__noteText": note}
    session_id = partner.submitted(**sent)
    shown = told(partner, session_id)
    assert shown["message"] == (
        "Held: session.placeOfService: The note says that the session took place elsewhere than was sent. "
        "Send the placeOfService that is true; if it is as sent, send diagnosisCodes and procedureCodes. "
        "Correct the session, and it goes on."
    )
    assert partner.patch(f"/sessions/{session_id}", {"session": {"placeOfService": "telehealth"}})
    shown = told(partner, session_id)
    assert shown["status"] == "paid", shown["message"]
    assert summaries(shown, "codes.extracted") == ["The note gives F41.1, 90834-95."]


@pytest.mark.parametrize(
    ("note", "reason"),
    [
        (f"Individual psychotherapy.\n{DIAGNOSIS}", "The note gives no minutes."),
        (
            "Individual psychotherapy, 50 minutes. Rule out GAD.",
            "The note only suspects its diagnosis, or takes it back.",
        ),
    ],
)
def test_a_note_that_waits_is_told_of_by_its_reason_alone(partner: Api, note: str, reason: str) -> None:
    shown = told(partner, partner.submitted(session__noteText=note, **NOTE_ONLY))
    assert shown["message"].startswith(f"Held: session.noteText: {reason} ")
    assert "has no" not in shown["message"]


SENT_DIAGNOSIS = {"session__durationMinutes": REMOVED}
SENT_PROCEDURE = {
    "session__durationMinutes": REMOVED,
    "session__diagnosisCodes": REMOVED,
    "session__procedureCodes": [{"code": "90834"}],
}


@pytest.mark.parametrize(
    ("sent", "note", "taken"),
    [
        (SENT_DIAGNOSIS, "Individual psychotherapy, 60 minutes. Worked on goals.", "90837"),
        (SENT_PROCEDURE, f"Individual psychotherapy.\n{DIAGNOSIS}", "F41.1"),
    ],
    ids=["diagnoses sent", "procedures sent"],
)
def test_a_note_is_asked_for_the_kind_of_codes_alone_that_was_not_sent(
    partner: Api, sent: dict[str, Any], note: str, taken: str
) -> None:
    shown = told(partner, partner.submitted(session__noteText=note, **sent))
    assert shown["status"] == "paid", shown["message"]
    assert summaries(shown, "codes.extracted") == [f"The note gives {taken}."]


@pytest.mark.parametrize(
    ("sent", "note", "asked"),
    [
        (
            SENT_DIAGNOSIS,
            "Worked on goals.",
            "The note gives no minutes. Staff read the note; sending procedureCodes",
        ),
        (
            SENT_PROCEDURE,
            "Individual psychotherapy.",
            "The note states no diagnosis. Staff read the note; sending diagnosisCodes",
        ),
        (
            {"session__diagnosisCodes": REMOVED},
            "Worked on goals.",
            "The note states no diagnosis. Staff read the note; sending diagnosisCodes",
        ),
    ],
    ids=["diagnoses sent", "procedures sent", "minutes sent"],
)
def test_a_note_that_waits_asks_only_for_what_was_not_sent(
    partner: Api, sent: dict[str, Any], note: str, asked: str
) -> None:
    session_id = partner.submitted(session__noteText=note, **sent)
    shown = told(partner, session_id)
    assert shown["message"] == (
        f"Held: session.noteText: {asked} settles it too. Billing staff see to it. Nothing to do."
    )
    codes = {"diagnosisCodes": [{"code": "F41.1"}], "procedureCodes": [{"code": "90834"}]}
    (name,) = (name for name in codes if name in asked)
    assert partner.patch(f"/sessions/{session_id}", {"session": {name: codes[name]}}).status_code == 200
    assert told(partner, session_id)["status"] == "paid"


def test_a_missed_visit_is_told_of_without_its_missing_codes(partner: Api) -> None:
    note = "NO SHOW. Client did not attend.\nDx: GAD"
    shown = told(partner, partner.submitted(session__noteText=note, **NOTE_ONLY))
    assert "didn't take place" in shown["message"]
    assert "has no" not in shown["message"]


CRISIS = (
    "PSYCHOTHERAPY FOR CRISIS, 1:00 PM to 2:50 PM. Suicidal intent. Safety plan written, admission arranged."
    f"\n{DIAGNOSIS}"
)


def test_each_further_half_hour_of_a_crisis_is_billed(partner: Api) -> None:
    session_id = partner.submitted(**NOTE_ONLY, session__noteText=CRISIS)
    shown = told(partner, session_id)
    assert shown["status"] == "paid", shown["message"]
    assert summaries(shown, "codes.extracted") == ["The note gives F41.1, 90839, 90840 x 2."]
    claim = Claim.objects.get(session=session_id)
    lines = claim.lines.order_by("number").values_list("procedure_code", "units", "charge")
    assert [(code, units) for code, units, _ in lines] == [("90839", 1), ("90840", 2)]
    assert lines[1][2] == 210
    assert "~SV1*HC:90840*210*UN*2*" in Transmission.objects.get(claims__claim=claim).content


def test_its_half_hours_stay_when_the_note_is_gone(partner: Api) -> None:
    session_id = partner.submitted(
        **NOTE_ONLY, session__noteText=CRISIS, patient__insurance__memberId="REJECTED"
    )
    assert told(partner, session_id)["status"] == "rejected"
    SessionNote.objects.filter(session=session_id).update(text=None)
    actions.resend(UUID(session_id), user=None, reason="the payer's mistake")
    run_until_quiet()
    claim = Claim.objects.filter(session=session_id).latest("version")
    assert [line.units for line in claim.lines.order_by("number")] == [1, 2]


def test_a_partners_own_threshold_decides_what_a_person_sees(partner: Api) -> None:
    sent = {**NOTE_ONLY, "session__noteText": f"Individual psychotherapy, 60 minutes.\n{DIAGNOSIS}"}
    partner.partner.coder_threshold = Decimal(1)
    partner.partner.save(update_fields=["coder_threshold"])
    held = told(partner, partner.submitted(**sent))
    assert (held["status"], held["timeline"][-1]["type"]) == ("processing", "session.held")
    partner.partner.coder_threshold = Decimal("0.9")
    partner.partner.save(update_fields=["coder_threshold"])
    assert (
        told(partner, partner.submitted(**sent, session__dateOfService=day_of_service(9)))["status"] == "paid"
    )


def test_two_lines_with_one_fault_are_warned_of_once(partner: Api) -> None:
    office = "modifier says telehealth, and the place of service says office"
    lines = [{"code": code, "modifier": "95"} for code in ("90791", "96127")]
    shown = told(partner, partner.submitted(session__placeOfService="office", session__procedureCodes=lines))
    assert [office in summary for summary in summaries(shown, "session.warning")].count(True) == 1


ERRAND = (
    "Outreach: rode along to his house, gate chained, no truck. Neighbor said he was at the sale barn. "
    "Left an appointment card in the mailbox. Will try again next week.\n" + DIAGNOSIS
)


def test_a_note_of_no_session_holds_the_minutes_that_were_sent(partner: Api) -> None:
    submitted = {**NOTE_ONLY, "session__durationMinutes": 45, "session__noteText": ERRAND}
    shown = told(partner, partner.submitted(**submitted))
    assert shown["status"] == "processing"
    assert "The note may say that there was no session with the patient." in shown["message"]
    assert "settles" not in shown["message"]


def test_a_note_of_no_session_holds_the_codes_that_were_sent(partner: Api) -> None:
    codes = {"session__procedureCodes": [{"code": "90834"}], "session__noteText": ERRAND}
    shown = told(partner, partner.submitted(**codes))
    assert shown["status"] == "processing"
    assert "that its time went into something else" in shown["message"]


TEN_MINUTES = {
    "session__durationMinutes": 10,
    "session__diagnosisCodes": REMOVED,
    "session__noteText": f"Individual psychotherapy in the office, 53 minutes.\n{DIAGNOSIS}",
}
SCREENING = [{"code": "96127"}]


def test_under_16_minutes_another_services_codes_go_on_with_the_notes_diagnosis(partner: Api) -> None:
    session_id = partner.submitted(**TEN_MINUTES)
    assert "send its procedureCodes and the session goes on" in told(partner, session_id)["message"]
    change = {"session": {"procedureCodes": SCREENING}}
    assert partner.patch(f"/sessions/{session_id}", change).status_code == 200
    shown = told(partner, session_id)
    assert shown["status"] == "paid", shown["message"]
    assert summaries(shown, "codes.extracted") == ["The note gives F41.1."]


def test_under_16_minutes_their_code_sent_at_once_is_taken_too(partner: Api) -> None:
    shown = told(partner, partner.submitted(**TEN_MINUTES, session__procedureCodes=SCREENING))
    assert shown["status"] == "paid", shown["message"]


def test_under_16_minutes_psychotherapy_is_held_whatever_was_sent(partner: Api) -> None:
    sent = {"session__procedureCodes": [{"code": "90834"}]}
    for noted in (TEN_MINUTES["session__noteText"], f"Individual psychotherapy, 10 minutes.\n{DIAGNOSIS}"):
        shown = told(partner, partner.submitted(**{**TEN_MINUTES, **sent, "session__noteText": noted}))
        assert shown["status"] == "processing"


@pytest.mark.parametrize(("minutes", "settles"), [(40, False), (60, True)])
def test_sending_codes_is_advised_only_where_the_minutes_sent_allow_the_notes(
    partner: Api, minutes: int, settles: bool
) -> None:
    noted = 53 if minutes == 40 else 30
    note = f"Individual psychotherapy, {noted} minutes.\n{DIAGNOSIS}"
    shown = told(partner, partner.submitted(session__durationMinutes=minutes, session__noteText=note))
    assert ("settles it too" in shown["message"]) is settles
    assert ("Staff read the note and say which minutes are true." in shown["message"]) is not settles
