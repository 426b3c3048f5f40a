"""`rotate_api_key PREFIX`: a new key, and an end for the old one."""

from argparse import ArgumentParser
from datetime import timedelta
from typing import Any

from django.core.management.base import CommandError

from partners.commands import Answer, Exit, SupportCommand
from partners.keys import KeyRevoked, KeySucceeded, rotate_key
from partners.management.finding import find_key


class Command(SupportCommand):
    help = (
        "Issue a successor to an API key, for as long as that was issued for; the old one works on for the "
        "grace period."
    )
    example = "rotate_api_key bk_test_abcdefghijkl --grace-hours 24"

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("prefix", help="The old key's public prefix.")
        parser.add_argument(
            "--grace-hours", type=float, default=24.0, help="How long the old key still works (default 24)."
        )

    def answer(self, options: dict[str, Any]) -> Answer:
        if not 0 <= options["grace_hours"] <= 24 * 90:
            words = "--grace-hours must be between 0 and 2160 (90 days)."
            raise CommandError(words, returncode=Exit.USAGE)
        old = find_key(options["prefix"])
        if old.revoked_at is not None:
            raise CommandError("That key is revoked already; issue a new one with issue_api_key.")
        try:
            issued = rotate_key(old, grace=timedelta(hours=options["grace_hours"]))
        except (KeySucceeded, KeyRevoked) as known:
            raise CommandError(str(known)) from known
        ends = old.expires_at.isoformat() if old.expires_at else None
        result = {"apiKey": issued.text, "prefix": issued.record.prefix, "oldKeyEndsAt": ends}
        return Answer(result, [issued.text])
