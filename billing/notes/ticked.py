"""Specifiers in tick boxes behind their condition: `MDD  [x] recurrent [ ] single  [ ] mild [x] moderate`."""

from bisect import bisect_left

from billing.notes.layout import Layout
from billing.notes.lexicon import Lexicon, Mentions
from billing.notes.resolver import Resolved, entries_between
from billing.notes.text import TokenStream

_WIDEST_LINE = 400
_WIDEST_GAP = 24
_MOST_BOXES = 16


def with_ticked(
    resolved: Resolved,
    *,
    plain: str,
    tokens: TokenStream,
    mentions: Mentions,
    layout: Layout,
    lexicon: Lexicon,
) -> Resolved:
    """The condition with the specifiers that are ticked behind it in its line; those before the next
    condition."""
    if not layout.boxes or not resolved.concept.values:
        return resolved
    end = tokens.ends[resolved.last - 1]
    line_end = plain.find("\n", end, end + _WIDEST_LINE)
    line_end = line_end if line_end >= 0 else min(len(plain), end + _WIDEST_LINE)
    at = bisect_left(layout.boxes, (end, 0, False))
    row = [box for box in layout.boxes[at : at + _MOST_BOXES] if box[0] < line_end]
    if not row or row[0][0] - end > _WIDEST_GAP:
        return resolved
    axis_of = lexicon.axis_of
    values = {axis_of.get(value, value): value for value in resolved.values}
    for number, (_, opened, ticked) in enumerate(row):
        closed = row[number + 1][0] if number + 1 < len(row) else line_end
        left, right = tokens.token_at(opened), tokens.token_at(closed)
        if entries_between(mentions.concepts, left, right):
            break
        for _, _, value in entries_between(mentions.values, left, right):
            if ticked and value in resolved.concept.values:
                values.setdefault(axis_of[value], value)
    known = frozenset(values.values())
    if known == resolved.values:
        return resolved
    return Resolved(resolved.concept, known, resolved.concept.resolve(known), resolved.first, resolved.last)
