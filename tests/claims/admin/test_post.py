"""A payment that no remittance brings: a lead posts it, and the partner sees it as any other."""

import re
import threading
from datetime import timedelta
from decimal import Decimal
from typing import Any
from uuid import UUID

import pytest
from django.db import connection
from django.http import HttpResponse
from django.urls import reverse
from django.utils import timezone

from claims import lifecycle, watchdog
from claims.desk.evidence import collect
from claims.models import Claim, ClaimSignal, LedgerEntry, TypedRemittance, WorkItem
from providers.models import AllowedAmount
from sessions_app.models import SessionChange
from tests.cast import REMOVED, Api
from tests.claims.admin.staff import Desk, ended, newest
from tests.claims.test_inbound import apply, remittance
from tests.claims.test_information_asked import told as payer_says
from tests.claims.test_paid_in_parts import plb, remitted, said

COPAY = {
    "allowed.1": "145.00",
    "paid.1": "120",
    "group.1.1": "CO",
    "reason.1.1": "45",
    "amount.1.1": "35.00",
    "group.1.2": "PR",
    "reason.1.2": "3",
    "amount.1.2": "$25.00",
}
DENIAL = {"paid.1": "0", "group.1.1": "CO", "reason.1.1": "197", "amount.1.1": "180"}
POSTED = (
    "Aetna paid $120.00 of $180.00; the patient owes $25.00. No remittance had come: billing staff posted it "
    "from the payer's portal."
)


def typed(**changes: str) -> dict[str, str]:
    fields = {
        "paid_on": timezone.localdate().isoformat(),
        "trace_number": "EFT77",
        "payer_number": "PAPER1",
        "origin": "portal",
        "reason": "their portal, page 2",
        **COPAY,
    }
    return {name: value for name, value in {**fields, **changes}.items() if value is not REMOVED}


def draw(desk: Desk, claim: Claim, fields: dict[str, str]) -> HttpResponse:
    return desk.post("desk:session-post", claim.session_id, claim.version, **fields)


def previewed(desk: Desk, claim: Claim, fields: dict[str, str]) -> dict[str, str]:
    """The same fields, with what the preview adds to them."""
    page = draw(desk, claim, fields).content.decode()
    hidden = dict(re.findall(r'name="(seen|digest)" value="([^"]*)"', page))
    return {**fields, **hidden, "save": "1"}


def post(desk: Desk, claim: Claim, fields: dict[str, str] | None = None) -> HttpResponse:
    """Look at the preview, then post."""
    return draw(desk, claim, previewed(desk, claim, typed() if fields is None else fields))


def read(partner: Api, claim: Claim) -> dict[str, Any]:
    return partner.get(f"/sessions/{claim.session_id}").json()


def refusal(answer: HttpResponse) -> str:
    """What a form that can't be posted says."""
    assert answer.status_code == 400
    return " ".join(re.findall(r"<li>([^<]*)</li>", answer.content.decode().split('id="problems"')[1]))


def test_what_a_lead_posts_is_what_the_partner_reads(partner: Api, lead: Desk, claim: Claim) -> None:
    assert post(lead, claim).status_code == 302
    session = read(partner, claim)
    assert (session["status"], session["claim"]["status"]) == ("paid", "paid")
    assert session["message"] == "Aetna paid $120.00; the patient owes $25.00. Collect it from the patient."
    claim.refresh_from_db()
    assert (claim.paid, claim.allowed, claim.patient_owes) == (120, 145, 25)
    assert claim.payer_control_number == "PAPER1"
    last = session["timeline"][-1]
    assert (last["type"], last["status"], last["summary"]) == ("claim.paid", "paid", POSTED)
    assert lead.user.username not in str(session)
    assert "page 2" not in str(session)


def test_the_preview_says_what_it_makes_of_the_claim_and_posts_nothing(lead: Desk, claim: Claim) -> None:
    page = draw(lead, claim, typed()).content.decode()
    for words in ("<b>Paid</b>", "$120.00", "$145.00", "$25.00", "Nothing is left to do about it."):
        assert words in page
    assert "Collect it from the patient." in page
    assert not TypedRemittance.objects.exists()
    assert newest(claim.session_id).status == "sent"


def test_the_preview_of_a_denial_has_its_words_and_the_work_that_it_makes(lead: Desk, claim: Claim) -> None:
    page = draw(lead, claim, typed(**dict.fromkeys(COPAY, REMOVED) | DENIAL)).content.decode()
    assert "<b>Denied</b>" in page
    assert "no authorization is on file (CO-197)" in page
    assert "Work for us: No authorization is on file (CO-197)" in page


def test_a_denial_is_posted_and_worked_like_any_other(partner: Api, lead: Desk, claim: Claim) -> None:
    fields = typed(**dict.fromkeys(COPAY, REMOVED) | DENIAL, trace_number="")
    post(lead, claim, fields)
    assert read(partner, claim)["status"] == "denied"
    item = WorkItem.objects.get(session=claim.session_id, closed_at=None)
    assert (item.queue, item.reason) == ("denied", "CO-197")


@pytest.mark.parametrize(("number", "is_said"), [("", True), ("PAPER1", False)])
def test_the_preview_says_what_cannot_be_done_without_the_payers_number(
    lead: Desk, claim: Claim, number: str, is_said: bool
) -> None:
    page = draw(lead, claim, typed(payer_number=number)).content.decode()
    assert ("the claim can't be replaced or voided. Where the payer gives one, type it." in page) == is_said


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        (
            {"amount.1.1": "20"},
            "Line 1 (90837): $180.00 was charged, but paid and adjusted come to $165.00; $15.00 is",
        ),
        ({"paid.1": "130"}, "come to $190.00; that is $10.00 too much"),
        ({"paid.1": "-120", "amount.1.1": "275"}, "Line 1 (90837): no amount is below nothing"),
        ({"paid.1": ""}, "Line 1 (90837): say what was paid"),
        ({"paid.1": "12O"}, "is no amount in dollars and cents"),
        ({"paid.1": "$", "amount.1.1": "155"}, "Line 1 (90837), paid: “$” is no amount"),
        ({"paid.1": "120,00"}, "Line 1 (90837), paid: “120,00” is no amount"),
        ({"allowed.1": "145,00"}, "Line 1 (90837), allowed: “145,00” is no amount"),
        ({"amount.1.1": "35,00"}, "Line 1 (90837), adjustment: “35,00” is no amount"),
        ({"allowed.1": "144.99"}, "Line 1 (90837): $145.00 was paid and left to the patient"),
        ({"allowed.1": "180.01"}, "Line 1 (90837): more was allowed than charged"),
        ({"reason.1.1": "4X5"}, "4X5 is no reason code. One looks like 45 or B7."),
        ({"group.1.1": "XX"}, "choose CO, PR, OA or PI"),
        ({"group.1.1": ""}, "an adjustment lacks its group, reason or amount"),
        ({"paid_on": ""}, "Payment date: give the day"),
        ({"paid_on": "2999-01-01"}, "it lies in the future"),
        ({"paid_on": "2001-01-01"}, "it lies before the date of service"),
        ({"trace_number": ""}, "Check or EFT number"),
        ({"payer_number": "A*B"}, "no claim can carry"),
        ({"origin": ""}, "How you know"),
        ({"reason": " "}, "Reason or reference"),
    ],
)
def test_what_is_missing_or_wrong_is_said_and_nothing_posted(
    lead: Desk, claim: Claim, changes: dict[str, str], says: str
) -> None:
    answer = draw(lead, claim, typed(**changes, save="1"))
    assert says in refusal(answer)
    assert not TypedRemittance.objects.exists()


def test_a_reason_that_has_no_words_here_is_posted_like_an_835s(lead: Desk, claim: Claim) -> None:
    assert post(lead, claim, typed(**{"reason.1.1": "999"})).status_code == 302
    assert TypedRemittance.objects.get().claim_id == claim.pk


def test_what_was_typed_stays_in_the_form(lead: Desk, claim: Claim) -> None:
    page = draw(
        lead, claim, typed(**{"amount.1.1": "20", "group.1.5": "OA", "reason.1.5": "23"})
    ).content.decode()
    for value in ("120", "20", "$25.00", "EFT77", "their portal, page 2", "23"):
        assert f'value="{value}"' in page


def test_each_line_of_a_claim_is_typed_and_must_balance(partner: Api, lead: Desk) -> None:
    two = newest(
        ended(
            partner,
            "SILENT",
            session__durationMinutes=REMOVED,
            session__procedureCodes=[{"code": "90837"}, {"code": "90785"}],
        )
    )
    second = {"paid.2": "0", "group.2.1": "CO", "reason.2.1": "197", "amount.2.1": "20"}
    assert "Line 2 (90785): $25.00 was charged" in refusal(draw(lead, two, typed(**second)))
    post(lead, two, typed(**second | {"amount.2.1": "25"}))
    two.refresh_from_db()
    assert (two.status, two.paid) == ("partially_paid", 120)
    assert WorkItem.objects.get(session=two.session_id, closed_at=None).reason == "line_denied"


def test_the_preview_tells_that_the_claim_was_rejected(partner: Api, lead: Desk) -> None:
    refused = newest(ended(partner, "REJECTED"))
    page = draw(lead, refused, typed()).content.decode()
    assert "This claim was rejected before anybody decided what to pay." in page


def test_the_preview_tells_that_another_number_of_the_payer_is_replaced(lead: Desk, claim: Claim) -> None:
    Claim.objects.filter(pk=claim.pk).update(payer_control_number="AET1")
    says = "The payer has called this claim AET1 until now. PAPER1 takes its place."
    assert says in draw(lead, claim, typed()).content.decode()
    assert "takes its place." not in draw(lead, claim, typed(payer_number="AET1")).content.decode()


def test_a_double_click_posts_once(partner: Api, lead: Desk, claim: Claim) -> None:
    fields = previewed(lead, claim, typed())
    draw(lead, claim, fields)
    draw(lead, claim, fields)
    assert TypedRemittance.objects.count() == 1
    assert newest(claim.session_id).paid == Decimal(120)


def test_the_second_of_two_leads_is_refused(lead: Desk, claim: Claim) -> None:
    other = Desk("billing lead")
    fields = previewed(other, claim, typed(**{"paid.1": "100", "amount.1.1": "55"}))
    post(lead, claim)
    address = reverse("desk:session-post", args=[claim.session_id, claim.version])
    answer = other.client.post(address, fields, follow=True)
    assert "was posted to it by hand already" in answer.content.decode()
    assert newest(claim.session_id).paid == Decimal(120)


@pytest.mark.django_db(transaction=True)
def test_of_two_that_are_posted_at_once_one_counts(partner: Api, lead: Desk, claim: Claim) -> None:
    other = Desk("billing lead")
    address = reverse("desk:session-post", args=[claim.session_id, claim.version])
    forms = [previewed(desk, claim, typed(trace_number=desk.user.username[-6:])) for desk in (lead, other)]
    both_looked = threading.Barrier(2)
    answers: list[HttpResponse] = []

    def press(desk: Desk, form: dict[str, str]) -> None:
        both_looked.wait(10)
        answers.append(desk.client.post(address, form))
        connection.close()

    pressing = [threading.Thread(target=press, args=pair) for pair in zip((lead, other), forms, strict=True)]
    for each in pressing:
        each.start()
    for each in pressing:
        each.join(30)
    # The second is refused: under the lock (302) or, if it looked after the first, by its preview (409).
    assert sorted(each.status_code for each in answers) in ([302, 302], [302, 409])
    assert TypedRemittance.objects.count() == 1
    assert newest(claim.session_id).paid == 120


def test_what_was_changed_since_the_preview_is_shown_anew(lead: Desk, claim: Claim) -> None:
    fields = previewed(lead, claim, typed()) | {"paid.1": "100", "amount.1.1": "55"}
    assert draw(lead, claim, fields).status_code == 409
    assert not TypedRemittance.objects.exists()


def test_a_page_from_before_another_version_is_refused(lead: Desk, claim: Claim) -> None:
    fields = previewed(lead, claim, typed()) | {"seen": "0.0"}
    draw(lead, claim, fields)
    assert not TypedRemittance.objects.exists()


def test_only_a_lead_posts_and_sees_the_button(lead: Desk, billing: Desk, claim: Claim) -> None:
    address = reverse("desk:session-post", args=[claim.session_id, claim.version])
    assert address in lead.page(claim.session_id)
    assert address not in billing.page(claim.session_id)
    assert draw(billing, claim, typed()).status_code == 403


def test_its_page_says_when_the_payers_own_remittance_counts(lead: Desk, claim: Claim) -> None:
    post(lead, claim)
    shown = claim.session_id, claim.signals.get(kind="835").pk
    says = "It counts no more: the payer has answered since."
    assert says not in lead.get("desk:answer", *shown).content.decode()
    apply(remittance(claim))
    assert says in lead.get("desk:answer", *shown).content.decode()


def test_who_posted_it_and_why_is_on_the_record(lead: Desk, billing: Desk, claim: Claim) -> None:
    post(lead, claim)
    kept = TypedRemittance.objects.get()
    assert (kept.user, kept.origin, kept.trace_number) == (lead.user, "portal", "EFT77")
    assert SessionChange.objects.filter(pgh_obj=claim.session_id, pgh_label="posted").exists()
    page = billing.page(claim.session_id)
    assert "posted a payment by hand" in page
    row = kept.signal_id
    assert "their portal, page 2" in billing.get("desk:answer", claim.session_id, row).content.decode()


def test_it_is_part_of_the_sessions_evidence(lead: Desk, claim: Claim) -> None:
    post(lead, claim)
    files = {each.path: each.content.decode() for each in collect(claim.session)}
    assert "their portal, page 2" in files["typed-remittances.json"]
    assert "PAPER1" in files["answers.json"]


def test_a_payers_number_that_is_taken_out_stays_out(lead: Desk, claim: Claim) -> None:
    Claim.objects.filter(pk=claim.pk).update(payer_control_number="AET9")
    assert 'value="AET9"' in lead.get("desk:session-post", claim.session_id, 1).content.decode()
    assert 'value="AET9"' not in draw(lead, claim, typed(payer_number="")).content.decode()


def test_what_it_allowed_is_learnt_as_from_an_835(lead: Desk, claim: Claim) -> None:
    post(lead, claim)
    assert AllowedAmount.objects.get().allowed == 145


def test_a_reversal_that_comes_later_takes_back_what_was_typed(
    lead: Desk, partner: Api, claim: Claim
) -> None:
    post(lead, claim)
    taken = said(claim, (1, "-120", "CAS*CO*45*-35~CAS*PR*3*-25~"), code="22")
    remitted(taken, plb(120), total=0, day=22)
    session = read(partner, claim)
    assert (session["status"], session["claim"]["status"]) == ("accepted", "reversed")
    assert newest(claim.session_id).paid == 0


def test_what_answers_asked_before_is_done_with(lead: Desk, claim: Claim) -> None:
    watchdog.watch(now=claim.submitted_at + timedelta(days=31))
    assert WorkItem.objects.get(session=claim.session_id, closed_at=None).reason == "no_remittance"
    post(lead, claim)
    assert not WorkItem.objects.filter(session=claim.session_id, closed_at=None).exists()


def test_a_claim_that_its_payer_calls_settled_can_be_posted(partner: Api, lead: Desk, claim: Claim) -> None:
    payer_says(claim, "F0:1")
    post(lead, claim)
    assert read(partner, claim)["status"] == "paid"


def test_the_ledger_holds_what_835s_transferred_and_no_more(lead: Desk, claim: Claim) -> None:
    post(lead, claim)
    assert not LedgerEntry.objects.filter(claim=claim).exists()


def test_folding_it_again_changes_nothing(lead: Desk, partner: Api, claim: Claim) -> None:
    post(lead, claim)
    before = read(partner, claim)
    lifecycle.settle([claim.session_id])
    after = read(partner, claim)
    assert before["timeline"] == after["timeline"]
    assert (before["message"], before["claim"]["status"]) == (after["message"], after["claim"]["status"])


def test_the_payers_own_remittance_counts_in_its_place(lead: Desk, partner: Api, claim: Claim) -> None:
    post(lead, claim)
    apply(remittance(claim))
    claim.refresh_from_db()
    assert (claim.paid, claim.patient_owes, claim.payer_control_number) == (155, 25, "PAYER77")
    assert read(partner, claim)["timeline"][-1]["summary"] == (
        "Aetna paid $155.00 of $180.00; the patient owes $25.00. It takes the place of what billing staff "
        "had posted by hand, which counts no more."
    )
    assert (
        sum(LedgerEntry.objects.filter(claim=claim, kind="payment").values_list("amount", flat=True)) == 155
    )
    assert "The payer&#x27;s own remittance counts instead." in lead.page(claim.session_id)


def test_beside_the_payers_own_remittance_nothing_is_posted(lead: Desk, claim: Claim) -> None:
    fields = previewed(lead, claim, typed())
    apply(remittance(claim))
    address = reverse("desk:session-post", args=[claim.session_id, claim.version])
    assert (
        "A remittance says how the payer decided"
        in lead.client.post(address, fields, follow=True).content.decode()
    )
    assert address not in lead.page(claim.session_id)
    assert newest(claim.session_id).paid == 155


def test_what_was_typed_wrongly_is_taken_back_with_a_reason(
    lead: Desk, billing: Desk, partner: Api, claim: Claim
) -> None:
    post(lead, claim)
    kept = TypedRemittance.objects.get()
    assert billing.post("desk:typed-undo", kept.pk, reason="x").status_code == 403
    lead.post("desk:typed-undo", kept.pk, reason=" ")
    assert newest(claim.session_id).status == "paid"
    lead.post("desk:typed-undo", kept.pk, reason="another claim's letter")
    session = read(partner, claim)
    assert (session["status"], session["claim"]["status"]) == ("submitted", "sent")
    last = session["timeline"][-1]
    assert (last["type"], last["status"]) == ("claim.noted", "submitted")
    assert "taken back" in last["summary"]
    assert "letter" not in str(session)
    claim.refresh_from_db()
    assert (claim.paid, claim.payer_control_number) == (None, "")
    kept.refresh_from_db()
    assert (kept.undone_by, kept.undone_because) == (lead.user, "another claim's letter")
    assert not AllowedAmount.objects.exists()
    page = lead.get("desk:answer", claim.session_id, kept.signal_id).content.decode()
    assert "another claim&#x27;s letter" in page


def test_a_claim_that_has_not_left_takes_no_payment(partner: Api, lead: Desk) -> None:
    held = newest(ended(partner, "HELD", patient__insurance__payerName="No such payer of ours"))
    assert held.status == "held"
    assert lead.get("desk:session-post", held.session_id, held.version).status_code == 302
    assert "Post a payment" not in lead.page(held.session_id)


def test_a_void_takes_no_payment_and_what_was_posted_belongs_to_its_version(
    partner: Api, lead: Desk, claim: Claim
) -> None:
    post(lead, claim)
    lead.post("desk:session-void", claim.session_id, reason="the wrong patient", version=claim.version)
    void = newest(claim.session_id)
    assert (void.version, void.frequency) == (2, "8")
    assert lead.get("desk:session-post", void.session_id, void.version).status_code == 302
    assert Claim.objects.get(pk=claim.pk).paid == 120
    assert ClaimSignal.objects.get(natural_key__startswith="typed:").claim == claim


def test_a_correction_replaces_the_claim_under_the_number_that_was_typed(lead: Desk, claim: Claim) -> None:
    fields = typed(**dict.fromkeys(COPAY, REMOVED) | DENIAL)
    post(lead, claim, fields)
    lead.post("desk:session-resend", claim.session_id, reason="with the right code")
    again = newest(claim.session_id)
    assert isinstance(again.session_id, UUID)
    assert (again.version, again.frequency, again.replaces) == (2, "7", claim)
