"""Which claim an answer is about, when its patient control number is not one of ours.

Payers cut patient control numbers short or add to them; then the payer's own number and our line control
numbers help. Member, date and charge only ever make a proposal, which a person confirms.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from enum import StrEnum

from claims.x12.characters import to_basic_text
from claims.x12.remittance import RemittanceName, RemittedClaim
from claims.x12.statuses import StatusResponse

SHORTEST_PREFIX = 12
"""The random part of our patient control numbers; the rest tells versions of a claim apart."""
SHORTEST_BEGINNING = SHORTEST_PREFIX - 2
"""Of a number that was cut into its random part: it tells much to a person, and nothing for certain."""

PATIENTS = frozenset({"QC", "IL", "74"})
"""Who is named as patient, as insured, and as corrected for one of them."""
SHORTEST_MEMBER_ID = 6
"""That tells by itself which of two with something around it is meant."""
_SUFFIXES = frozenset({"JR", "SR", "II", "III", "IV"})
_PARTICLES = frozenset(
    {"AL", "BIN", "DA", "DE", "DEL", "DER", "DI", "DOS", "EL", "LA", "LOS", "ST", "VAN", "VON"}
)
"""Words of names that many who have nothing else in common share."""
_SPELLED_IN_TWO = re.compile("A[AE]|OE|UE|S[SZ]|DH")
"""Letters with signs as some write them: ä and å, ö and ø, ü, ß, ð."""


class Fact(StrEnum):
    """What an answer and a claim can have in common, the most telling first."""

    PATIENT_CONTROL_NUMBER = "patient control number"
    LINE_CONTROL_NUMBER = "line control number"
    EXTENDED_CONTROL_NUMBER = "patient control number, with something added"
    TRUNCATED_CONTROL_NUMBER = "patient control number, cut short"
    BEGINNING_OF_NUMBER = "patient control number, its beginning"
    PAYER_CONTROL_NUMBER = "payer control number"
    MEMBER_ID = "member id"
    NAME = "patient's name"
    DATE_OF_SERVICE = "date of service"
    CHARGE = "charge"


class Doubt(StrEnum):
    """Why a remittance that names a claim of ours may not be about it."""

    PAYEE = "payee"
    PATIENT = "patient"


NUMBERS = frozenset(
    {
        Fact.PATIENT_CONTROL_NUMBER,
        Fact.LINE_CONTROL_NUMBER,
        Fact.EXTENDED_CONTROL_NUMBER,
        Fact.TRUNCATED_CONTROL_NUMBER,
        Fact.PAYER_CONTROL_NUMBER,
    }
)
"""Facts that identify a claim; the others many claims share."""
ENOUGH_WITHOUT_NUMBER = frozenset({Fact.MEMBER_ID, Fact.DATE_OF_SERVICE, Fact.CHARGE})
WEIGHT = {
    Fact.PATIENT_CONTROL_NUMBER: 1000,
    Fact.LINE_CONTROL_NUMBER: 500,
    Fact.EXTENDED_CONTROL_NUMBER: 400,
    Fact.TRUNCATED_CONTROL_NUMBER: 300,
    Fact.PAYER_CONTROL_NUMBER: 300,
    Fact.BEGINNING_OF_NUMBER: 100,
    Fact.MEMBER_ID: 40,
    Fact.NAME: 20,
    Fact.DATE_OF_SERVICE: 30,
    Fact.CHARGE: 20,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What an unmatched answer says of its claim; empty or None where it says nothing."""

    patient_control_number: str = ""
    payer_control_number: str = ""
    line_control_numbers: tuple[str, ...] = ()
    member_id: str = field(default="", repr=False)
    last_name: str = field(default="", repr=False)
    first_name: str = field(default="", repr=False)
    service_from: date | None = None
    service_to: date | None = None
    charge: Decimal | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """A claim of ours that might be meant; `claim_id` is whatever the caller knows it by."""

    claim_id: str
    patient_control_number: str
    payer_control_number: str = ""
    member_id: str = field(default="", repr=False)
    last_name: str = field(default="", repr=False)
    first_name: str = field(default="", repr=False)
    date_of_service: date | None = None
    charge: Decimal | None = None


@dataclass(frozen=True, slots=True)
class Match:
    """How well a candidate fits: the facts that agree and those that both sides state differently."""

    candidate: Candidate
    agreeing: tuple[Fact, ...]
    differing: tuple[Fact, ...]

    @property
    def score(self) -> int:
        """Weigh the facts; only good for putting candidates in order."""
        return sum(WEIGHT[fact] for fact in self.agreeing) - sum(WEIGHT[fact] for fact in self.differing)

    @property
    def is_named(self) -> bool:
        """Tell whether the answer names the candidate by a number, or by the beginning of one."""
        return bool((NUMBERS | {Fact.BEGINNING_OF_NUMBER}) & set(self.agreeing))

    @property
    def fits_on_every_fact(self) -> bool:
        """Tell whether nothing speaks against it, and either a number or member, date and charge for it."""
        agreeing = set(self.agreeing)
        return not self.differing and (bool(agreeing & NUMBERS) or agreeing >= ENOUGH_WITHOUT_NUMBER)


def rank(answer: Answer, candidates: Iterable[Candidate]) -> list[Match]:
    """Put the candidates that have anything in common with the answer in order, the best first."""
    matches = [compare(answer, candidate) for candidate in candidates]
    return sorted(
        (match for match in matches if match.agreeing),
        key=lambda match: (-match.score, match.candidate.claim_id),
    )


def certain_match(matches: Sequence[Match]) -> Match | None:
    """Find the one claim that needs no person: by a number, against no fact, and with no rival.

    Our own patient control number, whole, is certain whatever else differs.
    """
    exact = [match for match in matches if Fact.PATIENT_CONTROL_NUMBER in match.agreeing]
    if exact:
        return exact[0] if len(exact) == 1 else None
    by_number = [match for match in matches if NUMBERS & set(match.agreeing)]
    return by_number[0] if len(by_number) == 1 and by_number[0].fits_on_every_fact else None


def only_fit(matches: Sequence[Match]) -> Match | None:
    """Find the one claim that fits on every fact, to be proposed to a person as such."""
    fitting = [match for match in matches if match.fits_on_every_fact]
    return fitting[0] if len(fitting) == 1 else None


def compare(answer: Answer, candidate: Candidate) -> Match:
    """Compare what both sides state."""
    agreeing = _agreeing_numbers(answer, candidate)
    differing: list[Fact] = []
    for fact, agrees in (
        (Fact.MEMBER_ID, _same(_bare(answer.member_id), _bare(candidate.member_id))),
        (Fact.NAME, _same_name(answer, candidate)),
        (Fact.DATE_OF_SERVICE, _same_date(answer, candidate)),
        (Fact.CHARGE, _same_charge(answer, candidate)),
    ):
        if agrees is not None:
            (agreeing if agrees else differing).append(fact)
    return Match(candidate, tuple(agreeing), tuple(differing))


def answer_of_remittance(claim: RemittedClaim) -> Answer:
    """Collect what an 835 says of a claim."""
    patient, subscriber = claim.name("QC"), claim.name("IL")
    named = patient or subscriber
    numbered = next((name for name in (patient, subscriber) if name and name.identifier), None)
    return Answer(
        patient_control_number=claim.patient_control_number,
        payer_control_number=claim.payer_control_number,
        line_control_numbers=tuple(line.control_number for line in claim.lines if line.control_number),
        member_id=numbered.identifier if numbered else "",
        last_name=named.last_name if named else "",
        first_name=named.first_name if named else "",
        service_from=claim.service_from,
        service_to=claim.service_to,
        charge=abs(claim.charge),
    )


def names_another(names: Sequence[RemittanceName], known: Sequence[Candidate]) -> bool:
    """Tell whether an answer is about another patient than any of these, who are one by names old and new.

    Payers cut names short, write them in another order and correct them: only where family name, given name
    and member ID, as far as it is stated, are all another's, and those of the insured and corrected ones too.
    """
    by_entity = {name.entity: name for name in reversed(names)}
    patient = by_entity.get("QC") or by_entity.get("IL")
    if patient is None or not (_words(patient.last_name) and _words(patient.first_name)):
        return False
    stated = [name for name in names if name.entity in PATIENTS]
    return not any(_could_be(name, each) for name in stated for each in known)


def answer_of_status(response: StatusResponse) -> Answer:
    """Collect what a 277 says of a claim."""
    return Answer(
        patient_control_number=response.patient_control_number,
        payer_control_number=response.payer_control_number,
        line_control_numbers=tuple(line.control_number for line in response.lines if line.control_number),
        member_id=response.member_id,
        last_name=response.last_name,
        first_name=response.first_name,
        service_from=response.service_from,
        service_to=response.service_to,
        charge=next((status.charge for status in response.statuses if status.charge is not None), None),
    )


def _agreeing_numbers(answer: Answer, candidate: Candidate) -> list[Fact]:
    theirs, ours = _bare(answer.patient_control_number), _bare(candidate.patient_control_number)
    agreeing = []
    if theirs and theirs == ours:
        agreeing.append(Fact.PATIENT_CONTROL_NUMBER)
    elif len(ours) >= SHORTEST_PREFIX and theirs.startswith(ours):
        agreeing.append(Fact.EXTENDED_CONTROL_NUMBER)
    elif len(theirs) >= SHORTEST_PREFIX and ours.startswith(theirs):
        agreeing.append(Fact.TRUNCATED_CONTROL_NUMBER)
    elif len(theirs) >= SHORTEST_BEGINNING and ours.startswith(theirs):
        agreeing.append(Fact.BEGINNING_OF_NUMBER)
    if len(ours) >= SHORTEST_PREFIX and any(
        _bare(number).startswith(f"{ours}L") for number in answer.line_control_numbers
    ):
        agreeing.append(Fact.LINE_CONTROL_NUMBER)
    if _same(_bare(answer.payer_control_number), _bare(candidate.payer_control_number)):
        agreeing.append(Fact.PAYER_CONTROL_NUMBER)
    return agreeing


def _could_be(name: RemittanceName, known: Candidate) -> bool:
    theirs, ours = _words(name.last_name, name.first_name), _words(known.last_name, known.first_name)
    return (
        not ours
        or not theirs.isdisjoint(ours)
        or _begins_alike(name.last_name, known.last_name)
        or _begins_alike(name.first_name, known.first_name)
        or _holds(_bare(name.identifier), _bare(known.member_id))
    )


def _words(*names: str) -> set[str]:
    """The words of names that tell something; a single letter says little, or one again and again nothing."""
    return {word for word in _spelled(*names) if len(set(word)) > 1} - _PARTICLES


def _spelled(*names: str) -> list[str]:
    """The words of names in basic letters, however letters with signs are written, without suffixes."""
    words = re.split(r"[^A-Z0-9]+", to_basic_text(" ".join(names)))
    return [
        _SPELLED_IN_TWO.sub(lambda found: found[0][0], word)
        for word in words
        if word and word not in _SUFFIXES
    ]


def _begins_alike(one: str, other: str) -> bool:
    """Tell whether one name is the other or its beginning, or it without its letters that have signs."""
    short, long = sorted(("".join(_spelled(one)), "".join(_spelled(other))), key=len)
    is_bare = one.isascii() is not other.isascii() and _ascii(one) == _ascii(other) != ""
    return is_bare or (bool(short) and long.startswith(short))


def _ascii(name: str) -> str:
    return "".join(character for character in _bare(name) if character.isascii())


def _holds(one: str, other: str) -> bool:
    """Tell whether one member ID is the other, with a prefix or suffix at most."""
    short, long = sorted((one, other), key=len)
    return len(short) >= SHORTEST_MEMBER_ID and short in long


def _same(one: str, other: str) -> bool | None:
    return one == other if one and other else None


def _same_name(answer: Answer, candidate: Candidate) -> bool | None:
    """Compare last names and first initials: payers cut first names short."""
    last = _same("".join(_spelled(answer.last_name)), "".join(_spelled(candidate.last_name)))
    first = _same("".join(_spelled(answer.first_name))[:1], "".join(_spelled(candidate.first_name))[:1])
    return last if first is None or last is None else last and first


def _same_date(answer: Answer, candidate: Candidate) -> bool | None:
    if answer.service_from is None or candidate.date_of_service is None:
        return None
    return answer.service_from <= candidate.date_of_service <= (answer.service_to or answer.service_from)


def _same_charge(answer: Answer, candidate: Candidate) -> bool | None:
    if answer.charge is None or candidate.charge is None:
        return None
    return abs(answer.charge) == candidate.charge


def _bare(text: str) -> str:
    return "".join(character for character in text.upper() if character.isalnum())
