"""What may leave the house: known identifiers out, patterns out, and of the rest only words of the
packaged vocabulary."""

import re
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from rapidfuzz.distance import DamerauLevenshtein

from billing.notes.explicit import SERVICE_OF_PROCEDURE
from billing.notes.lexicon import Lexicon

HIDDEN = "[X]"
_WORDS = Path(__file__).parent / "words.txt"
_PATTERNS = re.compile(
    r"[\w.+-]+@[\w-]+\.[\w.]+"
    r"|https?://\S+|www\.\S+"
    r"|\b\d{3}[ .-]\d{2}[ .-]\d{4}\b"
    r"|(?:\b1[ .-]?)?\(?\b\d{3}\)?[ .-]?\d{3}[ .-]\d{4}\b"
    # a telephone without its area code; other numbers in groups
    r"|\b\d{3}[ .-]\d{4}\b"
    r"|\b\d{3,4}(?: \d{3,4}){2,}\b|\b\d{2,}(?P<by>[.-])\d{2,}(?:(?P=by)\d{2,})+\b|\b\d{2}-\d{7}\b"
    # a day without its year, where hyphens could mean something else
    r"|(?<=\bon )(?:0?[1-9]|1[0-2])-(?:0?[1-9]|[12]\d|3[01])\b(?!:| ?[ap]\.?m)"
    # an age over 89
    r"|\bage[ds]?:? ?(?:is |of |= ?)?(?:9\d|1[0-2]\d)\b"
    r"|\b(?:9\d|1[0-2]\d)[ -]?(?:(?:years?|yrs?)[ -]olds?|y\.?/?o)\b"
    r"|\b(?:(?:s?he|client|patient|pt|who) (?:is|was)|turn(?:s|ed|ing)) (?:9\d|1[0-2]\d)\b"
    r"(?! ?(?:m|h|%|lb|kg|pound|day|week|session|point|percent))"
    r"|\b\d{1,2}[/.-]\d{1,2}[/.-]\d{2,4}\b|\b\d{4}-\d{2}-\d{2}\b"
    r"|\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.? \d{1,2}(?:st|nd|rd|th)?(?:,? \d{4})?\b"
    r"|\b\d{6,}\b|\b[a-z]{1,4}\d{5,}\w*\b",
    re.IGNORECASE,
)
_DAY = re.compile(r"(?<![\w/.:])(?:0?[1-9]|1[0-2])/(?:0?[1-9]|[12]\d|3[01])(?![\w/:]|\.\d)")
_SCORED = re.compile(
    r"\b(?:phq|gad|pcl|bdi|bai|audit|dast|mdq|ybocs|suds?|scor\w+|rat(?:ed?|es|ing)|scales?|severity|mood"
    r"|anxiety|depression|pain|stress|distress)\b[^.;\n]{0,20}(?<!\bon )$",
    re.IGNORECASE,
)
_TOKEN = re.compile(
    r"[A-Za-z\u00c0-\u024f]+(?:['\u2019][A-Za-z]+)?|\d(?:[\d.,:]*\d)?[A-Za-z]*|[A-Za-z]\d[\w.]*"
)
_NUMBER = re.compile(
    r"(?:\d{1,3}(?:\.\d+)?|\d{1,2}:\d{2}|[01]\d[0-5]\d|2[0-3][0-5]\d)(?:[ap]m?|min|mins|h|hr|hrs|x|th|st|nd"
    r"|rd|'s)?"
)
_UNITS = frozenset(("am", "pm", "min", "mins", "hr", "hrs", "cpt"))
_PROCEDURES = frozenset(("90785", "90833", "90836", "90838", *SERVICE_OF_PROCEDURE))
_CODE = re.compile(r"[A-Z]\d{2}(?:\.?[0-9A-Z]{1,4})?|9\d{4}")
_SENTENCE_START = re.compile(r"(?:^\s*|[.!?:;\n*\-\])(\"]\s*)$")


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


def redact(text: str, *, identifiers: tuple[str, ...], lexicon: Lexicon) -> Redacted:
    """Hide every identifier of the request (also misspelled), every pattern, and every word outside the
    vocabulary."""
    hidden: list[tuple[int, int]] = []
    for identifier in identifiers:
        cleaned = identifier.strip()
        if len(cleaned) >= 2:
            hidden += [match.span() for match in re.finditer(re.escape(cleaned), text, re.IGNORECASE)]
    hidden += [match.span() for match in _PATTERNS.finditer(text) if not _CODE.fullmatch(match[0])]
    hidden += [
        match.span()
        for match in _DAY.finditer(text)
        if not _SCORED.search(text[max(0, match.start() - 40) : match.start()])
    ]
    known = {part.lower() for name in identifiers for part in re.findall(r"[A-Za-z\u00c0-\u024f]{2,}", name)}
    for match in _TOKEN.finditer(text):
        if not _may_stay(
            match[0], before=text[max(0, match.start() - 3) : match.start()], known=known, lexicon=lexicon
        ):
            hidden.append(match.span())
    return _hide(text, hidden)


def _may_stay(word: str, *, before: str, known: set[str], lexicon: Lexicon) -> bool:
    small = word.lower().replace("\u2019", "'")
    bare = small.removesuffix("'s")
    if bare in known or any(_close(bare, name) for name in known):
        return False
    if word[0].isdigit():
        return word in _PROCEDURES or bool(_NUMBER.fullmatch(small))
    if any(character.isdigit() for character in word):
        return bool(_CODE.fullmatch(word.upper()))
    if small in _UNITS:
        return True
    clinical = lexicon.knows(bare)
    if word[0].isupper() and not word.isupper() and not _SENTENCE_START.search(before):
        return clinical and bare not in allowed_words()
    return clinical or bare in allowed_words() or len(bare) == 1


def _close(word: str, name: str) -> bool:
    """A known name with one slip in it; short names must match exactly."""
    return (
        len(name) >= 5
        and abs(len(word) - len(name)) <= 1
        and DamerauLevenshtein.distance(word, name, score_cutoff=1) <= 1
    )


def _hide(text: str, hidden: list[tuple[int, int]]) -> Redacted:
    pieces: list[str] = []
    origin: list[int] = []
    at = 0
    for start, end in sorted(hidden):
        if start < at:
            at = max(at, end) if start < at <= end and pieces and pieces[-1] == HIDDEN else at
            continue
        pieces.append(text[at:start])
        origin.extend(range(at, start))
        pieces.append(HIDDEN)
        origin.extend([start] * (len(HIDDEN) - 1) + [end - 1])
        at = end
    pieces.append(text[at:])
    origin.extend(range(at, len(text)))
    return Redacted("".join(pieces), tuple(origin))
