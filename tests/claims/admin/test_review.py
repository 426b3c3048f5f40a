"""Note review: the question, its candidates, the answer as a label, and the claim that goes on."""

import re
from collections.abc import Iterator
from datetime import timedelta

import orjson
import pytest
from django.core.management import CommandError, call_command
from django.urls import reverse
from django.utils import timezone

from billing import notes_codeset
from billing.models import CodeSetRelease, DiagnosisCode
from claims.desk.reviews import reviewed_notes
from claims.models import Claim, NoteReview, ViewRecord, WorkItem
from partners.models import AccessRecord
from sessions_app.models import SessionCode
from tests.cast import REMOVED, Api
from tests.claims.admin.staff import Desk, newest
from tests.claims.process import run_until_quiet
from tests.put_back import once

OPEN_NOTE = "Client seems low. Rule out major depression. Talked about work. 50 minutes, individual therapy."
TWO_OPEN = "Client seems low. Rule out major depression. Talked about work."


def suspected_note(partner: Api) -> WorkItem:
    """The open work of a note that suspects a depression and states nothing."""

    def suspected() -> WorkItem:
        session_id = partner.submitted(
            session__diagnosisCodes=REMOVED, session__durationMinutes=50, session__noteText=OPEN_NOTE
        )
        run_until_quiet()
        return WorkItem.objects.get(session_id=session_id, queue="notes", closed_at=None)

    return once(suspected, "open note")


@pytest.fixture
def item(partner: Api) -> WorkItem:
    return suspected_note(partner)


def test_the_question_stands_beside_the_note(item: WorkItem, billing: Desk) -> None:
    page = billing.get("desk:review", item.pk).content.decode()
    assert "1 question stands between this note and a claim" in page
    assert "Rule out" in page
    assert "90834" in page
    assert ViewRecord.objects.filter(session=item.session, what="note", user=billing.user).count() == 1


def test_nothing_is_preselected(item: WorkItem, billing: Desk) -> None:
    page = billing.get("desk:review", item.pk).content.decode()
    assert not re.search(r'type="radio"[^>]*checked', page)
    assert re.search(r'value="confirm"[^>]*disabled', page)


def test_confirmed_codes_are_the_staffs_and_the_claim_goes_on(item: WorkItem, billing: Desk) -> None:
    answer = billing.post("desk:review", item.pk, diagnosis="F32.9", answer="confirm")
    assert answer.status_code == 302
    codes = SessionCode.objects.filter(session=item.session).order_by("kind")
    assert [(row.code, row.source) for row in codes] == [("F32.9", "staff"), ("90834", "staff")]
    run_until_quiet()
    assert newest(item.session_id).status == "paid"
    item.refresh_from_db()
    assert item.closed_at


def test_the_label_keeps_who_what_was_offered_and_what_was_taken(item: WorkItem, billing: Desk) -> None:
    billing.post("desk:review", item.pk, diagnosis="other", other_diagnosis="f41.1, z63.0", answer="confirm")
    label = NoteReview.objects.get()
    assert (label.user, label.outcome) == (billing.user, "confirmed")
    assert [each["code"] for each in label.taken] == ["F41.1", "Z63.0", "90834"]
    assert {"kind": "procedure", "code": "90834"}.items() <= label.offered[0].items()
    assert label.reasons
    assert label.lexicon_sha


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({}, "Choose an answer:"),
        ({"diagnosis": "other", "other_diagnosis": ""}, "Type the code, like F41.1."),
        (
            {"diagnosis": "other", "other_diagnosis": "F41"},
            "F41 is a heading. Billable under it: F41.0, F41.1",
        ),
        ({"diagnosis": "other", "other_diagnosis": "XYZ"}, "XYZ is no ICD-10-CM code."),
    ],
)
def test_an_answer_that_makes_no_claim_is_refused_in_words(
    item: WorkItem, billing: Desk, fields: dict[str, str], words: str
) -> None:
    answer = billing.post("desk:review", item.pk, answer="confirm", **fields)
    assert answer.status_code == 400
    assert words in answer.content.decode()
    assert not NoteReview.objects.exists()


def test_the_clinician_is_asked_and_the_note_waits(item: WorkItem, billing: Desk, partner: Api) -> None:
    billing.post("desk:review", item.pk, answer="ask", question="Which depression, and how severe?")
    item.refresh_from_db()
    assert item.snoozed_until > timezone.now()
    assert item.assignee == billing.user
    timeline = partner.get(f"/sessions/{item.session_id}").json()["timeline"]
    assert timeline[-1]["summary"] == "Which depression, and how severe?"
    assert NoteReview.objects.get().outcome == "asked"


def test_a_note_comes_back_on_its_last_day_to_file_at_the_latest(item: WorkItem, billing: Desk) -> None:
    last = timezone.localdate() + timedelta(days=3)
    Claim.objects.filter(session_id=item.session_id).update(file_by=last)
    billing.post("desk:review", item.pk, answer="ask", question="Which?")
    item.refresh_from_db()
    assert timezone.localtime(item.snoozed_until).date() == last
    assert "or in a week at the latest." in billing.client.get(reverse("admin:index")).content.decode()


def test_a_note_that_was_woken_waits_again_when_the_same_is_asked(item: WorkItem, billing: Desk) -> None:
    asked = {"answer": "ask", "question": "Which?"}
    billing.post("desk:review", item.pk, **asked)
    WorkItem.objects.filter(pk=item.pk).update(snoozed_until=None)
    billing.post("desk:review", item.pk, **asked)
    item.refresh_from_db()
    assert item.snoozed_until > timezone.now()


def test_the_partners_own_codes_settle_what_was_asked(item: WorkItem, billing: Desk, partner: Api) -> None:
    billing.post("desk:review", item.pk, answer="ask", question="Which?")
    partner.patch(f"/sessions/{item.session_id}", {"session": {"diagnosisCodes": [{"code": "F41.1"}]}})
    run_until_quiet()
    assert newest(item.session_id).status == "paid"
    assert not WorkItem.objects.filter(session=item.session, closed_at=None).exists()


def test_a_note_of_nothing_billable_is_set_aside_with_a_reason(
    item: WorkItem, billing: Desk, partner: Api
) -> None:
    assert billing.post("desk:review", item.pk, answer="not_billable", reason=" ").status_code == 400
    billing.post("desk:review", item.pk, answer="not_billable", reason="A phone call of ten minutes.")
    timeline = partner.get(f"/sessions/{item.session_id}").json()["timeline"]
    assert timeline[-1]["summary"] == "Not billed: A phone call of ten minutes."
    message = partner.get(f"/sessions/{item.session_id}").json()["message"]
    assert message.startswith("Not billed. Billing staff do nothing more about it;")
    item.refresh_from_db()
    assert item.closed_at


def test_a_session_that_changed_meanwhile_is_not_overwritten(
    item: WorkItem, billing: Desk, partner: Api
) -> None:
    version = item.session.version
    partner.patch(f"/sessions/{item.session_id}", {"session": {"diagnosisCodes": [{"code": "F41.1"}]}})
    billing.post("desk:review", item.pk, diagnosis="F32.9", answer="confirm", version=version)
    codes = SessionCode.objects.filter(session=item.session, kind="diagnosis")
    assert [row.code for row in codes] == ["F41.1"]
    assert not NoteReview.objects.exists()


ANSWERS = {
    "confirm": {"diagnosis": "F32.9"},
    "ask": {"question": "Which depression?"},
    "not_billable": {"reason": "A phone call."},
}


@pytest.mark.parametrize("answer", ANSWERS)
@pytest.mark.parametrize("first", ["confirm", "not_billable", "partner"])
def test_what_is_no_longer_asked_takes_no_answer(
    item: WorkItem, billing: Desk, lead: Desk, partner: Api, first: str, answer: str
) -> None:
    shown = item.session.version
    if first == "partner":
        partner.patch(f"/sessions/{item.session_id}", {"session": {"diagnosisCodes": [{"code": "F41.1"}]}})
    else:
        billing.post("desk:review", item.pk, answer=first, version=shown, **ANSWERS[first])
    run_until_quiet()
    labels = NoteReview.objects.count()
    written = partner.get(f"/sessions/{item.session_id}").json()
    late = lead.client.post(
        reverse("desk:review", args=[item.pk]),
        {"answer": answer, "version": shown, **ANSWERS[answer]},
        follow=True,
    )
    assert "Nothing was saved." in late.content.decode()
    assert NoteReview.objects.count() == labels
    assert partner.get(f"/sessions/{item.session_id}").json() == written


@pytest.mark.parametrize("answer", ["ask", "not_billable"])
def test_a_note_that_is_asked_about_anew_takes_no_answer_to_what_was_shown(
    item: WorkItem, billing: Desk, partner: Api, answer: str
) -> None:
    shown = item.session.version
    partner.patch(f"/sessions/{item.session_id}", {"patient": {"lastName": "Klein"}})
    run_until_quiet()
    again = WorkItem.objects.get(session=item.session, queue="notes", closed_at=None)
    billing.post("desk:review", again.pk, answer=answer, version=shown, **ANSWERS[answer])
    assert not NoteReview.objects.exists()
    billing.post("desk:review", again.pk, answer=answer, version=shown + 1, **ANSWERS[answer])
    assert NoteReview.objects.get().outcome == {"ask": "asked"}.get(answer, answer)


@pytest.mark.parametrize("answer", ANSWERS)
def test_the_same_answer_again_of_the_same_person_is_what_it_was(
    item: WorkItem, billing: Desk, partner: Api, answer: str
) -> None:
    fields = {"answer": answer, "version": str(item.session.version), **ANSWERS[answer]}
    once_said = billing.post("desk:review", item.pk, **fields)
    written = partner.get(f"/sessions/{item.session_id}").json()
    again = billing.post("desk:review", item.pk, **fields)
    assert again.headers["Location"] == once_said.headers["Location"]
    assert NoteReview.objects.count() == 1
    assert partner.get(f"/sessions/{item.session_id}").json() == written
    page = billing.page(item.session_id)
    assert "Nothing was saved." not in page
    assert (">Undo</button>" in page) == (answer != "ask")


def test_another_answer_of_the_same_person_is_not_saved(item: WorkItem, billing: Desk) -> None:
    billing.post("desk:review", item.pk, diagnosis="F32.9", answer="confirm")
    billing.post("desk:review", item.pk, diagnosis="other", other_diagnosis="F41.1", answer="confirm")
    assert "Nothing was saved." in billing.page(item.session_id)
    assert NoteReview.objects.count() == 1


def test_support_opens_no_note(item: WorkItem, support: Desk) -> None:
    assert support.get("desk:review", item.pk).status_code == 403
    assert not ViewRecord.objects.exists()


def test_labels_are_exported_for_the_coder(item: WorkItem, billing: Desk, tmp_path: object) -> None:
    billing.post("desk:review", item.pk, diagnosis="F32.9", answer="confirm")
    file = tmp_path / "reviews.jsonl"
    with pytest.raises(CommandError, match="give --phi"):
        call_command("export_reviews", str(file))
    assert not file.exists()
    assert not AccessRecord.objects.filter(detail__startswith="export_reviews").exists()
    call_command("export_reviews", str(file), "--phi")
    record = AccessRecord.objects.get(detail__startswith="export_reviews by ")
    assert (record.what, record.session_ids) == ("export", [item.session_id])
    (line,) = file.read_bytes().splitlines()
    note = orjson.loads(line)
    assert note["text"] == OPEN_NOTE
    assert note["gold"] == {"dx": ["F32.9"], "cpt": "90834", "modifiers": [], "addons": [], "review": True}
    assert file.stat().st_mode & 0o077 == 0


def test_a_purged_note_is_no_label_any_more(item: WorkItem, billing: Desk) -> None:
    billing.post("desk:review", item.pk, diagnosis="F32.9", answer="confirm")
    assert len(list(reviewed_notes())) == 1
    item.session.note.text = None
    item.session.note.save()
    assert list(reviewed_notes()) == []


def undo(desk: Desk, item: WorkItem) -> str:
    review = NoteReview.objects.latest("id")
    answer = desk.client.post(reverse("desk:review-undo", args=[review.pk]), follow=True)
    return answer.content.decode()


def test_a_confirmed_review_is_taken_back_while_the_claim_is_here(item: WorkItem, billing: Desk) -> None:
    billing.post("desk:review", item.pk, diagnosis="F32.9", answer="confirm")
    page = billing.page(item.session_id)
    assert "Confirmed: the claim goes on with these codes." in page
    assert ">Undo</button>" in page
    assert "Taken back" in undo(billing, item)
    run_until_quiet()
    assert newest(item.session_id).step == "held"
    assert WorkItem.objects.filter(session=item.session, queue="notes", closed_at=None).exists()
    assert not SessionCode.objects.filter(session=item.session, source="staff").exists()
    label = NoteReview.objects.get()
    assert (label.undone_by, list(reviewed_notes())) == (billing.user, [])


def test_codes_that_the_partner_had_sent_come_back(partner: Api, billing: Desk) -> None:
    session_id = partner.submitted(
        session__diagnosisCodes=REMOVED,
        session__durationMinutes=REMOVED,
        session__procedureCodes=[{"code": "90834", "description": "as agreed"}],
        session__noteText=OPEN_NOTE,
    )
    run_until_quiet()
    item = WorkItem.objects.get(session_id=session_id, queue="notes", closed_at=None)
    billing.post("desk:review", item.pk, diagnosis="F32.9", procedure="90837", answer="confirm")
    undo(billing, item)
    codes = SessionCode.objects.filter(session=session_id)
    assert [(row.code, row.source, row.description) for row in codes] == [("90834", "sent", "as agreed")]


def test_a_claim_that_left_keeps_its_codes(item: WorkItem, billing: Desk) -> None:
    billing.post("desk:review", item.pk, diagnosis="F32.9", answer="confirm")
    run_until_quiet()
    assert "Take it back" not in billing.page(item.session_id)
    assert "can&#x27;t be taken back any more" in undo(billing, item)
    assert NoteReview.objects.get().undone_at is None


def test_codes_that_were_corrected_since_are_not_taken_back(
    item: WorkItem, billing: Desk, partner: Api
) -> None:
    billing.post("desk:review", item.pk, diagnosis="F32.9", answer="confirm")
    partner.patch(f"/sessions/{item.session_id}", {"session": {"diagnosisCodes": [{"code": "F41.1"}]}})
    assert "Its codes or its place were changed since" in undo(billing, item)
    assert SessionCode.objects.get(session=item.session, kind="diagnosis").code == "F41.1"


def test_what_is_set_aside_once_more_is_told_once_more(item: WorkItem, billing: Desk, partner: Api) -> None:
    for _ in range(2):
        waiting = WorkItem.objects.get(session=item.session, queue="notes", closed_at=None)
        billing.post("desk:review", waiting.pk, answer="not_billable", reason="A phone call.")
        told = partner.get(f"/sessions/{item.session_id}").json()["timeline"][-1]["summary"]
        assert told == "Not billed: A phone call."
        undo(billing, item)
        run_until_quiet()


def test_what_was_set_aside_is_taken_up_again(item: WorkItem, billing: Desk) -> None:
    billing.post("desk:review", item.pk, answer="not_billable", reason="A phone call.")
    undo(billing, item)
    run_until_quiet()
    assert WorkItem.objects.filter(session=item.session, queue="notes", closed_at=None).exists()


def test_words_chosen_for_one_of_two_typed_codes_are_that_codes(item: WorkItem, billing: Desk) -> None:
    chosen = ["diagnosis:F411:0-4", "diagnosis:F32.9:5-9", "diagnosis:F33.1:5-9"]
    typed = {"diagnosis": "other", "other_diagnosis": "f32.9, F41.1"}
    billing.post("desk:review", item.pk, **typed, evidence=chosen, answer="confirm")
    assert [(each["code"], each["start"]) for each in NoteReview.objects.get().evidence] == [
        ("F41.1", 0),
        ("F32.9", 5),
    ]


def test_words_that_a_person_chose_are_the_codes_evidence(item: WorkItem, billing: Desk) -> None:
    start = OPEN_NOTE.index("seems low")
    chosen = f"diagnosis:{start}-{start + len('seems low')}"
    odd = ["diagnosis:5-5", "diagnosis:0-99999", "procedure:0-5", "nonsense"]
    billing.post("desk:review", item.pk, diagnosis="F32.9", evidence=[chosen, *odd], answer="confirm")
    assert NoteReview.objects.get().evidence == [
        {"kind": "diagnosis", "code": "F32.9", "start": start, "end": start + len("seems low")}
    ]
    page = billing.post("desk:session-note", item.session_id).content.decode()
    assert re.search(r'<mark class="mark-\d" tabindex="0" data-mark="\d" title="F32.9">seems low<sup>', page)


def of_two_questions(partner: Api) -> WorkItem:
    """A note that states neither a diagnosis nor how long it took."""
    session_id = partner.submitted(
        session__diagnosisCodes=REMOVED, session__durationMinutes=REMOVED, session__noteText=TWO_OPEN
    )
    run_until_quiet()
    return WorkItem.objects.get(session_id=session_id, queue="notes", closed_at=None)


def test_what_was_chosen_typed_and_marked_stands_there_again(partner: Api, billing: Desk) -> None:
    item = of_two_questions(partner)
    marked = f"diagnosis:F41:{TWO_OPEN.index('low')}-{TWO_OPEN.index('low') + 3}"
    answer = billing.post(
        "desk:review",
        item.pk,
        diagnosis="other",
        other_diagnosis="F41",
        procedure="other",
        other_procedure="90837-HJ",
        evidence=marked,
        question="Which depression?",
        answer="confirm",
    )
    page = answer.content.decode()
    for kind in ("diagnosis", "procedure"):
        assert re.search(rf'name="{kind}" value="other"[^>]*checked', page)
    assert re.search(r'name="other_diagnosis"[^>]*value="F41" aria-invalid="true"', page)
    assert re.search(r'name="other_procedure"[^>]*value="90837-HJ">', page)
    assert re.search(r'id="diagnosis-problem">F41 is a heading', page)
    assert "<q>low</q>" in page
    assert f'name="evidence" value="{marked}"' in page
    assert "Which depression?" in page
    assert "procedure-problem" not in page


@pytest.mark.parametrize("typed", ["908", "99999"])
def test_what_an_answer_lacks_is_said_at_each_question(partner: Api, billing: Desk, typed: str) -> None:
    item = of_two_questions(partner)
    page = billing.post(
        "desk:review", item.pk, diagnosis="F32.9", procedure="other", other_procedure=typed, answer="confirm"
    ).content.decode()
    assert re.search(r'value="F32.9"[^>]*checked', page)
    assert "procedure-problem" in page
    assert "diagnosis-problem" not in page


CRISIS_OPEN = (
    "PSYCHOTHERAPY FOR CRISIS, 1:00 PM to 2:50 PM. Suicidal intent. Safety plan written, admission arranged. "
    "Rule out major depression."
)


def opened(partner: Api, note: str, **more: object) -> WorkItem:
    """A note without codes or minutes beside it, that waits for a person."""
    session_id = partner.submitted(
        session__diagnosisCodes=REMOVED,
        session__noteText=note,
        **{"session__durationMinutes": REMOVED, **more},
    )
    run_until_quiet()
    return WorkItem.objects.get(session_id=session_id, queue="notes", closed_at=None)


def billed(item: WorkItem) -> list[tuple[str, int]]:
    rows = SessionCode.objects.filter(session=item.session).order_by("kind", "position")
    return [(row.code, row.units) for row in rows]


def test_the_half_hours_of_a_crisis_are_confirmed_with_it(partner: Api, billing: Desk) -> None:
    item = opened(partner, CRISIS_OPEN)
    assert "2 units" in billing.get("desk:review", item.pk).content.decode()
    billing.post("desk:review", item.pk, diagnosis="F32.9", answer="confirm")
    assert billed(item) == [("F32.9", 1), ("90839", 1), ("90840", 2)]
    run_until_quiet()
    assert [line.units for line in newest(item.session_id).lines.order_by("number")] == [1, 2]
    assert [each.get("units") for each in NoteReview.objects.get().taken] == [None, 1, 2]


THREE = "Individual psychotherapy, 45 minutes.\nDx: {}"
ONE_UNCLEAR = THREE.format("F33.1 MDD, recurrent, moderate; F10.20 alcohol use disorder, severe; ASD.")


MORE_CODES = ("F10.10", "F10.20", "F32.1", "F33.1", "F84.0")


@pytest.fixture
def more_codes(partner: Api) -> Iterator[None]:
    """Codes that the small release lacks."""
    release = CodeSetRelease.objects.get()
    DiagnosisCode.objects.bulk_create(
        DiagnosisCode(release=release, code=code, title=f"Title of {code}", billable=True)
        for code in MORE_CODES
    )
    notes_codeset._codeset.cache_clear()
    yield
    notes_codeset._codeset.cache_clear()


def inputs(page: str, kind: str) -> list[tuple[str, str, bool]]:
    """What can be chosen of a kind: type of the input, value, whether it is chosen."""
    found = re.findall(rf'<input type="(radio|checkbox)" name="{kind}" value="([^"]+)"([^>]*)>', page)
    return [(of, value, " checked" in rest) for of, value, rest in found]


@pytest.mark.usefixtures("more_codes")
def test_a_question_about_one_diagnosis_leaves_the_others(partner: Api, billing: Desk) -> None:
    item = opened(partner, ONE_UNCLEAR)
    page = billing.get("desk:review", item.pk).content.decode()
    assert inputs(page, "diagnosis") == [("radio", "F84.0", False), ("radio", "other", False)]
    billing.post("desk:review", item.pk, diagnosis="F84.0", answer="confirm")
    assert [code for code, _ in billed(item)] == ["F33.1", "F10.20", "F84.0", "90834"]
    (label,) = reviewed_notes()
    assert list(label.diagnoses) == ["F33.1", "F10.20", "F84.0"]


@pytest.mark.usefixtures("more_codes")
@pytest.mark.parametrize("answer", [{"diagnosis": "F10.10"}, {"other_diagnosis": "f10.20"}])
def test_the_answer_stands_where_the_doubted_diagnosis_stood(
    partner: Api, billing: Desk, answer: dict[str, str]
) -> None:
    item = opened(partner, THREE.format("alcohol use disorder; GAD F41.1"))
    billing.post("desk:review", item.pk, **{"diagnosis": "other", **answer}, answer="confirm")
    code = "F10.10" if "diagnosis" in answer else "F10.20"
    assert [code for code, _ in billed(item)] == [code, "F41.1", "90834"]


@pytest.mark.usefixtures("more_codes")
def test_of_diagnoses_that_contradict_each_other_several_can_be_chosen(partner: Api, billing: Desk) -> None:
    item = opened(partner, THREE.format("F32.1 MDD single; F33.1 MDD recurrent moderate; GAD F41.1"))
    page = billing.get("desk:review", item.pk).content.decode()
    assert inputs(page, "diagnosis") == [
        ("checkbox", "F33.1", True),
        ("checkbox", "F41.1", True),
        ("checkbox", "F32.1", False),
        ("checkbox", "other", False),
    ]
    billing.post("desk:review", item.pk, diagnosis=["F41.1", "F32.1"], answer="confirm")
    assert {code for code, _ in billed(item)} == {"F41.1", "F32.1", "90834"}


def test_an_add_on_goes_with_its_main_code(partner: Api, billing: Desk) -> None:
    note = CRISIS_OPEN.replace("Rule out major depression.", "\nDx: GAD F41.1")
    item = opened(partner, note, session__durationMinutes=110)
    page = billing.get("desk:review", item.pk).content.decode()
    assert [value for _, value, _ in inputs(page, "procedure")] == ["90839", "90837", "other"]
    billing.post("desk:review", item.pk, procedure="90839", answer="confirm")
    assert billed(item) == [("F41.1", 1), ("90839", 1), ("90840", 2)]


def test_another_main_code_leaves_the_add_on_of_the_first(partner: Api, billing: Desk) -> None:
    note = CRISIS_OPEN.replace("Rule out major depression.", "\nDx: GAD F41.1")
    item = opened(partner, note, session__durationMinutes=110)
    billing.post("desk:review", item.pk, procedure="90837", answer="confirm")
    assert billed(item) == [("F41.1", 1), ("90837", 1)]


def test_a_confirmation_says_what_holds_the_session_all_the_same(partner: Api, billing: Desk) -> None:
    session_id = partner.submitted(
        session__diagnosisCodes=REMOVED,
        session__durationMinutes=50,
        session__noteText=OPEN_NOTE,
        patient__insurance__memberId="HELD",
    )
    run_until_quiet()
    item = WorkItem.objects.get(session_id=session_id, queue="notes", closed_at=None)
    billing.post("desk:review", item.pk, diagnosis="F32.9", answer="confirm")
    page = billing.page(session_id)
    assert "Confirmed. It will be held: " in page
    assert "the claim goes on with these codes" not in page


def test_a_note_that_was_answered_asks_nothing_any_more(item: WorkItem, billing: Desk) -> None:
    billing.post("desk:review", item.pk, diagnosis="F32.9", answer="confirm")
    seen = ViewRecord.objects.filter(what="note").count()
    answer = billing.client.get(reverse("desk:review", args=[item.pk]), follow=True)
    page = answer.content.decode()
    assert "This note has been answered already" in page
    assert 'id="review-form"' not in page
    assert ViewRecord.objects.filter(what="note").count() == seen


def test_an_answer_to_what_was_answered_meanwhile_says_that_nothing_was_saved(
    item: WorkItem, billing: Desk, lead: Desk
) -> None:
    billing.post("desk:review", item.pk, diagnosis="F32.9", answer="confirm")
    address = reverse("desk:review", args=[item.pk])
    answer = lead.client.post(address, {"answer": "confirm"}, follow=True)
    assert "This note has been answered already" in answer.content.decode()
    assert "Nothing was saved." in answer.content.decode()


def test_a_review_that_was_taken_back_leads_to_the_one_that_asks_anew(item: WorkItem, billing: Desk) -> None:
    billing.post("desk:review", item.pk, diagnosis="F32.9", answer="confirm")
    undo(billing, item)
    run_until_quiet()
    again = WorkItem.objects.get(session=item.session, queue="notes", closed_at=None)
    answer = billing.client.get(reverse("desk:review", args=[item.pk]), follow=True)
    assert answer.redirect_chain == [(reverse("desk:review", args=[again.pk]), 302)]
    assert "answered already" not in answer.content.decode()
