"""A payment posted by hand, as the purge, support, a restore and what payers recover meet it."""

from collections.abc import Callable
from datetime import timedelta
from uuid import UUID

import pytest
from django.utils import timezone

from claims import watchdog
from claims.models import Claim, ClaimSignal, TypedRemittance
from claims.retention import purge
from sessions_app.models import Session
from tests.cast import Api
from tests.claims.admin.staff import Desk, ended, newest
from tests.claims.admin.test_post import draw, post, previewed, typed
from tests.claims.test_inbound import apply, envelope
from tests.operations.running import result


@pytest.fixture
def posted(partner: Api, lead: Desk) -> Claim:
    """A claim that has no answer but what a lead posted."""
    claim = newest(ended(partner, "SILENT"))
    post(lead, claim)
    return newest(claim.session_id)


def taken_back(lead: Desk) -> None:
    lead.post("desk:typed-undo", TypedRemittance.objects.get().pk, reason="a slip")


def recovered(reference: str) -> ClaimSignal:
    """What a payer keeps from another payment, and names this claim for."""
    body = (
        "BPR*H*0*C*NON************20300220~TRN*1*T9*1525350500~DTM*405*20300220~N1*PR*AETNA~REF*2U*60054~"
        "N1*PE*CALM HARBOR COUNSELING*XX*1999999984~LX*1~"
        f"PLB*1999999984*20301231*WO:{reference}*120*FB:T9*-120~"
    )
    apply(envelope(body, kind="835", version="005010X221A1"))
    return ClaimSignal.objects.get(kind="PLB", natural_key__contains="|WO|")


def signals_shown(session_id: UUID) -> list[str]:
    [claim] = result("show_session", str(session_id)).document["claims"]
    return [each["kind"] for each in claim["signals"]]


@pytest.mark.parametrize("and_then", [lambda lead: None, taken_back], ids=["counts", "taken back"])
def test_a_purge_keeps_the_claim_and_who_posted_what(
    lead: Desk, posted: Claim, and_then: Callable[[Desk], None]
) -> None:
    and_then(lead)
    kept = TypedRemittance.objects.values().get()
    Session.objects.update(updated_at=timezone.now() - timedelta(days=3000))
    assert "unsent_sessions" not in {each.kind for each in purge() if each.rows}
    assert TypedRemittance.objects.values().get() == kept
    assert ClaimSignal.objects.get(pk=kept["signal_id"]).claim == posted


def test_support_sees_it_until_it_is_taken_back(lead: Desk, posted: Claim) -> None:
    before = signals_shown(posted.session_id)
    taken_back(lead)
    assert (before.count("835"), signals_shown(posted.session_id).count("835")) == (1, 0)


def test_support_still_sees_an_answer_that_was_dismissed_otherwise(posted: Claim) -> None:
    TypedRemittance.objects.all().delete()
    ClaimSignal.objects.filter(claim=posted).update(dismissed_at=timezone.now())
    assert "835" in signals_shown(posted.session_id)


def test_money_that_the_payer_recovers_is_known_as_the_claims_while_the_posting_counts(
    posted: Claim,
) -> None:
    assert recovered(posted.patient_control_number).claim == posted


def test_money_that_a_payer_recovers_is_nobodys_once_the_posting_is_taken_back(
    lead: Desk, posted: Claim
) -> None:
    taken_back(lead)
    assert recovered(posted.patient_control_number).claim is None


def test_after_a_restore_it_stands(partner: Api, posted: Claim) -> None:
    before = partner.get(f"/sessions/{posted.session_id}").json()
    result("after_restore")
    assert partner.get(f"/sessions/{posted.session_id}").json() == before


def test_a_form_of_before_it_was_taken_back_is_shown_anew(partner: Api, lead: Desk) -> None:
    claim = newest(ended(partner, "SILENT"))
    fields = previewed(lead, claim, typed())
    draw(lead, claim, fields)
    taken_back(lead)
    assert draw(lead, claim, fields).status_code == 409
    assert newest(claim.session_id).status == "sent"


def test_it_is_typed_anew_after_it_was_taken_back_and_a_silence_is_told_again(
    partner: Api, lead: Desk
) -> None:
    claim = newest(ended(partner, "SILENT"))
    post(lead, claim)
    lead.post("desk:typed-undo", TypedRemittance.objects.get().pk, reason="a slip")
    assert watchdog.watch(now=claim.submitted_at + timedelta(days=31)) == 1
    post(lead, claim, typed(**{"paid.1": "100", "amount.1.1": "55", "allowed.1": ""}))
    assert newest(claim.session_id).paid == 100


def test_a_version_that_there_is_not_is_not_found(lead: Desk, posted: Claim) -> None:
    assert lead.get("desk:session-post", posted.session_id, 7).status_code == 404
