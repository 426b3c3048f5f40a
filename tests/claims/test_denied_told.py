"""A claim that its payer denies: by CLP02 4, which stands for no patient of its own, and by reasons."""

import pytest

from tests.cast import Api
from tests.claims.test_inbound import apply, envelope, silent_claim

NO_MEMBER = "it doesn't find the patient among its members. Check name, birth date and member ID, "


def denied(partner: Api, reason: str, *remarks: str) -> tuple[str, str, str]:
    """The claim's status, the session's message, and the last line of its timeline."""
    claim = silent_claim(partner)
    said = "".join(f"LQ*HE*{remark}~" for remark in remarks)
    body = (
        "BPR*H*0*C*NON************20300120~TRN*1*T1*1525350500~N1*PR*AETNA~REF*2U*60054~"
        "N1*PE*CALM HARBOR COUNSELING*XX*1999999984~LX*1~"
        f"CLP*{claim.patient_control_number}*4*180*0**CI*PAYER77*11*1~SVC*HC:90837*180*0**1~"
        f"CAS*{reason}*180~REF*6R*{claim.lines.get().line_control_number}~{said}"
    )
    apply(envelope(body, kind="835", version="005010X221A1"))
    session = partner.get(f"/sessions/{claim.session_id}").json()
    return session["claim"]["status"], session["message"], session["timeline"][-1]["summary"]


@pytest.mark.parametrize(
    ("reason", "remarks", "words"),
    [
        ("CO*197", [], "no authorization is on file (CO-197)."),
        (
            "CO*16",
            ["MA130", "N290"],
            "the claim lacks something or has an error; the remark says what (CO-16); ",
        ),
    ],
)
def test_the_reason_that_it_gives_is_told_instead(
    partner: Api, reason: str, remarks: list[str], words: str
) -> None:
    status, message, last = denied(partner, reason, *remarks)
    assert status == "member_unknown"
    assert message.startswith(f"Aetna denies the claim: {words}")
    assert last.startswith(f"Denied by Aetna: {words}")
    assert "among its members" not in message + last
    assert message.endswith("Tell billing staff what you find out.")


def test_what_only_the_patient_can_answer_is_asked_for_beside_a_reason_of_ours(partner: Api) -> None:
    _, message, last = denied(partner, "CO*16", "MA130", "N179")
    asked = "Ask the patient to answer the payer. Billing staff take care of the rest."
    assert message.endswith(f"the payer asked the patient for something (N179). {asked}")
    assert last.endswith(asked)


@pytest.mark.parametrize(
    ("reason", "remarks"), [("CO*31", []), ("CO*16", []), ("CO*16", ["MA130"]), ("CO*45", []), ("OA*ZZ9", [])]
)
def test_where_it_gives_no_other_reason_the_patient_is_not_known(
    partner: Api, reason: str, remarks: list[str]
) -> None:
    _, message, last = denied(partner, reason, *remarks)
    assert message.startswith(f"Aetna denies the claim: {NO_MEMBER}")
    assert "which doesn't find the patient among its members" in last
