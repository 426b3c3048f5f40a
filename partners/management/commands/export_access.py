"""`export_access`: the access record as JSON lines, for an auditor or a patient's accounting."""

import json
from argparse import ArgumentParser
from datetime import date, timedelta
from typing import Any
from uuid import UUID

from django.core.management.base import BaseCommand

from partners.audit_chain import as_values
from partners.management.finding import find_partner
from partners.models import AccessRecord


class Command(BaseCommand):
    help = "Print who saw which sessions, oldest first, one JSON object a line, as it is sealed."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--from", dest="first_day", type=date.fromisoformat, help="First day (UTC).")
        parser.add_argument("--to", dest="last_day", type=date.fromisoformat, help="Last day (UTC).")
        parser.add_argument("--session", type=UUID, help="Only who saw this session.")
        parser.add_argument("--partner", help="Only this partner (id or slug).")

    def handle(self, *args: Any, **options: Any) -> None:
        records = AccessRecord.objects.order_by("pk")
        if options["first_day"]:
            records = records.filter(at__date__gte=options["first_day"])
        if options["last_day"]:
            records = records.filter(at__date__lt=options["last_day"] + timedelta(days=1))
        if options["session"]:
            records = records.filter(session_ids__contains=[options["session"]])
        if options["partner"]:
            records = records.filter(partner=find_partner(options["partner"]))
        for record in records.iterator(chunk_size=2000):
            self.stdout.write(json.dumps(as_values(record)))
