"""`reprocess NUMBER…`: run the steps again for claims that have not left."""

from argparse import ArgumentParser
from typing import Any
from uuid import UUID

from django.core.management.base import CommandError
from django.db import transaction

from claims import history
from claims.actions import ActionRefusedError
from claims.models import Claim
from claims.support.acting import rerun
from claims.support.explanation import explain
from claims.support.finding import NUMBER, held_by, one_session, refuse_unknown_rule
from partners.commands import Answer, Exit, SupportCommand
from sessions_app.models import Session


class Command(SupportCommand):
    help = (
        "Code and check sessions again whose claims have not left: after a payer, a charge, a code set or a "
        "setting was put right. Takes session numbers, or every session that one rule holds."
    )
    example = "reprocess --held-by CHG-001 --reason 'Charges were loaded'"
    changes = True

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("numbers", nargs="*", metavar="number", help=NUMBER)
        parser.add_argument("--held-by", metavar="RULE", help="every session that it holds, unless set aside")
        parser.add_argument(
            "--reason", default="Reprocessed by support.", help="stays in the history; no patient data"
        )

    def answer(self, options: dict[str, Any]) -> Answer:
        if not options["numbers"] and not options["held_by"]:
            raise CommandError("Give session numbers, or --held-by RULE.", returncode=Exit.USAGE)
        if options["held_by"]:
            refuse_unknown_rule(options["held_by"])
        chosen = [one_session(number).pk for number in options["numbers"]]
        if options["held_by"]:
            held = Claim.objects.filter(
                history.is_asked("session"), held_by(options["held_by"]), step=Claim.Step.HELD
            )
            chosen += held.values_list("session_id", flat=True).distinct()
        chosen = list(dict.fromkeys(chosen))
        rows = []
        for session_id in self.watched(chosen, total=len(chosen), what="sessions"):
            row: dict[str, Any] = {"sessionId": str(session_id)}
            if options["dry_run"]:
                row["why"] = explain(Session.objects.get(pk=session_id)).why
            try:
                outcome, refused = _run(session_id, options), False
            except ActionRefusedError as error:
                outcome, refused = str(error), True
            rows.append(row | {"outcome": outcome, "refused": refused})
        lines = [" ".join([f"{row['sessionId']}:", *row.get("why", ()), row["outcome"]]) for row in rows]
        if not rows:
            return Answer(rows, ["No session fits."], exit=Exit.NOT_FOUND)
        refusals = sum(bool(row["refused"]) for row in rows)
        exit_code = Exit.DONE if not refusals else Exit.FAILED if refusals == len(rows) else Exit.ATTENTION
        return Answer(rows, lines, exit=exit_code)


def _run(session_id: UUID, options: dict[str, Any]) -> str:
    with transaction.atomic():
        outcome = rerun(session_id, reason=options["reason"])
        if options["dry_run"]:
            transaction.set_rollback(True)
            return "It would be run again."
    return outcome
