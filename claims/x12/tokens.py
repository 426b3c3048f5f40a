"""Cuts X12 text into segments: delimiters are discovered, one buffer of text is held at a time."""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import IO

Segment = list[str]
"""The elements of a segment as they were written; [0] is its id."""

Source = str | bytes | memoryview | IO[str] | IO[bytes]
"""A whole file, or one that is read in pieces."""

CHUNK_CHARACTERS = 65_536
LONGEST_SEGMENT = 100_000
LONGEST_ISA = 300
USUAL_COMPONENT_SEPARATORS = ":>|<^\\"

_BLANK = " \r\n\t\x00\x1a\ufeff"
_ISA_VERSION = re.compile(r"\d{5}")
_FIRST_HEADER = re.compile(r"(?:ISA|GS|ST)(?=[^A-Za-z0-9 \t\r\n])")
_BARE_HEADER = re.compile(
    r"""
    GS(?P<gs>[^A-Za-z0-9 \t\r\n]) (?:[^\r\n]{0,40}?(?P=gs)){6} [XT](?P=gs) [A-Z0-9]{4,12}
        (?P<gs_end>[^A-Za-z0-9 ]) \s* ST(?P=gs)
    | ST(?P<st>[^A-Za-z0-9 \t\r\n]) \d{3} (?P=st)[A-Za-z0-9]{1,9} (?:(?P=st)[A-Z0-9]{0,12})?
        (?P<st_end>[^A-Za-z0-9 ]) \s* [A-Z][A-Z0-9]{1,2}(?P=st)
    """,
    re.VERBOSE,
)


class X12Error(ValueError):
    """The content is not X12; the message names no part of it."""


@dataclass(frozen=True, slots=True)
class Delimiters:
    """The separators of an interchange, but the one that repeats an element: nothing here is repeated."""

    element: str
    component: str
    segment: str


def element(segment: Segment, number: int) -> str:
    """Give element `number` as X12 counts (SVC01 is 1), or an empty string where the segment is shorter."""
    return segment[number] if number < len(segment) else ""


def component_list(value: str, delimiters: Delimiters) -> list[str]:
    """Split a composite, also where the sender uses another usual separator than its ISA16 says."""
    if delimiters.component not in value and len(value) > 2 and value[2] in USUAL_COMPONENT_SEPARATORS:
        return value.split(value[2])
    return value.split(delimiters.component)


class Tokenizer:
    """Iterates over the segments of a file; `delimiters` are those of the segment last given.

    `unreadable` turns true where text had to be skipped because it belongs to no interchange.
    """

    def __init__(self, source: Source) -> None:
        self._chunks = _chunks_of(source)
        self._text = ""
        self.unreadable = False
        self.delimiters = Delimiters("*", ":", "~")
        self._begin()

    def __iter__(self) -> Iterator[Segment]:
        while True:
            yield from self._segments_of_interchange()
            if not self._find_interchange():
                return

    def _segments_of_interchange(self) -> Iterator[Segment]:
        """Yield segments up to IEA, to the next ISA or to the end of the file."""
        separator, terminator = self.delimiters.element, self.delimiters.segment
        at_header = True
        while True:
            pieces = self._text.split(terminator)
            self._text = pieces.pop()
            for index, piece in enumerate(pieces):
                raw = piece.strip(_BLANK)
                if "\n" in raw or "\r" in raw:
                    raw = raw.replace("\r", "").replace("\n", "")
                if not raw:
                    continue
                segment = raw.split(separator)
                name = segment[0]
                if name[:1] == "I" and not at_header:
                    if name == "IEA":
                        self._text = terminator.join([*pieces[index + 1 :], self._text])
                        yield segment
                        return
                    if _is_header(name):
                        # The next interchange, which may bring other delimiters.
                        self._text = terminator.join([*pieces[index:], self._text])
                        return
                at_header = False
                yield segment
            if not at_header and _is_header(self._text[:LONGEST_ISA].lstrip(_BLANK)):
                return
            if len(self._text) > LONGEST_SEGMENT:
                self.unreadable = True
                self._text = self._text[-LONGEST_ISA:]
                return
            if not self._refill():
                yield from self._unterminated()
                return

    def _unterminated(self) -> Iterator[Segment]:
        """Take what stands after the last terminator: some senders leave the very last one out."""
        raw = self._text.strip(_BLANK)
        self._text = ""
        segment = raw.split(self.delimiters.element)
        if segment[0] in ("SE", "GE", "IEA") and len(segment) == 3:
            yield segment
        elif raw:
            self.unreadable = True

    def _begin(self) -> None:
        """Find the first header and the delimiters, or refuse the content."""
        while len(self._text) < LONGEST_ISA and self._refill():
            self._text = self._text.lstrip(_BLANK)
        if _FIRST_HEADER.match(self._text) is None:
            raise X12Error("The content does not begin with an ISA, GS or ST segment.")
        if self._text.startswith("ISA"):
            if (delimiters := _isa_delimiters(self._text)) is None:
                raise X12Error("The ISA segment is incomplete or malformed.")
            self.delimiters = delimiters
            return
        if (bare := _BARE_HEADER.match(self._text)) is None:
            raise X12Error("The content begins without an ISA, and its delimiters can't be told.")
        separator, terminator = bare["gs"] or bare["st"], bare["gs_end"] or bare["st_end"]
        component = next(mark for mark in USUAL_COMPONENT_SEPARATORS if mark not in (separator, terminator))
        self.delimiters = Delimiters(separator, component, terminator)

    def _find_interchange(self) -> bool:
        """Skip to the next ISA and take its delimiters; False at the end of the file."""
        while True:
            found = self._text.find("ISA")
            if found < 0:
                # The last two characters may be the beginning of an ISA that the chunk cut.
                self._skip(max(0, len(self._text) - 2))
                if not self._refill():
                    self._skip(len(self._text))
                    return False
                continue
            self._skip(found)
            while len(self._text) < LONGEST_ISA and self._refill():
                continue
            if (delimiters := _isa_delimiters(self._text)) is not None:
                self.delimiters = delimiters
                return True
            self._skip(3)

    def _skip(self, length: int) -> None:
        if self._text[:length].strip(_BLANK):
            self.unreadable = True
        self._text = self._text[length:]

    def _refill(self) -> bool:
        chunk = next(self._chunks, "")
        self._text += chunk
        return bool(chunk)


def _is_header(text: str) -> bool:
    return text[:3] == "ISA" and not text[3:4].isalnum()


def _isa_delimiters(text: str) -> Delimiters | None:
    """Read the delimiters of an ISA, padded as the standard wants or not; None where this is no ISA."""
    separator = text[3:4]
    if not separator or separator.isalnum() or separator in " \t\r\n":
        return None
    elements = text[:LONGEST_ISA].split(separator, 16)
    if len(elements) < 17 or len(elements[16]) < 2 or not _ISA_VERSION.fullmatch(elements[12]):
        return None
    component, terminator = elements[16][0], elements[16][1]
    if component.isalnum() or terminator.isalnum() or len({separator, component, terminator}) < 3:
        return None
    return Delimiters(separator, component, terminator)


def _chunks_of(source: Source) -> Iterator[str]:
    """Give the text in pieces; bytes that are no UTF-8 are read as Latin-1, and NUL is dropped."""
    decoder = codecs.getincrementaldecoder("utf-8-sig")(_LATIN)
    for chunk in _raw_chunks_of(source):
        text = chunk if isinstance(chunk, str) else decoder.decode(chunk)
        if text := text.replace("\x00", ""):
            yield text
    if text := decoder.decode(b"", final=True):
        yield text


def _raw_chunks_of(source: Source) -> Iterator[str | bytes]:
    if isinstance(source, str | bytes | memoryview):
        for start in range(0, len(source), CHUNK_CHARACTERS):
            piece = source[start : start + CHUNK_CHARACTERS]
            yield bytes(piece) if isinstance(piece, memoryview) else piece
        return
    while chunk := source.read(CHUNK_CHARACTERS):
        yield chunk


def _as_latin_1(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeDecodeError):
        raise error
    return error.object[error.start : error.end].decode("latin-1"), error.end


_LATIN = "claims.x12.latin-1"
codecs.register_error(_LATIN, _as_latin_1)
