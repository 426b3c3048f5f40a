"""What may leave the house: words of the packaged vocabulary, but none of the request's identifiers,
harmless numbers and plain marks. All that is not known is hidden."""

import re
import string
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from operator import itemgetter
from pathlib import Path
from unicodedata import combining, normalize

from rapidfuzz.distance import OSA

from billing.notes.lexicon import Lexicon
from billing.notes.llm.numbers import Part, hidden_numbers

HIDDEN = "[X]"
_SHORT = 5
"""Shorter names stand in other words too: Al in "generalized"."""
_WORDS = Path(__file__).parent / "words.txt"
# One character for one, so that an offset stays one; `<` and `>` mark where the note begins and ends.
_PLAIN = str.maketrans(
    dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2015\u2212", "-")
    | dict.fromkeys("\u2018\u2019\u201a\u201b\u2032\u00b4`", "'")
    | dict.fromkeys("\u201c\u201d\u201e\u2033", '"')
    | dict.fromkeys("\u00a0\u2002\u2003\u2007\u2009\u200a\u202f\u3000\f\v", " ")
    | dict.fromkeys("\u2022\u25cf\u25e6\u25aa\u2023\u00b7", "*")
    | dict.fromkeys("\x85\u2028\u2029", "\n")
    | {"<": "(", ">": ")"}
)
_MARKS = (
    re.escape(string.punctuation) + " \\t\\r\\n\u00d7\u00bd\u2026\u2192\u2264\u2265\u2610-\u2612\u2713\u2714"
)
_ADDRESSES = re.compile(r"(?<![\w.+-])[\w.+-]+@[\w-]+\.[\w.]+|https?://\S+|www\.\S+", re.IGNORECASE)
# Letters, digits and all that is no known mark, be it of another script, a combining one or without width.
_WORD = re.compile(rf"[^{_MARKS}]+(?:'[A-Za-z]+(?![^{_MARKS}]))?")
# A number, with or without its unit, a code, or a scale: `53`, `45min`, `x2`, `f41`, `phq9`
_COUNTED = re.compile(
    r"[0-9]+|[0-9]{1,4}(?:[ap]m?|mins?|m|h|hrs?|x|th|st|nd|rd|s|y|yo|yrs?)|x[0-9]|[a-z][0-9]{2,5}"
    r"|(?P<scale>[a-z]{2,})[0-9]{1,2}"
)
# `J o h n`, `J-o-h-n`, `J. o. h. n.`
_SPELLED = re.compile(
    r"(?<![A-Za-z0-9])[A-Za-z](?P<by>[^A-Za-z0-9]{1,3})[A-Za-z](?:(?P=by)[A-Za-z](?![A-Za-z0-9]))+"
)
_UNITS = frozenset(("am", "pm", "min", "mins", "hr", "hrs", "cpt"))
_SENTENCE_START = re.compile(r"(?:\A|[.!?:;\n*\-\])(\"|]|\s{3})\s*\Z")
_BEFORE = 12


@dataclass(frozen=True, slots=True)
class Redacted:
    """Text that may be sent and where each of its characters came from."""

    text: str
    origin: tuple[int, ...]

    def restore(self, start: int, end: int) -> tuple[int, int]:
        """The stretch of the original behind a stretch of the redacted text."""
        return self.origin[start], self.origin[end - 1] + 1


@lru_cache(maxsize=1)
def allowed_words() -> frozenset[str]:
    """The common English words of the package."""
    return frozenset(_WORDS.read_text(encoding="utf-8").split())


def redact(text: str, parts: list[Part], *, identifiers: tuple[str, ...], lexicon: Lexicon) -> list[Redacted]:
    """Parts of a text without any identifier of the request (also misspelled), number that may be
    somebody's, or word outside the vocabulary.

    It is read as a whole, so that what stands across two parts is hidden in both.
    """
    plain = text.translate(_PLAIN)
    hidden = _merged(
        [
            *_identified(plain, identifiers),
            *(match.span() for match in _ADDRESSES.finditer(plain)),
            *(
                match.span()
                for match in _SPELLED.finditer(plain)
                if not lexicon.knows(match[0].lower() + ".")
            ),
            *_unknown_words(plain, _names(identifiers), lexicon),
            *hidden_numbers(plain, lexicon),
        ]
    )
    return [_shown(plain, hidden, start, end) for start, end in parts]


def _identified(plain: str, identifiers: tuple[str, ...]) -> Iterator[Part]:
    for identifier in identifiers:
        words = identifier.translate(_PLAIN).split()
        if (length := len("".join(words))) >= 2:
            said = r"\s+".join(re.escape(word) for word in words)
            if length < _SHORT:
                said = rf"(?<![A-Za-z0-9]){said}(?![A-Za-z0-9])"
            yield from (match.span() for match in re.finditer(said, plain, re.IGNORECASE))


def _names(identifiers: tuple[str, ...]) -> set[str]:
    """The words of the identifiers, and the same without accents."""
    written = " ".join(identifiers).lower()
    bare = "".join(mark for mark in normalize("NFKD", written) if not combining(mark))
    return set(re.findall(r"[a-z]{2,}", f"{written} {bare}"))


def _unknown_words(plain: str, known: set[str], lexicon: Lexicon) -> Iterator[Part]:
    judged: dict[tuple[str, bool], bool] = {}
    for match in _WORD.finditer(plain):
        word = match[0]
        # A capital within a sentence makes a name of a word.
        named = word[0].isupper() and not word.isupper()
        named = named and not _SENTENCE_START.search(plain[max(0, match.start() - _BEFORE) : match.start()])
        stays = judged.get((word, named))
        if stays is None:
            stays = judged[word, named] = _may_stay(word, named=named, known=known, lexicon=lexicon)
        if not stays:
            yield match.span()


def _may_stay(word: str, *, named: bool, known: set[str], lexicon: Lexicon) -> bool:
    """Whether a word is of the vocabulary; a number alone is judged as one."""
    small = word.lower()
    if not (small.isascii() and small.replace("'", "").isalnum()):
        return False
    bare = small.removesuffix("'s")
    if bare in known or any(_close(bare, name) for name in known):
        return False
    if any(map(str.isdigit, small)):
        counted = _COUNTED.fullmatch(bare)
        scale = counted["scale"] if counted else ""
        return scale is None or lexicon.knows(scale)
    if small in _UNITS:
        return True
    clinical = lexicon.knows(bare)
    if named:
        return clinical and bare not in allowed_words()
    return clinical or bare in allowed_words() or len(bare) == 1


def _close(word: str, name: str) -> bool:
    """A known name with one slip in it; short names must match exactly."""
    return (
        len(name) >= 5 and abs(len(word) - len(name)) <= 1 and OSA.distance(word, name, score_cutoff=1) <= 1
    )


def _merged(parts: list[Part]) -> list[Part]:
    """The same stretches in order, with none that touches another."""
    merged: list[Part] = []
    for start, end in sorted(parts):
        if merged and start <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((start, end))
    return merged


def _shown(plain: str, hidden: list[Part], start: int, end: int) -> Redacted:
    """A part of the text, with offsets from its own beginning."""
    pieces: list[str] = []
    origin: list[int] = []
    at = start
    for span in hidden[bisect_right(hidden, start, key=itemgetter(1)) :]:
        if span[0] >= end:
            break
        first, last = max(span[0], start), min(span[1], end)
        pieces += (plain[at:first], HIDDEN)
        origin += (*range(at, first), *[first] * (len(HIDDEN) - 1), last - 1)
        at = last
    pieces.append(plain[at:end])
    origin += range(at, end)
    return Redacted("".join(pieces), tuple(each - start for each in origin))
