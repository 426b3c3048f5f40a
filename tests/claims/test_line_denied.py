"""A claim that is paid but for a line that its payer denies: a person is asked about the rest."""

from datetime import timedelta

import pytest

from claims.models import Claim, WorkItem
from tests.cast import REMOVED, Api, partner_api
from tests.claims.process import run_until_quiet
from tests.claims.test_inbound import apply, envelope

PAID = "155", "CAS*PR*3*25~"
TO_PATIENT = "0", "CAS*PR*1*180~"


@pytest.fixture
def partner(release: object, sample_charges: None, settings: object) -> Api:
    settings.SANDBOX_SPEED = 1e9
    return partner_api("Harborlight", submission_delay=timedelta()).onboarded()


def decided(partner: Api, *, first: tuple[str, str], second: tuple[str, str]) -> Claim:
    """A claim of 90837 and 90785 with what was paid for each and why no more, of 180 and 25 dollars."""
    session_id = partner.submitted(
        patient__insurance__memberId="SILENT",
        session__durationMinutes=REMOVED,
        session__procedureCodes=[{"code": "90837"}, {"code": "90785"}],
    )
    run_until_quiet()
    claim = Claim.objects.get(session_id=session_id)
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
        (PAID, "Aetna paid 155.00, for some of the service lines; the patient owes 25.00."),
        (TO_PATIENT, "Aetna paid 0.00; the patient owes 180.00."),
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
            "The payer allows the claim, but denies a line: no authorization is on file (CO-197).",
        )
    ]


@pytest.mark.parametrize(
    "second", ["CAS*PR*3*25~", "CAS*PR*204*25~", "CAS*CO*45*25~", "CAS*OA*23*25~"], ids=str
)
def test_a_line_that_is_left_to_others_or_reduced_to_nothing_asks_nobody(partner: Api, second: str) -> None:
    decided(partner, first=PAID, second=("0", second))
    assert asked() == []


def test_a_later_payment_of_the_line_ends_it(partner: Api) -> None:
    claim = decided(partner, first=PAID, second=("0", "CAS*CO*197*25~"))
    say(claim, PAID, ("25", ""), day=21)
    assert "line_denied" not in [reason for reason, _ in asked()]
