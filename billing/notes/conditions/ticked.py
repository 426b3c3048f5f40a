"""Specifiers that a form leaves to boxes and fields behind a condition: `MDD  [x] recurrent [ ] single`,
`mild ( ) moderate (x)`, `Psychotic features: [ ] yes [x] no`, and below it `Severity: moderate`."""

import msgspec
from msgspec.structs import replace

from billing.notes.conditions.resolver import Resolved
from billing.notes.later import later
from billing.notes.lexicon import Lexicon, Mentions, Rule, entries_between
from billing.notes.page.layout import Layout
from billing.notes.result import Reason
from billing.notes.text.tokens import TokenStream

_WIDEST_LINE = 400
_WIDEST_GAP = 24
_MOST_BOXES = 16
_MOST_LINES = 6
_LONGEST_FIELD = 44
_LONGEST = 3
# A field that narrows a condition, and the words of an option that may stand before its name.
_FIELD = later(
    r"(?:(?:single|recurrent|mild|moderate|severe|yes|no|none|current|most|recent|illness|disorder|diagnosis"
    r"|dx|specify|if|with|the|depression|mdd) ){0,4}"
    r"(?:episodes?(?: type)?|severity|course|types?|subtypes?|presentation|specif(?:y|ier|iers|ication)"
    r"|(?:with )?psychotic(?: features?| symptoms?| sx)?|psychosis"
    r"|(?:in )?(?:(?:full|partial|early|sustained) )?remission)(?: \([a-z/ ]{0,20}\))?"
)
_LABEL_BEGINS = later(r"[.;,|()\[\]\n\u2610\u2611]|\s{2}|- ")
_LETTER = later(r"[a-z]")
_YES = frozenset(("yes", "y", "present", "true", "positive"))
_NO = frozenset(("no", "n", "none", "absent", "not present", "denied", "false", "negative", "n/a"))
_VALUE_ENDS = later(r"[ ]*(?:[.;,(|\n]|\s{2}|\Z)")
_PRESENTED = "adhd"
_PSYCHOTIC, _NOT_PSYCHOTIC, _REMISSION = "psychotic", "not_psychotic", "remission"


class Narrowing(msgspec.Struct):
    """What the options and fields behind one condition say."""

    chosen: set[str] = msgspec.field(default_factory=set)
    open: set[str] = msgspec.field(default_factory=set)
    boxed: bool = False  # the box right behind the condition is an option's, not its own
    doubtful: bool = False


class Forms(msgspec.Struct):
    """Reads the boxes and fields of one note."""

    plain: str
    tokens: TokenStream
    mentions: Mentions
    layout: Layout
    lexicon: Lexicon

    def narrowed(
        self, resolved: Resolved, last: int, preset: frozenset[str], *, in_field: bool
    ) -> tuple[Resolved, bool]:
        """The condition, its head before the token `last`, as its options narrow it; and whether the box
        behind it belongs to one of them."""
        end = self.tokens.ends[last - 1]
        line_end = self._line_end(end)
        following = self.plain[line_end + 1 : line_end + 2] if in_field else ""
        has_boxes = any(end <= box[0] < line_end for box in self._boxes(end))
        if not has_boxes and not (following and following != "\n"):
            return resolved, False
        said = Narrowing()
        stop = self._next_condition(last, line_end)
        if has_boxes:
            self._read_row(said, resolved, end, stop, line_end, preset)
        if stop == line_end and following:
            self._read_lines(said, resolved, line_end)
        return self._applied(resolved, said), said.boxed

    def _applied(self, resolved: Resolved, said: Narrowing) -> Resolved:
        if not (said.chosen or said.open or said.doubtful):
            return resolved
        axis_of = self.lexicon.axis_of
        offered = said.chosen | said.open
        values: dict[str, str] = {}
        doubtful = said.doubtful
        for value in sorted(said.chosen):
            doubtful = doubtful or values.setdefault(axis_of[value], value) != value
        for value in sorted(resolved.values - (said.open - said.chosen)):
            axis = axis_of.get(value, value)
            doubtful = doubtful or (values.setdefault(axis, value) != value and value not in offered)
        known = frozenset(values.values())
        rule = resolved.concept.resolve(known)
        if doubtful:
            rule = Rule(rule.needs, rule.code, Reason.SPECIFIER_UNCLEAR)
        return replace(resolved, values=known, rule=rule)

    def _line_end(self, at: int) -> int:
        end = self.plain.find("\n", at, at + _WIDEST_LINE)
        return end if end >= 0 else min(len(self.plain), at + _WIDEST_LINE)

    def _boxes(self, at: int) -> list[tuple[int, int, bool]]:
        return self.layout.boxes_from(at, _MOST_BOXES)

    def _next_condition(self, last: int, line_end: int) -> int:
        found = entries_between(self.mentions.concepts, last, self.tokens.token_at(line_end))
        return self.tokens.starts[found[0][0]] if found else line_end

    def _read_row(
        self,
        said: Narrowing,
        resolved: Resolved,
        end: int,
        stop: int,
        line_end: int,
        preset: frozenset[str],
    ) -> None:
        """The boxes behind a condition in its line, up to the next condition, field by field."""
        row = [box for box in self._boxes(end) if box[0] < stop]
        if row and stop < line_end and not _LETTER.search(self.plain, row[-1][1], stop):
            row.pop()  # the next condition's own
        if not row:
            return
        groups: list[tuple[int, int, list[tuple[int, int, bool]]]] = []
        label_start = begin = end
        before = end
        for box in row:
            colon = self.plain.rfind(":", before, box[0])
            if colon >= 0:
                label_start, begin = self._label_start(before, colon), colon + 1
                groups.append((label_start, begin, []))
            elif not groups:
                if box[0] - end > _WIDEST_GAP or ". " in self.plain[end : box[0]]:
                    return
                groups.append((begin, begin, []))
            groups[-1][2].append(box)
            before = box[1]
        for number, (start, opened, boxes) in enumerate(groups):
            label = self.plain[start : max(start, opened - 1)].strip(" :-*_")
            if opened > start and not (
                _FIELD.fullmatch(label) or (not label and boxes[0][0] - end <= _WIDEST_GAP)
            ):
                continue
            closed = groups[number + 1][0] if number + 1 < len(groups) else stop
            own = preset if number == 0 and opened == end else frozenset[str]()
            self._read_group(said, resolved, (start, opened, closed), boxes, own)

    def _label_start(self, before: int, colon: int) -> int:
        parts = list(_LABEL_BEGINS.finditer(self.plain, max(before, colon - _LONGEST_FIELD), colon))
        return parts[-1].end() if parts else max(before, colon - _LONGEST_FIELD)

    def _read_group(
        self,
        said: Narrowing,
        resolved: Resolved,
        places: tuple[int, int, int],
        boxes: list[tuple[int, int, bool]],
        preset: frozenset[str],
    ) -> None:
        start, opened, closed = places
        known = resolved.concept.values
        asked = self._values(start, opened, known) if opened > start else set()
        leads = _LETTER.search(self.plain, opened, boxes[0][0]) is not None
        trails = _LETTER.search(self.plain, boxes[-1][1], closed) is not None
        after = [
            (box, box[1], boxes[number + 1][0] if number + 1 < len(boxes) else closed)
            for number, box in enumerate(boxes)
        ]
        options = after
        behind = False
        if not trails:
            behind = True
            if not leads:
                if len(boxes) == 1:
                    return  # the condition's own
                rest = self._values(boxes[0][1], boxes[-1][0], known)
                axes = {self.lexicon.axis_of[value] for value in rest}
                if preset and not axes.isdisjoint(self.lexicon.axis_of.get(value) for value in preset):
                    self._take(said, preset & known, ticked=boxes[0][2])
                    said.boxed = True
                opened, boxes = boxes[0][1], boxes[1:]
            begins = [opened, *(box[1] for box in boxes[:-1])]
            options = [(box, begin, box[0]) for box, begin in zip(boxes, begins, strict=True)]
        elif leads:
            first = self._values(opened, boxes[0][0], known)
            then = self._values(*after[0][1:], known)
            axis_of = self.lexicon.axis_of
            same = {axis_of[value] for value in first} & {axis_of[value] for value in then}
            said.doubtful = said.doubtful or (bool(same) and not self._box_before(resolved.first))
        found = 0
        for box, left, right in options:
            text = self.plain[left:right].strip(" .,;:/|()-")
            if asked and (text in _YES or text in _NO):
                found += 1
                self._answer(said, asked, known, yes=text in _YES, ticked=box[2])
                continue
            values = self._values(left, right, known, said)
            if not values and _REMISSION in asked:
                values = {f"{text}_{_REMISSION}"} & known
            found += bool(values)
            self._take(said, values, ticked=box[2])
        if behind and (found > 1 or (found and start < places[1])):
            said.boxed = said.boxed or opened == places[1]

    def _box_before(self, first: int) -> bool:
        """`[x] MDD, severe  [ ] moderate`: the condition's own box stands before it."""
        start = self.tokens.starts[first]
        before = self.layout.boxes_from(max(0, start - _WIDEST_GAP), _MOST_BOXES)
        return any(box[1] <= start and not self.plain[box[1] : start].strip() for box in before)

    def _take(self, said: Narrowing, values: set[str] | frozenset[str], *, ticked: bool) -> None:
        (said.chosen if ticked else said.open).update(values)

    def _answer(
        self, said: Narrowing, asked: set[str], known: frozenset[str], *, yes: bool, ticked: bool
    ) -> None:
        """`Psychotic features: [ ] yes [x] no`"""
        if yes:
            self._take(said, asked, ticked=ticked)
        elif ticked:
            said.open |= asked
            if _PSYCHOTIC in asked and _NOT_PSYCHOTIC in known:
                said.chosen.add(_NOT_PSYCHOTIC)

    def _values(
        self, left: int, right: int, known: frozenset[str], said: Narrowing | None = None
    ) -> set[str]:
        """The specifiers in [left, right); one that goes on behind a box, `mild ( ) moderate`, is two."""
        tokens = self.tokens
        begin, end = tokens.token_at(left), tokens.token_at(right)
        found = set()
        for first, last, value in entries_between(self.mentions.values, max(0, begin - _LONGEST), end):
            if begin <= first and last <= end:
                found.add(value)
            elif last > begin:
                found.update(tokens.words[max(first, begin) : min(last, end)])
                if said is not None:
                    said.open.add(value)
        return found & known

    def _read_lines(self, said: Narrowing, resolved: Resolved, line_end: int) -> None:
        """The lines below that are fields of the condition: `Severity: moderate`."""
        known = resolved.concept.values
        for _ in range(_MOST_LINES):
            start = line_end + 1
            line_end = self._line_end(start)
            colon = self.plain.find(":", start, min(line_end, start + _LONGEST_FIELD))
            label = self.plain[start:colon].strip(" -*_") if colon >= 0 else ""
            if not label or not _FIELD.fullmatch(label):
                return
            if label == "presentation" and resolved.concept.family != _PRESENTED:
                return  # how somebody presents today
            boxes = [box for box in self._boxes(colon) if box[0] < line_end]
            if boxes:
                self._read_group(said, resolved, (start, colon + 1, line_end), boxes, frozenset())
                continue
            answer = self.plain[colon + 1 : line_end].strip(" .")
            asked = self._values(start, colon, known)
            if asked and (answer in _YES or answer in _NO):
                self._answer(said, asked, known, yes=answer in _YES, ticked=True)
                continue
            at, end = self.tokens.token_at(colon + 1), self.tokens.token_at(line_end)
            before = at
            for first, last, value in entries_between(self.mentions.values, at, end):
                if first not in (before, at) or not _VALUE_ENDS.match(self.plain, self.tokens.ends[last - 1]):
                    break
                before, at = first, last
                said.chosen.update({value} & known)
