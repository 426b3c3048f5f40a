"""A claim without an answer: a person has asked the payer, and it has no such claim."""

from datetime import timedelta
from uuid import UUID

import pytest
from django.utils import timezone

from claims import lifecycle
from claims.models import Claim, ClaimSignal, WorkItem
from claims.versions import is_lost
from claims.watchdog import watch
from sessions_app.models import SessionChange
from tests.cast import Api
from tests.claims.admin.staff import Desk, ended, item_of, newest
from tests.claims.admin.test_session_actions import said
from tests.claims.process import run_until_quiet
from tests.claims.test_inbound import apply, payer_acknowledgement, remittance
from tests.claims.test_information_asked import told

BUTTON = "The payer doesn&#x27;t have it…"
ASKED = {"reason": "their provider line, reference 8841", "asked": "on"}


@pytest.fixture
def silent(partner: Api) -> UUID:
    """A session whose payer has not answered for two weeks."""
    session_id = ended(partner, "SILENT")
    Claim.objects.filter(session=session_id).update(submitted_at=timezone.now() - timedelta(days=14))
    watch()
    assert item_of(session_id).queue == "silent"
    return session_id


def shows_it(desk: Desk, session_id: UUID) -> bool:
    return BUTTON.replace("&#x27;", "'") in desk.page(session_id)


def test_what_the_payer_doesnt_have_can_go_again_as_a_new_claim(
    silent: UUID, partner: Api, billing: Desk
) -> None:
    assert shows_it(billing, silent)
    billing.post("desk:session-unknown", silent, **ASKED)
    assert item_of(silent).reason == "claim_not_found"
    assert "Correct and resend" in billing.page(silent)
    assert not shows_it(billing, silent)
    assert "read it raw" not in billing.page(silent)
    billing.post("desk:session-resend", silent, reason="it never arrived")
    run_until_quiet()
    claim = newest(silent)
    assert (claim.version, claim.frequency, claim.step) == (2, "1", Claim.Step.FOLLOW)


def test_the_partner_reads_how_it_is_known_and_staff_who_asked(
    silent: UUID, partner: Api, billing: Desk
) -> None:
    billing.post("desk:session-unknown", silent, **ASKED)
    session = partner.get(f"/sessions/{silent}").json()
    assert session["status"] == "submitted"
    assert ASKED["reason"] in session["timeline"][-1]["summary"]
    change = SessionChange.objects.get(pgh_obj=silent)
    assert (change.pgh_label, change.pgh_context) == ("asked", {"user": billing.user.pk})


def test_a_question_that_it_could_not_answer_leaves_it_missing(silent: UUID, billing: Desk) -> None:
    billing.post("desk:session-unknown", silent, **ASKED)
    told(newest(silent), "E1:0")
    asked = WorkItem.objects.filter(session=silent, closed_at=None)
    assert [item.reason for item in asked] == ["claim_not_found"]
    billing.post("desk:session-resend", silent, reason="it never arrived")
    assert newest(silent).version == 2


def test_what_the_payer_pays_after_all_counts(silent: UUID, partner: Api, billing: Desk) -> None:
    billing.post("desk:session-unknown", silent, **ASKED)
    apply(remittance(newest(silent)))
    assert partner.get(f"/sessions/{silent}").json()["status"] == "paid"
    assert not WorkItem.objects.filter(session=silent, closed_at=None).exists()


@pytest.mark.parametrize(
    ("given", "words"), [({"reason": "8841"}, "Tick that you have asked"), ({"asked": "on"}, "Say why")]
)
def test_it_needs_the_tick_and_how_it_is_known(
    silent: UUID, billing: Desk, given: dict[str, str], words: str
) -> None:
    heard = ClaimSignal.objects.count()
    assert words in said(billing.post("desk:session-unknown", silent, **given))
    assert ClaimSignal.objects.count() == heard


@pytest.mark.parametrize("member_id", ["PAID", "REJECTED", "HELD"])
def test_a_claim_that_waits_for_nobody_is_not_lost(partner: Api, billing: Desk, member_id: str) -> None:
    session_id = ended(partner, member_id)
    assert not shows_it(billing, session_id)
    assert "waits for no answer" in said(billing.post("desk:session-unknown", session_id, **ASKED))
    assert newest(session_id).version == 1


def test_an_acceptance_that_comes_later_counts_also_where_it_is_dated_earlier(
    silent: UUID, partner: Api, billing: Desk
) -> None:
    billing.post("desk:session-unknown", silent, **ASKED)
    yesterday = timezone.localdate() - timedelta(days=1)
    apply(payer_acknowledgement(newest(silent), "A2:20").replace("20300125", f"{yesterday:%Y%m%d}"))
    assert "No answer to correct yet" in said(billing.post("desk:session-resend", silent, reason="again"))
    assert partner.get(f"/sessions/{silent}").json()["status"] == "accepted"
    assert not WorkItem.objects.filter(session=silent, closed_at=None).exists()


def test_what_the_clearinghouse_took_and_the_payer_doesnt_have_can_go_again(
    silent: UUID, partner: Api, billing: Desk
) -> None:
    taken = payer_acknowledgement(newest(silent), "A2:20", sender="AY")
    apply(taken.replace("20300125", f"{timezone.localdate():%Y%m%d}"))
    watch()
    assert shows_it(billing, silent)
    billing.post("desk:session-unknown", silent, **ASKED)
    assert "On its way again." in said(billing.post("desk:session-resend", silent, reason="it never arrived"))


def test_a_payer_that_answers_while_staff_write_it_down_has_the_claim(silent: UUID, billing: Desk) -> None:
    apply(payer_acknowledgement(newest(silent), "A2:20"))
    assert "isn't overdue" in said(billing.post("desk:session-unknown", silent, **ASKED))
    assert not is_lost(newest(silent))


def test_what_the_clearinghouse_hasnt_answered_may_still_come_to_the_payer(
    partner: Api, billing: Desk
) -> None:
    session_id = ended(partner, "SILENT")
    Claim.objects.filter(session=session_id).update(submitted_at=timezone.now() - timedelta(days=2))
    ClaimSignal.objects.filter(claim__session=session_id).delete()
    lifecycle.settle([session_id])
    watch()
    assert item_of(session_id).reason == "no_clearinghouse_answer"
    assert not shows_it(billing, session_id)
    assert "isn't overdue" in said(billing.post("desk:session-unknown", session_id, **ASKED))


def test_what_was_asked_is_not_asked_again_and_not_of_the_claim_that_went_since(
    silent: UUID, billing: Desk
) -> None:
    billing.post("desk:session-unknown", silent, **ASKED)
    watch()
    asking = WorkItem.objects.filter(session=silent, queue="silent", closed_at=None)
    assert not asking.exists()
    billing.post("desk:session-resend", silent, reason="it never arrived")
    run_until_quiet()
    watch()
    assert not asking.exists()
