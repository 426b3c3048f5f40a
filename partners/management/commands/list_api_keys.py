"""`list_api_keys [PARTNER]`: the keys that exist, never their text."""

from argparse import ArgumentParser
from datetime import datetime
from typing import Any

from django.utils import timezone

from partners.commands import Answer, SupportCommand
from partners.management.finding import find_partner
from partners.models import ApiKey


class Command(SupportCommand):
    help = "List API keys by their public prefix, oldest first."
    example = "list_api_keys riverside-therapy"

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("partner", nargs="?", help="ID or slug; by default every partner")

    def answer(self, options: dict[str, Any]) -> Answer:
        records = ApiKey.objects.select_related("partner").order_by("created_at", "prefix")
        if options["partner"]:
            records = records.filter(partner=find_partner(options["partner"]))
        found = list(records)
        return Answer([_row(record) for record in found], [_line(record) for record in found])


def _line(record: ApiKey) -> str:
    may = "read only" if record.read_only else "read and write"
    networks = ", ".join(record.allowed_networks) or "anywhere"
    return (
        f"{record.prefix}  {record.partner.slug}  {record.name}  {may} from {networks}  {_state(record)}  "
        f"last used {_instant(record.last_used_at) or 'never'}"
    )


def _state(record: ApiKey) -> str:
    if record.revoked_at is not None:
        return "revoked"
    ends = record.expires_at
    if ends is not None and ends <= timezone.now():
        return f"expired since {ends.isoformat()}"
    return f"expires {_instant(ends) or 'never'}"


def _row(record: ApiKey) -> dict[str, Any]:
    return {
        "prefix": record.prefix,
        "partner": record.partner.slug,
        "name": record.name,
        "readOnly": record.read_only,
        "networks": record.allowed_networks,
        "createdAt": _instant(record.created_at),
        "lastUsedAt": _instant(record.last_used_at),
        "expiresAt": _instant(record.expires_at),
        "revokedAt": _instant(record.revoked_at),
    }


def _instant(value: datetime | None) -> str | None:
    return None if value is None else value.isoformat()
