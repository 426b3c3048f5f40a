"""Reads and stores Medicare's quarterly coding edits: the practitioner PTP text files, and the MUE file."""

import csv
import re
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from django.db import transaction

from billing.models import NcciPair, NcciUnits
from billing.ordinary_file import ordinary
from billing.rules.tables.procedures import LABELS, is_evaluation_and_management

_CODE = re.compile(r"[0-9A-Z]{5}")
_DAY = re.compile(r"(?:19|20)\d{6}")
_MUE_FILE_NAME = re.compile(r"Eff[_-](\d{2})-(\d{2})-(\d{4})", re.IGNORECASE)
_NO_DATE = ("", "*")
_BATCH = 5_000
OUR_CODES = frozenset(code for code in LABELS if not is_evaluation_and_management(code))
"""An edit is kept where it touches one of these."""


class EditFileError(ValueError):
    """The file is missing, damaged or none of the quarterly edits."""


@dataclass(slots=True)
class Loaded:
    """How many edits a file brought, and how many it holds that no therapy claim meets."""

    pairs: int = 0
    units: int = 0
    others: int = 0


def load_edits(path: Path, *, valid_from: date | None, dry_run: bool = False) -> Loaded:
    """Store a file's edits, all of them or none; one that is here already is brought up to date.

    `valid_from` is the first day of an MUE file's quarter, where its name doesn't say it. EditFileError says
    what is wrong, with the line.
    """
    loaded = Loaded()
    pairs: dict[tuple[str, str, date], NcciPair] = {}
    taken_back: set[tuple[str, str, date]] = set()
    units: dict[str, NcciUnits] = {}
    for row in _read(path, valid_from=valid_from):
        if isinstance(row, NcciUnits):
            if row.code in OUR_CODES:
                units[row.code] = row
            else:
                loaded.others += 1
        elif OUR_CODES & {row.column_one, row.column_two}:
            key = row.column_one, row.column_two, row.valid_from
            if row.valid_to is None or row.valid_to > row.valid_from:
                pairs[key] = row
            else:
                taken_back.add(key)
        else:
            loaded.others += 1
    loaded.pairs, loaded.units = len(pairs), len(units)
    if not dry_run:
        _store(pairs.values(), units.values(), taken_back=taken_back)
    return loaded


@transaction.atomic
def _store(
    pairs: Iterable[NcciPair], units: Iterable[NcciUnits], *, taken_back: Collection[tuple[str, str, date]]
) -> None:
    """An edit that was taken back from its first day on never was one."""
    stored = NcciPair.objects.values_list("pk", "column_one", "column_two", "valid_from")
    gone = [pk for pk, *key in stored.iterator() if tuple(key) in taken_back]
    NcciPair.objects.filter(pk__in=gone).delete()
    NcciPair.objects.bulk_create(
        pairs,
        batch_size=_BATCH,
        update_conflicts=True,
        unique_fields=["column_one", "column_two", "valid_from"],
        update_fields=["modifier_indicator", "valid_to"],
    )
    NcciUnits.objects.bulk_create(
        units,
        batch_size=_BATCH,
        update_conflicts=True,
        unique_fields=["code", "valid_from"],
        update_fields=["most_units"],
    )


def _read(path: Path, *, valid_from: date | None) -> Iterator[NcciPair | NcciUnits]:
    """The rows below a file's heading."""
    begun, quarter = False, valid_from or _quarter(path)
    try:
        with ordinary(path).open(encoding="utf-8-sig", errors="replace", newline="") as file:
            for number, line in enumerate(file, start=1):
                try:
                    cells = [cell.strip() for cell in _cells(line)]
                except csv.Error as error:
                    raise EditFileError(f"Line {number} of {path.name}: {error}.") from error
                row = _pair(cells) or _units(cells, quarter)
                if row is None and begun and any(cells):
                    raise EditFileError(f"Line {number} of {path.name} is none of the quarterly edits.")
                if row is not None:
                    begun = True
                    yield row
    except OSError as error:
        raise EditFileError(f"{path} can't be read: {error.strerror}.") from error
    if not begun:
        raise EditFileError(
            f"{path.name} holds no edits. Unpack what Medicare publishes, and give the .txt file of the PTP "
            "edits or the .csv file of the MUEs."
        )


def _cells(line: str) -> list[str]:
    if "\t" in line:
        return line.rstrip("\r\n").split("\t")
    return next(csv.reader([line]), [])


def _pair(cells: list[str]) -> NcciPair | None:
    """Column 1, column 2, before 1996, effective, deletion, modifier indicator, rationale."""
    if len(cells) < 6 or not (_CODE.fullmatch(cells[0]) and _CODE.fullmatch(cells[1])):
        return None
    first, last = _day(cells[3]), _day(cells[4])
    known = cells[5] in NcciPair.Modifier.values and (last is not None or cells[4] in _NO_DATE)
    if first is None or not known:
        return None
    return NcciPair(
        column_one=cells[0],
        column_two=cells[1],
        modifier_indicator=cells[5],
        valid_from=first,
        valid_to=last,
    )


def _units(cells: list[str], valid_from: date | None) -> NcciUnits | None:
    """Code, most units, adjudication indicator, rationale."""
    if len(cells) < 3 or not _CODE.fullmatch(cells[0]) or not re.fullmatch(r"[0-9]{1,4}", cells[1]):
        return None
    if valid_from is None:
        raise EditFileError("The file's name says no quarter: give --valid-from, its first day.")
    return NcciUnits(code=cells[0], most_units=int(cells[1]), valid_from=valid_from)


def _quarter(path: Path) -> date | None:
    named = _MUE_FILE_NAME.search(path.name)
    if named is None:
        return None
    try:
        return date(int(named[3]), int(named[1]), int(named[2]))
    except ValueError as error:
        raise EditFileError(f"{named[0]} in the name of {path.name} is no day (month-day-year).") from error


def _day(text: str) -> date | None:
    if not _DAY.fullmatch(text):
        return None
    try:
        return date.fromisoformat(text)
    except ValueError:
        return None
