"""Claim rules: what each says, how often it hit in thirty days, how often it was overridden."""

from dataclasses import dataclass

from django.db import connection
from django.http import HttpRequest, HttpResponse

from billing.rules.registry import CATALOGUE, Rule
from claims.admin.page import draw, page

MOST_COUNTED = 10_000
SEVERITY_WORDS = {"E": "holds", "W": "warns", "R": "puts right", "N": "notes"}
HITS = """
SELECT rule,
    (SELECT count(*) FROM (SELECT FROM claims_finding
                           WHERE claims_finding.rule = each.rule AND created_at >= now() - interval '30 days'
                           LIMIT %(most)s) AS hit),
    (SELECT count(*) FROM claims_override
     WHERE claims_override.rule = each.rule AND created_at >= now() - interval '30 days')
FROM unnest(%(rules)s::text[]) AS each (rule)
"""


@dataclass(frozen=True, slots=True)
class RuleLine:
    """A rule and its thirty days."""

    rule: Rule
    does: str
    hits: int
    most: bool
    overridden: int

    @property
    def share_overridden(self) -> float:
        """Of a hundred hits, how many were overridden."""
        return self.overridden / self.hits * 100 if self.hits else 0.0


@page("claims.view_finding")
def rules(request: HttpRequest) -> HttpResponse:
    """List the catalogue, the most frequent first where that is asked for."""
    with connection.cursor() as cursor:
        cursor.execute(HITS, {"most": MOST_COUNTED, "rules": [rule.id for rule in CATALOGUE]})
        counted = {rule: (hits, overridden) for rule, hits, overridden in cursor.fetchall()}
    lines = [_line(rule, *counted[rule.id]) for rule in CATALOGUE]
    if request.GET.get("order") == "hits":
        lines.sort(key=lambda line: -line.hits)
    return draw(request, "desk/rules.html", title="Claim rules", lines=lines, by_hits="order" in request.GET)


def _line(rule: Rule, hits: int, overridden: int) -> RuleLine:
    words = [SEVERITY_WORDS.get(severity.value, severity.value) for severity in rule.severities]
    return RuleLine(
        rule=rule,
        does=" or ".join(dict.fromkeys(words)),
        hits=hits,
        most=hits >= MOST_COUNTED,
        overridden=overridden,
    )
