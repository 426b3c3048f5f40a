"""Where ICD-10-CM codes come from: the official order file, or the release inside an installed package."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from importlib import import_module
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

from billing.ordinary_file import ordinary

_PACKAGE = "simple_icd_10_cm"
_PACKAGE_FILE = re.compile(r"code-list-(January|April|October)-(\d{4})\.txt")
_RELEASE_NAME = re.compile(r"FY(20\d{2})(-April)?", re.IGNORECASE)
# Fiscal years whose April release has the codes of October and so stands for the whole year. 2026: October
# had 74,719 billable codes (74,260 of the year before, 487 new, 28 dropped), and so has April.
_UNCHANGED_IN_APRIL = frozenset({2026})
_DOTTED_CODE = re.compile(r"[A-Z][0-9A-Z]{2}(?:\.[0-9A-Z]{1,4})?")
_BARE_CODE = re.compile(r"[A-Z][0-9A-Z]{2,6}")


class ReleaseSourceError(ValueError):
    """The source is missing, damaged or not what it claims to be."""


@dataclass(frozen=True, slots=True)
class CodeRow:
    """One code or heading, with its dot."""

    code: str
    billable: bool
    title: str


@dataclass(frozen=True, slots=True)
class ReleaseDates:
    """First and last date of service that a release is in force for."""

    valid_from: date
    valid_to: date


def dates_of_release(name: str) -> ReleaseDates | None:
    """The dates that a release's usual name says; None for another name.

    `FY2027` is in force from October 1, 2026 to September 30, 2027. `FY2027-April` takes over on April 1,
    2027: a code that it brings must not be accepted, and one that it drops not refused, on days before.
    """
    if not (match := _RELEASE_NAME.fullmatch(name)):
        return None
    year = int(match[1])
    mid_year = match[2] and year not in _UNCHANGED_IN_APRIL
    return ReleaseDates(date(year, 4, 1) if mid_year else date(year - 1, 10, 1), date(year, 9, 30))


def name_of_package_release() -> str:
    """The name of the release inside the package, `FY2026-April`, told by its files without importing it."""
    try:
        files = distribution(_PACKAGE).files or []
    except PackageNotFoundError:
        files = []
    for file in files:
        if match := _PACKAGE_FILE.fullmatch(file.name):
            month, year = match[1], int(match[2])
            return {"January": f"FY{year}", "April": f"FY{year}-April", "October": f"FY{year + 1}"}[month]
    raise ReleaseSourceError(f"The package {_PACKAGE} is not installed, or its release can't be told.")


def read_package() -> Iterator[CodeRow]:
    """Every code of the package's release; its import takes seconds and 200 MB: only a command calls this."""
    book = import_module(_PACKAGE)
    # A block of one category stands under the same code twice; the package then answers for the category.
    for code in dict.fromkeys(book.get_all_codes(True)):
        if _DOTTED_CODE.fullmatch(code):
            yield CodeRow(code, book.is_leaf(code), book.get_description(code))


def _decoded(content: bytes) -> str | None:
    for encoding in ("utf-8-sig", "cp1252"):
        try:
            return content.decode(encoding)
        except UnicodeDecodeError:
            continue
    return None


def read_order_file(path: Path) -> Iterator[CodeRow]:
    """Every code of an official order file (`icd10cm-order-2027.txt`), in its fixed columns.

    Columns 1-5 hold the order number, 7-13 the code without its dot, 15 the flag (1 billable, 0 heading),
    17-76 the short and from 78 on the long title. Raises ReleaseSourceError, with the line, for others.
    """
    try:
        content = ordinary(path).read_bytes()
    except OSError as error:
        raise ReleaseSourceError(f"{path} can't be read: {error.strerror}.") from error
    text = _decoded(content)
    if text is None:
        raise ReleaseSourceError(f"{path} is no text: unpack it, if it is packed.")
    for number, line in enumerate(text.splitlines(), start=1):
        if not line.strip():
            continue
        code, flag = line[6:13].strip(), line[14:15]
        title = line[77:].strip() or line[16:76].strip()
        if (
            not line[:5].strip().isdigit()
            or not _BARE_CODE.fullmatch(code)
            or flag not in {"0", "1"}
            or not title
        ):
            raise ReleaseSourceError(
                f"Line {number} of {path.name} is not a line of an ICD-10-CM order file."
            )
        yield CodeRow(code if len(code) == 3 else f"{code[:3]}.{code[3:]}", flag == "1", title)
