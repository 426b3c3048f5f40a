"""Loads a release of ICD-10-CM into the database."""

import time
from argparse import ArgumentParser
from collections.abc import Callable, Iterable
from datetime import date
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError

from billing.commands import LoadingCommand, day
from billing.icd10cm import (
    CodeRow,
    ReleaseDates,
    ReleaseSourceError,
    dates_of_release,
    name_of_package_release,
    read_order_file,
    read_package,
)
from billing.models import CodeSetRelease
from billing.releases import check_rows, find_release, load_release

_EXAMPLES = """
Examples:
  manage.py load_icd10cm
      the release inside the installed package, with the dates that it is in force for
  manage.py load_icd10cm --file icd10cm-order-2027.txt --release FY2027
      the official order file ("Code Descriptions in Tabular Order") of fiscal year 2027
  manage.py load_icd10cm --file order.txt --release FY2027-draft \\
      --valid-from 2026-10-01 --valid-to 2027-09-30 --dry-run
      reads and checks the file, and writes nothing

A release that is loaded already is left alone. Exit status 0: loaded, or there already; 1: nothing loaded.
"""


class Command(LoadingCommand):
    help = "Load a release of ICD-10-CM: the one in the installed package, or an official order file."
    examples = _EXAMPLES

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--file", type=Path, help="an official order file; without it the installed package"
        )
        parser.add_argument("--release", help="name, such as FY2027 or FY2027-April; needed with --file")
        parser.add_argument("--valid-from", type=day, help="first date of service, YYYY-MM-DD")
        parser.add_argument("--valid-to", type=day, help="last date of service, YYYY-MM-DD")

    def handle(
        self,
        *,
        file: Path | None,
        release: str | None,
        valid_from: date | None,
        valid_to: date | None,
        dry_run: bool,
        json: bool,
        verbosity: int,
        **options: Any,
    ) -> None:
        """Load, and print one line or one JSON object."""
        started = time.monotonic()
        try:
            name, read = _source(file, release)
            dates = _dates(name, valid_from, valid_to)
            existing = find_release(name)
            if existing:
                outcome, codes, billable = "already_loaded", existing.code_count, existing.billable_count
                dates = _dates_of_existing(existing, valid_from, valid_to)
            else:
                if verbosity and not json:
                    self.stderr.write(f"Reading ICD-10-CM {name} …")
                rows = check_rows(read())
                codes, billable = len(rows), sum(row.billable for row in rows)
                outcome = "dry_run"
                if not dry_run:
                    source = file.name if file else "package simple-icd-10-cm"
                    loaded = load_release(name, rows=rows, dates=dates, source=source).loaded
                    outcome = "loaded" if loaded else "already_loaded"
        except ReleaseSourceError as error:
            raise CommandError(str(error)) from error
        self._report(
            as_json=json,
            release=name,
            validFrom=dates.valid_from.isoformat(),
            validTo=dates.valid_to.isoformat(),
            codes=codes,
            billable=billable,
            outcome=outcome,
            seconds=round(time.monotonic() - started, 2),
        )

    def _report(self, *, as_json: bool, **result: Any) -> None:
        words = {
            "loaded": "loaded",
            "already_loaded": "already loaded, nothing to do",
            "dry_run": "checked, nothing written",
        }
        self.tell(
            result,
            f"ICD-10-CM {result['release']} ({result['validFrom']} to {result['validTo']}): "
            f"{words[result['outcome']]}; {result['codes']:,} codes, {result['billable']:,} billable "
            f"({result['seconds']} s)",
            as_json=as_json,
        )


def _source(file: Path | None, release: str | None) -> tuple[str, Callable[[], Iterable[CodeRow]]]:
    if release is not None and not release.strip():
        raise ReleaseSourceError("--release is empty. Was a variable of the shell not set?")
    if file is None:
        packaged = name_of_package_release()
        if release and release != packaged:
            raise ReleaseSourceError(
                f"The installed package holds {packaged}, not {release}. Use --file for another release."
            )
        return packaged, read_package
    if not release:
        raise ReleaseSourceError("--file needs --release, the name of the release in the file.")
    return release, lambda: read_order_file(file)


def _dates(name: str, valid_from: date | None, valid_to: date | None) -> ReleaseDates:
    usual = dates_of_release(name)
    first = valid_from or (usual.valid_from if usual else None)
    last = valid_to or (usual.valid_to if usual else None)
    if first is None or last is None:
        raise ReleaseSourceError(f"The name {name} says no dates: give --valid-from and --valid-to.")
    if last < first:
        raise ReleaseSourceError("--valid-to is before --valid-from.")
    return ReleaseDates(first, last)


def _dates_of_existing(
    existing: CodeSetRelease, valid_from: date | None, valid_to: date | None
) -> ReleaseDates:
    dates = ReleaseDates(existing.valid_from, existing.valid_to)
    if (valid_from or dates.valid_from, valid_to or dates.valid_to) != (dates.valid_from, dates.valid_to):
        raise ReleaseSourceError(
            f"{existing.name} is loaded for {dates.valid_from} to {dates.valid_to}. Change that in the admin."
        )
    return dates
