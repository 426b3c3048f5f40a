"""`rotate_api_key PREFIX`: a new key, and an end for the old one."""

import json
from argparse import ArgumentParser
from datetime import timedelta
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from partners.keys import KeySucceeded, rotate_key
from partners.management.finding import find_key


class Command(BaseCommand):
    help = (
        "Issue a successor to an API key, for as long as that was issued for; the old one works on for the "
        "grace period."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("prefix", help="The old key's public prefix.")
        parser.add_argument(
            "--grace-hours", type=float, default=24.0, help="How long the old key still works (default 24)."
        )
        parser.add_argument("--json", action="store_true", help="Print one JSON object.")

    def handle(self, *args: Any, **options: Any) -> None:
        if not 0 <= options["grace_hours"] <= 24 * 90:
            raise CommandError("--grace-hours must be between 0 and 2160 (90 days).")
        old = find_key(options["prefix"])
        if old.revoked_at is not None:
            raise CommandError("That key is revoked already; issue a new one with issue_api_key.")
        try:
            issued = rotate_key(old, grace=timedelta(hours=options["grace_hours"]))
        except KeySucceeded as known:
            raise CommandError(str(known)) from known
        if options["json"]:
            ends = old.expires_at.isoformat() if old.expires_at else None
            result = {"apiKey": issued.text, "prefix": issued.record.prefix, "oldKeyEndsAt": ends}
            self.stdout.write(json.dumps(result))
        else:
            self.stdout.write(issued.text)
