"""A note in pieces: the words that a code stands on, numbered; the words that were read and not coded."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from billing.rules.tables.note_words import DURATION
from claims.desk.review_words import WHY_NOT_CODED
from claims.fold.words import with_capital

MARK_COLOURS = 3
BY_CODE = "code_"
"""How the coder's name of a condition begins that has none but its code."""
AS_WRITTEN = {
    "adhd": "ADHD",
    "arfid": "ARFID",
    "i": "I",
    "ii": "II",
    "ocd": "OCD",
    "pd": "personality disorder",
    "ptsd": "PTSD",
    "rem": "REM",
}


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of the note; `number` is the code's it supports, 0 for what was not coded, None for none."""

    text: str = field(repr=False)
    number: int | None = None
    words: str = ""

    @property
    def colour(self) -> int:
        """Which of the mark colours, from 1."""
        return ((self.number or 1) - 1) % MARK_COLOURS + 1


@dataclass(frozen=True, slots=True)
class NotCoded:
    """What the coder read and left out."""

    what: str = field(repr=False)
    why: str


@dataclass(frozen=True, slots=True)
class MarkedNote:
    """A note with its evidence, and the number of each code in it."""

    pieces: Sequence[Piece] = field(repr=False)
    numbers: Mapping[tuple[str, str], int]
    """By kind and code."""


def with_chosen(coding: Mapping[str, Any], chosen: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """What the coder said, with the words of the note that a person chose: kind, code, start, end."""
    merged = {**coding, "diagnoses": list(coding["diagnoses"]), "procedures": list(coding["procedures"])}
    for each in chosen:
        rows = merged["diagnoses" if each["kind"] == "diagnosis" else "procedures"]
        span = {"start": each["start"], "end": each["end"]}
        place = next((at for at, row in enumerate(rows) if row["code"] == each["code"]), None)
        if place is None:
            rows.append({"code": each["code"], "evidence": [span]})
        else:
            rows[place] = {**rows[place], "evidence": [*rows[place]["evidence"], span]}
    return merged


def evidence_numbers(coding: Mapping[str, Any]) -> dict[tuple[str, str], int]:
    """Number the codes that have evidence, diagnoses first."""
    numbers: dict[tuple[str, str], int] = {}
    for kind, each in _evident(coding):
        if each["evidence"] and (kind, each["code"]) not in numbers:
            numbers[kind, each["code"]] = len(numbers) + 1
    return numbers


def _evident(coding: Mapping[str, Any]) -> list[tuple[str, Mapping[str, Any]]]:
    """What may stand on words of the note: the codes, and those of minutes that only the note gives."""
    found = [("diagnosis", each) for each in coding["diagnoses"]]
    found += [("procedure", each) for each in coding["procedures"]]
    return found + [("procedure", each) for each in coding["candidates"] if each.get("minutes")]


def mark(text: str, coding: Mapping[str, Any]) -> MarkedNote:
    """Cut the note at its evidence; where two stretches overlap, that of the code goes first."""
    numbers = evidence_numbers(coding)
    spans: list[tuple[int, int, int, str]] = []
    for kind, each in _evident(coding):
        for span in each["evidence"]:
            spans.append((span["start"], span["end"], numbers[kind, each["code"]], each["code"]))
    for each in coding["rejected"]:
        for span in each["evidence"]:
            spans.append((span["start"], span["end"], 0, _why(each["why"])))
    for each in coding["discrepancies"]:
        if each["type"] == DURATION and each["found"] is None:
            spans += [(span["start"], span["end"], 0, "perhaps another length") for span in each["evidence"]]
    return MarkedNote(_cut(text, spans), numbers)


def not_coded(coding: Mapping[str, Any]) -> list[NotCoded]:
    """What was read and not coded, each once."""
    listed = {
        _named(each["concept"]) or each["code"] or "A condition": _why(each["why"])
        for each in coding["rejected"]
    }
    return [NotCoded(what, why) for what, why in listed.items()]


def _named(concept: str) -> str:
    """What the coder calls a condition, as people write it; a code where it has no other name."""
    if concept.startswith(BY_CODE):
        return concept.removeprefix(BY_CODE).upper().replace("_", ".")
    return with_capital(" ".join(AS_WRITTEN.get(word, word) for word in concept.split("_")))


def _cut(text: str, spans: Sequence[tuple[int, int, int, str]]) -> list[Piece]:
    taken: list[tuple[int, int, int, str]] = []
    for span in sorted(spans, key=lambda each: (each[2] == 0, each[2], each[0])):
        start, end = span[:2]
        if start < end and all(end <= other[0] or start >= other[1] for other in taken):
            taken.append(span)
    pieces, at = [], 0
    for start, end, number, words in sorted(taken):
        if at < start:
            pieces.append(Piece(text[at:start]))
        pieces.append(Piece(text[start:end], number, words))
        at = end
    if at < len(text):
        pieces.append(Piece(text[at:]))
    return pieces


def _why(doubt: str) -> str:
    return WHY_NOT_CODED.get(doubt, doubt.replace("_", " ") or "not coded")
