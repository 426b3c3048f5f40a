"""Which of the times in a note is the length of this session."""

import re
from dataclasses import dataclass

from billing.notes.layout import Layout
from billing.notes.times import Span, breaks_in, field_number, find_spans

_SESSION = re.compile(
    r"\b(?:sessions?|individual(?:ly)?|psychotherapy|therapy|visit|met\b|seen\b|saw\b|worked|face[- ]to[- ]face|f2f|appointment|tx\b|treatment|ind\b|indiv|telehealth|video|group|family|couples?|conjoint"
    r"|1:1|check[- ]?in|lasted|duration|length|total time|time spent|clinical hour|in person|spent|encounter|evaluation|assessment|intake|interview|hour together|counseling|contact time|service|crisis|we talked|together|consultation|phone call|the call|ended|started|ran|meeting|minutes of|(?:90791|90832|90834|90837|90839|90846|90847|90853))"
)
_PSYCHOTHERAPY = re.compile(r"\b(?:psychotherapy|therapy|face[- ]to[- ]face|f2f|in session|of session|session (?:time|length)|direct|clinical time|counseling)\b")
_NOT_SESSION = re.compile(
    r"\b(?:next|last (?:week|session|visit|time|month|month's|week's)|previous(?:ly)?|prior|ago|late\b|every|each|daily|nightly|a day|per day|per week|per night|a night|a week|week of|asleep|sleeps?|slept|awake|nap|naps|bed\b|walk(?:s|ed|ing)?|exercis\w+|meditat\w+|breath\w+|yoga|journal\w*|practice[sd]?|homework|hw\b|drives?|drove|commut\w+|wait(?:ed|ing)?|late\.|early|charting|documentation|paperwork|travel|letter|collateral|coordinat\w+|scheduled|weekly|in traffic|screen time"
    r"|for the (?:first|last|final|middle)|(?:first|last|final|remaining|opening|closing|initial) (?:\w+ )?$|within|lasting|lasts|panic|attack|attacks|tantrum\w*|meltdown\w*|outburst\w*|argument|fight|cried|crying|tv|phone\b(?! session| visit| call| therapy| psychotherapy)|gaming|work(?:s|ing)? out|gym|jog\w*|ran for|run for|runs|study|studying|reading|read for|check(?:s|ed|ing)|shower\w*|rituals?|exposure (?:for|of|lasted)|after (?:she|he|they|the client) left|drop[- ]off|timer|window|before bed|at a time|old\b|older|half[- ]life|sober|clean\b|relapse|flight|appointments? (?:were|was)|sessions? (?:were|was|in|of|each)|usual|usually|normally|typically|alone for|in (?:19|20)\d\d|expected|will be|future|upcoming|from now|later|until (?:his|her|their)|delayed|cigarette|drink|eat|meals?|commute)\b"
)
_HARD_NOT = re.compile(r"\b(?:next|last (?:week|visit|month)|previous|prior|ago|late|every|each|daily|scheduled|charting|coordination|documentation|homework|weekly|per (?:day|week)|joined|asleep|slept|sleep|early)\b")
_SCHEDULED = re.compile(r"\b(?:scheduled|booked|planned|slot|appointment (?:time|for|at)|sched)\b")
_QUIET = frozenset(("plan", "goal", "family_history", "past_history", "medical", "substance_history", "social_history", "measures"))
_AFTERWARDS = re.compile(r"[^.;\n]{0,25}\b(?:of (?:charting|documentation|coordination|calls|paperwork|collateral|travel|prep|case)|(?:charting|documentation|coordination|paperwork|collateral|travel|was spent on|spent (?:on|in)|breath|walk|late|early|ago|daily|each|every|per |a day|before|after (?:she|he|they|the)|into|(?:of )?(?:practice|meditation|exposure|mindfulness|yoga|exercise|tracking|journaling|grounding|silence|worry|reading|relaxation|progressive|imaginal|role)))")


@dataclass(frozen=True, slots=True)
class SessionLength:
    """The documented length of the session; `conflict` where the note gives two that do not agree."""

    minutes: int
    start: int
    end: int
    conflict: bool
    scheduled_only: bool = False


def session_length(plain: str, layout: Layout) -> SessionLength | None:
    """The documented face-to-face length, breaks subtracted; None where the note does not say."""
    spans = find_spans(plain)
    scored = []
    for stretch, kind in enumerate(layout.kinds):
        if kind == "time":
            left, right = layout.span(stretch, len(plain))
            label_end = left + len(layout.labels[stretch])
            span = field_number(plain, label_end, right)
            if span is not None and not any(s.start <= span.start < s.end for s in spans):
                spans.append(span)
    for span in spans:
        score = _score(plain, layout, span)
        if score > 0 and 5 <= span.minutes <= 300:
            scored.append((score, span))
    if not scored:
        return None
    actual = [(score, span) for score, span in scored if not _is_scheduled(plain, span)]
    scheduled_only = not actual
    scored = actual or scored
    best_score = max(score for score, _ in scored)
    best = [span for score, span in scored if score == best_score]
    chosen = best[0]
    near = [span for score, span in scored if score >= best_score - 2]
    minutes = chosen.minutes
    line_start = plain.rfind("\n", 0, chosen.start) + 1
    line_end = plain.find("\n", chosen.end)
    pause = breaks_in(plain, line_start, line_end if line_end >= 0 else len(plain))
    if chosen.kind == "range" or pause < minutes // 2:
        minutes -= pause
    conflict = any(abs(span.minutes - minutes) > 5 and abs(span.minutes - chosen.minutes) > 5 and not same_band(span.minutes, minutes) for span in near)
    return SessionLength(max(minutes, 0), chosen.start, chosen.end, conflict, scheduled_only)


def same_band(left: int, right: int) -> bool:
    """Whether two lengths of an individual session are billed alike."""
    return band(left) == band(right)


def band(minutes: int) -> str | None:
    """The individual psychotherapy code of a length, None under 16 minutes."""
    if minutes < 16:
        return None
    return "90832" if minutes <= 37 else "90834" if minutes <= 52 else "90837"


def _is_scheduled(plain: str, span: Span) -> bool:
    left, right = _clause(plain, span)
    before = plain[max(left, span.start - 30) : span.start]
    return bool(_SCHEDULED.search(before))


def _clause(plain: str, span: Span) -> tuple[int, int]:
    left = max(plain.rfind(mark, 0, span.start) for mark in (". ", "\n", ";", "! ", "? ")) + 1
    ends = [at for mark in (". ", ".\n", "\n", ";") if (at := plain.find(mark, span.end)) >= 0]
    return max(left, 0), min(ends, default=len(plain))


def _score(plain: str, layout: Layout, span: Span) -> int:
    """How much speaks for a span being this session's length; 0 or less is not."""
    section = layout.at(span.start)
    left, right = _clause(plain, span)
    before, after = plain[left : span.start], plain[span.end : right]
    clause = plain[left:right]
    score = 0
    if section == "time":
        score += 6
    if _PSYCHOTHERAPY.search(before[-40:]) or _PSYCHOTHERAPY.search(after[:40]):
        score += 3
    if _SESSION.search(clause):
        score += 3
    if span.kind == "range":
        score += 3
        if span.at is not None and not (15 <= span.minutes <= 200):
            score -= 2
    bare = re.sub(r"[^a-z]", "", before + after)
    if len(bare) <= 12:
        score += 3
    if section == "service" or section == "modality":
        score += 3
    if section in _QUIET:
        score -= 3
    near_before = before[-45:]
    if re.search(r"(?:total|duration|length|lasted|spent|minutes:|time:?)\s*(?:was|is|of|time)?\s*(?:approximately|about|a)?\s*$", near_before):
        score += 2
    if _HARD_NOT.search(near_before[-28:]) or _AFTERWARDS.match(after):
        score -= 7
    elif _NOT_SESSION.search(near_before[-36:]) or _NOT_SESSION.search(after[:34]):
        score -= 5
    if re.search(r"(?:for|the|only|in|during) (?:the )?(?:first|last|final|opening|closing) (?:\w+ )?$", near_before):
        score -= 8
    if re.match(r"\s*(?:late|ago|early|old|into|each|daily|before|sober|clean|per)\b", after):
        score -= 8
    if span.kind != "range" and span.minutes > 180:
        score -= 4
    return score
