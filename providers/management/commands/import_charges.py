import json
from pathlib import Path
from typing import Any
from uuid import UUID

from django.core.management.base import BaseCommand, CommandError, CommandParser

from partners.models import Partner
from providers.charge_import import ChargeImportError, Plan, apply_import, plan_import
from providers.models import ChargeSchedule, Practice


class Command(BaseCommand):
    help = (
        "Imports charge rates from a CSV file (code, amount, from, to, modifiers, place, payer_id, license). "
        "Example: manage.py import_charges rates.csv --partner harborlight --dry-run"
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path)
        owner = parser.add_mutually_exclusive_group()
        owner.add_argument("--partner", metavar="SLUG", help="the partner's own schedule")
        owner.add_argument("--practice", type=UUID, metavar="ID", help="a practice's own schedule")
        parser.add_argument("--dry-run", action="store_true", help="say what would happen, write nothing")
        parser.add_argument("--json", action="store_true", help="print the result as JSON")

    def handle(self, *_args: Any, **options: Any) -> None:
        schedule = self._schedule(options["partner"], options["practice"])
        try:
            with options["file"].open(newline="", encoding="utf-8-sig") as file:
                plan = plan_import(file, schedule=schedule)
            if not options["dry_run"]:
                apply_import(plan)
        except (OSError, UnicodeDecodeError, ChargeImportError) as error:
            raise CommandError(f"{options['file']}: {error}") from None
        self._report(plan, as_json=options["json"], dry_run=options["dry_run"])
        if plan.refused:
            raise SystemExit(3)

    def _schedule(self, slug: str | None, practice_id: UUID | None) -> ChargeSchedule:
        partner, practice = None, None
        if slug and (partner := Partner.objects.filter(slug=slug).first()) is None:
            raise CommandError(f"No partner has the slug {slug}.")
        if practice_id:
            practice = Practice.objects.select_related("partner").filter(pk=practice_id).first()
            if practice is None:
                raise CommandError(f"No practice has the id {practice_id}.")
            partner = practice.partner
        scope = "practice" if practice else "partner" if partner else "service"
        schedule, _ = ChargeSchedule.objects.get_or_create(
            scope=scope,
            partner=partner,
            practice=practice,
            sample=False,
            defaults={"name": f"Charges of {practice or partner or 'the service'}"[:100]},
        )
        return schedule

    def _report(self, plan: Plan, *, as_json: bool, dry_run: bool) -> None:
        if as_json:
            refused = [{"row": refused.row, "why": refused.why} for refused in plan.refused]
            self.stdout.write(
                json.dumps(
                    {
                        "new": len(plan.new),
                        "ended": len(plan.ended),
                        "unchanged": plan.unchanged,
                        "refused": refused,
                        "dryRun": dry_run,
                    }
                )
            )
            return
        self.stdout.write(("Would be: " if dry_run else "") + plan.summary() + ".")
        for refused in plan.refused:
            self.stdout.write(f"  row {refused.row}: {refused.why}")
