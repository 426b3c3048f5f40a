"""What a partner reads once a second insurer has paid behind the one that the claim went to."""

import pytest

from claims.models import Claim
from tests.cast import Api
from tests.claims.test_inbound import apply, remittance, silent_claim


def first(claim: Claim) -> str:
    """The insurer that was billed pays 100.00, leaves 80.00 and passes the claim on."""
    paid = remittance(claim, paid="100.00", copay="80.00")
    return paid.replace("*1*180.00*", "*19*180.00*", 1)


def second(claim: Claim) -> str:
    """Another one, behind it, pays 60.00 of that and leaves $20.00."""
    paid = remittance(claim, paid="60.00", copay="20.00", trace="M1", payer="99999")
    return (
        paid.replace("AETNA", "MEDIGAP CO")
        .replace("*1*180.00*", "*2*180.00*", 1)
        .replace("PAYER77", "MEDIGAP1")
        .replace("CAS*PR*3*20.00~", "CAS*OA*23*100.00~CAS*PR*2*20.00~")
        .replace("20300120", "20300210")
        .replace("SE*11*", "SE*12*")
    )


@pytest.mark.parametrize("order", [(first, second), (second, first)], ids=["in order", "the second first"])
def test_the_patient_is_asked_for_what_the_second_insurer_leaves(partner: Api, order: tuple) -> None:
    claim = silent_claim(partner)
    for number, answer in enumerate(order):
        assert "refused" not in apply(answer(claim), f"{number}.edi")["sets"][0]
    told = partner.get(f"/sessions/{claim.session_id}").json()
    assert (told["status"], told["message"]) == (
        "paid",
        "Aetna paid $100.00, and another insurer $60.00; the patient owes $20.00. Collect it from "
        "the patient.",
    )
    claim.refresh_from_db()
    assert (claim.paid, claim.patient_owes, claim.payer_control_number) == (160, 20, "PAYER77")


def test_the_timeline_names_the_second_insurer(partner: Api) -> None:
    claim = silent_claim(partner)
    apply(first(claim), "first.edi")
    apply(second(claim), "second.edi")
    last = partner.get(f"/sessions/{claim.session_id}").json()["timeline"][-1]
    assert (last["type"], last["status"], last["summary"]) == (
        "claim.adjusted",
        None,
        "MEDIGAP CO paid $60.00 of $180.00; the patient owes $20.00. Not paid: another insurer's payment is "
        "counted (OA-23). It comes after the first insurer's decision, which stays.",
    )
