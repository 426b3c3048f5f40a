"""A claim that is paid but for a line that its payer denies: a person is asked about the rest."""

import pytest

from claims.models import Claim, LedgerEntry, WorkItem
from tests.cast import REMOVED, Api
from tests.claims.admin.staff import ended, newest
from tests.claims.test_inbound import apply, envelope

PAID = "155", "CAS*PR*3*25~"
TO_PATIENT = "0", "CAS*PR*1*180~"


def decided(partner: Api, *, first: tuple[str, str], second: tuple[str, str]) -> Claim:
    """A claim of 90837 and 90785 with what was paid for each and why no more, of 180 and 25 dollars."""
    codes = {"session__procedureCodes": [{"code": "90837"}, {"code": "90785"}]}
    claim = newest(ended(partner, "SILENT", session__durationMinutes=REMOVED, **codes))
    say(claim, first, second, day=20)
    return claim


def say(claim: Claim, first: tuple[str, str], second: tuple[str, str], *, day: int) -> None:
    """What the payer decides on both lines."""
    one, two = claim.lines.order_by("number")
    paid = int(first[0]) + int(second[0])
    moves = f"I*{paid}*C*ACH" if paid else "H*0*C*NON"
    body = (
        f"BPR*{moves}************203001{day}~TRN*1*T{day}*1525350500~N1*PR*AETNA~REF*2U*60054~"
        "N1*PE*CALM HARBOR COUNSELING*XX*1999999984~LX*1~"
        f"CLP*{claim.patient_control_number}*1*205*{paid}**CI*PAYER77*11*1~"
        f"SVC*HC:90837*180*{first[0]}**1~{first[1]}REF*6R*{one.line_control_number}~"
        f"SVC*HC:90785*25*{second[0]}**1~{second[1]}REF*6R*{two.line_control_number}~"
    )
    assert apply(envelope(body, kind="835", version="005010X221A1"), f"{day}.edi")["sets"][0]["new"] == 1


def asked() -> list[tuple[str, str]]:
    return list(WorkItem.objects.filter(closed_at=None).values_list("reason", "summary"))


@pytest.mark.parametrize(
    ("first", "said"),
    [
        (PAID, "Aetna paid $155.00, for some of the service lines; the patient owes $25.00."),
        (TO_PATIENT, "Aetna paid $0.00; the patient owes $180.00."),
    ],
)
def test_a_person_is_asked_about_the_line(partner: Api, first: tuple[str, str], said: str) -> None:
    claim = decided(partner, first=first, second=("0", "CAS*CO*197*25~"))
    session = partner.get(f"/sessions/{claim.session_id}").json()
    assert session["status"] == "paid"
    assert session["message"] == f"{said} Collect it from the patient. Billing staff see to the rest."
    assert asked() == [
        (
            "line_denied",
            "The payer allows the claim, but denies a part of it: no authorization is on file (CO-197).",
        )
    ]


@pytest.mark.parametrize(
    "second", ["CAS*PR*3*25~", "CAS*PR*204*25~", "CAS*CO*45*25~", "CAS*OA*23*25~"], ids=str
)
def test_a_line_that_is_left_to_others_or_reduced_to_nothing_asks_nobody(partner: Api, second: str) -> None:
    decided(partner, first=PAID, second=("0", second))
    assert asked() == []


@pytest.mark.parametrize(
    ("first", "said"),
    [
        (("0", "CAS*CO*197*155~CAS*PR*3*25~"), "Aetna paid $0.00; the patient owes $25.00."),
        (("80", "CAS*CO*197*75~CAS*PR*3*25~"), "Aetna paid $105.00; the patient owes $25.00."),
        (("80", "CAS*PI*50*75~CAS*PR*3*25~"), "Aetna paid $105.00; the patient owes $25.00."),
    ],
    ids=["beside a copay", "beside a payment", "by another group"],
)
def test_what_is_denied_of_a_line_that_is_allowed_is_worked_and_not_written_off(
    partner: Api, first: tuple[str, str], said: str
) -> None:
    second = ("25", "") if first[0] != "0" else ("0", "CAS*PR*1*25~")
    claim = decided(partner, first=first, second=second)
    owes = "50.00" if first[0] == "0" else "25.00"
    assert partner.get(f"/sessions/{claim.session_id}").json()["message"] == (
        f"{said.replace('25.00.', owes + '.')} Collect it from the patient. Billing staff see to the rest."
    )
    code = "PI-50" if "PI" in first[1] else "CO-197"
    ((reason, summary),) = asked()
    assert (reason, code in summary) == ("line_denied", True)
    assert not LedgerEntry.objects.filter(kind="contractual").exists()


@pytest.mark.parametrize("first", [("80", "CAS*CO*197*100~"), ("0", "CAS*PR*3*25~CAS*CO*197*155~")])
def test_what_is_denied_of_a_claim_has_its_last_day_to_file(partner: Api, first: tuple[str, str]) -> None:
    claim = decided(partner, first=first, second=("25", "") if first[0] != "0" else ("0", "CAS*PR*1*25~"))
    item = WorkItem.objects.get(closed_at=None)
    assert (item.reason, item.file_by) == ("line_denied", claim.file_by)
    assert claim.file_by is not None


@pytest.mark.parametrize("why", ["CO*45", "CO*253", "OA*23", "CO*59", "PI*45", "CO*172"])
def test_what_a_contract_a_law_or_another_payer_takes_off_is_no_denial(partner: Api, why: str) -> None:
    decided(partner, first=("80", f"CAS*{why}*75~CAS*PR*3*25~"), second=("25", ""))
    assert asked() == []


def test_what_is_said_to_be_paid_before_and_never_was_is_asked_about(partner: Api) -> None:
    decided(partner, first=("10", "CAS*OA*B13*170~"), second=("25", ""))
    assert [reason for reason, _ in asked()] == ["line_denied"]


def test_a_later_payment_of_the_line_ends_it(partner: Api) -> None:
    claim = decided(partner, first=PAID, second=("0", "CAS*CO*197*25~"))
    say(claim, PAID, ("25", ""), day=21)
    assert "line_denied" not in [reason for reason, _ in asked()]
