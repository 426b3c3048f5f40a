"""`verify_audit`: prove that the access record is as it was written."""

import re
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import CommandError

from partners.audit_chain import seal_records, verify_chain
from partners.commands import Answer, Exit, SupportCommand

MOST_LISTED = 50


class Command(SupportCommand):
    help = (
        "Recompute the chain over the access records; fails where one was changed, removed or slipped in, or "
        "no seal is signed with a key of ours. "
        "Note the head somewhere else: --head HEAD proves later that the chain was not cut behind it."
    )
    example = "verify_audit --seal --json"

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--head", help="A head that was noted earlier.")
        parser.add_argument("--seal", action="store_true", help="Seal what is new first.")

    def answer(self, options: dict[str, Any]) -> Answer:
        head = options["head"] or ""
        if not re.fullmatch(r"([0-9a-fA-F]{64})?", head):
            words = "--head is 64 digits and letters a to f, as verify_audit prints it."
            raise CommandError(words, returncode=Exit.USAGE)
        if options["seal"]:
            seal_records()
        verdict = verify_chain(expected_head=head.lower())
        lines = [
            f"{verdict.records} records under {verdict.seals} seals, {verdict.first_day} to "
            f"{verdict.last_day}; {verdict.unsealed} not sealed yet. Head {verdict.head}."
        ]
        if verdict.unsigned:
            lines.append(f"{verdict.unsigned} seals were signed with keys no longer in FIELD_KEYS.")
        if verdict.faults:
            lines += ["The access record was changed.", *verdict.faults[:MOST_LISTED]]
        elif not verdict.intact:
            lines.append("No seal is signed with a key of FIELD_KEYS: nothing proves who wrote this record.")
        document = {**vars(verdict), "intact": verdict.intact}
        return Answer(document, lines, exit=Exit.DONE if verdict.intact else Exit.FAILED)
