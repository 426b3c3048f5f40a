"""A batch lands together, so notes that take long to read don't keep it, or other claims, waiting."""

import pytest

from claims import pipeline, tasks
from claims.models import Claim
from tests.cast import REMOVED, Api
from tests.claims.admin.staff import harborlight

NOTE = "Assessment: Generalized anxiety disorder (F41.1).\nIndividual psychotherapy, 60 minutes."


@pytest.fixture
def partner(db: None) -> Api:
    return harborlight()


def submit(partner: Api, number: int, *, noted: bool) -> str:
    note = {"session__noteText": NOTE, "session__diagnosisCodes": REMOVED} if noted else {}
    return partner.submitted(**note, patient__insurance__memberId=f"W1{number:08d}")


def test_when_the_time_of_a_batch_is_over_the_other_notes_are_due_again(
    partner: Api, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pipeline, "CODING_SECONDS", 0)
    notes = [submit(partner, number, noted=True) for number in range(3)]
    quick = submit(partner, 3, noted=False)
    pipeline.advance()
    left = Claim.objects.filter(step=Claim.Step.SEND)
    assert [str(claim.session_id) for claim in left] == [quick]
    for done in (1, 2, 3):
        assert set(Claim.objects.exclude(step=Claim.Step.SEND).values_list("attempts", flat=True)) == {0}
        pipeline.advance()
        assert left.filter(session__in=notes).count() == done
    assert not pipeline.advance()


def test_a_worker_goes_on_at_once_with_what_a_batch_left(
    partner: Api, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pipeline, "CODING_SECONDS", 0)
    hinted: list[object] = []
    monkeypatch.setattr(tasks, "hint", lambda task, *arguments: hinted.append(task))
    for number in range(2):
        submit(partner, number, noted=True)
    hinted.clear()
    tasks.advance()
    assert hinted.count(tasks.advance) == 1
    hinted.clear()
    tasks.advance()
    assert tasks.advance not in hinted
