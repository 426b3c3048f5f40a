"""Reads what the NPI registry publishes: a dissemination file (full or weekly), or an answer of its API."""

import csv
import json
import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from datetime import date, datetime
from pathlib import Path
from typing import Any

from billing.ordinary_file import ordinary

_FILE_NAME = re.compile(r"npidata_pfile_(\d{8})-(\d{8})")
_FIRST_DAY = "20050523"
_NPI = re.compile(r"[12][0-9]{9}")
_TAXONOMY = re.compile(r"[0-9A-Z]{9}X")
_TAXONOMY_COLUMN = "Healthcare Provider Taxonomy Code_"
_COLUMNS = ("NPI", "NPI Deactivation Date", "NPI Reactivation Date", f"{_TAXONOMY_COLUMN}1")


class RegistryFileError(ValueError):
    """The file is missing, damaged or not what the registry publishes."""


@dataclass(frozen=True, slots=True)
class RegistryEntry:
    """One NPI as the registry has it."""

    npi: str
    deactivated: bool
    taxonomies: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class RegistryFile:
    """What a file says of the NPIs that were asked for, and as of which day.

    `complete`: it holds the whole registry, so that an NPI that isn't in it isn't in the registry.
    """

    as_of: date
    complete: bool
    entries: list[RegistryEntry]


def read_registry(path: Path, *, npis: Collection[str], today: date) -> RegistryFile:
    """Read a dissemination file (CSV, under its own name) or an API answer (JSON) for these NPIs alone."""
    try:
        ordinary(path).stat()
        if path.suffix.lower() == ".json":
            return RegistryFile(today, complete=False, entries=list(_read_answer(path, npis)))
        named = _FILE_NAME.search(path.name)
        if named is None:
            raise RegistryFileError(
                f"{path.name} is neither an answer of the API (.json) nor a dissemination file: leave it the "
                "name that it was published under, npidata_pfile_…-….csv."
            )
        as_of = datetime.strptime(named[2], "%Y%m%d").date()  # noqa: DTZ007 (a date)
        return RegistryFile(as_of, complete=named[1] == _FIRST_DAY, entries=list(_read_csv(path, npis)))
    except OSError as error:
        raise RegistryFileError(f"{path} can't be read: {error.strerror}.") from error
    except (UnicodeDecodeError, csv.Error, ValueError, RecursionError) as error:
        if isinstance(error, RegistryFileError):
            raise
        raise RegistryFileError(f"{path.name} is damaged, or no file of the registry.") from error


def _read_csv(path: Path, npis: Collection[str]) -> Iterator[RegistryEntry]:
    """Look at the NPI of each line, which stands first, and take apart only the lines that are wanted."""
    with path.open(encoding="utf-8-sig", newline="") as file:
        header = next(csv.reader([file.readline()]), [])
        if missing := [name for name in _COLUMNS if name not in header]:
            raise RegistryFileError(f"{path.name} has no column {missing[0]!r}.")
        taxonomies = [place for place, name in enumerate(header) if name.startswith(_TAXONOMY_COLUMN)]
        off, on = header.index("NPI Deactivation Date"), header.index("NPI Reactivation Date")
        for line in file:
            if line.lstrip('"')[:10] not in npis:
                continue
            cells = next(csv.reader([line]))
            if len(cells) != len(header):
                raise RegistryFileError(f"{path.name} breaks off in the line of an NPI.")
            yield RegistryEntry(
                npi=cells[0],
                deactivated=_is_off(_day(cells[off]), _day(cells[on])),
                taxonomies=_taxonomies(cells[place] for place in taxonomies),
            )


def _read_answer(path: Path, npis: Collection[str]) -> Iterator[RegistryEntry]:
    answer: Any = json.loads(path.read_text(encoding="utf-8"))
    if not isinstance(answer, dict) or not isinstance(answer.get("results"), list):
        raise RegistryFileError(f"{path.name} is no answer of the registry's API: it has no results.")
    for result in answer["results"]:
        npi = str(result.get("number", "")) if isinstance(result, dict) else ""
        if not _NPI.fullmatch(npi):
            raise RegistryFileError(f"{path.name} has a result without an NPI.")
        if npi in npis:
            basic, taxonomies = result.get("basic"), result.get("taxonomies")
            if not isinstance(basic, dict) or not isinstance(taxonomies, list):
                raise RegistryFileError(f"{path.name} breaks off within NPI {npi}.")
            yield RegistryEntry(
                npi=npi,
                deactivated=basic.get("status", "A") != "A",
                taxonomies=_taxonomies(
                    str(each.get("code", "")) for each in taxonomies if isinstance(each, dict)
                ),
            )


def _taxonomies(codes: Iterator[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(code for code in map(str.strip, codes) if _TAXONOMY.fullmatch(code)))


def _day(text: str) -> date | None:
    return datetime.strptime(text, "%m/%d/%Y").date() if text.strip() else None  # noqa: DTZ007 (a date)


def _is_off(deactivated: date | None, reactivated: date | None) -> bool:
    return deactivated is not None and (reactivated is None or reactivated < deactivated)
