"""Gives note coding the codes of a release: read once a process, packed, some 2 MB."""

from dataclasses import replace
from datetime import date
from functools import lru_cache
from io import BytesIO

from billing.codes import Release, release_for
from billing.models import CodeSetRelease, DiagnosisCode
from billing.notes.codeset import CodeSet, read_codeset

_RELEASES_KEPT = 2
_NOTHING = CodeSet.from_rows(())


def current_codeset(*, on: date | None = None) -> CodeSet:
    """The codes of the release in force on that day, else of the newest; without codes where none is loaded.

    The set carries the dates of its release, so that note coding can say that it is older than the session.
    """
    release = release_for(on or date.max)
    return _codeset(release) if release else _NOTHING


@lru_cache(maxsize=_RELEASES_KEPT)
def _codeset(release: Release) -> CodeSet:
    packed = bytes(CodeSetRelease.objects.values_list("packed", flat=True).get(pk=release.id))
    codes = read_codeset(BytesIO(packed)) if packed else _from_rows(release)
    # Staff may have corrected the dates since it was packed.
    return replace(codes, effective_from=release.valid_from, effective_through=release.valid_to)


def _from_rows(release: Release) -> CodeSet:
    rows = DiagnosisCode.objects.filter(release_id=release.id).values_list("code", "billable", "title")
    return CodeSet.from_rows(rows.iterator(chunk_size=5_000), release=release.name)
