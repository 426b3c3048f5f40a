"""An 835 whose claim number was cut short on the way, so that it finds no claim by itself."""

from uuid import UUID

from claims import inbound
from claims.clearinghouse.port import InboundFile as Fetched
from claims.models import ClaimSignal, InboundFile, WorkItem
from tests.cast import Api
from tests.claims.admin.staff import ended, newest
from tests.put_back import once


def stray_remittance(
    partner: Api, *, member_id: str = "SILENT", keep: int = 12, payee: str | None = None
) -> tuple[UUID, WorkItem]:
    """A session without an answer, and the open work of a payment for it that names a shortened number.

    It is written from the payment of another session, which is of no further interest.
    """
    return once(lambda: _stray(partner, member_id, keep, payee), "stray", partner.key, member_id, keep, payee)


def _stray(partner: Api, member_id: str, keep: int, payee: str | None) -> tuple[UUID, WorkItem]:
    paid = ended(partner, "PAIDMODEL")
    session_id = ended(partner, member_id)
    model, claim = newest(paid), newest(session_id)
    file = ClaimSignal.objects.get(claim=model, kind="835").inbound_file
    text = file.content.decode()
    trace = text.split("TRN*1*")[1].split("*")[0]
    number = claim.patient_control_number[:keep]
    text = text.replace(model.patient_control_number, number).replace("PAIDMODEL", member_id)
    text = text.replace(trace, f"{(int(trace[0]) + 1) % 10}{trace[1:]}").replace(
        model.payer_control_number, "SBP000000000001"
    )
    if payee:
        text = text.replace("1999999984", payee).replace("REF*TJ*123456789~", "REF*TJ*987654321~")
    stored = inbound.store(
        "sandbox", [Fetched(name="stray.edi", content=text.encode(), kind="x12", reference="stray")]
    )
    for file_id in stored:
        inbound.apply(file_id)
    assert InboundFile.objects.get(pk=stored[0]).state == "applied"
    return session_id, WorkItem.objects.get(queue="unmatched", closed_at=None)
