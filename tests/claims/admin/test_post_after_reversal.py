"""What a lead may still post of a claim that its payer has reversed by remittance, and what undoing tells."""

from datetime import timedelta
from decimal import Decimal

import pytest
from django.urls import reverse

from claims.models import Claim, TypedRemittance, WorkItem
from tests.cast import REMOVED, Api
from tests.claims.admin.staff import Desk, ended, newest
from tests.claims.admin.test_post import COPAY, DENIAL, draw, post, read, refusal, typed
from tests.claims.test_inbound import apply, envelope, remittance
from tests.claims.test_paid_in_parts import plb, said

PAID, BACK = (1, "120", "CAS*CO*45*35~CAS*PR*3*25~"), (1, "-120", "CAS*CO*45*-35~CAS*PR*3*-25~")
ANEW = {"paid.1": "130", "amount.1.2": "15", "allowed.1": ""}


def on(claim: Claim, day: int) -> str:
    """That many days after the session."""
    return (claim.session.date_of_service + timedelta(days=day)).isoformat()


def remitted(claim: Claim, *lines: tuple[int, str, str], day: int, code: str = "1") -> None:
    """An 835 of that day about these lines."""
    total = sum(int(paid) for _, paid, _ in lines)
    moves = f"I*{total}*C*ACH" if total > 0 else "H*0*C*NON"
    carried = plb(-total) if total < 0 else ""
    body = (
        f"BPR*{moves}************{on(claim, day).replace('-', '')}~TRN*1*T{day}{code}*1525350500~N1*PR*AETNA~"
        "REF*2U*60054~N1*PE*CALM HARBOR COUNSELING*XX*1999999984~LX*1~"
        f"{said(claim, *lines, code=code)}{carried}"
    )
    report = apply(envelope(body, kind="835", version="005010X221A1"), f"{day}{code}.edi")
    assert report["sets"][0]["new"] >= 1, report


def told(partner: Api, claim: Claim) -> tuple[str, Decimal | None, str]:
    session = read(partner, claim)
    return session["claim"]["status"], newest(claim.session_id).paid, session["message"]


def test_the_correction_of_what_was_typed_and_reversed_is_posted_beside_it(
    partner: Api, lead: Desk, claim: Claim
) -> None:
    post(lead, claim, typed(paid_on=on(claim, 1)))
    remitted(claim, BACK, day=3, code="22")
    assert told(partner, claim)[:2] == ("reversed", 0)
    assert reverse("desk:session-post", args=[claim.session_id, claim.version]) in lead.page(claim.session_id)
    post(lead, claim, typed(paid_on=on(claim, 5), **ANEW))
    assert told(partner, claim) == (
        "paid",
        130,
        "Aetna paid $130.00; the patient owes $15.00. Collect it from the patient.",
    )
    assert not WorkItem.objects.filter(session=claim.session_id, closed_at=None).exists()
    lead.get("desk:session-post", claim.session_id, claim.version)
    assert "A payment was posted to it by hand already." in lead.page(claim.session_id)


def test_a_correction_of_the_day_of_the_reversal_is_posted(partner: Api, lead: Desk, claim: Claim) -> None:
    remitted(claim, PAID, day=1)
    remitted(claim, BACK, day=3, code="22")
    post(lead, claim, typed(paid_on=on(claim, 3), **ANEW))
    assert told(partner, claim)[:2] == ("paid", 130)


@pytest.mark.parametrize("first", ["typed", "an 835"])
def test_a_date_of_before_the_reversal_is_refused_at_the_preview(
    partner: Api, lead: Desk, claim: Claim, first: str
) -> None:
    if first == "typed":
        post(lead, claim, typed(paid_on=on(claim, 1)))
    else:
        remitted(claim, PAID, day=1)
    remitted(claim, BACK, day=3, code="22")
    posted = TypedRemittance.objects.count()
    fields = typed(paid_on=on(claim, 2), **ANEW)
    assert "Payment date: the payer took back on" in refusal(draw(lead, claim, fields))
    assert "Payment date: the payer took back on" in refusal(draw(lead, claim, {**fields, "save": "1"}))
    assert TypedRemittance.objects.count() == posted


def test_what_a_reversal_takes_back_that_came_first_is_posted_with_its_own_date(
    partner: Api, lead: Desk, claim: Claim
) -> None:
    remitted(claim, BACK, day=3, code="22")
    assert told(partner, claim)[:2] == ("reversed", -120)
    post(lead, claim, typed(paid_on=on(claim, 1)))
    assert told(partner, claim)[:2] == ("reversed", 0)


def test_beside_what_a_reversal_left_of_a_posting_nothing_is_posted(partner: Api, lead: Desk) -> None:
    codes = {"session__procedureCodes": [{"code": "90837"}, {"code": "90785"}]}
    claim = newest(ended(partner, "SILENT", session__durationMinutes=REMOVED, **codes))
    second = {"paid.2": "20", "group.2.1": "CO", "reason.2.1": "45", "amount.2.1": "5"}
    post(lead, claim, typed(paid_on=on(claim, 1), **second))
    remitted(claim, (2, "-20", "CAS*CO*45*-5~"), day=3, code="22")
    lead.get("desk:session-post", claim.session_id, claim.version)
    assert "The payer has reversed a part of what was posted" in lead.page(claim.session_id)


def test_to_undo_what_an_835_has_replaced_tells_the_partner_nothing(
    partner: Api, lead: Desk, claim: Claim
) -> None:
    post(lead, claim)
    apply(remittance(claim))
    before = read(partner, claim)
    lead.post("desk:typed-undo", TypedRemittance.objects.get().pk, reason="a slip")
    assert TypedRemittance.objects.get().undone_at is not None
    after = read(partner, claim)
    assert (after["timeline"], after["message"]) == (before["timeline"], before["message"])


def test_to_undo_a_denial_that_counts_is_told(partner: Api, lead: Desk, claim: Claim) -> None:
    post(lead, claim, typed(**dict.fromkeys(COPAY, REMOVED) | DENIAL, trace_number=""))
    lead.post("desk:typed-undo", TypedRemittance.objects.get().pk, reason="a slip")
    last = read(partner, claim)["timeline"][-1]
    assert (last["type"], last["status"]) == ("claim.noted", "submitted")
