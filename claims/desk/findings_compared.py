"""What a correction changes in what the rules say of a session."""

from collections.abc import Sequence
from dataclasses import dataclass

from billing.rules.rule import Finding, Severity

Identity = tuple[str, str, str]


@dataclass(frozen=True, slots=True)
class Compared:
    """What holds or warns, by what becomes of it."""

    gone: Sequence[Finding] = ()
    new: Sequence[Finding] = ()
    still_holding: Sequence[Finding] = ()
    reworded: Sequence[Finding] = ()
    """What warns of the same field as before in other words, as of another code."""
    still_warning: Sequence[Finding] = ()
    since_then: Sequence[Finding] = ()
    """What would warn without the correction too, and didn't when the session was last checked."""


def compare(
    before: Sequence[Finding], after: Sequence[Finding], *, last_check: Sequence[tuple[str, str]] | None
) -> Compared:
    """Compare the session as it is with the session as it would be.

    `last_check` is the rule and field of all that the last check said; None where there was none.
    """
    same = {identity(each) for each in before}
    places = {_place(each) for each in before}
    coming = {_place(each) for each in after}
    staying = [each for each in after if _place(each) in places]
    warning = [each for each in staying if each.severity is Severity.WARN]
    as_before = [each for each in warning if identity(each) in same]
    known = [each for each in as_before if last_check is None or (each.rule_id, each.path) in last_check]
    return Compared(
        gone=[each for each in before if _place(each) not in coming],
        new=[each for each in after if _place(each) not in places],
        still_holding=[each for each in staying if each.severity is Severity.BLOCK],
        reworded=[each for each in warning if identity(each) not in same],
        still_warning=known,
        since_then=[each for each in as_before if each not in known],
    )


def identity(finding: Finding) -> Identity:
    """What tells one finding from another."""
    return finding.rule_id, finding.path, finding.message


def _place(finding: Finding) -> tuple[str, str, Severity]:
    """The rule, what it speaks of, and whether it holds."""
    return finding.rule_id, finding.path, finding.severity
