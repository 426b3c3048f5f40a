"""`match_remittance [ANSWER] [--claim NUMBER]`: answers that name no claim of ours."""

from argparse import ArgumentParser
from typing import Any
from uuid import UUID

from django.core.management.base import CommandError
from django.db import transaction
from django.db.models import Exists, OuterRef, Q

from claims.actions import ActionRefusedError
from claims.answer_source import find_stated
from claims.desk.matching_actions import attach, propose
from claims.models import Claim, ClaimSignal, WorkItem
from claims.signals import SignalKind
from partners.commands import Answer, Exit, NotThere, SupportCommand

MOST_LISTED = 100


class Command(SupportCommand):
    help = (
        "Without arguments: list answers (remittances, acknowledgements) that name no claim of ours. With an "
        "answer's ID: the claims that might be meant. With --claim too: match them and settle the session."
    )
    example = "match_remittance 4711 --claim PCN0A1B2C3D4 --dry-run"
    changes = True

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("signal", nargs="?", type=int, metavar="answer", help="its ID")
        parser.add_argument("--claim", help="claim ID or patient control number")

    def answer(self, options: dict[str, Any]) -> Answer:
        if options["signal"] is None:
            if options["claim"]:
                raise CommandError("--claim needs the answer's ID before it.", returncode=Exit.USAGE)
            return _waiting()
        row = ClaimSignal.objects.select_related("inbound_file").filter(pk=options["signal"]).first()
        if row is None:
            raise NotThere(f"There is no answer {options['signal']}.")
        if options["claim"] is None:
            return _candidates(row)
        claim = _claim(options["claim"])
        try:
            with transaction.atomic():
                attach(row.pk, claim, user=None, stated=find_stated(row))
                if options["dry_run"]:
                    transaction.set_rollback(True)
        except ActionRefusedError as error:
            raise CommandError(str(error)) from error
        document = {"answer": row.pk, "claimId": str(claim.pk), "dryRun": options["dry_run"]}
        verb = "would belong" if options["dry_run"] else "belongs"
        return Answer(document, [f"Answer {row.pk} {verb} to claim {claim.patient_control_number} now."])


def _waiting() -> Answer:
    """What names no claim; of the adjustments of a whole payment, those that a person is asked about."""
    asked = WorkItem.objects.filter(queue=WorkItem.Queue.UNMATCHED, closed_at=None, signal=OuterRef("pk"))
    unmatched = ClaimSignal.objects.filter(
        ~Q(kind=SignalKind.PROVIDER_ADJUSTMENT) | Exists(asked), claim=None, dismissed_at=None
    ).order_by("received_at", "id")
    rows = [
        {
            "answer": row.pk,
            "kind": row.kind,
            "file": row.inbound_file_id,
            "receivedAt": row.received_at.isoformat(),
        }
        for row in unmatched[:MOST_LISTED]
    ]
    lines = [f"{row['answer']}  {row['kind']}  file {row['file']}  {row['receivedAt']}" for row in rows]
    return Answer(rows, lines or ["Every answer has its claim."], exit=Exit.ATTENTION if rows else Exit.DONE)


def _candidates(row: ClaimSignal) -> Answer:
    rows: list[dict[str, Any]] = [
        {
            "claimId": str(proposal.claim.pk),
            "patientControlNumber": proposal.claim.patient_control_number,
            "certain": proposal.certain,
            "agrees": [str(fact) for fact in proposal.match.agreeing],
            "differs": [str(fact) for fact in proposal.match.differing],
        }
        for proposal in propose(row, find_stated(row))
    ]
    lines = [
        f"{each['patientControlNumber']}  agrees: {', '.join(each['agrees'])}; "
        f"differs: {', '.join(each['differs']) or 'nothing'}"
        for each in rows
    ]
    return Answer(rows, lines or ["No claim of ours fits."], exit=Exit.DONE if rows else Exit.NOT_FOUND)


def _claim(number: str) -> Claim:
    try:
        meant = Q(pk=UUID(number))
    except ValueError:
        meant = Q(patient_control_number=number.upper())
    claim = Claim.objects.select_related("session").filter(meant).first()
    if claim is None:
        raise NotThere(f"There is no claim {number!r}.")
    return claim
