"""After restoring an older backup: what may have left since does not leave again by itself."""

from typing import Any
from uuid import UUID

import pytest
from django.core.management import call_command
from django.db import OperationalError, connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from claims import actions, heartbeats, intake, lifecycle, pipeline, submission
from claims.clearinghouse.port import ClearinghouseError, Outcome
from claims.management.commands import after_restore
from claims.models import Claim, ClaimSignal, Transmission, WorkItem
from sessions_app.models import SessionEvent
from sessions_app.submission import Correction
from tests.cast import Api
from tests.claims.process import run_until_quiet
from tests.claims.test_hand_over import Clearinghouse, in_the_sandboxes_place
from tests.claims.test_inbound import apply, envelope, payer_acknowledgement
from tests.operations.running import result, run

MEMBER = {"patient": {"insurance": {"memberId": "W123456789"}}}
CORRECTION = Correction(columns={"group_number": "G77"})

PAID_UNDER_A_LOST_NUMBER = envelope(
    "BPR*I*155.00*C*ACH************20300120~TRN*1*T1*1525350500~DTM*405*20300120~N1*PR*AETNA~REF*2U*60054~"
    "N1*PE*CALM HARBOR COUNSELING*XX*1999999984~LX*1~"
    "CLP*M0000000000000*1*180.00*155.00*25.00*CI*PAYER77*11*1~"
    "SVC*HC:90837*180.00*155.00**1~CAS*PR*3*25.00~",
    kind="835",
    version="005010X221A1",
)


def test_claims_that_had_not_left_wait_for_a_person_and_then_go_on(partner: Api) -> None:
    session_id = partner.submitted()
    pipeline.advance()
    call_command("after_restore")
    run_until_quiet()
    assert not Transmission.objects.exists()
    assert WorkItem.objects.get(closed_at=None).reason == "restored"
    actions.release(Claim.objects.get().session_id, user=None, reason="the clearinghouse has no such claim")
    run_until_quiet()
    assert partner.get(f"/sessions/{session_id}").json()["status"] == "paid"


@pytest.mark.parametrize("kind", ["worker", "periodic", "gateways", "notes", "beat"])
def test_while_somebody_works_nothing_is_held_and_it_says_who(partner: Api, kind: str) -> None:
    partner.submitted()
    heartbeats.beat(kind, "one")
    rehearsed = run("after_restore", "--dry-run")
    said = run("after_restore")
    heartbeats.stop(kind, "one")
    assert rehearsed.code == 4
    assert f"It would be refused now: {kind} was heard of" in rehearsed.text
    assert said.code == 1
    assert f"{kind} was heard of" in said.text
    assert not WorkItem.objects.exists()
    assert run("after_restore").code == 0


def test_without_redis_nobody_can_be_heard_of(partner: Api, settings: Any) -> None:
    settings.REDIS_URL = "redis://127.0.0.1:1/0"
    assert run("after_restore").code == 0


def test_control_numbers_go_on_where_nobody_has_been(partner: Api) -> None:
    partner.submitted()
    run_until_quiet()
    call_command("after_restore")
    partner.submitted(patient__insurance__memberId="W987654321")
    run_until_quiet()
    with connection.cursor() as cursor:
        cursor.execute("SELECT last_value FROM claims_group_control_number")
        assert cursor.fetchone()[0] > 100_000


def test_nothing_changes_in_a_dry_run(partner: Api) -> None:
    partner.submitted()
    call_command("after_restore", "--dry-run")
    assert not WorkItem.objects.exists()


@pytest.fixture
def restored(partner: Api) -> str:
    """A session that was queued when the backup was made."""
    session_id = partner.submitted()
    pipeline.advance()
    call_command("after_restore")
    return session_id


def test_the_partner_can_not_change_what_may_be_with_the_payer(partner: Api, restored: str) -> None:
    assert partner.patch(f"/sessions/{restored}", MEMBER).status_code == 409
    run_until_quiet()
    assert (Claim.objects.get().step, Transmission.objects.exists()) == ("held", False)
    message = partner.get(f"/sessions/{restored}").json()["message"]
    assert message.endswith("Billing staff see to it. Nothing to do.")
    assert "Correct the session" not in message


def test_staff_can_not_correct_or_override_it_before_they_release_it(partner: Api, restored: str) -> None:
    held = UUID(restored)
    with pytest.raises(intake.SessionLocked):
        intake.correct(held, partner_id=partner.partner.pk, correction=CORRECTION, by_staff=True)
    with pytest.raises(actions.ActionRefusedError, match="release it"):
        actions.override(held, rules=["CHG-001"], user=None, reason="it is right")
    actions.release(held, user=None, reason="the clearinghouse has no such claim")
    intake.correct(held, partner_id=partner.partner.pk, correction=CORRECTION, by_staff=True)


def test_reprocess_leaves_it_where_it_is_and_says_why(restored: str) -> None:
    said = result("reprocess", restored)
    assert (said.code, said.document[0]["refused"]) == (1, True)
    assert "compare it with the clearinghouse's list" in said.document[0]["outcome"]
    assert Claim.objects.get().step == "held"


def test_explain_names_the_restore_and_who_lets_it_go(restored: str) -> None:
    said = result("explain_session", restored)
    assert said.code == 4
    assert "restored from a backup" in said.document["why"][0]
    assert "release it" in said.document["moves"][0]
    assert "PATCH" not in said.text
    assert "reprocess" not in said.text


def test_what_a_rule_held_may_have_been_corrected_and_sent_since(partner: Api) -> None:
    session_id = partner.submitted(patient__insurance__memberId="HELD")
    run_until_quiet()
    call_command("after_restore")
    assert partner.patch(f"/sessions/{session_id}", MEMBER).status_code == 409
    assert WorkItem.objects.get(closed_at=None).reason == "restored"
    actions.release(UUID(session_id), user=None, reason="the clearinghouse has no such claim")
    run_until_quiet()
    assert WorkItem.objects.get(closed_at=None).queue == WorkItem.Queue.HELD
    assert partner.patch(f"/sessions/{session_id}", MEMBER).status_code == 200


def on_its_way(partner: Api, monkeypatch: pytest.MonkeyPatch) -> tuple[Clearinghouse, str]:
    """A clearinghouse that gave no receipt, and the session whose claim was handed over to it."""
    house = in_the_sandboxes_place(Clearinghouse(), monkeypatch)
    session_id = partner.submitted()
    pipeline.advance()
    house.failure = ClearinghouseError("timeout", outcome=Outcome.UNKNOWN)
    submission.send("sandbox")
    return house, session_id


@pytest.mark.parametrize("status", ["dispatching", "dispatch_unknown"])
def test_what_was_on_its_way_may_have_left_since_under_another_key(
    partner: Api, monkeypatch: pytest.MonkeyPatch, status: str
) -> None:
    house, session_id = on_its_way(partner, monkeypatch)
    lease = UUID(int=7) if status == "dispatching" else None
    Claim.objects.update(status=status, lease=lease, next_step_at=timezone.now())
    house.failure = None
    assert result("after_restore").document["claimsHeld"] == 1
    assert not submission.send("sandbox")
    [found] = result("find_session", "--rule", "restored").document
    assert found["sessionId"] == session_id
    assert partner.patch(f"/sessions/{session_id}", MEMBER).status_code == 409
    actions.release(UUID(session_id), user=None, reason="the clearinghouse has no such claim")
    pipeline.advance()
    submission.send("sandbox")
    assert [len(each.claims) for each in house.delivered] == [1]
    assert Claim.objects.get().status == "sent"


def test_an_answer_shows_that_what_was_on_its_way_is_out(
    partner: Api, monkeypatch: pytest.MonkeyPatch
) -> None:
    _, session_id = on_its_way(partner, monkeypatch)
    call_command("after_restore")
    apply(payer_acknowledgement(Claim.objects.get(), "A2:20:PR"))
    assert Claim.objects.get().step == "follow"
    assert partner.get(f"/sessions/{session_id}").json()["status"] == "accepted"


def test_a_second_run_finds_nothing_more_to_hold(restored: str) -> None:
    events = SessionEvent.objects.count()
    assert result("after_restore").document["claimsHeld"] == 0
    assert SessionEvent.objects.count() == events


def test_a_second_run_holds_nothing_once_more_that_an_answer_asks_about(restored: str) -> None:
    about = Claim.objects.get(session=restored)
    WorkItem.objects.create(queue="answers", session_id=restored, partner_id=about.partner_id)
    assert result("after_restore").document["claimsHeld"] == 0


def test_an_answer_shows_that_a_restored_claim_is_out(partner: Api) -> None:
    session_id = partner.submitted()
    pipeline.advance()
    call_command("after_restore")
    apply(payer_acknowledgement(Claim.objects.get(), "A2:20:PR"))
    assert Claim.objects.get().step == "follow"
    assert not WorkItem.objects.filter(closed_at=None, reason="restored").exists()
    assert partner.get(f"/sessions/{session_id}").json()["status"] == "accepted"


def test_an_answer_to_a_number_that_was_lost_is_matched_by_hand(partner: Api) -> None:
    session_id = partner.submitted(patient__insurance__memberId="HELD")
    run_until_quiet()
    call_command("after_restore")
    claim = Claim.objects.get()
    assert claim.patient_control_number is None
    for answer in (payer_acknowledgement(claim, "A2:20:PR"), PAID_UNDER_A_LOST_NUMBER):
        apply(answer)
        number = ClaimSignal.objects.get(claim=None).pk
        assert result("match_remittance", str(number), "--claim", str(claim.pk)).code == 0
    assert Claim.objects.get().step == "follow"
    assert not WorkItem.objects.filter(closed_at=None, reason="restored").exists()
    assert partner.get(f"/sessions/{session_id}").json()["status"] == "paid"


def test_an_answer_to_an_earlier_version_does_not_let_the_next_one_go(partner: Api) -> None:
    session_id = UUID(partner.submitted(patient__insurance__memberId="REJECTED"))
    run_until_quiet()
    actions.resend(session_id, user=None, reason="member corrected")
    call_command("after_restore")
    apply(payer_acknowledgement(Claim.objects.get(version=1), "A7:164:IL"))
    assert WorkItem.objects.get(closed_at=None, queue="transport").reason == "restored"
    with pytest.raises(intake.SessionLocked):
        intake.correct(session_id, partner_id=partner.partner.pk, correction=CORRECTION, by_staff=True)


def test_claims_are_held_some_at_a_time_and_a_broken_run_is_run_again(
    partner: Api, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(3):
        partner.submitted(patient__insurance__memberId=f"W12345678{number}")
    pipeline.advance()
    holding = lifecycle.hold_restored
    held: list[Claim] = []

    def break_at_the_second(claim: Claim) -> None:
        held.append(claim)
        if len(held) == 2:
            raise OperationalError
        holding(claim)

    monkeypatch.setattr(after_restore, "AT_ONCE", 1)
    monkeypatch.setattr(lifecycle, "hold_restored", break_at_the_second)
    with CaptureQueriesContext(connection) as asked, pytest.raises(OperationalError):
        call_command("after_restore")
    read = [query["sql"] for query in asked.captured_queries]
    assert not [sql for sql in read if '"snapshot"' in sql]
    assert not [
        sql for sql in read if sql.startswith('SELECT "claims_claim"."id", "claims_claim"."frequency" ')
    ]
    assert Claim.objects.filter(step="held").count() == 1
    assert result("after_restore").document["claimsHeld"] == 2
    assert Claim.objects.filter(step="held").count() == 3
    assert WorkItem.objects.filter(closed_at=None, reason="restored").count() == 3
