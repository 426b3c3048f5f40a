"""`legal_hold NUMBER`: keep everything of a session, whatever the retention schedule says."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import CommandError
from django.db import transaction
from django.utils import timezone

from claims.models import LegalHold
from claims.support.finding import NUMBER, one_session
from partners.commands import Answer, Exit, NotThere, SupportCommand
from sessions_app.models import Session


class Command(SupportCommand):
    help = "Place a legal hold on a session, or lift it: the purge leaves alone what is held."
    example = "legal_hold 0190d3c2-7a51-7cc2-9a41-3a1f6f0c9d11 --reason 'Audit 2031-17'"
    changes = True

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("number", help=NUMBER)
        parser.add_argument("--reason", help="matter or file number; no patient data")
        parser.add_argument("--lift", action="store_true", help="end the hold")

    @transaction.atomic
    def answer(self, options: dict[str, Any]) -> Answer:
        session = one_session(options["number"])
        if not Session.objects.select_for_update().filter(pk=session.pk).exists():
            raise NotThere("The session was purged just now.")
        standing = LegalHold.objects.filter(session=session, lifted_at=None)
        if options["lift"]:
            if not standing.exists():
                raise CommandError("There is no hold on this session.", returncode=Exit.NOT_FOUND)
            if not options["dry_run"]:
                standing.update(lifted_at=timezone.now())
            outcome = "lifted"
        else:
            if not options["reason"]:
                raise CommandError("Give --reason.", returncode=Exit.USAGE)
            if standing.exists():
                raise CommandError("This session is on hold already.")
            if not options["dry_run"]:
                LegalHold.objects.create(session=session, reason=options["reason"].strip()[:200])
            outcome = "placed"
        document = {"sessionId": str(session.pk), "hold": outcome, "dryRun": options["dry_run"]}
        verb = f"would be {outcome}" if options["dry_run"] else outcome
        return Answer(document, [f"{session.pk}: legal hold {verb}."])
