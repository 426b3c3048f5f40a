"""Which of the times in a note is the length of this session."""

import re
from bisect import bisect_left
from collections.abc import Mapping

import msgspec

from billing.notes.layout import Layout
from billing.notes.losses import Losses, breaks_in
from billing.notes.parts import apart, is_other_work, parts_of
from billing.notes.text import TokenStream
from billing.notes.times import Span, field_number, find_spans

# By their first letters: a pattern tries its alternatives one after the other.
_SESSION = re.compile(
    r"\b(?:a(?:ppointment|ssessment)"
    r"|c(?:ouples?|onjoint|heck[- ]?in|linical hour|ounseling|ontact time|risis|onsultation)"
    r"|e(?:ncounter|valuation|nded)|f(?:ace[- ]to[- ]face|2f|amily)|group|hour together"
    r"|i(?:ndividual(?:ly)?|nd\b|ndiv|n person|n (?:my|our|the) office|ntake|nterview)"
    r"|m(?:et\b|eet for|eeting|inutes of)"
    r"|p(?:sychotherapy|hone call)|ran|s(?:essions?|een\b|aw\b|pent|ervice|tarted)"
    r"|t(?:herapy|x\b|reatment|elehealth|otal time|ime spent|ogether|he call)|v(?:isit|ideo)"
    r"|w(?:orked|e talked)|1:1|(?:90791|90832|90834|90837|90839|90846|90847|90853))"
)
_NOT_SESSION = re.compile(
    r"\b(?:a(?:go| day| night| week|sleep|wake|ttack|ttacks|rgument|fter (?:she|he|they|the client) left"
    r"|t a time|ppointments? (?:were|was)|lone for)"
    r"|b(?:ed\b|reath\w+|efore bed)"
    r"|c(?:ommut\w+|harting|ollateral|oordinat\w+|ried|rying|heck(?:s|ed|ing)|igarette|ommute)"
    r"|d(?:aily|rives?|rove|ocumentation|rop[- ]off|elayed|rink)"
    r"|e(?:very|ach|xercis\w+|arly|xposure (?:for|of|lasted)|xpected|at)"
    r"|f(?:or the (?:first|last|final|middle)|ight|light|uture|rom now)|g(?:aming|ym)"
    r"|h(?:omework|w\b|alf[- ]life)|i(?:n traffic|n (?:19|20)\d\d)|j(?:ournal\w*|og\w*)"
    r"|l(?:ast (?:week|session|visit|time|month|month's|week's)|ate\b|ate\.|etter|asting|asts|ater)"
    r"|m(?:editat\w+|eltdown\w*|eals?)|n(?:ext|ightly|ap|aps|ormally)|o(?:utburst\w*|ld\b|lder)"
    r"|p(?:revious(?:ly)?|rior|er day|er week|er night|ractice[sd]?|aperwork|anic|hone\b(?! session"
    r"| visit| call| therapy| psychotherapy))"
    r"|r(?:an for|un for|uns|eading|ead for|ituals?)"
    r"|s(?:leeps?|lept|cheduled|creen time|tudy|tudying|hower\w*|essions (?:were|was|in|of|each))"
    r"|t(?:ravel|antrum\w*|v|imer|ypically)|u(?:sual|sually|pcoming|ntil (?:his|her|their))"
    r"|w(?:eek of|alk(?:s|ed|ing)?|ait(?:ed|ing)?|eekly|ithin|ork(?:s|ing)? out|indow|ill be)|yoga"
    r"|(?:first|last|final|remaining|opening|closing|initial) (?:\w+ )?$)\b"
)
_LABELLED_AFTER = re.compile(
    r"[ -]?(?:minutes? )?(?:\(?(?:of )?(?:actual |direct |total |face[- ]to[- ]face |individual |psycho"
    r"|clinical )*(?:psychotherapy|therapy|individual|face[- ]to[- ]face|f2f|session|family|couples|group"
    r"|crisis|direct|ind\b|tx\b|video|telehealth|conjoint))"
)
_LABELLED_BEFORE = re.compile(
    r"(?:session (?:time|of|length|duration|ran|was)|(?:session|visit|appointment|therapy|call|meeting"
    r"|evaluation|interview|group|encounter|we|it|individual|tx|treatment|contact) (?:lasted|lasting|of)|^ "
    r"*lasted"
    r"|time with \w+:?|(?:we|and i|was|were) (?:connected|talked) for|^ *(?:connected|talked) for"
    r"|together for"
    r"|duration|length|time spent|minutes"
    r"|psychotherapy(?: time)?|therapy|total time|face[- ]to[- ]face(?: "
    r"time)?|worked for|(?:met|meet|seen) for|spent|our(?: full| usual)?|ind"
    r"|individual(?: session| therapy| tx)?"
    r"|(?:90832|90834|90837|90847"
    r"|90846))[ ,:=(x]*(?:was |of |for |about |approximately |approx\.? |a |full |time |session |totaling "
    r"|total |x )*$"
)
_ADJECTIVE = re.compile(r"(?:-(?:minute|min|hour)|[ ]minute)$")
_COMPOUND = re.compile(r"[ -]?(?P<noun>[a-z]+)")
_LINKING = frozenset(("of", "in", "and", "with", "today", "total", "for", "on", "at", "was"))
_SAME_LENGTH_WITHIN = 5
_LONGEST_CLAUSE = 240
_WIDEST_LINE = 600
# More lengths than this stand in no therapy note; the rest is not weighed.
_MOST_SPANS = 300
_TOTAL = re.compile(r"(?<!min )(?<!mins )(?<!minutes )\btotal(?: \w+)?(?: of|:| time:?)?\s*$")
_HARD_NOT = re.compile(
    r"\b(?:next|last (?:week|visit|month)|previous|prior|ago|late|every|each|daily|scheduled|charting"
    r"|coordination|documentation|homework|weekly|per (?:day|week)|joined|asleep|slept|sleep|early)\b"
)
_SCHEDULED = re.compile(r"\b(?:scheduled|booked|planned|slot|appointment (?:time|for|at)|sched)\b")
_OTHER = re.compile(r"[^a-z]")
# A clause of so many characters may be nothing but a length and its label.
_BARE_FIELD = 60
_TOTAL_AFTER = re.compile(r"[ ]?total")
# A length of a part of the session, or of something else.
_PART = re.compile(
    r"(?:for|the|only|in|during|least) (?:the |her |his |their )?(?:first|last|final|opening|closing"
    r"|remaining) (?:\w+ )?$"
)
_ELSE_AFTER = re.compile(
    r"\s*(?:last (?:night|week)|yesterday|with an? (?:old |new )?friend|late|ago|early"
    r"|old|into|each|daily|before|sober|clean|per)\b"
)
# What follows one of these was so; what stands before it was only planned.
_ACTUAL = re.compile(r"\b(?:actual(?:ly)?|but|instead)\b")
_QUIET = frozenset(
    (
        "plan",
        "goal",
        "family_history",
        "past_history",
        "medical",
        "substance_history",
        "social_history",
        "measures",
    )
)
_AFTERWARDS = re.compile(
    r"[^.,;\n]{0,25}\b(?:reserved|booked|an? (?:evening|morning|day|night|week)"
    r"|of (?:charting|documentation|coordination|calls|paperwork|collateral|travel|prep"
    r"|case)|(?:charting|documentation|coordination|paperwork|collateral|travel|spent (?:on|in) (?:charting"
    r"|documentation|coordination|calls|paperwork|travel)|breath|walk|late|early|ago|daily|each|every|per "
    r"|a day|into|(?:of )?(?:practice|meditation|exposure|mindfulness|yoga"
    r"|exercise|tracking|journaling|grounding|silence|worry|reading|relaxation|progressive|imaginal|role)))"
)
# `Ten minutes before she came`, but `sixteen minutes of psychotherapy before transport`.
_UNTIL_THEN = re.compile(r"[^.,;\n]{0,25}\b(?:before|after (?:she|he|they|the))")


class SessionLength(msgspec.Struct, frozen=True):
    """The documented length of the session; `conflict` where two disagree, `sure` where it is plainly the
    session's."""

    minutes: int
    start: int
    end: int
    conflict: bool
    scheduled_only: bool = False
    sure: bool = True
    net: bool = False
    """Whether stated breaks were taken off, or parts put together."""

    def differs_from(self, minutes: int) -> bool:
        """Whether a claimed length is billed otherwise or is more than five minutes away."""
        if self.scheduled_only:
            return False
        return abs(self.minutes - minutes) > _SAME_LENGTH_WITHIN or not same_band(self.minutes, minutes)


def session_length(
    plain: str,
    tokens: TokenStream,
    numbers: list[tuple[int, int]],
    layout: Layout,
    hints: Mapping[str, list[int]],
) -> SessionLength | None:
    """The documented face-to-face length, breaks subtracted; None where the note does not say."""
    spans = find_spans(plain, numbers, hints)[:_MOST_SPANS]
    scored = []
    for stretch, kind in enumerate(layout.kinds):
        if kind == "time":
            left, right = layout.span(stretch, len(plain))
            label_end = left + len(layout.labels[stretch])
            span = field_number(plain, label_end, right)
            if span is not None and not any(s.start <= span.start < s.end for s in spans):
                spans.append(span)
    if not spans:
        return None
    sentences = _Sentences(tokens)
    for span in spans:
        if 5 <= span.minutes <= 300:
            left, right = sentences.round(span)
            score = _score(plain, layout, span, left, right)
            if score > 0:
                scored.append((score, span, _is_scheduled(plain, span, left)))
    if not scored:
        return None
    scored = [entry for entry in scored if not is_other_work(plain, entry[1])] or scored
    actual = [entry for entry in scored if not entry[2]]
    scheduled_only = not actual
    scored = actual or scored
    best_score = max(score for score, _, _ in scored)
    chosen = next(span for score, span, _ in scored if score == best_score)
    near = [span for score, span, _ in scored if score >= min(max(best_score - 2, 4), 5)]
    therapy = [span for span in near if _is_therapy(plain, span)]
    if any(_is_total(plain, span) for span in near) and any(not _is_total(plain, span) for span in therapy):
        near = [span for span in therapy if not _is_total(plain, span)]
        chosen = near[0]
    minutes = chosen.minutes
    losses = Losses(plain, hints, chosen)
    pause, unsure = _pause(plain, chosen, spans)
    pause = pause or losses.minutes
    if chosen.kind == "range" or pause < minutes // 2:
        minutes -= pause
    parts = parts_of(plain, chosen, spans)
    if parts:
        minutes = sum(span.minutes for span in parts)
        near = [span for span in near if span not in parts]
    conflict = (
        unsure
        or losses.open
        or any(apart(chosen, span) for span in near if not parts)
        or any(
            abs(span.minutes - minutes) > 5
            and abs(span.minutes - chosen.minutes) > 5
            and not same_band(span.minutes, minutes)
            for span in near
        )
    )
    return SessionLength(
        minutes=max(minutes, 0),
        start=chosen.start,
        end=chosen.end,
        conflict=conflict,
        scheduled_only=scheduled_only,
        sure=best_score >= 4,
        net=bool(pause or parts),
    )


def _pause(plain: str, chosen: Span, spans: list[Span]) -> tuple[int, bool]:
    """Minutes of the breaks that the line of a length states, and whether it may state another."""
    left = max(
        plain.rfind("\n", max(0, chosen.start - _WIDEST_LINE), chosen.start) + 1, chosen.start - _WIDEST_LINE
    )
    right = plain.find("\n", chosen.end, chosen.end + _WIDEST_LINE)
    right = right if right >= 0 else min(len(plain), chosen.end + _WIDEST_LINE)
    if not any(left <= span.start < right for span in spans if span is not chosen):
        return 0, False
    return breaks_in(plain, left, right, chosen)


def same_band(left: int, right: int) -> bool:
    """Whether two lengths of an individual session are billed alike."""
    return band(left) == band(right)


def band(minutes: int) -> str | None:
    """The individual psychotherapy code of a length, None under 16 minutes."""
    if minutes < 16:
        return None
    return "90832" if minutes <= 37 else "90834" if minutes <= 52 else "90837"


def _is_scheduled(plain: str, span: Span, left: int) -> bool:
    before = plain[max(left, span.start - 30) : span.start]
    return _SCHEDULED.search(before) is not None and _SCHEDULED.search(_what_was(before)) is not None


def _what_was(before: str) -> str:
    """What stands behind the last word that turns from the plan to what was."""
    turned = "actual" in before or "but" in before or "instead" in before
    return _ACTUAL.split(before)[-1] if turned else before


def _is_therapy(plain: str, span: Span) -> bool:
    return bool(
        _LABELLED_AFTER.match(plain, span.end)
        or _LABELLED_BEFORE.search(plain[max(0, span.start - 34) : span.start])
    )


def _is_total(plain: str, span: Span) -> bool:
    return bool(
        _TOTAL.search(plain[max(0, span.start - 20) : span.start]) or _TOTAL_AFTER.match(plain, span.end)
    )


class _Sentences:
    """Where the sentences of a note end."""

    def __init__(self, tokens: TokenStream) -> None:
        starts, words = tokens.starts, tokens.words
        self._length = len(tokens.text)
        self._stops = [starts[at] for at in tokens.clause_ends if words[at] != "|"]

    def round(self, span: Span) -> tuple[int, int]:
        """The sentence that a span lies in; of an endless one, a fixed stretch."""
        at = bisect_left(self._stops, span.start)
        left = self._stops[at - 1] + 1 if at else 0
        at = bisect_left(self._stops, span.end)
        right = self._stops[at] if at < len(self._stops) else self._length
        return max(left, span.start - _LONGEST_CLAUSE), min(right, span.end + _LONGEST_CLAUSE)


def _score(plain: str, layout: Layout, span: Span, left: int, right: int) -> int:
    """How much speaks for a span being this session's length; 0 or less is not."""
    section = layout.at(span.start)
    before, after = plain[left : span.start], plain[span.end : right]
    near_before, near_after = _what_was(before[-34:]), after[:34]
    score = 0
    if section == "time":
        score += 6
    elif section in ("service", "modality", "participants"):
        score += 3
    elif section in _QUIET:
        score -= 1 if section == "plan" else 3
    labelled = _LABELLED_AFTER.match(after) or _LABELLED_BEFORE.search(near_before)
    if labelled:
        score += 5
    elif _SESSION.search(near_before) or _SESSION.search(near_after):
        score += 3
    elif _SESSION.search(before) or _SESSION.search(after):
        score += 1
    if span.kind == "range":
        score += 4 if 15 <= span.minutes <= 200 else 1
    if (len(before) + len(after) <= _BARE_FIELD and len(_OTHER.sub("", before + after)) <= 12) or (
        after.startswith(" with ") and not before.strip(" -*")
    ):
        score += 3
    compound = _COMPOUND.match(plain, span.end)
    if compound and _ADJECTIVE.search(plain, span.start, span.end):
        score += (
            4
            if _SESSION.match(compound["noun"]) or compound["noun"].startswith("hour")
            else 0
            if compound["noun"] in _LINKING
            else -6
        )
    if _TOTAL.search(near_before) or _TOTAL_AFTER.match(after):
        score += 1
    hard = _HARD_NOT.search(near_before[-28:])
    if (
        (hard and not (labelled and hard[0] == "weekly" and section not in _QUIET))
        or _AFTERWARDS.match(after)
        or (_UNTIL_THEN.match(after) and not _LABELLED_AFTER.match(after))
    ):
        score -= 7
    elif not labelled and (_NOT_SESSION.search(near_before) or _NOT_SESSION.search(after[:26])):
        score -= 5
    if _PART.search(near_before):
        score -= 8
    if _ELSE_AFTER.match(after):
        score -= 8
    if span.kind != "range" and span.minutes > 180:
        score -= 4
    return score
