"""Writes the catalogue of claim rules for people, from the code: python -m billing.rules.document."""

import sys
from pathlib import Path

from billing.rules.catalogue import AREAS, CATALOGUE
from billing.rules.rule import Rule, Severity, find_nothing

_EFFECTS = {Severity.BLOCK: "holds", Severity.WARN: "warns", Severity.REPAIR: "repairs"}

_HEAD = """# Claim rules

Written from the code by `python -m billing.rules.document`; a test compares the two.

{count} rules look at a session before its claim leaves.

- A rule that **holds** stops the session in `processing`, with all findings at once, until partner or staff
  correct it, or staff override it with a reason. What the 837P writer refuses can't be overridden.
- One that **warns** leaves an entry on the timeline; nothing stops. A billing lead can make it hold the
  claims of one payer, from the page of a session that it warned of; the page of the claim rules undoes that.
- One that **repairs** changes what the claim says, never the session, and is logged. Repairs run first, so
  every rule sees the values that the claim would carry.

A rule that needs a table that is not loaded is not checked and never speaks. In a test organization the rules
marked "live" warn where they would hold a live session.
"""

_COLUMNS = "| rule | effect | what holds when all is well | why | scope |\n|---|---|---|---|---|"


def catalogue_page() -> str:
    """The whole page, as Markdown."""
    parts = [_HEAD.format(count=len(CATALOGUE))]
    for area, rules in AREAS:
        parts.append(f"\n## {area}\n\n{_COLUMNS}")
        parts += [_row(rule) for rule in rules]
    return "\n".join(parts) + "\n"


def _row(rule: Rule) -> str:
    effects = " or ".join(_EFFECTS[severity] for severity in rule.severities)
    reason = rule.repair if rule.check is find_nothing else rule.check
    why = (reason.__doc__ or "").strip().splitlines()[0]
    return f"| {rule.id} v{rule.version} | {effects} | {rule.title} | {why} | {_scope(rule)} |"


def _scope(rule: Rule) -> str:
    words = []
    if rule.payer_classes:
        words.append("payers: " + ", ".join(sorted(rule.payer_classes)))
    if rule.effective_from:
        words.append(f"from {rule.effective_from}")
    if rule.effective_to:
        words.append(f"until {rule.effective_to}")
    if rule.needs:
        words.append(f"needs the {rule.needs.value.upper()} table")
    if rule.warns_in_test_mode:
        words.append("live")
    return "; ".join(words) or "all"


if __name__ == "__main__":
    Path("docs/claim-rules.md").write_text(catalogue_page(), encoding="utf-8")
    sys.stdout.write("docs/claim-rules.md is written\n")
