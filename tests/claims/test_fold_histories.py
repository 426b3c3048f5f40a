"""A payer that keeps its books: whatever it says of a claim, the fold comes to what those books hold."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from decimal import Decimal

from hypothesis import given, settings
from hypothesis import strategies as st

from claims.fold.claim import Outcome, fold
from claims.fold.entries import REPEATED, entries_for
from claims.fold.remittances import paired
from claims.fold.versions import ClaimVersion
from claims.signals import TYPED, LineOutcome, Signal, WorkflowState
from tests.claims.fold_cast import line, money, remittance

CHARGES = {1: Decimal(120), 2: Decimal(60)}
BILLED = sum(CHARGES.values())

EXPLAINED = {"claim_denied", "line_denied", "payment_taken_back", "reversed_without_correction"}
"""What staff are asked about a payer that contradicts itself in nothing."""


@dataclass
class Decided:
    """What is in force of a line: what it was paid in all, and what is left to the patient."""

    paid: Decimal
    owed: Decimal
    again: Decimal = Decimal(0)
    """Of what was paid, what was paid before."""

    def said(self, number: int, sign: int = 1) -> LineOutcome:
        """The line as an 835 states it."""
        rest = CHARGES[number] - self.paid - self.owed
        reason = "45" if self.paid or self.owed else "197"
        stated = [("OA", "B13", self.again), ("CO", reason, rest), ("PR", "3", self.owed)]
        adjustments = [money(group, why, str(sign * amount)) for group, why, amount in stated if amount]
        told = line(number, str(CHARGES[number]), str(sign * (self.paid - self.again)), *adjustments)
        return replace(told, charge=sign * CHARGES[number])


DECISIONS = st.builds(
    Decided,
    st.sampled_from([Decimal(0), Decimal(20), Decimal(40)]),
    st.sampled_from([Decimal(0), Decimal(15)]),
)


@dataclass
class Payer:
    """What it has said, the 835s that are in force as they were sent, and each line as it stands."""

    draw: Callable
    signals: list[Signal] = field(default_factory=list)
    units: list[dict[int, Decided]] = field(default_factory=list)
    lines: dict[int, Decided] = field(default_factory=dict)
    awaited: set[int] = field(default_factory=set)
    day: int = 10
    batch: int = 0

    def say(self, code: str, unit: dict[int, Decided]) -> None:
        """One claim of its newest 835."""
        lines = tuple(each.said(number, -1 if code == "22" else 1) for number, each in unit.items())
        paid, charge = (sum(getattr(each, name) for each in lines) for name in ("paid", "charge"))
        self.signals.append(
            remittance(code, str(paid), self.day, batch=f"E{self.batch}", charge=str(charge), lines=lines)
        )

    def next_835(self, days: int = 1) -> None:
        self.day, self.batch = self.day + days, self.batch + 1

    def decide(self, numbers: list[int]) -> None:
        unit = {number: self.draw(DECISIONS) for number in numbers}
        self.say("1", unit)
        self.units.append(unit)
        self.lines |= unit
        self.awaited -= set(numbers)

    def decide_first(self) -> None:
        self.next_835()
        left = [number for number in CHARGES if number not in self.lines and number not in self.awaited]
        if left:
            self.decide(left[: self.draw(st.integers(1, 2))])

    def decide_anew(self) -> None:
        self.next_835(self.draw(st.integers(0, 2)))
        if self.awaited:
            self.decide(sorted(self.awaited))

    def reverse(self) -> None:
        """Take one 835 back as it stands, with its correction in the same one or without."""
        self.next_835()
        if self.units:
            unit = self.units.pop(self.draw(st.integers(0, len(self.units) - 1)))
            self.say("22", unit)
            for number in unit:
                del self.lines[number]
            self.awaited |= set(unit)
            if self.draw(st.booleans()):
                self.decide(list(unit))

    def say_again(self) -> None:
        """Call a line paid before, and pay nothing or something more of it."""
        self.next_835()
        for unit in [each for each in self.units if len(each) == 1]:
            ((number, before),) = unit.items()
            if before.paid:
                further = self.draw(st.sampled_from([Decimal(0), Decimal(5)]))
                anew = Decided(before.paid + further, before.owed, again=before.paid)
                self.say("1", {number: anew})
                self.lines[number] = anew
                self.units.remove(unit)
                return


@st.composite
def histories(draw: Callable) -> Payer:
    payer = Payer(draw)
    moves = [payer.decide_first, payer.decide_anew, payer.reverse, payer.say_again]
    for move in [payer.decide_first, *draw(st.lists(st.sampled_from(moves), max_size=5))]:
        move()
    return payer


def folded(signals: list[Signal]) -> Outcome:
    return fold(WorkflowState.SENT, signals, billed=BILLED)


def books(outcome: Outcome) -> tuple[Decimal, Decimal, Decimal]:
    return outcome.paid, outcome.patient_owes or Decimal(0), outcome.allowed or Decimal(0)


@settings(max_examples=150, deadline=None)
@given(histories(), st.randoms(use_true_random=False))
def test_in_any_order_a_claim_comes_to_what_its_payer_says(payer: Payer, random: object) -> None:
    random.shuffle(payer.signals)
    outcome, lines = folded(payer.signals), payer.lines.values()
    paid, owed = (sum(getattr(each, name) for each in lines) for name in ("paid", "owed"))
    assert books(outcome) == (paid, owed, paid + owed)
    asked = {task.kind.value for task in outcome.tasks}
    undecided = set(CHARGES) - payer.lines.keys() - payer.awaited
    assert asked <= EXPLAINED | ({"unexpected_amount"} if undecided else set())


@settings(max_examples=150, deadline=None)
@given(histories(), st.data())
def test_what_staff_type_in_place_of_835s_or_beside_them_comes_to_the_same(
    payer: Payer, data: st.DataObject
) -> None:
    known: list[Signal] = []
    typed: list[Signal] = []
    for each in payer.signals:
        is_whole = each.claim_status_code == "1" and len(each.lines) == len(CHARGES)
        if is_whole and not paired(known)[1] and data.draw(st.booleans()):
            typed.append(replace(each, natural_key=f"{TYPED}paper:{each.natural_key}", batch=""))
            known.append(typed[-1])
        else:
            known.append(each)
    before = books(folded(payer.signals))
    assert books(folded(known)) == before
    assert books(folded([*payer.signals, *typed])) == before


@settings(max_examples=100, deadline=None)
@given(histories(), st.randoms(use_true_random=False))
def test_each_arrival_is_told_once_and_the_last_status_told_is_the_sessions(
    payer: Payer, random: object
) -> None:
    random.shuffle(payer.signals)
    version = ClaimVersion(number=1, workflow_state=WorkflowState.SENT, billed=BILLED)
    shown = version.fold().session_status
    for each in payer.signals:
        session, (entry,) = entries_for([version], [each], number=1, payer="Aetna")
        version = replace(version, signals=(*version.signals, each))
        shown = entry.status or shown
        assert (shown, entry == REPEATED) == (session.session_status, False)
        assert entries_for([version], [each], number=1)[1] == [REPEATED]
