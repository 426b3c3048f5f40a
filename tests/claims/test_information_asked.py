"""A claim that waits for what its payer asked for: a person is asked, and the partner reads of whom."""

import pytest

from claims.models import Claim, WorkItem
from tests.cast import Api
from tests.claims.test_inbound import apply, envelope, silent_claim


def told(claim: Claim, *statuses: str, day: int = 25, of_line: str = "") -> None:
    """What a payer says that was asked for a claim; statuses as `P3:317`."""
    number = claim.patient_control_number
    of_claim = "".join(f"STC*{status}*203001{day}**180~" for status in statuses)
    line = f"SVC*HC:90837*180*0****1~STC*{of_line}*203001{day}~" if of_line else ""
    body = (
        f"BHT*0010*08*X{day}*203001{day}*1200*DG~HL*1**20*1~NM1*PR*2*AETNA*****PI*60054~HL*2*1*21*1~"
        "NM1*41*2*US*****46*X~HL*3*2*19*1~NM1*1P*2*X*****XX*1999999984~HL*4*3*22*0~"
        f"NM1*IL*1*DOE*JANE****MI*SILENT~TRN*2*{number}~{of_claim}REF*1K*AET7~{line}"
    )
    apply(envelope(body, kind="277", version="005010X212"), f"{day}.edi")


def read(partner: Api, claim: Claim) -> tuple[str, str, str]:
    """The session's status, its message, and the last line of its timeline."""
    session = partner.get(f"/sessions/{claim.session_id}").json()
    return session["status"], session["message"], session["timeline"][-1]["summary"]


def asked() -> list[tuple[str, str]]:
    return list(WorkItem.objects.filter(closed_at=None).values_list("reason", "summary"))


def test_a_payer_that_waits_for_what_it_asked_of_the_practice(partner: Api) -> None:
    claim = silent_claim(partner)
    told(claim, "P3:317")
    assert read(partner, claim) == (
        "accepted",
        "Aetna has the claim and waits for information that it asked for. Billing staff answer it. "
        "Nothing to do.",
        "Asked, Aetna says that the claim waits for information that it asked for.",
    )
    assert asked() == [("information_requested", "The payer asks for more information.")]


def test_a_payer_that_waits_for_what_it_asked_of_the_patient(partner: Api) -> None:
    claim = silent_claim(partner)
    told(claim, "P4:52")
    assert read(partner, claim) == (
        "accepted",
        "Aetna has the claim and waits for information that it asked the patient for. Ask the patient to "
        "answer it, or the claim may be denied.",
        "Asked, Aetna says that the claim waits for information that it asked the patient for.",
    )
    assert asked() == [("information_requested", "The payer waits for what it asked the patient for.")]


@pytest.mark.parametrize(
    ("statuses", "of_line"), [(["P1:20"], "P3:317"), (["P1:20", "R4:297"], ""), (["P1:20"], "R4:297")]
)
def test_what_is_asked_beside_a_pending_status_or_of_a_line_is_asked_too(
    partner: Api, statuses: list[str], of_line: str
) -> None:
    told(silent_claim(partner), *statuses, of_line=of_line)
    assert [reason for reason, _ in asked()] == ["information_requested"]


def test_the_next_that_the_payer_says_ends_it(partner: Api) -> None:
    claim = silent_claim(partner)
    told(claim, "P4:52")
    told(claim, "P2:20", day=26)
    assert read(partner, claim)[1] == "Aetna has the claim and is deciding on it. Nothing to do."
    assert asked() == []


def test_a_claim_that_is_merely_pending_asks_nobody(partner: Api) -> None:
    told(silent_claim(partner), "P2:20")
    assert asked() == []
