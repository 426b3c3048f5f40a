"""Loads Medicare's quarterly coding edits."""

from argparse import ArgumentParser
from dataclasses import asdict
from datetime import date
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError

from billing.commands import LoadingCommand, day
from billing.ncci import EditFileError, load_edits

_EXAMPLES = """
Examples:
  manage.py load_ncci ccipra-v320r0-f1.txt ccipra-v320r0-f2.txt ccipra-v320r0-f3.txt ccipra-v320r0-f4.txt
      the practitioner PTP edits of a quarter, as unpacked; each file also holds what earlier quarters had
  manage.py load_ncci MCR_MUE_PractitionerServices_Eff_01-01-2026.csv
      the most units a day (MUE), from the day that the file's name says

Kept are the edits that touch behavioural health. Loading a file again changes nothing.
Exit status 0: loaded; 1: a file is wrong, and nothing of it was loaded.
"""


class Command(LoadingCommand):
    help = "Load Medicare's quarterly coding edits (PTP text files, MUE files), which rule NCCI-004 applies."
    examples = _EXAMPLES

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("files", nargs="+", type=Path)
        parser.add_argument("--valid-from", type=day, help="first day of an MUE file's quarter, YYYY-MM-DD")

    def handle(
        self, *, files: list[Path], valid_from: date | None, dry_run: bool, json: bool, **options: Any
    ) -> None:
        """Load file by file, and print one line or one JSON object each."""
        for file in files:
            try:
                loaded = load_edits(file, valid_from=valid_from, dry_run=dry_run)
            except EditFileError as error:
                raise CommandError(str(error)) from error
            did = "checked, nothing written" if dry_run else "loaded"
            self.tell(
                {"file": file.name, **asdict(loaded), "dryRun": dry_run},
                f"{file.name}: {did}; {loaded.pairs:,} pairs, {loaded.units:,} codes with their most units; "
                f"{loaded.others:,} edits touch no behavioural health.",
                as_json=json,
            )
