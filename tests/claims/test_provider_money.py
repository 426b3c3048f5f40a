"""What an 835 keeps or adds beside its claims (PLB), in the words of tasks and of the timeline."""

from claims.models import ClaimSignal, WorkItem
from tests.cast import Api
from tests.claims.test_inbound import apply, envelope, remittance, silent_claim


def moved(partner: Api, adjustments: str, *, transfer: str = "155.00") -> list[str]:
    """The words of what a person is asked about a payment of $155.00 with these adjustments."""
    text = remittance(silent_claim(partner), transfer=transfer)
    body = text[text.index("BPR*") : text.index("SE*", text.index("CLP*"))]
    said = f"{body}PLB*1999999984*20301231*{adjustments}~"
    report = apply(envelope(said, kind="835", version="005010X221A1"))
    assert report["sets"][0]["claims"] == 1
    return list(WorkItem.objects.filter(closed_at=None).values_list("summary", flat=True))


def test_money_that_is_kept_for_no_claim_is_said_to_name_none(partner: Api) -> None:
    assert moved(partner, "IR*3", transfer="152.00") == [
        "AETNA kept $3.00 from another payment: tax withheld (IR). It names no claim."
    ]


def test_an_adjustment_of_nothing_is_told_to_nobody(partner: Api) -> None:
    assert moved(partner, "L6:PAYER77*0*AH:9*0.00") == []
    assert not ClaimSignal.objects.filter(kind="PLB").exists()
