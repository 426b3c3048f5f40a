"""A payment that its payer denies later: message, task and ledger say the same of its money."""

from datetime import date
from decimal import Decimal
from uuid import UUID

from django.db.models import Sum

from claims import actions, lifecycle
from claims.models import Claim, LedgerEntry, WorkItem
from tests.cast import Api
from tests.claims.admin.staff import Desk, ended, newest
from tests.claims.test_inbound import apply, envelope, remittance
from tests.claims.test_next_version import hand_over
from tests.claims.test_void_told import told_of

DENIED = "no authorization is on file (CO-197)."
LEFT = "$155.00 of what it paid hasn't gone back; billing staff look into it."


def paid(partner: Api) -> UUID:
    """A session that was paid $155.00 of $180.00."""
    session_id = ended(partner, "SILENT")
    apply(remittance(newest(session_id)), "paid.edi")
    return session_id


def later(session_id: UUID, *decisions: tuple[str, str], more: str = "", name: str = "later.edi") -> None:
    """A later 835 with these decisions (CLP02, paid), which moves nothing or what `more` takes."""
    claim = newest(session_id)
    line = claim.lines.get().line_control_number
    said, amount = "", Decimal(0)
    for code, money in decisions:
        sign = -1 if code == "22" else 1
        share, reason = ("PR*3", 25 * sign) if code == "22" else ("CO*197", 180 - Decimal(money))
        said += (
            f"CLP*{claim.patient_control_number}*{code}*{180 * sign}*{money}**CI*PAYER77*11*1~"
            f"SVC*HC:90837*{180 * sign}*{money}**1~CAS*{share}*{reason}~REF*6R*{line}~"
        )
        amount += Decimal(money)
    if more:
        said += f"PLB*1999999984*20301231*{more}*155*FB:T9*-155~"
    elif amount:
        said += f"PLB*1999999984*20301231*FB:T9*{amount}~"
    body = (
        f"BPR*H*0*C*NON************20300220~TRN*1*{name}*1525350500~DTM*405*20300220~"
        f"N1*PR*AETNA~REF*2U*60054~N1*PE*CALM HARBOR COUNSELING*XX*1999999984~LX*1~{said}"
    )
    report = apply(envelope(body, kind="835", version="005010X221A1"), name)
    assert "refused" not in report["sets"][0], report


def held_by_ledger(session_id: UUID) -> Decimal:
    money = LedgerEntry.objects.filter(claim=newest(session_id), kind__in=("payment", "reversal"))
    return money.aggregate(total=Sum("amount"))["total"]


def asked(session_id: UUID) -> list[tuple[str, str]]:
    items = WorkItem.objects.filter(session=session_id, closed_at=None).order_by("queue")
    return list(items.values_list("queue", "reason"))


def test_a_denial_that_leaves_the_payment_says_so_and_a_person_is_asked(partner: Api) -> None:
    session_id = paid(partner)
    later(session_id, ("1", "0"))
    told = told_of(partner, session_id)
    assert (told["status"], told["claim"]["status"]) == ("denied", "taken_back")
    assert told["message"].startswith(f"Aetna now denies the claim that it had paid: {DENIED} {LEFT} ")
    assert told["timeline"][-1]["summary"].startswith(
        f"Aetna decided anew and denies the claim that it had paid: {DENIED} {LEFT} "
    )
    assert held_by_ledger(session_id) == Decimal("155.00")
    assert asked(session_id) == [("answers", "payment_not_returned"), ("denied", "CO-197")]
    item = WorkItem.objects.get(session=session_id, queue="answers", closed_at=None)
    assert item.summary == "Aetna pays nothing now, and $155.00 of what it paid hasn't gone back."


def test_money_that_has_not_gone_back_has_no_day_to_be_filed_by(partner: Api) -> None:
    session_id = paid(partner)
    Claim.objects.filter(session=session_id).update(file_by=date(2030, 12, 31))
    later(session_id, ("1", "0"))
    items = WorkItem.objects.filter(session=session_id, closed_at=None).order_by("queue")
    assert [each.file_by for each in items] == [None, date(2030, 12, 31)]


def test_the_page_says_that_the_payment_has_not_gone_back(partner: Api) -> None:
    session_id = paid(partner)
    later(session_id, ("1", "0"))
    page = Desk("billing").page(session_id)
    assert "Aetna paid it, decided anew and denies it." in page
    assert "Aetna pays nothing now, and $155.00 of what it paid hasn&#x27;t gone back." in page


def test_a_patient_who_is_no_member_after_all_leaves_the_payment_too(partner: Api) -> None:
    session_id = paid(partner)
    later(session_id, ("4", "0"))
    told = told_of(partner, session_id)
    assert (told["status"], told["claim"]["status"]) == ("denied", "member_unknown")
    assert LEFT in told["message"]
    assert asked(session_id)[0] == ("answers", "payment_not_returned")


def test_what_is_left_to_the_patient_after_all_is_not_collected_while_the_payment_stands(
    partner: Api,
) -> None:
    session_id = paid(partner)
    claim = newest(session_id)
    body = (
        "BPR*H*0*C*NON************20300220~TRN*1*anew*1525350500~N1*PR*AETNA~REF*2U*60054~"
        f"LX*1~CLP*{claim.patient_control_number}*1*180*0*180*CI*PAYER77*11*1~"
        f"SVC*HC:90837*180*0**1~CAS*PR*1*180~REF*6R*{claim.lines.get().line_control_number}~"
    )
    apply(envelope(body, kind="835", version="005010X221A1"), "anew.edi")
    told = told_of(partner, session_id)
    assert told["message"] == f"Aetna now leaves $180.00 to the patient. {LEFT} Nothing to do."
    assert told["timeline"][-1]["summary"].endswith(f"it counts toward the deductible (PR-1). {LEFT}")
    assert asked(session_id) == [("answers", "payment_not_returned")]


def test_a_denial_in_the_835_of_the_reversal_has_nothing_left(partner: Api) -> None:
    session_id = paid(partner)
    later(session_id, ("22", "-155"), ("1", "0"))
    told = told_of(partner, session_id)
    assert told["message"].startswith(f"Aetna denies the claim: {DENIED} What usually helps")
    assert held_by_ledger(session_id) == 0
    assert asked(session_id) == [("denied", "CO-197")]


def test_the_reversal_that_comes_later_ends_the_question(partner: Api) -> None:
    session_id = paid(partner)
    later(session_id, ("1", "0"))
    later(session_id, ("22", "-155"), name="reversed.edi")
    told = told_of(partner, session_id)
    assert told["message"].startswith(f"Aetna takes back what it had paid and now denies the claim: {DENIED}")
    assert held_by_ledger(session_id) == 0
    assert asked(session_id) == [("denied", "CO-197")]


def test_a_payment_that_is_recovered_from_another_has_gone_back(partner: Api) -> None:
    session_id = paid(partner)
    later(session_id, ("1", "0"), more="WO:PAYER77")
    told = told_of(partner, session_id)
    assert told["message"].startswith(f"Aetna takes back what it had paid and now denies the claim: {DENIED}")
    assert ("answers", "payment_not_returned") not in asked(session_id)


def test_a_payment_that_is_recovered_under_an_earlier_number_has_gone_back(partner: Api) -> None:
    session_id = ended(partner, "SILENT")
    number = newest(session_id).patient_control_number
    later(session_id, ("1", "0"), name="denied.edi")
    actions.resend(session_id, user=None, reason="coverage confirmed")
    hand_over()
    apply(remittance(newest(session_id)), "paid.edi")
    later(session_id, ("1", "0"), more=f"WO:{number}")
    told = told_of(partner, session_id)
    assert told["message"].startswith(f"Aetna takes back what it had paid and now denies the claim: {DENIED}")
    item = WorkItem.objects.get(session=session_id, queue="answers", closed_at=None)
    assert item.reason == "provider_adjustment"
    Desk("billing").post("desk:session-done", session_id, item=item.pk, reason="seen")
    lifecycle.settle([session_id])
    assert asked(session_id) == [("denied", "CO-197")]
