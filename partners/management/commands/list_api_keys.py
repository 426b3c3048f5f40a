"""`list_api_keys [PARTNER]`: the keys that exist, never their text."""

import json
from argparse import ArgumentParser
from datetime import datetime
from typing import Any

from django.core.management.base import BaseCommand

from partners.management.finding import find_partner
from partners.models import ApiKey


class Command(BaseCommand):
    help = "List API keys by their public prefix, oldest first."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("partner", nargs="?", help="Id or slug; by default every partner.")
        parser.add_argument("--json", action="store_true", help="Print one JSON array.")

    def handle(self, *args: Any, **options: Any) -> None:
        records = ApiKey.objects.select_related("partner").order_by("created_at", "prefix")
        if options["partner"]:
            records = records.filter(partner=find_partner(options["partner"]))
        rows = [_row(record) for record in records]
        if options["json"]:
            self.stdout.write(json.dumps(rows))
            return
        for row in rows:
            state = "revoked" if row["revokedAt"] else f"expires {row['expiresAt'] or 'never'}"
            used = row["lastUsedAt"] or "never"
            may = "read only" if row["readOnly"] else "read and write"
            networks = ", ".join(row["networks"]) or "anywhere"
            self.stdout.write(
                f"{row['prefix']}  {row['partner']}  {row['name']}  {may} from {networks}  {state}  "
                f"last used {used}"
            )


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
