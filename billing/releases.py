"""Loads a release of ICD-10-CM, whole or not at all."""

from collections.abc import Iterable
from dataclasses import dataclass
from io import BytesIO

from django.db import connection, transaction

from billing.codes import forget_releases
from billing.icd10cm import CodeRow, ReleaseDates, ReleaseSourceError
from billing.models import CodeSetRelease, CodeSystem, DiagnosisCode
from billing.notes.codeset import CodeSet, write_codeset


@dataclass(frozen=True, slots=True)
class LoadedRelease:
    """What became of a load."""

    release: CodeSetRelease
    loaded: bool
    """False: it was there already, and nothing was done."""


def find_release(name: str) -> CodeSetRelease | None:
    """The loaded ICD-10-CM release of that name."""
    releases = CodeSetRelease.objects.defer("packed")
    return releases.filter(code_system=CodeSystem.ICD_10_CM, name=name).first()


def check_rows(rows: Iterable[CodeRow]) -> list[CodeRow]:
    """The rows, if they can be a whole release; raises ReleaseSourceError if not.

    A release that lacks a chapter would refuse valid codes, so both ends of the book and the headings over
    every code must be there.
    """
    checked = list(rows)
    codes = {row.code for row in checked}
    if len(codes) != len(checked):
        raise ReleaseSourceError("A code occurs twice.")
    missing = [letter for letter in "AFZ" if not any(code.startswith(letter) for code in codes)]
    if missing:
        raise ReleaseSourceError(
            f"Not a whole release: it has no codes that begin with {', '.join(missing)}."
        )
    orphan = next((code for code in codes if code[:3] not in codes), None)
    if orphan:
        raise ReleaseSourceError(f"Not a whole release: the heading over {orphan} is missing.")
    return checked


def load_release(
    name: str, *, rows: Iterable[CodeRow], dates: ReleaseDates, source: str = ""
) -> LoadedRelease:
    """Store a release in one transaction; one that has the name already stays as it is."""
    checked = check_rows(rows)
    with transaction.atomic():
        release, created = CodeSetRelease.objects.get_or_create(
            code_system=CodeSystem.ICD_10_CM,
            name=name,
            defaults={
                "valid_from": dates.valid_from,
                "valid_to": dates.valid_to,
                "source": source,
                "code_count": len(checked),
                "billable_count": sum(row.billable for row in checked),
                "packed": _pack(name, checked, dates),
            },
        )
        if created:
            _copy(release, checked)
    forget_releases()
    return LoadedRelease(release, loaded=created)


def _pack(name: str, rows: list[CodeRow], dates: ReleaseDates) -> bytes:
    packed = BytesIO()
    codes = CodeSet.from_rows(
        ((row.code, row.billable, row.title) for row in rows),
        release=name,
        effective_from=dates.valid_from,
        effective_through=dates.valid_to,
    )
    write_codeset(packed, codes)
    return packed.getvalue()


def _copy(release: CodeSetRelease, rows: list[CodeRow]) -> None:
    table = connection.ops.quote_name(DiagnosisCode._meta.db_table)
    with connection.cursor() as cursor:
        with cursor.copy(f"COPY {table} (release_id, code, billable, title) FROM STDIN") as copy:
            for row in rows:
                copy.write_row((release.pk, row.code, row.billable, row.title))
        cursor.execute(f"ANALYZE {table}")
