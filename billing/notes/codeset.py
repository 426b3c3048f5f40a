"""The diagnosis code set of one release, packed: flat buffers and a binary search, no objects per code; the
titles stay deflated, as no note needs them."""

import struct
import zlib
from array import array
from bisect import bisect_left
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import date
from enum import StrEnum
from itertools import pairwise
from pathlib import Path
from typing import BinaryIO

_MAGIC = b"CODESET1"
_WIDTH = 7
_MOST_KNOWN = 10_000
_HEADER = struct.Struct(">8sIIII")


class CodeStatus(StrEnum):
    """What a code is in one release."""

    BILLABLE = "billable"
    HEADING = "heading"
    UNKNOWN = "unknown"


class CodeSetError(ValueError):
    """The file is not a code set, or it is damaged."""


def compact(code: str) -> str:
    """The code without its point, upper case: `f33.1` becomes `F331`."""
    return code.replace(".", "").strip().upper()


def dotted(code: str) -> str:
    """The code as people write it: `F331` becomes `F33.1`."""
    bare = compact(code)
    return bare if len(bare) <= 3 else f"{bare[:3]}.{bare[3:]}"


_BEHAVIOURAL_HEADINGS = frozenset(
    "R44 R45 R46 G47 T74 T76 Z55 Z56 Z57 Z58 Z59 Z60 Z61 Z62 Z63 Z64 Z65 Z69 Z70 Z71 Z72 Z73 Z75 Z76".split()  # noqa: SIM905
)
_BEHAVIOURAL_GROUPS = ("Z86.5", "Z91.4", "Z91.5", "Z91.1", "Z91.8", "Z81.0", "Z81.8", "R41.8")


def behavioural(code: str) -> bool:
    """Whether the code, with its point, belongs to what an outpatient therapist diagnoses."""
    return code[0] == "F" or code[:3] in _BEHAVIOURAL_HEADINGS or code.startswith(_BEHAVIOURAL_GROUPS)


@dataclass(frozen=True, slots=True)
class CodeSet:
    """All diagnosis codes of one release; `codes` holds them sorted, seven characters each."""

    release: str
    codes: bytes
    billable: bytes
    deflated: bytes
    """Both of these, where each title ends, and the titles."""
    effective_from: date | None = None
    effective_through: date | None = None
    # What was looked up before: notes name few codes again and again.
    _rows: dict[str, int | None] = field(default_factory=dict, compare=False, repr=False)

    @classmethod
    def from_rows(
        cls,
        rows: Iterable[tuple[str, bool, str]],
        *,
        release: str = "",
        effective_from: date | None = None,
        effective_through: date | None = None,
    ) -> "CodeSet":
        """Pack rows of (code, billable, title), in any order, with or without points."""
        ordered = sorted((compact(code), billable, title) for code, billable, title in rows)
        ends = array("I")
        titles = bytearray()
        for _, _, title in ordered:
            titles += title.encode()
            ends.append(len(titles))
        codes = b"".join(code.encode("ascii").ljust(_WIDTH) for code, _, _ in ordered)
        flags = bytes(bool(billable) for _, billable, _ in ordered)
        return cls(
            release=release,
            codes=codes,
            billable=flags,
            deflated=zlib.compress(codes + flags + ends.tobytes() + titles, 6),
            effective_from=effective_from,
            effective_through=effective_through,
        )

    def __len__(self) -> int:
        return len(self.billable)

    def status(self, code: str, *, on: date | None = None) -> CodeStatus:
        """Billable, heading or unknown; unknown too where the whole release was not in force on that day."""
        if on is not None and self.effective_from is not None and on < self.effective_from:
            return CodeStatus.UNKNOWN
        row = self._row(compact(code))
        if row is None:
            return CodeStatus.UNKNOWN
        return CodeStatus.BILLABLE if self.billable[row] else CodeStatus.HEADING

    def is_older_than(self, day: date | None) -> bool:
        """Whether the release had ended before that day."""
        return day is not None and self.effective_through is not None and day > self.effective_through

    def children(self, code: str) -> tuple[str, ...]:
        """The billable codes below a heading, in order."""
        bare = compact(code)
        found = []
        row = self._insertion(bare.encode("ascii", "replace"))
        while row < len(self):
            other = self._code(row)
            if not other.startswith(bare):
                break
            if self.billable[row] and other != bare:
                found.append(dotted(other))
            row += 1
        return tuple(found)

    def rows(self) -> Iterator[tuple[str, bool, str]]:
        """Every row as it was packed."""
        ends = array("I")
        after_flags = len(self) * (_WIDTH + 1)
        after_ends = after_flags + len(self) * ends.itemsize
        data = zlib.decompress(self.deflated)
        ends.frombytes(data[after_flags:after_ends])
        titles = data[after_ends:]
        for row, (start, end) in enumerate(pairwise([0, *ends])):
            yield dotted(self._code(row)), bool(self.billable[row]), titles[start:end].decode()

    def _code(self, row: int) -> str:
        return self.codes[row * _WIDTH : (row + 1) * _WIDTH].decode("ascii").rstrip()

    def _insertion(self, wanted: bytes) -> int:
        codes = self.codes
        return bisect_left(
            range(len(self)), wanted.ljust(_WIDTH), key=lambda row: codes[row * _WIDTH : (row + 1) * _WIDTH]
        )

    def _row(self, bare: str) -> int | None:
        if not 3 <= len(bare) <= _WIDTH or not bare.isascii():
            return None
        if bare in self._rows:
            return self._rows[bare]
        row = self._insertion(bare.encode("ascii"))
        found = row if row < len(self) and self._code(row) == bare else None
        if len(self._rows) < _MOST_KNOWN:
            self._rows[bare] = found
        return found


def write_codeset(target: str | Path | BinaryIO, codes: CodeSet) -> None:
    """Write the compact file: a header, the release and its dates, then the four buffers, deflated."""
    if isinstance(target, (str, Path)):
        with Path(target).open("wb") as file:
            write_codeset(file, codes)
        return
    dates = (codes.effective_from, codes.effective_through)
    label = "\n".join([codes.release, *(day.isoformat() if day else "" for day in dates)]).encode()
    titles = len(zlib.decompress(codes.deflated)) - len(codes) * (_WIDTH + 1 + array("I").itemsize)
    target.write(_HEADER.pack(_MAGIC, len(codes), titles, len(label), zlib.crc32(codes.deflated)))
    target.write(label)
    target.write(codes.deflated)


def read_codeset(source: str | Path | BinaryIO) -> CodeSet:
    """Read what `write_codeset` wrote; raises CodeSetError for anything else."""
    if isinstance(source, (str, Path)):
        with Path(source).open("rb") as file:
            return read_codeset(file)
    header = source.read(_HEADER.size)
    if len(header) != _HEADER.size:
        raise CodeSetError("the file is too short to be a code set")
    magic, count, _, label_bytes, checksum = _HEADER.unpack(header)
    if magic != _MAGIC:
        raise CodeSetError("the file is not a code set")
    label = source.read(label_bytes).decode().split("\n")
    body = source.read()
    if zlib.crc32(body) != checksum:
        raise CodeSetError("the code set is damaged")
    after_codes, after_flags = count * _WIDTH, count * (_WIDTH + 1)
    data = zlib.decompressobj().decompress(body, after_flags)
    release, first, last = label
    return CodeSet(
        release=release,
        codes=data[:after_codes],
        billable=data[after_codes:after_flags],
        deflated=body,
        effective_from=date.fromisoformat(first) if first else None,
        effective_through=date.fromisoformat(last) if last else None,
    )
