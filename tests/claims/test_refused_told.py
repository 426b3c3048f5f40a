"""A refusal that is stated in several codes: message and task name what refuses, the most telling first."""

from claims.models import WorkItem
from tests.cast import Api
from tests.claims.test_inbound import apply, payer_acknowledgement, silent_claim


def refused(partner: Api, *statuses: str) -> tuple[str, str, str]:
    """The message of a claim that its payer refuses with these codes, and its item's reason and words."""
    claim = silent_claim(partner)
    answer = payer_acknowledgement(claim, "A7:STATED")
    apply(answer.replace("A7:STATED", "*20300125*U*180~STC*".join(statuses)))
    item = WorkItem.objects.get(session=claim.session_id, closed_at=None)
    return partner.get(f"/sessions/{claim.session_id}").json()["message"], item.reason, item.summary


def test_a_code_that_refuses_names_the_task_not_one_that_acknowledges(partner: Api) -> None:
    _, reason, words = refused(partner, "A1:19", "A7:562:85")
    assert (reason, words) == (
        "A7:562:85",
        "The payer doesn't know the NPI of the billing practice (A7:562:85)",
    )


def test_a_code_that_leaves_the_reason_to_others_comes_after_them(partner: Api) -> None:
    message, reason, _ = refused(partner, "A6:21", "A6:0", "A7:562:85", "A7:164:IL")
    assert message == (
        "Aetna refuses the claim: the payer doesn't know the NPI of the billing practice (A7:562:85); "
        "the member ID of the insured person isn't what the payer has (A7:164:IL). What usually helps: "
        "Compare it with the payer's record. Tell billing staff what you find out."
    )
    assert reason == "A7:562:85"


def test_a_code_that_accepts_is_no_reason_for_a_refusal(partner: Api) -> None:
    message, reason, words = refused(partner, "A2:20")
    assert message == "Aetna refuses the claim. Billing staff take care of it. Nothing to do."
    assert (reason, words) == ("payer_rejected", "The answer gives no reason.")
