from typing import Any
from uuid import UUID

from django.core.management.base import BaseCommand, CommandError, CommandParser

from claims.models import Transmission


class Command(BaseCommand):
    help = (
        "Prints the 837P of a session's newest claim, exactly as it was handed over. It holds patient data. "
        "Example: manage.py claim_edi 0190d3c2-7a51-7cc2-9a41-3a1f6f0c9d11 --lines"
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("session_id", type=UUID)
        parser.add_argument("--claim-version", type=int, help="an older claim version")
        parser.add_argument("--lines", action="store_true", help="break the line after each segment")

    def handle(self, *_args: Any, **options: Any) -> None:
        sent = Transmission.objects.filter(claims__claim__session_id=options["session_id"])
        if options["claim_version"]:
            sent = sent.filter(claims__claim__version=options["claim_version"])
        newest = sent.order_by("-claims__claim__version", "-created_at").first()
        if newest is None:
            raise CommandError("No claim of this session was written yet, or there is no such session.")
        self.stdout.write(newest.content.replace("~", "~\n") if options["lines"] else newest.content)
