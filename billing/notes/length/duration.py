"""Which of the times in a note is the length of this session."""

from bisect import bisect_left
from collections.abc import Mapping

import msgspec

from billing.notes.length.breaks import is_break
from billing.notes.length.contact import stands_alone
from billing.notes.length.contested import is_contested, is_of_work, is_paperwork, leaves_paperwork
from billing.notes.length.elsewhen import SHORT_DAYS, of_anothers, of_something_else
from billing.notes.length.filled import field_number
from billing.notes.length.interruptions import (
    broken_off,
    changed_to,
    is_added,
    is_changed,
    is_untold,
    taken_up_again,
)
from billing.notes.length.labelled import is_of_the_code, is_only_a_name, is_therapy, is_total
from billing.notes.length.losses import Losses, breaks_in, takes_off
from billing.notes.length.options import in_rows, ticked_band, unticked
from billing.notes.length.parts import (
    another_service,
    apart,
    came_or_left,
    end_put_right,
    ended_later,
    is_of_more,
    is_other_work,
    parts_of,
    told_in_all,
    while_there,
)
from billing.notes.length.planned import is_scheduled
from billing.notes.length.points import Point
from billing.notes.length.sole import is_told_over, sole_length
from billing.notes.length.span import Span, same_band
from billing.notes.length.times import find_spans
from billing.notes.length.together import is_its_own, is_of_the_two, is_plainly_theirs
from billing.notes.length.weighing import weight_of
from billing.notes.page.layout import Layout
from billing.notes.text.tokens import TokenStream

_SAME_LENGTH_WITHIN = 5
# From so much on it is plainly the session's; a shorter one than any session must be.
_SURE, _OUTRIGHT = 4, 9
# So long is no visit beside which another length of half of it or less is told.
_AN_AFTERNOON = 150
_TOO_SHORT = 15
_TITLES, _FROM = frozenset(("dr", "mr", "mrs", "ms", "st")), ("from", "at")
_IN_ALL = (" in all", " all told", " altogether", " in total")
# So much speaks for a length that a correction gives.
_PUT_RIGHT = 3
_LONGEST_CLAUSE = 240
_WIDEST_LINE = 600
# More lengths than this stand in no therapy note; the rest is not weighed.
_MOST_SPANS = 300


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
    """Whether the note accounts for it: stated breaks taken off, parts put together, what was used told."""

    def differs_from(self, minutes: int) -> bool:
        """Whether a claimed length is billed otherwise or is more than five minutes away."""
        return not self.scheduled_only and self.is_other_than(minutes)

    def is_other_than(self, minutes: int) -> bool:
        """Whether the words give another length than this one."""
        return abs(self.minutes - minutes) > _SAME_LENGTH_WITHIN or not same_band(self.minutes, minutes)


def session_length(
    plain: str,
    tokens: TokenStream,
    numbers: list[tuple[int, int]],
    layout: Layout,
    hints: Mapping[str, list[int]],
) -> SessionLength | None:
    """The documented face-to-face length, breaks subtracted; None where the note does not say."""
    spans, points = find_spans(plain, numbers, hints)
    spans = spans[:_MOST_SPANS]
    scored, weighed = [], []
    for stretch, kind in enumerate(layout.kinds):
        if kind == "time" and len(spans) < _MOST_SPANS:
            left, right = layout.span(stretch, len(plain))
            label = layout.labels[stretch]
            label_end = max(left, plain.find(label, left, right)) + len(label)
            span = field_number(plain, label_end, right, label)
            if span is not None and not any(s.start <= span.start < s.end for s in spans):
                spans.append(span)
    band_told = None
    if layout.boxes:
        band_told = ticked_band(plain, layout)
        spans = [span for span in spans if span.kind == "range" or not unticked(plain, layout, span)]
    if layout.boxes or "row" in hints:
        spans = in_rows(plain, layout, spans)
    if not spans:
        return _by_band(band_told)
    sentences = _Sentences(tokens)
    breaks = [span for span in spans if span.at is not None and is_break(plain, span)]
    for span in spans:
        if 5 <= span.minutes <= 300 and span not in breaks and not is_only_a_name(plain, span):
            left, right = sentences.round(span)
            score = weight_of(plain, layout, span, left, right)
            if score < _SURE and is_plainly_theirs(plain, span):
                score = _SURE
            if 0 < score < _OUTRIGHT and is_its_own(plain, span):
                score = _OUTRIGHT
            weighed.append((score, span, left, right))
            if score >= (1 if span.minutes > _TOO_SHORT else _SURE):
                scored.append((score, span, is_scheduled(plain, span, left)))
    if not scored:
        sole = sole_length(plain, weighed)
        if sole is None:
            return _by_band(band_told) or _told_over(plain, weighed)
        scored = [(_SURE, sole, False)]
    scored = [
        entry
        for entry in scored
        if not (is_other_work(plain, entry[1]) or of_something_else(plain, entry[1]))
    ] or scored
    put_right = [
        entry for entry in scored if entry[0] >= _PUT_RIGHT and layout.at(entry[1].start) == "correction"
    ]
    scored = put_right or scored
    actual = [entry for entry in scored if not entry[2]]
    scheduled_only = not actual
    scored = actual or scored
    best_score = max(score for score, _, _ in scored)
    chosen = next(span for score, span, _ in scored if score == best_score)
    left, right = sentences.round(chosen)
    sure = (
        best_score >= _SURE
        or is_told_over(plain, chosen, left, right)
        or is_of_the_two(plain, chosen)
        or (chosen.minutes > _TOO_SHORT and stands_alone(plain, chosen, left, right))
    )
    enough = min(max(best_score - 2, _SURE), _SURE + 1) if sure else max(best_score - 1, 1)
    near = [span for score, span, _ in scored if score >= enough]
    totals = [span for span in near if is_total(plain, span)]
    if is_its_own(plain, chosen):
        near = [span for span in near if span is chosen or is_its_own(plain, span)]
    elif totals:
        parted = [span for span in near if span not in totals and is_therapy(plain, span)]
        if parted and any(span.minutes >= parted[0].minutes for span in totals):
            near = parted
            chosen = near[0]
    if chosen.minutes > _TOO_SHORT:
        # A few minutes of something dispute no session, unless they are told as plainly as its own.
        near = [
            span
            for score, span, _ in scored
            if span in near
            and (span.minutes > _TOO_SHORT or score >= best_score or plain.startswith(_IN_ALL, span.end))
            and (span.minutes < _AN_AFTERNOON or 2 * chosen.minutes > span.minutes)
        ]
    near = [span for span in near if not (end_put_right(plain, chosen, span) or is_paperwork(plain, span))]
    if chosen.kind == "range":
        near = [span for span in near if not is_of_the_code(plain, span, chosen)]
    there = while_there(plain, chosen, points)
    if there is not None:
        near = [there if span is chosen else span for span in near]
        scheduled_only, chosen = False, there
    minutes = chosen.minutes
    losses = Losses(plain, hints, chosen)
    pause, unsure = _pause(plain, chosen, spans)
    pause = pause or losses.minutes or _inside(chosen, breaks)
    if chosen.kind == "pieces":
        pause, unsure = 0, False
    elif not pause and "broken_off" in hints:
        pause, open_end, none = broken_off(plain, hints, chosen, spans, [layout.at(s.start) for s in spans])
        unsure = unsure or open_end
        near = [span for span in near if span not in none]
        breaks += none
    if chosen.kind == "actual" and any(span.at and span.minutes - pause == minutes for span in spans):
        pause, unsure, near = 0, False, [chosen]  # `2:00-3:05, less 12 for the drill = 53 of therapy`
    if chosen.kind == "range" or pause < minutes // 2:
        minutes -= pause
    parts = parts_of(plain, chosen, [span for span in spans if span not in breaks])
    parts = parts or taken_up_again(plain, hints, chosen, spans) or told_in_all(plain, chosen, spans)
    net = _net_of(plain, chosen, near, spans) or changed_to(plain, chosen, spans)
    if parts:
        minutes = sum(span.minutes for span in parts)
        near = [span for span in near if span not in parts]
    elif net is not None:
        minutes = net.minutes
        near = [net]
    conflict = (
        unsure
        or scheduled_only
        or (losses.open and net is None)
        or any(span.at and of_anothers(plain[max(0, span.start - 34) : span.start]) for span in parts)
        or (not parts and net is None and is_added(plain, chosen))
        or (not pause and not parts and net is None and is_untold(plain, hints, chosen))
        or (not pause and not parts and net is None and is_changed(plain, chosen))
        or (not pause and not parts and net is None and is_contested(plain, chosen))
        or (not pause and not parts and net is None and is_of_more(plain, chosen))
        or (there is None and came_or_left(plain, chosen, _outside(points, breaks)))
        or (there is None and not parts and ended_later(chosen, _outside(points, breaks)))
        or any(score > 0 and another_service(plain, chosen, span) for score, span, _ in scored)
        or (band_told is not None and not same_band(band_told.minutes, minutes))
        or (layout.boxes and chosen.kind == "range" and _ticked_otherwise(plain, layout, chosen, spans))
        or any(apart(chosen, span) for span in near if not parts)
        or any(abs(span.minutes - minutes) >= 5 and abs(span.minutes - chosen.minutes) >= 5 for span in near)
    )
    return SessionLength(
        minutes=max(minutes, 0),
        start=chosen.start,
        end=chosen.end,
        conflict=conflict,
        scheduled_only=scheduled_only,
        sure=sure,
        net=bool(pause or parts or net) or chosen.kind in ("actual", "pieces"),
    )


def _told_over(plain: str, weighed: list[tuple[int, Span, int, int]]) -> SessionLength | None:
    """`He walked out after 40 minutes`: held against the request's minutes, and asked about without them."""
    over = [span for _, span, left, right in weighed if is_told_over(plain, span, left, right)]
    return SessionLength(over[0].minutes, over[0].start, over[0].end, conflict=True) if over else None


def _by_band(told: Span | None) -> SessionLength | None:
    """The length where the note has nothing but a band that is ticked."""
    if told is None:
        return None
    return SessionLength(minutes=told.minutes, start=told.start, end=told.end, conflict=False)


def _ticked_otherwise(plain: str, layout: Layout, chosen: Span, spans: list[Span]) -> bool:
    """`[x] 30 min` above a clock range of 45 minutes."""
    return any(
        span.at is None
        and span.minutes > _TOO_SHORT
        and not same_band(span.minutes, chosen.minutes)
        and _opens_option(plain, layout, span)
        for span in spans
    )


def _opens_option(plain: str, layout: Layout, span: Span) -> bool:
    """Whether a length stands right behind a box that is ticked."""
    return any(
        box[2] and not plain[box[1] : span.start].strip() for box in layout.boxes if box[1] <= span.start
    )


def _pause(plain: str, chosen: Span, spans: list[Span]) -> tuple[int, bool]:
    """Minutes of the breaks that the line of a length states, and whether it may state another."""
    left = max(
        plain.rfind("\n", max(0, chosen.start - _WIDEST_LINE), chosen.start) + 1, chosen.start - _WIDEST_LINE
    )
    right = plain.find("\n", chosen.end, chosen.end + _WIDEST_LINE)
    right = right if right >= 0 else min(len(plain), chosen.end + _WIDEST_LINE)
    beside = any(left <= span.start < right for span in spans if span is not chosen)
    if not beside and not takes_off(plain, left, right):
        return 0, False
    return breaks_in(plain, left, right, chosen)


def _net_of(plain: str, chosen: Span, near: list[Span], spans: list[Span]) -> Span | None:
    """The length that is left of the chosen one when another that the note tells is taken off: `60 minutes,
    ten of charting, 50 of therapy`."""
    if any(leaves_paperwork(plain, chosen, span.minutes - chosen.minutes) for span in near):
        return chosen
    for span in near + [span for span in spans if span.at is None and is_therapy(plain, span)]:
        rest = chosen.minutes - span.minutes
        if 0 < rest < span.minutes and any(
            each.minutes == rest
            and each.at is None
            and not is_of_work(plain, each)
            and (span in near or is_paperwork(plain, each))
            for each in spans
        ):
            return span
    return None


def _inside(chosen: Span, breaks: list[Span]) -> int:
    """Minutes of the clock ranges within the chosen one in which there was no session."""
    if chosen.at is None:
        return 0
    since, until = chosen.at
    return sum(span.minutes for span in breaks if span.at and since < span.at[0] and span.at[1] < until)


def _outside(points: list[Point], breaks: list[Span]) -> list[Point]:
    """The times of day that are no part of a clock range in which there was no session."""
    return [point for point in points if not any(span.start < point.end <= span.end for span in breaks)]


class _Sentences:
    """Where the sentences of a note end."""

    def __init__(self, tokens: TokenStream) -> None:
        self._tokens = tokens

    def round(self, span: Span) -> tuple[int, int]:
        """The sentence that a span lies in; of an endless one, a fixed stretch."""
        words, starts, ends = self._tokens.words, self._tokens.starts, self._tokens.clause_ends
        before = bisect_left(ends, bisect_left(starts, span.start)) - 1
        after = bisect_left(ends, bisect_left(starts, span.end), before + 1)
        while before >= 0 and (words[ends[before]] == "|" or self._is_short(ends[before])):
            before -= 1
        while after < len(ends) and words[ends[after]] == "|":
            after += 1
        left = starts[ends[before]] + 1 if before >= 0 else 0
        right = starts[ends[after]] if after < len(ends) else len(self._tokens.text)
        return max(left, span.start - _LONGEST_CLAUSE), min(right, span.end + _LONGEST_CLAUSE)

    def _is_short(self, stop: int) -> bool:
        """`Dr. Ames`, `Sat. from 9`: whether a stop ends a word and no sentence."""
        words = self._tokens.words
        following = words[stop + 1 : stop + 2]
        if words[stop] != "." or not following:
            return False
        day = words[stop - 1] in SHORT_DAYS and (following[0] in _FROM or following[0][0].isdigit())
        return day or words[stop - 1] in _TITLES
