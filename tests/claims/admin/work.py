"""Open items of work with sessions behind them, written as the process writes them."""

from datetime import timedelta
from decimal import Decimal
from typing import Any
from uuid import UUID

from django.utils import timezone

from claims.models import Claim, WorkItem
from sessions_app.models import Session
from tests.cast import Api

LAST_NAMES = ("Klein", "Haddad", "Brandt", "Doe", "Shah", "Novak", "Rivera", "Moreau")


def open_item(
    partner: Api,
    queue: str = "rejected",
    *,
    days_left: int | None = 60,
    charge: str = "140.00",
    **values: Any,
) -> WorkItem:
    """An open item; keyword arguments are its columns, `patient__…` are fields of the submission."""
    changes = {name: values.pop(name) for name in list(values) if "__" in name or name == "providerNpi"}
    changes.setdefault("patient__lastName", LAST_NAMES[Session.objects.count() % len(LAST_NAMES)])
    session_id = UUID(partner.submitted(**changes))
    Claim.objects.filter(session_id=session_id).update(status="payer_rejected", step="follow")
    return WorkItem.objects.create(
        queue=queue,
        session_id=session_id,
        partner=partner.partner,
        **{
            "reason": "A7:164:IL",
            "summary": "The payer doesn't know this member ID.",
            "payer_name": "Aetna",
            "charge": Decimal(charge),
            "file_by": None if days_left is None else timezone.localdate() + timedelta(days=days_left),
        }
        | values,
    )
