"""Imports payers from a CSV file into the payer directory."""

import sys
from argparse import ArgumentParser
from dataclasses import asdict
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError

from billing.commands import LoadingCommand
from billing.ordinary_file import ordinary
from billing.payers.importing import PayerListError, import_payers, read_payer_list

_EXAMPLES = """
The file is CSV in UTF-8 with a header: payer_id,payer_name and, if wanted, aliases (semicolons between) and
filing_code (SBR09). Several lines of one payer_id add names to it. A payer that is known keeps its name,
profile and switches; the names that it lacked become aliases.

Examples:
  manage.py import_payers payers.csv --dry-run
  manage.py import_payers payers.csv --json
  manage.py import_payers - < payers.csv

Exit status 0: imported; 1: nothing was imported, and every faulty line is named.
"""


class Command(LoadingCommand):
    help = "Import payers from a CSV file: new ones are added, known ones learn further names."
    examples = _EXAMPLES

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", help="the CSV file, or - for standard input")

    def handle(self, *, file: str, dry_run: bool, json: bool, **options: Any) -> None:
        """Import, and print one line or one JSON object."""
        try:
            imported = import_payers(read_payer_list(_lines(file)), dry_run=dry_run)
        except PayerListError as error:
            raise CommandError(f"Nothing was imported: {error}.") from error
        self.tell(
            asdict(imported) | {"dryRun": dry_run},
            f"{'To add' if dry_run else 'Added'}: {imported.created:,} payers, {imported.aliases:,} names; "
            f"{imported.extended:,} known payers learnt a name, {imported.unchanged:,} stay as they are; "
            f"{imported.shortened:,} names were cut to 60 characters.",
            as_json=json,
        )


def _lines(file: str) -> list[str]:
    try:
        content = sys.stdin.buffer.read() if file == "-" else ordinary(Path(file)).read_bytes()
        text = content.decode("utf-8-sig")
    except OSError as error:
        raise CommandError(f"{file} can't be read: {error.strerror}.") from error
    except UnicodeDecodeError as error:
        raise CommandError(f"{'Standard input' if file == '-' else file} is not UTF-8.") from error
    return text.splitlines(keepends=True)
