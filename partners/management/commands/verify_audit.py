"""`verify_audit`: prove that the access record is as it was written."""

import json
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from partners.audit_chain import seal_records, verify_chain


class Command(BaseCommand):
    help = (
        "Recompute the chain over the access records; fails where one was changed, removed or slipped in. "
        "Note the head somewhere else: --head HEAD proves later that the chain was not cut behind it."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--head", default="", help="A head that was noted earlier.")
        parser.add_argument("--seal", action="store_true", help="Seal what is new first.")
        parser.add_argument("--json", action="store_true", help="Print one JSON object.")

    def handle(self, *args: Any, **options: Any) -> None:
        if options["seal"]:
            seal_records()
        verdict = verify_chain(expected_head=options["head"].lower())
        if options["json"]:
            self.stdout.write(json.dumps({**vars(verdict), "intact": verdict.intact}, default=str))
        else:
            self.stdout.write(
                f"{verdict.records} records under {verdict.seals} seals, {verdict.first_day} to "
                f"{verdict.last_day}; {verdict.unsealed} not sealed yet. Head {verdict.head}."
            )
            if verdict.unsigned:
                self.stdout.write(f"{verdict.unsigned} seals were signed with keys no longer in FIELD_KEYS.")
        if verdict.faults:
            raise CommandError("The access record was changed.\n" + "\n".join(verdict.faults[:50]))
