"""A claim that its payer pays in several remittances: what a later one adds, and what it replaces."""

from decimal import Decimal

import pytest

from claims.models import Claim, LedgerEntry, WorkItem
from providers.models import AllowedAmount
from tests.cast import REMOVED, Api
from tests.claims.admin.staff import ended, newest
from tests.claims.test_inbound import apply, envelope

Line = tuple[int, str, str]
"""Which line, what was paid, and why no more."""
CHARGES = {1: ("HC:90837", "180"), 2: ("HC:90785", "25")}
DENIED = "CAS*CO*197*25~"
FIRST, SECOND = (1, "120", "CAS*CO*45*35~CAS*PR*3*25~"), (2, "20", "CAS*CO*45*5~")


@pytest.fixture
def claim(partner: Api) -> Claim:
    """Of 90837 and 90785, of 180 and 25 dollars."""
    codes = {"session__procedureCodes": [{"code": "90837"}, {"code": "90785"}]}
    return newest(ended(partner, "SILENT", session__durationMinutes=REMOVED, **codes))


def said(claim: Claim, *lines: Line, code: str = "1") -> str:
    """One claim of an 835."""
    sign = "-" if code == "22" else ""
    charge = sum(int(CHARGES[number][1]) for number, _, _ in lines)
    paid = sum(int(amount) for _, amount, _ in lines)
    text = f"CLP*{claim.patient_control_number}*{code}*{sign}{charge}*{paid}**CI*PAYER77*11*1~"
    numbers = dict(claim.lines.values_list("number", "line_control_number"))
    for number, amount, adjusted in lines:
        procedure, charged = CHARGES[number]
        text += f"SVC*{procedure}*{sign}{charged}*{amount}**1~{adjusted}REF*6R*{numbers[number]}~"
    return text


def remitted(*claims: str, total: int, day: int) -> None:
    moves = f"I*{total}*C*ACH" if total else "H*0*C*NON"
    body = (
        f"BPR*{moves}************203001{day}~TRN*1*T{day}*1525350500~N1*PR*AETNA~REF*2U*60054~"
        f"N1*PE*CALM HARBOR COUNSELING*XX*1999999984~LX*1~{''.join(claims)}"
    )
    report = apply(envelope(body, kind="835", version="005010X221A1"), f"{day}.edi")
    assert report["sets"][0]["new"] >= len(claims), report


def plb(amount: int) -> str:
    """What is carried over to a later payment."""
    return f"PLB*1999999984*20301231*FB:X*-{amount}~"


def told(partner: Api, claim: Claim) -> tuple[str, str, str]:
    """The session's status, the claim's, and the message."""
    session = partner.get(f"/sessions/{claim.session_id}").json()
    return session["status"], session["claim"]["status"], session["message"]


def owed(claim: Claim) -> tuple[Decimal | None, Decimal | None, Decimal | None]:
    """What the claim was paid, allowed, and left to the patient."""
    claim.refresh_from_db()
    return claim.paid, claim.allowed, claim.patient_owes


def asked() -> list[str]:
    return list(WorkItem.objects.filter(closed_at=None).values_list("reason", flat=True))


BOTH_PAID = (
    "paid",
    "paid",
    "Aetna paid $140.00; the patient owes $25.00. Collect it from the patient.",
)


def test_a_line_paid_today_and_the_other_tomorrow_add_up(partner: Api, claim: Claim) -> None:
    remitted(said(claim, FIRST), total=120, day=20)
    remitted(said(claim, SECOND), total=20, day=21)
    assert told(partner, claim) == BOTH_PAID
    assert owed(claim) == (140, 165, 25)
    assert asked() == []
    payments = LedgerEntry.objects.filter(kind="payment").order_by("line_number")
    assert list(payments.values_list("line_number", "amount")) == [(1, 120), (2, 20)]


def test_the_later_line_may_come_first(partner: Api, claim: Claim) -> None:
    remitted(said(claim, SECOND), total=20, day=21)
    remitted(said(claim, FIRST, (2, "0", DENIED)), total=120, day=20)
    assert told(partner, claim) == BOTH_PAID
    assert owed(claim) == (140, 165, 25)
    assert asked() == []


def test_a_correction_of_one_of_the_two_takes_its_place(partner: Api, claim: Claim) -> None:
    remitted(said(claim, FIRST), total=120, day=20)
    remitted(said(claim, SECOND), total=20, day=21)
    taken = said(claim, (1, "-120", "CAS*CO*45*-35~CAS*PR*3*-25~"), code="22")
    remitted(taken, said(claim, (1, "130", "CAS*CO*45*35~CAS*PR*3*15~")), total=10, day=22)
    assert told(partner, claim) == (
        "paid",
        "paid",
        "Aetna paid $150.00; the patient owes $15.00. Collect it from the patient.",
    )
    assert owed(claim) == (150, 165, 15)
    assert asked() == []


WHOLE_BACK = (
    (1, "-120", "CAS*CO*45*-35~CAS*PR*3*-25~"),
    (2, "-20", "CAS*CO*45*-5~"),
)


def test_one_reversal_takes_back_both_payments_and_its_correction_counts(partner: Api, claim: Claim) -> None:
    remitted(said(claim, FIRST), total=120, day=20)
    remitted(said(claim, SECOND), total=20, day=21)
    anew = said(claim, (1, "130", "CAS*CO*45*35~CAS*PR*3*15~"), (2, "20", "CAS*CO*45*5~"))
    remitted(said(claim, *WHOLE_BACK, code="22"), anew, total=10, day=22)
    assert told(partner, claim) == (
        "paid",
        "paid",
        "Aetna paid $150.00; the patient owes $15.00. Collect it from the patient.",
    )
    assert owed(claim) == (150, 165, 15)
    assert asked() == []


def test_one_reversal_of_both_payments_alone_waits_for_a_new_decision(partner: Api, claim: Claim) -> None:
    remitted(said(claim, FIRST), total=120, day=20)
    remitted(said(claim, SECOND), total=20, day=21)
    remitted(said(claim, *WHOLE_BACK, code="22"), plb(140), total=0, day=22)
    assert told(partner, claim)[:2] == ("accepted", "reversed")


def test_a_line_that_is_reversed_and_decided_anew_leaves_the_other_as_it_was(
    partner: Api, claim: Claim
) -> None:
    remitted(said(claim, FIRST, SECOND), total=140, day=20)
    taken = said(claim, WHOLE_BACK[1], code="22")
    remitted(taken, said(claim, (2, "23", "CAS*CO*45*2~")), total=3, day=21)
    assert told(partner, claim) == (
        "paid",
        "paid",
        "Aetna paid $143.00; the patient owes $25.00. Collect it from the patient.",
    )
    assert asked() == []


def test_of_a_claim_that_is_reversed_line_by_line_nothing_is_left_to_the_patient(
    partner: Api, claim: Claim
) -> None:
    remitted(said(claim, FIRST, SECOND), total=140, day=20)
    taken = said(claim, WHOLE_BACK[1], code="22")
    remitted(taken, said(claim, (2, "23", "CAS*CO*45*2~")), total=3, day=21)
    remitted(said(claim, WHOLE_BACK[0], code="22"), plb(120), total=0, day=22)
    assert owed(claim) == (23, 23, 0)
    assert told(partner, claim)[2] == (
        "Aetna paid $23.00, for some of the service lines. It took back what it had decided on the rest, and "
        "a new decision is due. Billing staff watch for it. Nothing to do."
    )


def test_a_claim_that_is_decided_anew_line_by_line_is_what_was_decided_last(
    partner: Api, claim: Claim
) -> None:
    remitted(said(claim, FIRST, SECOND), total=140, day=20)
    remitted(said(claim, WHOLE_BACK[1], code="22"), said(claim, (2, "23", "CAS*CO*45*2~")), total=3, day=21)
    anew = said(claim, (1, "0", "CAS*CO*45*35~CAS*PR*1*145~"))
    remitted(said(claim, WHOLE_BACK[0], code="22"), anew, plb(120), total=0, day=22)
    assert owed(claim) == (23, 168, 145)
    assert told(partner, claim)[0] == "paid"
    assert asked() == []


def test_the_same_decision_told_under_two_payments_allows_no_more(partner: Api, claim: Claim) -> None:
    remitted(said(claim, FIRST, SECOND), total=140, day=20)
    remitted(said(claim, FIRST, SECOND), total=140, day=21)
    assert owed(claim) == (280, 165, 25)
    assert asked() == ["unexpected_amount"]


def test_a_line_that_was_denied_and_is_paid_by_itself_leaves_the_other_as_it_was(
    partner: Api, claim: Claim
) -> None:
    remitted(said(claim, FIRST, (2, "0", DENIED)), total=120, day=20)
    assert asked() == ["line_denied"]
    remitted(said(claim, SECOND), total=20, day=21)
    assert told(partner, claim) == BOTH_PAID
    assert owed(claim) == (140, 165, 25)
    assert asked() == []


def test_of_two_lines_decided_at_once_one_adds_and_the_other_is_decided_anew(
    partner: Api, claim: Claim
) -> None:
    remitted(said(claim, (1, "120", "CAS*CO*45*60~"), (2, "0", "CAS*PR*1*25~")), total=120, day=20)
    further, anew = (1, "10", "CAS*OA*B13*120~CAS*CO*45*50~"), (2, "10", "CAS*CO*45*15~")
    remitted(said(claim, further, anew), total=20, day=21)
    assert told(partner, claim) == ("paid", "paid", "Aetna paid $140.00. Nothing to do.")
    assert asked() == []


def test_a_line_that_is_denied_beside_a_further_payment_of_the_other_is_to_go_back(
    partner: Api, claim: Claim
) -> None:
    remitted(said(claim, FIRST, SECOND), total=140, day=20)
    remitted(
        said(claim, (1, "10", "CAS*OA*B13*120~CAS*CO*45*25~CAS*PR*3*25~"), (2, "0", DENIED)), total=10, day=21
    )
    assert owed(claim)[2] == 25
    assert "$20.00 of what it paid hasn't gone back" in told(partner, claim)[2]


def test_of_two_denied_lines_one_that_is_paid_leaves_the_other_denied(partner: Api, claim: Claim) -> None:
    remitted(said(claim, (1, "0", "CAS*CO*197*180~"), (2, "0", DENIED)), total=0, day=20)
    remitted(said(claim, SECOND), total=20, day=21)
    assert told(partner, claim) == (
        "paid",
        "partially_paid",
        "Aetna paid $20.00, for some of the service lines. Billing staff see to the rest. Nothing to do.",
    )
    assert asked() == ["line_denied"]


def test_a_line_repeated_as_a_duplicate_beside_one_that_is_paid_stays_as_it_was(
    partner: Api, claim: Claim
) -> None:
    remitted(said(claim, FIRST, (2, "0", DENIED)), total=120, day=20)
    remitted(said(claim, (1, "0", "CAS*OA*18*180~"), SECOND), total=20, day=21)
    assert told(partner, claim) == BOTH_PAID
    assert owed(claim) == (140, 165, 25)
    assert asked() == []


def test_a_line_that_is_denied_later_leaves_the_other_paid_and_is_asked_about(
    partner: Api, claim: Claim
) -> None:
    remitted(said(claim, FIRST, SECOND), total=140, day=20)
    remitted(said(claim, (2, "0", DENIED)), total=0, day=21)
    assert told(partner, claim) == (
        "paid",
        "partially_paid",
        "Aetna paid $140.00, for some of the service lines; the patient owes $25.00. Collect it from the "
        "patient. $20.00 of what it paid hasn't gone back; billing staff look into it. Billing staff see to "
        "the rest.",
    )
    assert asked() == ["line_denied"]


def test_what_was_paid_for_a_denied_line_and_recovered_since_is_no_payment(
    partner: Api, claim: Claim
) -> None:
    remitted(said(claim, FIRST, SECOND), total=140, day=20)
    remitted(said(claim, (2, "0", DENIED)), total=0, day=21)
    remitted("PLB*1999999984*20301231*WO:PAYER77*20*FB:X*-20~", total=0, day=22)
    assert told(partner, claim)[2] == (
        "Aetna paid $120.00, for some of the service lines; the patient owes $25.00. Collect it from the "
        "patient. Billing staff see to the rest."
    )


def test_a_line_that_was_paid_and_is_left_to_the_patient_is_not_collected_meanwhile(
    partner: Api, claim: Claim
) -> None:
    remitted(said(claim, FIRST, SECOND), total=140, day=20)
    remitted(said(claim, (1, "0", "CAS*PR*1*180~")), total=0, day=21)
    assert told(partner, claim)[2] == (
        "Aetna paid $140.00, for some of the service lines. $120.00 of what it paid hasn't gone "
        "back; billing "
        "staff look into it. Nothing to do."
    )
    assert asked() == ["payment_not_returned"]


@pytest.mark.parametrize(
    ("further", "said_now", "books", "work"),
    [
        # The rest of what was allowed is still the patient's.
        (
            (1, "10", "CAS*OA*B13*145~CAS*CO*45*25~"),
            "Aetna paid $130.00; the patient owes $15.00. Collect it from the patient.",
            (130, 145, 15),
            ["unexpected_amount"],
        ),
        # The payer pays the copay itself.
        (
            (1, "25", "CAS*OA*B13*120~CAS*CO*45*35~"),
            "Aetna paid $145.00. Nothing to do.",
            (145, 145, 0),
            [],
        ),
        # What it says anew of the patient's share counts.
        (
            (1, "10", "CAS*OA*B13*120~CAS*CO*45*35~CAS*PR*3*15~"),
            "Aetna paid $130.00; the patient owes $15.00. Collect it from the patient.",
            (130, 145, 15),
            [],
        ),
    ],
    ids=["silent about the copay", "the copay itself", "another copay"],
)
def test_a_further_payment_of_a_line_adds_to_the_one_before(
    partner: Api,
    claim: Claim,
    further: Line,
    said_now: str,
    books: tuple[int, int, int],
    work: list[str],
) -> None:
    remitted(said(claim, FIRST, (2, "0", "CAS*CO*45*25~")), total=120, day=20)
    remitted(said(claim, further), total=int(further[1]), day=21)
    status, _, message = told(partner, claim)
    assert (status, message.replace(", for some of the service lines", "")) == ("paid", said_now)
    assert owed(claim) == books
    assert asked() == work


MOST_OF_IT = (1, "100", "CAS*CO*45*55~CAS*PR*3*25~")
THE_REST = (1, "20", "CAS*OA*B13*100~CAS*CO*45*35~CAS*PR*3*25~")


def stating(line: Line, allowed: str) -> Line:
    """The same line, with what the payer allowed for it."""
    number, paid, adjusted = line
    return number, paid, f"{adjusted}AMT*B6*{allowed}~"


@pytest.mark.parametrize(
    ("first", "further", "allowed"),
    [
        (MOST_OF_IT, THE_REST, 145),
        (stating(MOST_OF_IT, "125"), THE_REST, 145),
        (MOST_OF_IT, stating(THE_REST, "145"), 145),
        (MOST_OF_IT, stating(THE_REST, "20"), 145),
        (stating(MOST_OF_IT, "150"), THE_REST, 150),
        (MOST_OF_IT, (1, "10", "CAS*OA*B13*100~CAS*CO*45*60~CAS*PR*3*10~"), 120),
        (stating(MOST_OF_IT, "125"), stating((1, "10", "CAS*CO*45*160~CAS*PR*3*10~"), "120"), 120),
    ],
    ids=["none says", "the first says", "the last says", "its own part", "withheld", "less", "says less"],
)
def test_what_was_allowed_for_a_line_is_all_that_its_payments_and_the_patient_come_to(
    partner: Api, claim: Claim, first: Line, further: Line, allowed: int
) -> None:
    remitted(said(claim, first, SECOND), total=120, day=20)
    remitted(said(claim, further), total=int(further[1]), day=21)
    assert owed(claim)[1] == allowed + 20
    kept = AllowedAmount.objects.get(procedure_code="90837")
    assert (kept.allowed, kept.paid_on.day) == (allowed, 21)


def test_what_one_line_says_that_it_was_allowed_counts_beside_a_line_that_says_nothing(
    partner: Api, claim: Claim
) -> None:
    remitted(said(claim, stating(FIRST, "150"), SECOND), total=140, day=20)
    assert owed(claim) == (140, 170, 25)


def test_two_further_payments_keep_the_first_ones_copay(partner: Api, claim: Claim) -> None:
    remitted(said(claim, FIRST, SECOND), total=140, day=20)
    remitted(said(claim, (1, "5", "CAS*OA*B13*145~CAS*CO*45*30~")), total=5, day=21)
    remitted(said(claim, (1, "5", "CAS*OA*B13*150~CAS*CO*45*25~")), total=5, day=22)
    assert owed(claim) == (150, 165, 15)


def test_the_patient_is_asked_for_no_more_than_one_remittance_by_itself_allowed(
    partner: Api, claim: Claim
) -> None:
    remitted(said(claim, (1, "20", "CAS*CO*45*160~"), SECOND), total=40, day=20)
    remitted(said(claim, (1, "20", "CAS*OA*B13*20~CAS*CO*45*115~CAS*PR*3*25~")), total=20, day=21)
    remitted(said(claim, (1, "20", "CAS*OA*B13*40~CAS*CO*45*120~")), total=20, day=22)
    assert owed(claim) == (80, 80, 0)


def test_a_payment_after_all_was_left_to_the_patient_takes_its_place(partner: Api, claim: Claim) -> None:
    remitted(said(claim, (1, "0", "CAS*PR*1*180~"), SECOND), total=20, day=20)
    remitted(said(claim, (1, "120", "CAS*CO*45*60~")), total=120, day=21)
    assert told(partner, claim) == ("paid", "paid", "Aetna paid $140.00. Nothing to do.")


def test_a_line_paid_by_itself_and_left_to_the_patient_is_not_collected_meanwhile(
    partner: Api, claim: Claim
) -> None:
    remitted(said(claim, FIRST), total=120, day=20)
    remitted(said(claim, SECOND), total=20, day=21)
    remitted(said(claim, (1, "0", "CAS*PR*1*180~")), total=0, day=22)
    assert told(partner, claim)[2] == (
        "Aetna paid $140.00, for some of the service lines. $120.00 of what it paid hasn't gone "
        "back; billing "
        "staff look into it. Nothing to do."
    )
    assert asked() == ["payment_not_returned"]


def test_nobody_is_asked_for_more_than_was_charged_and_is_not_paid(partner: Api, claim: Claim) -> None:
    remitted(said(claim, FIRST, SECOND), total=140, day=20)
    remitted(said(claim, (1, "5", "CAS*PR*2*175~")), total=5, day=21)
    assert told(partner, claim)[2] == (
        "Aetna paid $145.00; the patient owes $60.00. Collect it from the patient."
    )
    assert asked() == ["unexpected_amount"]


def test_a_reason_counts_the_same_with_zeros_before_it(partner: Api, claim: Claim) -> None:
    remitted(said(claim, (1, "0", "CAS*CO*045*155~CAS*PR*03*25~"), SECOND), total=20, day=20)
    assert owed(claim) == (20, 45, 25)
    assert asked() == []
    posted = LedgerEntry.objects.filter(line_number=1).order_by("amount")
    assert list(posted.values_list("kind", "reason")) == [("patient_share", "3"), ("contractual", "45")]


def test_the_line_of_the_timeline_says_what_is_left_to_the_patient(partner: Api, claim: Claim) -> None:
    remitted(said(claim, FIRST), total=120, day=20)
    remitted(said(claim, SECOND), total=20, day=21)
    last = partner.get(f"/sessions/{claim.session_id}").json()["timeline"][-1]
    assert (last["type"], last["summary"]) == (
        "claim.adjusted",
        "Aetna paid a further $20.00, $140.00 in all.",
    )
