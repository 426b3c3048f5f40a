"""`revoke_api_key PREFIX`: end a key."""

import json
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from partners.keys import revoke_key
from partners.management.finding import find_key


class Command(BaseCommand):
    help = "Revoke an API key: it stops within 5 seconds everywhere."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("prefix", help="The key's public prefix.")
        parser.add_argument("--json", action="store_true", help="Print one JSON object.")

    def handle(self, *args: Any, **options: Any) -> None:
        record = find_key(options["prefix"])
        revoke_key(record)
        record.refresh_from_db()
        if options["json"]:
            ends = record.revoked_at.isoformat() if record.revoked_at else None
            self.stdout.write(json.dumps({"prefix": record.prefix, "revokedAt": ends}))
        else:
            self.stdout.write(f"{record.prefix} is revoked.")
