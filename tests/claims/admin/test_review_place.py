"""Note review where the note and what was sent disagree on how they met: the answer is the place."""

import re
from typing import Any

import pytest

from claims.desk.reviews import reviewed_notes
from claims.models import NoteReview, WorkItem
from sessions_app.models import SessionCode
from tests.cast import REMOVED, Api
from tests.claims.admin.staff import Desk, newest
from tests.claims.admin.test_review import undo
from tests.claims.process import run_until_quiet

BY_VIDEO = "Individual psychotherapy. We met by video 2:03 PM - 2:57 PM.\nDx: F41.1 GAD"
IN_PERSON = "Individual psychotherapy, seen in person in the office, 2:03 PM - 2:57 PM.\nDx: F41.1 GAD"


def asked(partner: Api, note: str, *, place: str, **more: Any) -> WorkItem:
    """A note that tells of another place than was sent."""
    session_id = partner.submitted(
        session__diagnosisCodes=REMOVED,
        session__durationMinutes=REMOVED,
        session__noteText=note,
        session__placeOfService=place,
        **more,
    )
    run_until_quiet()
    return WorkItem.objects.get(session_id=session_id, queue="notes", closed_at=None)


def sent_as(item: WorkItem) -> tuple[str, str, str]:
    """Place of the session, place and modifier on its claim, once it is out."""
    run_until_quiet()
    claim = newest(item.session_id)
    assert claim.status == "paid"
    item.session.refresh_from_db()
    (line,) = claim.lines.all()
    return item.session.place_of_service, claim.draft()["place_of_service_code"], "".join(line.modifiers)


ANSWERS = [
    (BY_VIDEO, "office", "video", ("telehealth", "10", "95")),
    (BY_VIDEO, "office", "phone", ("telehealth", "10", "93")),
    (BY_VIDEO, "office", "office", ("office", "11", "")),
    (IN_PERSON, "telehealth", "office", ("office", "11", "")),
    (IN_PERSON, "telehealth", "video", ("telehealth", "10", "95")),
]


@pytest.mark.parametrize(("note", "sent", "answer", "told"), ANSWERS)
def test_place_and_modifier_of_the_claim_follow_the_answer(
    partner: Api, billing: Desk, note: str, sent: str, answer: str, told: tuple[str, str, str]
) -> None:
    item = asked(partner, note, place=sent)
    billing.post("desk:review", item.pk, place=answer, answer="confirm")
    assert sent_as(item) == told
    assert "MOD-004" not in billing.page(item.session_id)


def test_only_the_place_is_asked_where_only_that_is_open(partner: Api, billing: Desk) -> None:
    item = asked(partner, BY_VIDEO, place="office")
    page = billing.get("desk:review", item.pk).content.decode()
    assert re.findall(r'type="radio" name="(\w+)" value="(\w+)"', page) == [
        ("place", "video"),
        ("place", "phone"),
        ("place", "office"),
    ]
    assert "90837-95" not in page
    for fields in {}, {"place": "elsewhere"}:
        answer = billing.post("desk:review", item.pk, answer="confirm", **fields)
        assert answer.status_code == 400
    assert not NoteReview.objects.exists()


def test_a_code_typed_for_video_is_refused_at_the_office(partner: Api, billing: Desk) -> None:
    item = asked(partner, "Individual psychotherapy.\nDx: F41.1 GAD", place="office")
    typed = {"procedure": "other", "other_procedure": "90837-95", "answer": "confirm"}
    answer = billing.post("desk:review", item.pk, **typed)
    assert answer.status_code == 400
    assert "90837-95 says that they met by video or telephone" in answer.content.decode()
    assert not SessionCode.objects.filter(session=item.session, source="staff").exists()


@pytest.mark.parametrize(("answer", "typed"), [("phone", "90837-95"), ("video", "90837-93")])
def test_a_code_typed_for_another_way_to_have_met_than_was_answered_is_refused(
    partner: Api, billing: Desk, answer: str, typed: str
) -> None:
    item = asked(partner, BY_VIDEO.replace(" 2:03 PM - 2:57 PM", ""), place="office")
    asks = billing.get("desk:review", item.pk).content.decode()
    assert 'name="procedure" value="other"' in asks
    told = billing.post(
        "desk:review", item.pk, place=answer, procedure="other", other_procedure=typed, answer="confirm"
    )
    assert told.status_code == 400
    assert f"{typed} says another way to have met than was answered" in told.content.decode()
    assert not SessionCode.objects.filter(session=item.session, source="staff").exists()


def test_the_place_comes_back_with_the_codes(partner: Api, billing: Desk) -> None:
    item = asked(partner, BY_VIDEO, place="office")
    billing.post("desk:review", item.pk, place="video", answer="confirm")
    assert "Taken back" in undo(billing, item)
    item.session.refresh_from_db()
    assert item.session.place_of_service == "office"
    run_until_quiet()
    assert WorkItem.objects.filter(session=item.session, queue="notes", closed_at=None).exists()


def test_a_place_that_was_corrected_since_stays(partner: Api, billing: Desk) -> None:
    item = asked(partner, BY_VIDEO, place="office")
    billing.post("desk:review", item.pk, place="video", answer="confirm")
    partner.patch(f"/sessions/{item.session_id}", {"session": {"placeOfService": "office"}})
    assert "Its codes or its place were changed since" in undo(billing, item)


def test_the_same_answer_again_is_what_it_was(partner: Api, billing: Desk) -> None:
    item = asked(partner, BY_VIDEO, place="office")
    for _ in range(2):
        billing.post("desk:review", item.pk, place="video", answer="confirm", version=item.session.version)
    assert "Nothing was saved." not in billing.page(item.session_id)
    assert NoteReview.objects.count() == 1


def test_the_label_has_the_place_that_the_coder_was_told(partner: Api, billing: Desk) -> None:
    item = asked(partner, BY_VIDEO, place="office")
    billing.post("desk:review", item.pk, place="video", answer="confirm")
    (label,) = reviewed_notes()
    assert (label.place, label.procedure, list(label.modifiers)) == ("office", "90837", ["95"])


def test_a_note_to_review_leads_to_its_session_and_its_correction(partner: Api, billing: Desk) -> None:
    item = asked(partner, BY_VIDEO, place="office")
    page = billing.get("desk:review", item.pk).content.decode()
    session = f"/admin/sessions_app/session/{item.session_id}"
    assert f'href="{session}/change/?queue=notes"' in page
    assert f'href="{session}/correct/?queue=notes"' in page
