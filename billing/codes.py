"""Is this diagnosis code valid and billable on this date? Read from the loaded ICD-10-CM releases.

Codes that were asked for before cost no query: each process keeps a bounded part of every release, whose
codes never change once loaded. The list of releases is read again every 30 seconds, and always before a code
is called unknown, so that nobody is refused because a new release was not noticed yet.
"""

import re
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from enum import StrEnum

from django.contrib.postgres.expressions import ArraySubquery
from django.db.models import OuterRef, Value
from django.db.models.functions import Concat

from billing.models import CodeSetRelease, CodeSystem, DiagnosisCode

CODE_FORM = re.compile(r"[A-Za-z][0-9][0-9A-Za-z](?:\.?[0-9A-Za-z]{1,4})?")
# A handful of codes (QA0.0101) have a letter in second place: accepted where a release knows them.
WIDER_FORM = re.compile(r"[A-Za-z][0-9A-Za-z]{2}(?:\.?[0-9A-Za-z]{1,4})?")
CHILDREN_LISTED = 10
_KEPT_CODES = 4096
_RELEASES_KEPT_SECONDS = 30.0


class CodeStatus(StrEnum):
    """What the releases say of a code on a date."""

    BILLABLE = "billable"
    """In force on that date and long enough for a claim."""
    HEADING = "heading"
    """Known, but only a heading over billable codes: refused on any date."""
    UNKNOWN = "unknown"
    """Does not exist on that date."""
    UNCOVERED_KNOWN = "uncovered_known"
    """No release covers the date; the newest one has it as billable."""
    UNCOVERED_UNKNOWN = "uncovered_unknown"
    """No release covers the date; the newest one, if there is any, lacks it."""
    MALFORMED = "malformed"
    """Not the form of an ICD-10-CM code."""


@dataclass(frozen=True, slots=True)
class CodeVerdict:
    """The answer about one code, in the order asked."""

    code: str
    """As it was given."""
    status: CodeStatus
    normalized: str = ""
    """As stored and returned: `F41.1`; empty for a malformed one."""
    title: str = ""
    billable_children: tuple[str, ...] = ()
    """For a heading: up to 10 billable codes under it."""
    release: str | None = None
    """Name of the release that was asked; None where none is loaded."""


@dataclass(frozen=True, slots=True)
class _Entry:
    billable: bool
    title: str
    children: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Release:
    """An active release and the dates of service that it covers."""

    id: int
    name: str
    valid_from: date
    valid_to: date

    def covers(self, day: date) -> bool:
        """Whether it is in force on that day."""
        return self.valid_from <= day <= self.valid_to


@dataclass(slots=True)
class _Kept:
    """What this process remembers: the active releases, newest first, and the codes asked for, by release."""

    releases: tuple[Release, ...] = ()
    read_at: float = float("-inf")
    codes: dict[tuple[int, str], _Entry] = field(default_factory=dict)


_kept = _Kept()
_ABSENT = frozenset({CodeStatus.UNKNOWN, CodeStatus.UNCOVERED_UNKNOWN})


def normalize_code(code: str) -> str | None:
    """The code as it is stored, `f411` as `F41.1`; None where it can't be one."""
    if not WIDER_FORM.fullmatch(code):
        return None
    bare = code.replace(".", "").upper()
    return bare if len(bare) == 3 else f"{bare[:3]}.{bare[3:]}"


def judge_codes(codes: Sequence[str], *, on: date) -> list[CodeVerdict]:
    """Judge each code for a date of service: no query for codes asked for before, else one.

    Of several releases that cover the date the latest counts. Where none does, the newest release answers
    whether it knows the code; a heading of it is a heading on any date.
    """
    releases, just_read = _known_releases()
    verdicts = _judge(codes, on=on, releases=releases)
    absent = any(verdict.status in _ABSENT for verdict in verdicts)
    if absent and not just_read and (reread := _read_releases()) != releases:
        verdicts = _judge(codes, on=on, releases=reread)
    return verdicts


def code_titles(codes: Iterable[str], *, on: date | None = None) -> dict[str, str]:
    """Titles by code as given, from the release of that date, else the newest; unknown codes are left out."""
    wanted = list(codes)
    verdicts = judge_codes(wanted, on=on or date.max)
    return {verdict.code: verdict.title for verdict in verdicts if verdict.title}


def release_for(day: date) -> Release | None:
    """The release that judges codes of that day: the latest that covers it, else the newest of all."""
    return _asked(_known_releases()[0], day)


def forget_releases() -> None:
    """Let the next question read the list of releases again: one was loaded or switched off."""
    _kept.read_at = float("-inf")


def _asked(releases: Sequence[Release], day: date) -> Release | None:
    return next((release for release in releases if release.covers(day)), releases[0] if releases else None)


def _judge(codes: Sequence[str], *, on: date, releases: Sequence[Release]) -> list[CodeVerdict]:
    asked = _asked(releases, on)
    covered = asked is not None and asked.covers(on)
    normalized = [normalize_code(code) for code in codes]
    found = _look_up(asked, {code for code in normalized if code}) if asked else {}
    return [
        _verdict(code, form, found.get(form or ""), asked=asked, covered=covered)
        for code, form in zip(codes, normalized, strict=True)
    ]


def _verdict(
    code: str, form: str | None, entry: _Entry | None, *, asked: Release | None, covered: bool
) -> CodeVerdict:
    if form is None or (entry is None and not CODE_FORM.fullmatch(form)):
        return CodeVerdict(code, CodeStatus.MALFORMED)
    release = asked.name if asked else None
    if entry is None:
        status = CodeStatus.UNKNOWN if covered else CodeStatus.UNCOVERED_UNKNOWN
        return CodeVerdict(code, status, form, release=release)
    if not entry.billable:
        return CodeVerdict(code, CodeStatus.HEADING, form, entry.title, entry.children, release)
    status = CodeStatus.BILLABLE if covered else CodeStatus.UNCOVERED_KNOWN
    return CodeVerdict(code, status, form, entry.title, release=release)


def _known_releases() -> tuple[tuple[Release, ...], bool]:
    """The active releases, newest first, and whether they were read just now."""
    due = time.monotonic() - _kept.read_at >= _RELEASES_KEPT_SECONDS
    return (_read_releases(), True) if due else (_kept.releases, False)


def _read_releases() -> tuple[Release, ...]:
    rows = CodeSetRelease.objects.filter(code_system=CodeSystem.ICD_10_CM, active=True)
    newest_first = rows.order_by("-valid_from", "-valid_to", "-id")
    _kept.releases = tuple(
        Release(*row) for row in newest_first.values_list("id", "name", "valid_from", "valid_to")
    )
    _kept.read_at = time.monotonic()
    return _kept.releases


def _look_up(release: Release, codes: set[str]) -> Mapping[str, _Entry]:
    found = {code: entry for code in codes if (entry := _kept.codes.get((release.id, code)))}
    if missing := codes - found.keys():
        read = _read(release, missing)
        if len(_kept.codes) + len(read) > _KEPT_CODES:
            _kept.codes.clear()
        _kept.codes.update({(release.id, code): entry for code, entry in read.items()})
        found |= read
    return found


def _read(release: Release, codes: set[str]) -> dict[str, _Entry]:
    # Under the C collation "~" sorts behind every letter and digit, so this is a range of the unique index.
    under = (
        DiagnosisCode.objects.filter(
            release_id=OuterRef("release_id"),
            code__gt=OuterRef("code"),
            code__lt=Concat(OuterRef("code"), Value("~")),
            billable=True,
        )
        .exclude(billable=OuterRef("billable"))
        .order_by("code")
        .values("code")[:CHILDREN_LISTED]
    )
    rows = DiagnosisCode.objects.filter(release_id=release.id, code__in=codes).annotate(
        children=ArraySubquery(under)
    )
    return {
        code: _Entry(billable, title, tuple(children))
        for code, billable, title, children in rows.values_list("code", "billable", "title", "children")
    }
