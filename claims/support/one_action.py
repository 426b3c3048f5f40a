"""The shape of a command that does one action of the back office to one session."""

from argparse import ArgumentParser
from collections.abc import Callable
from typing import Any, ClassVar

from django.core.management.base import CommandError
from django.db import transaction

from claims.actions import ActionRefusedError
from claims.models import Claim
from claims.support.finding import NUMBER, one_session
from partners.commands import Answer, SupportCommand


class OneActionCommand(SupportCommand):
    """`act` takes a session's id, `user` and `reason`, and gives the claim version that goes out."""

    changes = True
    act: ClassVar[Callable[..., Claim]]

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("number", help=NUMBER)
        parser.add_argument("--reason", required=True, help="stays in the history; no patient data")

    def answer(self, options: dict[str, Any]) -> Answer:
        session = one_session(options["number"])
        try:
            with transaction.atomic():
                claim = type(self).act(session.pk, user=None, reason=options["reason"])
                if options["dry_run"]:
                    transaction.set_rollback(True)
        except ActionRefusedError as error:
            raise CommandError(str(error)) from error
        document = {
            "sessionId": str(session.pk),
            "version": claim.version,
            "frequency": claim.frequency,
            "dryRun": options["dry_run"],
        }
        verb = "would go out" if options["dry_run"] else "is on its way"
        return Answer(
            document, [f"{session.pk}: claim version {claim.version} (frequency {claim.frequency}) {verb}."]
        )
