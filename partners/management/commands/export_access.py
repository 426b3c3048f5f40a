"""`export_access`: the access record as JSON lines, for an auditor or a patient's accounting."""

import json
from argparse import ArgumentParser
from typing import Any
from uuid import UUID

from partners.audit_chain import as_values
from partners.commands import Answer, SupportCommand, day, refuse_turned_days
from partners.management.finding import find_partner
from partners.models import AccessRecord


class Command(SupportCommand):
    help = (
        "Print who saw which sessions, oldest first, one JSON object a line, as it is sealed; with --json "
        "one array."
    )
    example = "export_access --from 2031-01-01 --to 2031-01-31 --partner riverside-therapy"

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--from", dest="first_day", metavar="DATE", type=day, help="First day (UTC).")
        parser.add_argument("--to", dest="last_day", metavar="DATE", type=day, help="Last day (UTC).")
        parser.add_argument("--session", type=UUID, help="Only who saw this session.")
        parser.add_argument("--partner", help="Only this partner (id or slug).")

    def answer(self, options: dict[str, Any]) -> Answer:
        refuse_turned_days(options["first_day"], options["last_day"])
        records = AccessRecord.objects.order_by("pk")
        if options["first_day"]:
            records = records.filter(at__date__gte=options["first_day"])
        if options["last_day"]:
            records = records.filter(at__date__lte=options["last_day"])
        if options["session"]:
            records = records.filter(session_ids__contains=[options["session"]])
        if options["partner"]:
            records = records.filter(partner=find_partner(options["partner"]))
        found = (as_values(record) for record in records.iterator(chunk_size=2000))
        if options["json"]:
            return Answer(list(found))
        return Answer([], (json.dumps(values) for values in found))
