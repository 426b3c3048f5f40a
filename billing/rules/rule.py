"""What a claim rule is, and what it says."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from datetime import date
from enum import StrEnum

from billing.rules.facts import ClaimFacts, PayerClass, Table


class Severity(StrEnum):
    """What a finding does to the session; the letter is the one in the catalogue."""

    BLOCK = "E"
    WARN = "W"
    REPAIR = "R"
    NOTED = "N"
    """A blocking finding that staff overrode."""


HOLDS = (Severity.BLOCK,)
WARNS = (Severity.WARN,)
REPAIRS = (Severity.REPAIR,)


class Actor(StrEnum):
    """Who has to do something before the finding goes away."""

    PARTNER = "partner"
    STAFF = "staff"
    NOBODY = "nobody"


@dataclass(frozen=True, slots=True)
class Change:
    """One field that a repair changed; `value` stays None where it is about the patient."""

    path: str
    value: str | None = None


@dataclass(frozen=True, slots=True)
class Complaint:
    """A finding as a rule states it, before the rule's own name and severity are put on."""

    path: str
    message: str
    who_acts: Actor = Actor.PARTNER
    severity: Severity | None = None
    """None: the rule's first."""
    changes: tuple[Change, ...] = ()
    about_another: bool = False
    """Another session of the day is what it is about: it ends once that one does."""


@dataclass(frozen=True, slots=True)
class Finding:
    """What one rule found.

    `path` is the dotted field of the API ("patient.insurance.payerId"), or of onboarding for provider and
    practice ("practice.taxId"); empty for the whole claim. `message` holds no patient data.
    """

    rule_id: str
    severity: Severity
    path: str
    message: str
    who_acts: Actor
    changes: tuple[Change, ...] = ()
    about_another: bool = False


Check = Callable[[ClaimFacts], Iterable[Complaint]]
Repair = Callable[[ClaimFacts], tuple[ClaimFacts, tuple[Complaint, ...]]]


def find_nothing(_facts: ClaimFacts) -> tuple[Complaint, ...]:
    """The check of a rule that only repairs."""
    return ()


@dataclass(frozen=True, slots=True)
class Rule:
    """One line of the catalogue. `title` says what holds when the rule is content."""

    id: str
    severities: tuple[Severity, ...]
    title: str
    check: Check = find_nothing
    repair: Repair | None = None
    version: int = 1
    effective_from: date | None = None
    effective_to: date | None = None
    payer_classes: frozenset[PayerClass] = frozenset()
    """Empty: every payer."""
    needs: Table | None = None
    warns_in_test_mode: bool = False
    """In a test organization the rule says what would happen live, and holds nothing."""

    def applies_to(self, facts: ClaimFacts) -> bool:
        """Whether the rule is in force on the date of service, for this payer, with the tables loaded."""
        if self.needs is not None and self.needs not in facts.tables:
            return False
        if self.payer_classes:
            payer_class = facts.profile.payer_class if facts.profile else None
            if payer_class not in self.payer_classes:
                return False
        day = facts.session.date_of_service
        return (self.effective_from is None or self.effective_from <= day) and (
            self.effective_to is None or day <= self.effective_to
        )

    def findings(
        self, complaints: Iterable[Complaint], *, test_mode: bool, warnings_hold: bool = False
    ) -> Iterator[Finding]:
        """The complaints under this rule's name and severity; `warnings_hold`: here its warnings stop."""
        for complaint in complaints:
            severity = complaint.severity or self.severities[0]
            message = complaint.message
            if warnings_hold and severity is Severity.WARN:
                severity = Severity.BLOCK
            if test_mode and self.warns_in_test_mode and severity is Severity.BLOCK:
                severity = Severity.WARN
                message = f"{message} This is a test organization, so it goes on; live: this would be held."
            yield Finding(
                self.id,
                severity,
                complaint.path,
                message,
                complaint.who_acts,
                complaint.changes,
                complaint.about_another,
            )


def hold(
    path: str, message: str, *, who_acts: Actor = Actor.PARTNER, about_another: bool = False
) -> Complaint:
    """A complaint that stops the claim."""
    return Complaint(path, message, who_acts, Severity.BLOCK, about_another=about_another)


def warn(path: str, message: str, *, who_acts: Actor = Actor.NOBODY) -> Complaint:
    """A complaint that a person may want to know; nothing stops."""
    return Complaint(path, message, who_acts, Severity.WARN)


def repaired(message: str, *changes: Change) -> Complaint:
    """What a repair did."""
    return Complaint(changes[0].path, message, Actor.NOBODY, Severity.REPAIR, changes)


def diagnosis_path(position: int) -> str:
    """The API's path of a diagnosis code, counted from 0."""
    return f"session.diagnosisCodes.{position}.code"


def procedure_path(position: int, part: str = "code") -> str:
    """The API's path of a procedure code or its modifier, counted from 0."""
    return f"session.procedureCodes.{position}.{part}"
