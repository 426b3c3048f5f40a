"""What the partner reads of a session that was judged, while a corrected claim goes through its steps."""

from datetime import timedelta
from uuid import UUID

import pytest
from django.core.management import call_command
from django.utils import timezone

from claims import actions, intake, pipeline, steps
from claims.clearinghouse.port import EditError, Refusal
from claims.clearinghouse.sandbox.gateway import SandboxClearinghouse
from claims.models import Claim
from sessions_app.submission import Correction
from tests.cast import Api
from tests.claims.admin.staff import ended, newest
from tests.claims.process import run_until_quiet

HELD = "The claim is denied. A corrected claim is held, and billing staff look at it. Nothing to do."
ON_ITS_WAY = "The claim is denied. A corrected claim is on its way. Nothing to do."


@pytest.fixture
def denied(partner: Api) -> UUID:
    return ended(partner, "DENIED")


def resent(session_id: UUID, **columns: str) -> None:
    intake.correct_and_resend(
        session_id, correction=Correction(columns=columns), user=None, reason="read from the card"
    )


def told(partner: Api, session_id: UUID) -> tuple[str, str]:
    """The message, and the status of the last entry that states one: the session stays denied."""
    detail = partner.get(f"/sessions/{session_id}").json()
    assert detail["status"] == "denied"
    assert partner.patch(f"/sessions/{session_id}", {"patient": {"lastName": "Klein"}}).status_code == 409
    return detail["message"], [line["status"] for line in detail["timeline"] if line["status"]][-1]


def test_a_rule_holds_it(partner: Api, denied: UUID) -> None:
    resent(denied, member_id="HELD")
    run_until_quiet()
    assert newest(denied).step == Claim.Step.HELD
    assert told(partner, denied) == (HELD, "denied")


def test_it_waits_to_be_handed_over(partner: Api, denied: UUID) -> None:
    resent(denied)
    while pipeline.advance():
        pass
    assert newest(denied).step == Claim.Step.SEND
    assert told(partner, denied) == (ON_ITS_WAY, "denied")


def test_it_waits_for_its_window(partner: Api, denied: UUID, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(steps, "wait_until", lambda work: timezone.now() + timedelta(hours=1))
    resent(denied)
    run_until_quiet()
    assert newest(denied).step == Claim.Step.WINDOW
    assert told(partner, denied) == (ON_ITS_WAY, "denied")


def test_a_step_trips_over_it(partner: Api, denied: UUID, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*given: object, **named: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(steps, "check_claim", broken)
    resent(denied)
    for _ in range(3):
        run_until_quiet()
        Claim.objects.filter(next_step_at__isnull=False).update(next_step_at=timezone.now())
    assert newest(denied).step == Claim.Step.HELD
    assert told(partner, denied) == (HELD, "denied")


def test_the_database_is_restored_before_it_leaves(partner: Api, denied: UUID) -> None:
    resent(denied)
    call_command("after_restore")
    assert told(partner, denied) == (HELD, "denied")


def test_the_clearinghouse_refuses_it(partner: Api, denied: UUID, monkeypatch: pytest.MonkeyPatch) -> None:
    refusal = Refusal(errors=(EditError(code="33", text="Jane Doe is no member."),))
    monkeypatch.setattr(SandboxClearinghouse, "submit", lambda gateway, submission: refusal)
    resent(denied)
    run_until_quiet()
    assert newest(denied).step == Claim.Step.HELD
    assert told(partner, denied) == (HELD, "denied")


def test_a_void_waits_beside_what_is_paid(partner: Api) -> None:
    session_id = ended(partner, "PAID1")
    actions.void(session_id, user=None, reason="billed by mistake")
    while pipeline.advance():
        pass
    detail = partner.get(f"/sessions/{session_id}").json()
    assert (detail["status"], detail["message"][:18]) == ("paid", "The claim is paid.")
