"""What a read note leaves open, as questions with their answers; what they are not about is certain."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import Any

from billing.codes import code_titles
from billing.rules.modifiers import REMOTE
from billing.rules.tables.note_words import ABOUT_DIAGNOSES
from billing.rules.tables.procedures import LABELS
from claims.admin.note_marks import evidence_numbers
from claims.desk.review_words import MINUTES_FROM, PLACES, TIERS, WHY_CANDIDATE, question_for
from sessions_app.models import SessionCode

MOST_CANDIDATES = 8
OTHER = "other"
PLACE, PLACE_CONFLICT = "place", "place_conflict"
DOUBTED = "X"
PROCEDURE_TITLES = {code: words.capitalize() for code, words in LABELS.items()}
ONLY_WITH = {"90840": "90839"}
"""Add-ons that go with one main code alone."""
ABOUT_ONE = ABOUT_DIAGNOSES - {
    "no_stated_diagnosis",
    "only_uncertain",
    "conflict_codes",
    "order_unclear",
    "diagnosis_unread",
}
"""Reasons about single diagnoses, which the coder marks; the others stay as they are."""
KEPT_UNLESS_CHANGED = frozenset({*ABOUT_ONE, "conflict_codes", "diagnosis_unread", "llm_disagrees"})
"""Reasons that leave what the note states as a diagnosis chosen, to be changed."""


@dataclass(frozen=True, slots=True)
class Choice:
    """One answer: a code or a way to have met, with why it is offered and the add-ons that go with it."""

    kind: str
    code: str
    modifier: str
    title: str
    why: str
    number: int | None = None
    """That of its evidence in the note."""
    key: int = 0
    units: int = 1
    place: int = 0
    """Where it stands on the claim."""
    tier: str = ""
    addon: bool = False
    """Whether it is only billed beside another code."""
    addons: Sequence["Choice"] = ()

    @property
    def value(self) -> str:
        """What the form sends."""
        return SessionCode.in_words(self.code, self.modifier)

    def as_offered(self) -> dict[str, str | int]:
        """How the label keeps it."""
        return {
            "kind": self.kind,
            "code": self.code,
            "modifier": self.modifier,
            "units": self.units,
            "why": self.why,
        }


@dataclass(frozen=True, slots=True)
class Question:
    """One question of a kind of code, or of the place: its words, answers, what was answered and is wrong."""

    kind: str
    words: Sequence[str]
    choices: Sequence[Choice]
    other_key: int
    suggested: Sequence[Choice] = ()
    """Add-ons that may go with any answer."""
    several: bool = False
    """Whether more than one answer can be true."""
    first: bool = False
    """Whether the answer only says which of them comes first."""
    answers: Sequence[str] = ()
    """The values that were chosen, and in `other` what was typed."""
    other: str = ""
    problem: str = ""

    @property
    def offered(self) -> list[Choice]:
        """Everything that can be chosen here, with what goes with it, each once."""
        found = [part for each in self.choices for part in (each, *each.addons)] + [*self.suggested]
        return list({each.value: each for each in found}.values())

    def taken(self, values: Sequence[str], *, typed: str) -> list[tuple[int, str]]:
        """The codes of an answer with their places on the claim; nothing where none is given."""
        place = self.choices[0].place if self.choices else 0
        known = {each.value: each for each in self.choices}
        added = [(each.place, each.value) for each in self.suggested if each.value in values]
        found: list[tuple[int, str]] = []
        for value in values:
            if value == OTHER:
                found += [(place, part) for part in typed.upper().replace(",", " ").split()]
            elif value in known:
                found += [(each.place, each.value) for each in (known[value], *known[value].addons)]
            elif value not in {each.value for each in self.suggested}:
                found += [(place, part) for part in value.replace(",", " ").split()]
        if found and self.first and values[0] in known:
            found = [(-1, values[0]), *((each.place, each.value) for each in self.choices)]
        return found + added if found else []


def ask(coding: Mapping[str, Any], on: date) -> tuple[list[Question], list[Choice]]:
    """What is open and what is certain: reasons open the diagnoses, the place, or else the procedures.

    Where the place is asked, no procedure has a modifier that speaks of it: that follows from the answer.
    """
    reasons = coding["reasons"]
    about = {
        "diagnosis": [reason for reason in reasons if reason in ABOUT_DIAGNOSES],
        "procedure": [each for each in reasons if each not in ABOUT_DIAGNOSES and each != PLACE_CONFLICT],
    }
    if "llm_disagrees" in reasons and "diagnosis" in (
        differs := (coding.get("llm") or {}).get("differs", ())
    ):
        about["diagnosis"].append("llm_disagrees")
        if "procedure" not in differs:
            about["procedure"].remove("llm_disagrees")
    if not coding["diagnoses"] and not about["diagnosis"]:
        about["diagnosis"] = ["no_stated_diagnosis"]
    if not coding["procedures"] and not about["procedure"]:
        about["procedure"] = ["service_unknown"]
    questions: list[Question] = []
    certain: list[Choice] = []
    key = 1
    for kind, ask_about in (("diagnosis", _diagnoses), ("procedure", _procedures)):
        own, candidates = _choices(coding, kind, on)
        if not about[kind]:
            certain += own
            continue
        question, stays = ask_about(about[kind], own, candidates)
        choices = [replace(each, key=key + place) for place, each in enumerate(question.choices)]
        key += len(choices)
        questions.append(replace(question, choices=choices, other_key=key))
        certain += stays
        key += 1
    if PLACE_CONFLICT in reasons:
        questions.append(_place(key))
    return questions, certain


def _place(key: int) -> Question:
    """How they met, the answers numbered from `key`."""
    choices = [
        Choice(PLACE, how, "", title, why, key=key + position)
        for position, (how, (title, why)) in enumerate(PLACES.items())
    ]
    return Question(PLACE, [question_for(PLACE_CONFLICT)], choices, choices[-1].key)


def _diagnoses(
    reasons: Sequence[str], own: Sequence[Choice], candidates: Sequence[Choice]
) -> tuple[Question, list[Choice]]:
    """Where only some diagnoses are in doubt the others are certain; else all are to be chosen among."""
    words = [question_for(reason) for reason in reasons]
    if reasons == ["order_unclear"]:
        return Question("diagnosis", words, own, 0, first=True), []
    doubted = [each for each in own if each.tier == DOUBTED]
    stays: list[Choice] = []
    if doubted and ABOUT_ONE.issuperset(reasons):
        stays = [each for each in own if each not in doubted]
    asked = doubted if stays else own
    place = asked[0].place if asked else len(own)
    offered = [*asked, *(replace(each, place=place) for each in candidates)][:MOST_CANDIDATES]
    chosen = [each.value for each in asked if each not in doubted]
    several = len(asked) > 1 or (not asked and len(offered) > 1)
    kept = chosen if several and KEPT_UNLESS_CHANGED.issuperset(reasons) else []
    return Question("diagnosis", words, offered, 0, several=several, answers=kept), stays


def _procedures(
    reasons: Sequence[str], own: Sequence[Choice], candidates: Sequence[Choice]
) -> tuple[Question, list[Choice]]:
    """One main service is to be chosen; the coder's add-ons go with it, those it suggests may."""
    suggested = [replace(each, place=len(own)) for each in candidates if each.addon]
    if "duration_against_note" in reasons:
        suggested += [each for each in own[1:] if each.code in ONLY_WITH]
        own = [each for each in own if each not in suggested]
    main = [*own[:1], *(replace(each, place=0) for each in candidates if not each.addon)]
    choices = [
        replace(each, addons=[more for more in own[1:] if ONLY_WITH.get(more.code, each.code) == each.code])
        for each in main[:MOST_CANDIDATES]
    ]
    words = [question_for(reason) for reason in reasons]
    return Question("procedure", words, choices, 0, suggested=suggested), []


def _choices(coding: Mapping[str, Any], kind: str, on: date) -> tuple[list[Choice], list[Choice]]:
    """The coder's own codes, and the candidates beside them, each once."""
    numbers = evidence_numbers(coding)
    rows = coding["diagnoses" if kind == "diagnosis" else "procedures"]
    candidates = {each["code"]: each for each in reversed(coding["candidates"]) if each["kind"] == kind}
    codes = [*(row["code"] for row in rows), *candidates]
    titles = code_titles(codes, on=on) if kind == "diagnosis" and codes else PROCEDURE_TITLES
    own: list[Choice] = []
    for place, row in enumerate(rows):
        minutes = _minutes(row.get("minutes"), row.get("minutesSource"))
        why = TIERS.get(row.get("tier", ""), "") or minutes or "Stated in the note."
        own.append(
            Choice(
                kind,
                row["code"],
                row.get("modifier") or "",
                titles.get(row["code"], ""),
                why,
                numbers.get((kind, row["code"])),
                units=row.get("units", 1),
                place=place,
                tier=row.get("tier", ""),
            )
        )
    others = [
        Choice(
            kind,
            each["code"],
            each["modifier"] or "",
            titles.get(each["code"], ""),
            _minutes(each.get("minutes"), "note")
            or WHY_CANDIDATE.get(each["why"], each["why"].replace("_", " ")),
            numbers.get((kind, each["code"])),
            units=each.get("units", 1),
            addon=each["why"] == "addon_suggested" or each["code"] in ONLY_WITH,
        )
        for each in reversed(candidates.values())
        if each["code"] not in {choice.code for choice in own}
    ]
    if PLACE_CONFLICT in coding["reasons"]:
        own, others = _without_place(own), _without_place(others)
    return own, others


def _without_place(choices: Sequence[Choice]) -> list[Choice]:
    return [replace(each, modifier="") if each.modifier in REMOTE else each for each in choices]


def _minutes(minutes: int | None, source: str | None) -> str:
    """How long it took, and who says so."""
    return f"{minutes} minutes, {MINUTES_FROM[source]}." if minutes and source else ""
