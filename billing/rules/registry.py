"""Runs the claim rules over one session and says what came of it."""

from collections.abc import Iterable
from dataclasses import dataclass, replace

from billing.rules.catalogue import CATALOGUE
from billing.rules.facts import ClaimFacts, Mode, Table
from billing.rules.rule import Actor, Change, Complaint, Finding, Rule, Severity

__all__ = [
    "CATALOGUE",
    "Actor",
    "Change",
    "CheckResult",
    "Finding",
    "Rule",
    "Severity",
    "check",
    "rules_not_checked",
]


@dataclass(frozen=True, slots=True)
class CheckResult:
    """All findings at once, in the order of the catalogue."""

    findings: tuple[Finding, ...]
    ran: int
    """How many rules were in force and ran."""
    repaired: ClaimFacts
    """The facts with every repair applied: what the claim is built from."""

    def of(self, severity: Severity) -> tuple[Finding, ...]:
        """The findings of one severity."""
        return tuple(finding for finding in self.findings if finding.severity is severity)

    @property
    def blocking(self) -> tuple[Finding, ...]:
        """What holds the session."""
        return self.of(Severity.BLOCK)

    @property
    def warnings(self) -> tuple[Finding, ...]:
        """What goes on the timeline; nothing stops."""
        return self.of(Severity.WARN)


def check(
    facts: ClaimFacts, *, overrides: frozenset[str] = frozenset(), rules: tuple[Rule, ...] = CATALOGUE
) -> CheckResult:
    """Repair what can be repaired, then look at what is left.

    Every rule's repair runs first, in the order of the catalogue, so that every check sees the values that
    the claim would carry. What only warns holds where the payer's profile says so. A blocking finding of a
    rule in `overrides` (rule ids) is only noted.
    """
    in_force = [rule for rule in rules if rule.applies_to(facts)]
    test_mode = facts.mode is Mode.TEST
    held: frozenset[str] = facts.profile.held_rules if facts.profile else frozenset()
    found: dict[str, list[Finding]] = {rule.id: [] for rule in in_force}

    def tell(rule: Rule, complaints: Iterable[Complaint]) -> None:
        found[rule.id] += rule.findings(complaints, test_mode=test_mode, warnings_hold=rule.id in held)

    for rule in in_force:
        if rule.repair is not None:
            facts, complaints = rule.repair(facts)
            tell(rule, complaints)
    for rule in in_force:
        tell(rule, rule.check(facts))
    findings = tuple(_after_overrides(found[rule.id], overrides) for rule in in_force)
    return CheckResult(
        findings=tuple(finding for of_rule in findings for finding in of_rule),
        ran=len(in_force),
        repaired=facts,
    )


def rules_not_checked(tables: Iterable[Table]) -> tuple[Rule, ...]:
    """The rules whose table is not among those loaded; they never fire."""
    loaded = frozenset(tables)
    return tuple(rule for rule in CATALOGUE if rule.needs is not None and rule.needs not in loaded)


def _after_overrides(findings: list[Finding], overrides: frozenset[str]) -> list[Finding]:
    return [
        replace(finding, severity=Severity.NOTED)
        if finding.severity is Severity.BLOCK and finding.rule_id in overrides
        else finding
        for finding in findings
    ]
