"""What answers ask of a person beside the claim's own course: said with its amount, done, taken up again."""

from datetime import timedelta
from decimal import Decimal

import pytest
from django.utils import timezone

from claims import assignment
from claims.models import Claim, WorkItem
from sessions_app.models import SessionChange
from tests.cast import Api
from tests.claims.admin.staff import Desk, ended, newest
from tests.claims.test_inbound import apply, payer_acknowledgement, remittance


def adjusted(partner: Api, *, amount: str = "55.00", member_id: str = "SILENT") -> WorkItem:
    """The open work of a paid claim of which the payer recovers money from another payment."""
    claim = newest(ended(partner, member_id))
    apply(remittance(claim, paid="180.00", copay="0"))
    take_back(claim, amount)
    return WorkItem.objects.get(session=claim.session_id, queue="answers", closed_at=None)


def take_back(claim: Claim, amount: str, *, trace: str = "T2") -> None:
    """A later remittance, of another's claim, with what it keeps on account of this one."""
    text = remittance(claim, number="NOTOURS", trace=trace, transfer=str(155 - Decimal(amount)))
    text = text.replace("*CI*PAYER77*", "*CI*ANOTHER9*").replace("~REF*6R*", "~REF*6R*X")
    apply(text.replace("~SE*", f"~PLB*1999999984*20301231*WO:PAYER77*{amount}~SE*"))


def test_an_adjustment_says_its_amount_and_what_to_do(partner: Api, billing: Desk) -> None:
    item = adjusted(partner)
    words = "Aetna kept 55.00 from another payment on account of this claim: an earlier overpayment"
    assert item.summary.startswith(words)
    page = billing.page(item.session_id)
    assert words in page
    assert "book it with the practice" in page
    assert newest(item.session_id).status == "paid"


def test_a_person_says_that_it_is_done(partner: Api, billing: Desk) -> None:
    item = adjusted(partner)
    billing.post("desk:session-done", item.session_id, item=item.pk, reason="booked with the practice")
    item.refresh_from_db()
    assert item.closed_at
    assert item.assignee == billing.user
    page = billing.page(item.session_id)
    assert "Maya was done with an answer<small>“booked with the practice”</small>" in page.replace(" <", "<")
    assert 'name="reason" type="text" maxlength="180"' not in page


def test_what_is_done_stays_done_and_the_next_answer_opens(partner: Api, billing: Desk) -> None:
    item = adjusted(partner)
    billing.post("desk:session-done", item.session_id, item=item.pk)
    apply(payer_acknowledgement(newest(item.session_id), "A2:20"))
    assert not WorkItem.objects.filter(session=item.session_id, closed_at=None).exists()
    take_back(newest(item.session_id), "20.00", trace="T3")
    again = WorkItem.objects.get(session=item.session_id, closed_at=None)
    assert again.summary.startswith("Aetna kept 20.00")


def test_what_was_done_is_taken_up_again(partner: Api, billing: Desk) -> None:
    item = adjusted(partner)
    answer = billing.post("desk:session-done", item.session_id, item=item.pk)
    offered = billing.client.get(answer["Location"]).content.decode()
    assert f"/sessions_app/session/{item.session_id}/undone/" in offered
    billing.post("desk:session-undone", item.session_id, item=item.pk)
    assert WorkItem.objects.get(session=item.session_id, closed_at=None).summary == item.summary
    labels = SessionChange.objects.filter(pgh_obj=item.session_id).values_list("pgh_label", flat=True)
    assert {"ended", "took_up"} <= set(labels)


def test_amounts_that_do_not_fit_are_said_and_a_person_ends_them(partner: Api, billing: Desk) -> None:
    claim = newest(ended(partner, "SILENT"))
    apply(remittance(claim).replace("*1*180.00*", "*4*180.00*"))
    item = WorkItem.objects.get(session=claim.session_id, queue="answers", closed_at=None)
    said = "The amounts of the remittance don't fit the claim. Aetna paid 155.00 of 180.00 charged."
    assert item.summary == said
    assert "ask the payer where it is wrong" in billing.page(claim.session_id)
    billing.post("desk:session-done", claim.session_id, item=item.pk)
    apply(payer_acknowledgement(claim, "A2:20"))
    assert not WorkItem.objects.filter(session=claim.session_id, queue="answers", closed_at=None).exists()


def test_what_an_answer_ends_has_no_such_button(partner: Api, billing: Desk) -> None:
    item = adjusted(partner)
    WorkItem.objects.filter(pk=item.pk).update(reason="claim_not_found")
    assert "/done/" not in billing.page(item.session_id)


@pytest.mark.parametrize("role", ["support", "administrator"])
def test_who_does_no_claims_work_ends_nothing(partner: Api, role: str) -> None:
    item = adjusted(partner)
    assert Desk(role).post("desk:session-done", item.session_id, item=item.pk).status_code == 403


def test_a_void_leaves_open_what_an_answer_asks(partner: Api, billing: Desk, lead: Desk) -> None:
    item = adjusted(partner)
    billing.post("desk:session-take", item.session_id, item=item.pk)
    lead.post("desk:session-void", item.session_id, reason="billed by mistake")
    item.refresh_from_db()
    assert (item.closed_at, item.assignee) == (None, billing.user)


def test_what_rests_comes_back_when_an_answer_arrives(partner: Api, billing: Desk) -> None:
    claim = newest(ended(partner, "DENIED"))
    item = WorkItem.objects.get(session=claim.session_id, closed_at=None)
    rests = timezone.now() + timedelta(days=30)
    assignment.snooze([item.pk], user=billing.user, until=rests, reason="the payer decides anew")
    apply(payer_acknowledgement(claim, "F2:585"))
    item.refresh_from_db()
    assert (item.snoozed_until, item.closed_at, item.assignee) == (None, None, billing.user)
