"""Claim rules: what each says, for whom its warnings hold, how often it hit and was overridden."""

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from django.contrib import messages
from django.db import connection
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse

from billing.models import Payer
from billing.payers.held_rules import NotAWarning, hold_for, payers_by_held_rule, warn_for
from billing.rules.registry import CATALOGUE, Rule
from claims.admin import undo
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
    held_for: Sequence[Payer]
    """Payers whose claims its warnings hold."""

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
    held = payers_by_held_rule()
    lines = [_line(rule, *counted[rule.id], held_for=held.get(rule.id, ())) for rule in CATALOGUE]
    if request.GET.get("order") == "hits":
        lines.sort(key=lambda line: -line.hits)
    return draw(request, "desk/rules.html", title="Claim rules", lines=lines, by_hits="order" in request.GET)


@page("claims.change_finding", methods=("POST",))
def rule_of_payer(request: HttpRequest, rule: str) -> HttpResponse:
    """Let a rule's warnings hold one payer's claims, or only warn again; each undoes the other."""
    payer = Payer.objects.filter(payer_id=request.POST.get("payer", "")[:80]).first()
    session = _session_named(request)
    back = reverse("desk:session", args=[session]) if session else reverse("desk:rules")
    if payer is None:
        messages.error(request, "The payer isn't in our directory, so no rule can be set for it.")
        return redirect(back)
    holds = "holds" in request.POST
    try:
        (hold_for if holds else warn_for)(payer, rule=rule)
    except NotAWarning:
        raise Http404 from None
    does = "holds what it warned of" if holds else "only warns again"
    undo.offer(
        request,
        f"{rule} {does} for {payer.name}, from the next check on.",
        address=request.path,
        payer=payer.payer_id,
        **({} if holds else {"holds": "1"}),
        **({"session": str(session)} if session else {}),
    )
    return redirect(back)


def _session_named(request: HttpRequest) -> UUID | None:
    try:
        return UUID(request.POST.get("session", ""))
    except ValueError:
        return None


def _line(rule: Rule, hits: int, overridden: int, *, held_for: Sequence[Payer]) -> RuleLine:
    words = [SEVERITY_WORDS.get(severity.value, severity.value) for severity in rule.severities]
    return RuleLine(
        rule=rule,
        does=" or ".join(dict.fromkeys(words)),
        hits=hits,
        most=hits >= MOST_COUNTED,
        overridden=overridden,
        held_for=held_for,
    )
