"""One service leaves once: sessions that arrive together, and a claim that is out although nobody said so."""

from datetime import timedelta
from typing import Any
from uuid import UUID

import pytest
from django.utils import timezone

from claims import gateways, pipeline
from claims.clearinghouse.port import ClearinghouseError, Outcome
from claims.clearinghouse.sandbox.gateway import SandboxClearinghouse
from claims.models import Claim, WorkItem
from tests.cast import REMOVED, Api
from tests.claims.admin.staff import harborlight, item_of, newest, submitted_and_run
from tests.claims.process import run_until_quiet
from tests.claims.test_inbound import apply, payer_acknowledgement

NOTE = "Individual psychotherapy, 55 minutes, in the office.\nDiagnosis: F41.1 Generalized anxiety disorder."
BY_NOTE = {
    "session__noteText": NOTE,
    "session__diagnosisCodes": REMOVED,
    "session__durationMinutes": REMOVED,
}
BY_MINUTES = {"session__durationMinutes": 53}


@pytest.fixture
def partner(db: None, settings: object) -> Api:
    settings.SANDBOX_SPEED = 1e9
    return harborlight()


def run_to_the_end() -> None:
    """Run what is due, and a second later what waited for an earlier session."""
    for _ in range(3):
        run_until_quiet()
        Claim.objects.filter(step=Claim.Step.CHECK).update(next_step_at=timezone.now() - timedelta(seconds=1))
    run_until_quiet()


@pytest.mark.parametrize("given", [BY_MINUTES, BY_NOTE], ids=["minutes", "note"])
def test_of_sessions_that_arrive_together_one_is_billed(partner: Api, given: dict[str, Any]) -> None:
    sessions = [UUID(partner.submitted(patient__insurance__memberId="PAIDTWICE", **given)) for _ in range(4)]
    run_to_the_end()
    claims = [newest(each) for each in sessions]
    assert [claim.status for claim in claims] == ["paid", "held", "held", "held"]
    assert all("DUP-001" in {each.rule for each in claim.findings.all()} for claim in claims[1:])


def test_a_later_session_does_not_wait_for_an_earlier_one_of_another_day(partner: Api) -> None:
    day = timezone.now().date() - timedelta(days=9)
    for days_later in (0, 1):
        partner.submitted(
            patient__insurance__memberId="PAIDTWICE",
            session__dateOfService=str(day + timedelta(days=days_later)),
            **BY_MINUTES,
        )
    pipeline.advance()
    assert set(Claim.objects.values_list("step", flat=True)) == {Claim.Step.SEND}


def test_a_claim_that_an_answer_proves_to_be_out_is_not_handed_over_again(
    partner: Api, monkeypatch: pytest.MonkeyPatch
) -> None:
    handed_over = []
    submit = SandboxClearinghouse.submit

    def taken_and_denied(self: SandboxClearinghouse, submission: Any) -> Any:
        handed_over.append(submission.key)
        receipt = submit(self, submission)
        if len(handed_over) == 1:
            raise ClearinghouseError("unavailable", outcome=Outcome.NOT_TAKEN)
        return receipt

    monkeypatch.setattr(type(gateways.gateway("sandbox")), "submit", taken_and_denied)
    session_id = submitted_and_run(partner, "PAID")
    claim = newest(session_id)
    assert (claim.status, claim.step, claim.next_step_at) == ("paid", Claim.Step.FOLLOW, None)
    run_until_quiet()
    assert len(handed_over) == 1


def test_a_claim_that_was_refused_at_the_door_and_is_answered_asks_nobody(partner: Api) -> None:
    session_id = submitted_and_run(partner, "EDIT")
    assert item_of(session_id).queue == WorkItem.Queue.REFUSED
    apply(payer_acknowledgement(newest(session_id), "A2:20"))
    claim = newest(session_id)
    assert (claim.status, claim.step) == ("payer_accepted", Claim.Step.FOLLOW)
    assert set(WorkItem.objects.filter(closed_at=None).values_list("reason", flat=True)) <= {
        "answer_before_dispatch"
    }
