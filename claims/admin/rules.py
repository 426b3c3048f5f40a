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
from billing.payers.directory import match_payer
from billing.payers.held_rules import NotAWarning, hold_for, payers_by_held_rule, warn_for
from billing.rules.facts import Table
from billing.rules.registry import CATALOGUE, Rule
from billing.rules.rule import Severity
from claims.admin import undo
from claims.admin.page import draw, page, text_of
from claims.desk.session_search import uuid_in
from sessions_app.models import Session

SEVERITY_WORDS = {
    Severity.BLOCK: "holds",
    Severity.WARN: "warns",
    Severity.REPAIR: "puts right",
    Severity.NOTED: "notes",
}
TABLES = {Table.NPPES: "NPI registry", Table.ENROLLMENT: "Enrollments", Table.NCCI: "Coding edits"}
"""Where staff find what a rule needs."""
COUNTS = """
SELECT each.rule, coalesce(hit.hits, 0), coalesce(overridden.count, 0), coalesce(held.count, 0)
FROM unnest(%(rules)s::text[]) AS each (rule)
LEFT JOIN (SELECT rule, sum(hits) AS hits FROM claims_rulefigure
           WHERE day > current_date - 30 GROUP BY rule) AS hit USING (rule)
LEFT JOIN (SELECT rule, count(*) FROM claims_override
           WHERE created_at >= now() - interval '30 days' GROUP BY rule) AS overridden USING (rule)
LEFT JOIN (SELECT reason AS rule, count(*) FROM claims_workitem
           WHERE closed_at IS NULL AND queue = 'held' GROUP BY reason) AS held USING (rule)
"""


@dataclass(frozen=True, slots=True)
class RuleLine:
    """A rule and its thirty days."""

    rule: Rule
    does: str
    hits: int
    overridden: int
    holding: int
    """Sessions whose first reason to be held it is, now."""
    held_for: Sequence[Payer]
    """Payers whose claims its warnings hold."""

    @property
    def needs(self) -> str:
        """The table that it looks things up in, if it needs one."""
        return TABLES[self.rule.needs] if self.rule.needs else ""

    @property
    def share_overridden(self) -> float:
        """Of a hundred hits, how many were overridden."""
        return self.overridden / self.hits * 100 if self.hits else 0.0


@page("claims.view_finding")
def rules(request: HttpRequest) -> HttpResponse:
    """List the catalogue, the most frequent first where that is asked for."""
    with connection.cursor() as cursor:
        cursor.execute(COUNTS, {"rules": [rule.id for rule in CATALOGUE]})
        counted = {rule: numbers for rule, *numbers in cursor.fetchall()}
    held = payers_by_held_rule()
    lines = [_line(rule, *counted[rule.id], held_for=held.get(rule.id, ())) for rule in CATALOGUE]
    if request.GET.get("order") == "hits":
        lines.sort(key=lambda line: -line.hits)
    return draw(request, "desk/rules.html", title="Claim rules", lines=lines, by_hits="order" in request.GET)


@page("claims.change_finding", methods=("POST",))
def rule_of_payer(request: HttpRequest, rule: str) -> HttpResponse:
    """Let a rule's warnings hold one payer's claims, or only warn again; each undoes the other."""
    session = uuid_in(request.POST.get("session", ""))
    payer = _payer_named(text_of(request, "payer", most=80), session)
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


def _payer_named(payer_id: str, session_id: UUID | None) -> Payer | None:
    """The payer of that ID; without one, the payer that the session means."""
    if not payer_id and session_id:
        session = Session.objects.filter(pk=session_id).only("payer_name", "payer_id").first()
        match = match_payer(session.payer_name, payer_id=session.payer_id) if session else None
        payer_id = (match and match.payer_id) or ""
    return Payer.objects.filter(payer_id=payer_id).first()


def _line(rule: Rule, hits: int, overridden: int, holding: int, *, held_for: Sequence[Payer]) -> RuleLine:
    words = [SEVERITY_WORDS[severity] for severity in rule.severities]
    return RuleLine(
        rule=rule,
        does=" or ".join(dict.fromkeys(words)),
        hits=hits,
        overridden=overridden,
        holding=holding,
        held_for=held_for,
    )
