"""What a test claim's member ID asks for, and when the answers come.

The member ID is read in upper case without blanks and dashes. Its beginning is the word; where a word takes
a code, at most three characters after it choose one, and what is no such code counts as none. Any other
member ID is accepted and paid in full.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import timedelta
from enum import StrEnum


class Scenario(StrEnum):
    """The rehearsals, by the word that begins the member ID."""

    PAID = "PAID"
    PARTIAL = "PARTIAL"
    DEDUCTIBLE = "DEDUCTIBLE"
    DENIED = "DENIED"
    UNKNOWN = "UNKNOWN"
    REJECTED = "REJECTED"
    CLEARINGHOUSE_REJECTED = "CHREJECT"
    BAD_999 = "BAD999"
    SILENT = "SILENT"
    TWICE = "TWICE"
    OUT_OF_ORDER = "OUTOFORDER"
    REVERSED = "REVERSED"
    TAKEN_BACK = "TAKEBACK"
    RECOUPED = "PLB"
    LATE_REJECTION = "LATE"
    DOWN = "DOWN"
    EDIT = "EDIT"


class Answer(StrEnum):
    """The answers a claim can get, in the order in which the world gives them."""

    ACKNOWLEDGEMENT = "999"
    CLEARINGHOUSE = "277-clearinghouse"
    PAYER = "277-payer"
    LATE_PAYER = "277-payer-late"
    REMITTANCE = "835"
    SECOND_REMITTANCE = "835-second"


@dataclass(frozen=True, slots=True)
class Rehearsal:
    """A scenario and the code it goes with: a CARC, a 277CA category, or none."""

    scenario: Scenario
    code: str = ""


USUAL_DENIAL = "197"
USUAL_REJECTION = "A7"

_CARC = re.compile(r"[1-9][0-9]{0,2}|[ABPWY][1-9][0-9]?")
_REJECTING_CATEGORY = re.compile(r"A[34678]")
_CODE_OF = {Scenario.DENIED: (_CARC, USUAL_DENIAL), Scenario.REJECTED: (_REJECTING_CATEGORY, USUAL_REJECTION)}
_BLANKS = str.maketrans("", "", " -")


def rehearsal_of(member_id: str) -> Rehearsal:
    """Tell what the member ID of a test claim asks for."""
    member_id = member_id.upper().translate(_BLANKS)
    for scenario in Scenario:
        if member_id.startswith(scenario):
            if scenario not in _CODE_OF:
                return Rehearsal(scenario)
            pattern, usual = _CODE_OF[scenario]
            chosen = pattern.match(member_id[len(scenario) :][:3])
            return Rehearsal(scenario, chosen.group() if chosen else usual)
    return Rehearsal(Scenario.PAID)


def delays_of(scenario: Scenario) -> dict[Answer, timedelta]:
    """Which answers a claim gets that its clearinghouse took, and how long after the hand-over each comes."""
    match scenario:
        case Scenario.SILENT:
            return {}
        case Scenario.BAD_999:
            return _usual(Answer.ACKNOWLEDGEMENT)
        case Scenario.CLEARINGHOUSE_REJECTED:
            return _usual(Answer.ACKNOWLEDGEMENT, Answer.CLEARINGHOUSE)
        case Scenario.REJECTED:
            return _usual(Answer.ACKNOWLEDGEMENT, Answer.CLEARINGHOUSE, Answer.PAYER)
        case Scenario.LATE_REJECTION:
            return _usual(Answer.ACKNOWLEDGEMENT, Answer.CLEARINGHOUSE, Answer.PAYER, Answer.LATE_PAYER)
        case Scenario.REVERSED | Scenario.TAKEN_BACK | Scenario.RECOUPED:
            return _usual(*_PAID_ANSWERS, Answer.SECOND_REMITTANCE)
        case Scenario.OUT_OF_ORDER:
            backwards = reversed(_PAID_ANSWERS)
            return {answer: timedelta(days=day) for day, answer in enumerate(backwards, start=1)}
        case _:
            return _usual(*_PAID_ANSWERS)


_PAID_ANSWERS = (Answer.ACKNOWLEDGEMENT, Answer.CLEARINGHOUSE, Answer.PAYER, Answer.REMITTANCE)
_USUAL_DELAY = {
    Answer.ACKNOWLEDGEMENT: timedelta(minutes=5),
    Answer.CLEARINGHOUSE: timedelta(minutes=30),
    Answer.PAYER: timedelta(days=1),
    Answer.LATE_PAYER: timedelta(days=6),
    Answer.REMITTANCE: timedelta(days=14),
    Answer.SECOND_REMITTANCE: timedelta(days=28),
}


def _usual(*answers: Answer) -> dict[Answer, timedelta]:
    return {answer: _USUAL_DELAY[answer] for answer in answers}
