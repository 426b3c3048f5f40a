"""`import_charges FILE`: charge rates from a CSV file."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any
from uuid import UUID

from django.core.management.base import CommandError
from django.db import transaction

from billing.ordinary_file import ordinary
from partners.commands import Answer, Exit, NotThere, SupportCommand
from partners.management.finding import find_partner
from providers.charge_import import ChargeImportError, Plan, apply_import, own_schedule, plan_import
from providers.models import ChargeSchedule, Practice


class Command(SupportCommand):
    help = (
        "Imports charge rates from a CSV file (code, amount, from, to, modifiers, place, payer_id, license): "
        "for the whole service, or a partner's or practice's own. Exit code 4: rows were refused."
    )
    example = "import_charges rates.csv --partner harborlight --dry-run"
    changes = True

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path)
        owner = parser.add_mutually_exclusive_group()
        owner.add_argument("--partner", help="ID or slug: the partner's own schedule")
        owner.add_argument("--practice", type=UUID, metavar="ID", help="a practice's own schedule")

    def answer(self, options: dict[str, Any]) -> Answer:
        file, dry_run = options["file"], options["dry_run"]
        try:
            with transaction.atomic():
                schedule = _schedule(options["partner"], options["practice"])
                with ordinary(file).open(newline="", encoding="utf-8-sig") as lines:
                    plan = plan_import(lines, schedule=schedule)
                apply_import(plan)
                if dry_run:
                    transaction.set_rollback(True)
        except OSError as error:
            raise CommandError(f"{file} can't be read: {error.strerror}.") from error
        except UnicodeDecodeError as error:
            raise CommandError(f"{file} is not UTF-8.") from error
        except ChargeImportError as error:
            raise CommandError(f"{file}: {error}") from error
        return _told(plan, dry_run=dry_run)


def _schedule(partner_name: str | None, practice_id: UUID | None) -> ChargeSchedule:
    partner = find_partner(partner_name) if partner_name else None
    practice = None
    if practice_id:
        practice = Practice.objects.select_related("partner").filter(pk=practice_id).first()
        if practice is None:
            raise NotThere(f"No practice has the ID {practice_id}.")
    return own_schedule(partner=partner, practice=practice)


def _told(plan: Plan, *, dry_run: bool) -> Answer:
    document = {
        "new": len(plan.new),
        "ended": len(plan.ended),
        "unchanged": plan.unchanged,
        "refused": [{"row": refused.row, "why": refused.why} for refused in plan.refused],
        "gaps": [
            {
                "code": gap.ended.procedure_code,
                "from": gap.first.isoformat(),
                "to": gap.last and gap.last.isoformat(),
            }
            for gap in plan.gaps
        ],
        "dryRun": dry_run,
    }
    lines = [("Would be: " if dry_run else "") + plan.summary() + "."]
    lines += [f"  row {refused.row}: {refused.why}" for refused in plan.refused]
    lines += [
        f"  {gap.ended.procedure_code}: no rate of this kind from {gap.first}"
        f"{f' to {gap.last}' if gap.last else ''}, where one that ends stood."
        for gap in plan.gaps
    ]
    return Answer(document, lines, exit=Exit.ATTENTION if plan.refused else Exit.DONE)
