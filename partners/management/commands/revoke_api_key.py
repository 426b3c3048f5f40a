"""`revoke_api_key PREFIX`: end a key."""

from argparse import ArgumentParser
from typing import Any

from partners.commands import Answer, SupportCommand
from partners.keys import revoke_key
from partners.management.finding import find_key


class Command(SupportCommand):
    help = "Revoke an API key: it stops within 5 seconds everywhere."
    example = "revoke_api_key bk_test_abcdefghijkl"

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("prefix", help="The key's public prefix.")

    def answer(self, options: dict[str, Any]) -> Answer:
        record = find_key(options["prefix"])
        revoke_key(record)
        record.refresh_from_db()
        ends = record.revoked_at.isoformat() if record.revoked_at else None
        return Answer({"prefix": record.prefix, "revokedAt": ends}, [f"{record.prefix} is revoked."])
