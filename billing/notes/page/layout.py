"""Where a note says things: its sections and fields, its tick boxes, the letters of its format."""

import re
from bisect import bisect_right
from itertools import pairwise, zip_longest

import msgspec

from billing.notes.page.labels import CATEGORIES, CLOSING, COLUMNS, is_item_label, kind_of
from billing.notes.page.nested import OPENS_NESTED, TAKING_BACK, place_of
from billing.notes.page.standing import Standing, standing_of
from billing.notes.page.title import tells, title_of
from billing.notes.text.items import BULLETS, ITEM, boxes_of, continues_list, goes_on_behind, is_told

_LEAD = re.compile(r"[ ]*(?:[-*#>=+|]+[ ]*)?(?:\d{1,2}(?:[.)]|[ ]\|)[ ]*)?[*_|]*")
# `I. Diagnostic conclusion`, `XI. DIAGNOSTIC IMPRESSION`
_OUTLINE = re.compile(r"(?:[a-z]\.|[ivx]{2,5}[.)])[ ]")
_LABEL = re.compile(r"[a-z][a-z0-9 /&()'.,+\-_]*$")
# `Screened positive for PTSD. Dx:`: the label is what follows the sentence.
_SENTENCE = re.compile(r"(?:[a-z'-]+,? ){2,}[a-z0-9'-]+\. ")
_LONGEST_LABEL = 80
# The characters of a label inside a line; what parts it from the text before, and what may part it.
_LABEL_CHARACTERS = "abcdefghijklmnopqrstuvwxyz0123456789 /&()'-*_"
_LONGEST_INNER_LABEL = 59
_SOFT_PARTS = re.compile(r"[ ]{2,}|[ ]/[ ]|\)[ ]+")
# A line that opens with a letter of a note format: `S: ...`, `A/P - ...`; `S) ...`, `D/ ...`, `A> ...` only
# when there are several, otherwise they are the items of a list.
_LETTER = re.compile(
    r"[ ]*(?:[-*#>][ ]+)?"
    r"(?:(?P<plain>[soapdbirge]|a/p)[ ]*(?::|[ ]-)|\[?(?P<bracketed>[soapdbirge])[/>)\]](?:[ ]|$))"
)
_LETTER_OPENS = frozenset("soapdbirge -*#>[")
_BRACKETED = re.compile(r"[soapdbirge][/>)](?:[ ]|$)")
# `[A]` on a line of its own, or before its text where there are several.
_BOXED_LETTER = re.compile(r"\[[soapdbirge]\][ ]*")
_FEWEST_LETTERS = 3
# What parts an option from a box that is not its own.
_PARTS = re.compile(r"[.;|]\s|\s{3,}\S")
_WORD = re.compile(r"[a-z]")
# What normalising leaves of the leaders between an option and its box.
_DRAWN_OUT = re.compile(r":[ ]{3,}\Z")
_WIDEST_LINE, _FAR_IN = 400, " " * 12
_WIDEST_OPTION = 60
_MOST_CHOICES = 8
# What a grid of states says of the condition in front of it.
_CHOSEN = frozenset(
    ("c", "conf", "confirmed", "yes", "y", "current", "active", "present", "dx", "positive", "true", "met")
)
_NOT_CHOSEN = frozenset(
    (
        "r/o", "ro", "rule out", "ruled out", "n", "no", "none", "absent", "denied", "denies", "neg",
        "negative", "past", "hx", "history", "resolved", "suspected", "provisional", "possible", "inactive",
        "n/a", "not met", "false", "unconfirmed", "considered", "not assessed", "unknown",
    )
)  # fmt: skip
# The letters of a note tell P (problem) from P (plan).
_PROBLEM_FORMATS = frozenset("ie")

# `Assessment. ADHD ...`, `Diagnostic impression. Number one, ...`: a label may end in a full stop, where it
# is one word or known.
_LONGEST_WORD_LABEL, _LONGEST_SPOKEN_LABEL = 14, 32
# `Dx cannabis use disorder`, without a colon.
_DIAGNOSIS_LEAD = re.compile(
    r"(?:dx'?s?|diagnos[ie]s)[ ](?!(?:is|was|are|were|of|remains?|for|as|on|and|by|from|above|below|with"
    r"|codes?|has|line|lists?|unchanged|discussed|reviewed|given|deferred|pending"
    r"|change[sd]?|today|made|to|in|at|we|i)\b)"
)
_CODE_NEAR = re.compile(
    r"(?![^.;:?\n]{0,60}?\b(?:may|might|will|clarif\w+|eval\w+|updat\w+|expla\w+|under|test\w+|for|to|if"
    r"|rule|r/o|consider\w*|chang\w+|from|need\w*|pending)\b)"
    r"[^.;:?\n]{0,60}?(?<![a-z0-9])[a-z]\d\d\.?[\da-z]{0,4}\b"
)
# Sections whose words are no diagnosis of today.
_NOT_OF_NOW = frozenset(("topic", "plan"))
# `ADDENDUM, same day, signed ...`: what follows puts right what stands above, however its line goes on.
_CORRECTION_LEAD = re.compile(
    r"(?:supervisor(?:'s)? |signed )?(?:addendum|amendment|late entry|correction)\b"
    r"(?=[ ]*(?:[,:(-]|/ ?correction|e-?signed)|[ ]+(?:to|of|on) (?:the |my |this |above )?(?:assessment"
    r"|diagnos[ie]s|dx|note|entry|line|above)\b"
    r"|[ ]+(?:signed|entered|made|added|electronically|same|by|dated|\d)|[ ]*\Z)"
)
_CORRECTION_OPENS = frozenset("salc")
DIAGNOSIS_KINDS = frozenset(("dx", "on_file", "old_dx", "uncertain_dx"))
# Fields of one line: what follows on lines of its own belongs to what was open before them.
_ONE_LINE = frozenset(("topic", "service", "modality", "time", "participants", "status"))


class Layout(msgspec.Struct, frozen=True):
    """The note cut into consecutive stretches; `starts` and `kinds` run in parallel."""

    starts: list[int]
    kinds: list[str]
    labels: list[str]
    boxes: list[tuple[int, int, bool]]
    title: tuple[int, int]
    title_tells: bool  # of something taught or said

    def at(self, offset: int) -> str:
        """The kind of the stretch that an offset lies in."""
        return self.kinds[bisect_right(self.starts, offset) - 1]

    def index(self, offset: int) -> int:
        """Which stretch an offset lies in."""
        return bisect_right(self.starts, offset) - 1

    def ticked(self, plain: str, start: int, end: int) -> bool | None:
        """Whether the option in [start, end) is ticked, None where no box belongs to it.

        Boxes stand before their options, or behind them where a line opens with an option and ends in a box.
        """
        if not self.boxes:
            return None
        at = bisect_right(self.boxes, (start, start, True))
        before = self.boxes[at - 1] if at else None
        after = self.boxes[at] if at < len(self.boxes) else None
        line_start = max(plain.rfind("\n", max(0, start - _WIDEST_LINE), start) + 1, start - _WIDEST_LINE, 0)
        line_end = plain.find("\n", end, end + _WIDEST_LINE)
        line_end = line_end if line_end >= 0 else min(len(plain), end + _WIDEST_LINE)
        if before is not None and before[0] < line_start:
            before = None
        if after is not None and (after[0] >= line_end or after[0] < end):
            after = None
        if after is not None and (before is None or self._behind(plain, line_start, line_end)):
            gap = plain[end : after[0]].strip(" :")
            behind = len(gap) <= 14 and not _PARTS.search(gap) and not _WORD.search(plain, after[1], line_end)
            if behind or self._behind(plain, line_start, line_end):
                return after[2] if len(gap) <= 14 else None
        if after is not None and before is None:
            return self._of_choices(plain, end, after[0], line_end)
        if before is None or start - before[1] > _WIDEST_OPTION:
            return None
        gap = plain[before[1] : start]
        return None if _PARTS.search(gap.strip() + " ") else before[2]

    def boxes_from(self, offset: int, most: int) -> list[tuple[int, int, bool]]:
        """The first boxes that begin at an offset or behind it."""
        at = bisect_right(self.boxes, (offset, 0, False))
        return self.boxes[at : at + most]

    def _of_choices(self, plain: str, end: int, first: int, line_end: int) -> bool | None:
        """`PTSD ... [ ] C  [X] R/O  [ ] N`: what the ticked choice behind a condition says of it."""
        if _WORD.search(plain, end, first):
            return None
        at = bisect_right(self.boxes, (first, first, False))
        row = [box for box in self.boxes[at : at + _MOST_CHOICES] if box[0] < line_end]
        for box, following in zip_longest(row, row[1:]):
            if box[2]:
                choice = plain[box[1] : following[0] if following else line_end].strip(" .;:,|-")
                return True if choice in _CHOSEN else False if choice in _NOT_CHOSEN else None
        return None

    def _behind(self, plain: str, line_start: int, line_end: int) -> bool:
        """Whether the boxes of a line stand behind their options."""
        first = self.boxes[bisect_right(self.boxes, (line_start, line_start, False))]
        last = self.boxes[bisect_right(self.boxes, (line_end, line_end, True)) - 1]
        lead = plain[line_start : first[0]]
        if lead.endswith("  ") and _WORD.match(plain, first[1] + 1):
            return False  # `Progress note   [x] video  [ ] audio`
        if first is last:
            lead = _DRAWN_OUT.sub("", lead)
        lead = lead.rpartition(":")[2]
        return bool(_WORD.search(lead)) and not _WORD.search(plain, last[1], line_end)

    def span(self, index: int, length: int) -> tuple[int, int]:
        """Where a stretch begins and ends."""
        end = self.starts[index + 1] if index + 1 < len(self.starts) else length
        return self.starts[index], end


def lay_out(plain: str, flat: str, sections: dict[str, str]) -> Layout:
    """Cut a normalised note into its sections; `flat` is the same text with wrapped lines joined."""
    lines = _lines(flat)
    opened = [
        match
        for start, end in lines
        if flat[start : start + 1] in _LETTER_OPENS and (match := _LETTER.match(flat, start, end))
    ]
    letters = {match["plain"] for match in opened} - {None}
    pie = letters >= _PROBLEM_FORMATS and "p" in letters and not letters & set("sdboag")
    in_order = [match["bracketed"] for match in opened if match["bracketed"]]
    bracketed = set(in_order)
    if len(bracketed) < _FEWEST_LETTERS or ("a", "b") in pairwise(in_order):
        bracketed = set()  # `a) ... b) ...`: an outline
    starts, kinds, labels = [0], ["narrative"], [""]

    def open_stretch(at: int, kind: str, label: str) -> None:
        if starts[-1] == at:
            kinds[-1], labels[-1] = kind, label
        else:
            starts.append(at)
            kinds.append(kind)
            labels.append(label)

    resume = prose = "narrative"
    filled = inline = False
    outer: tuple[int, str] | None = None
    around, over = "", False  # whether what it takes back stands beside it or further in
    bullet = ""
    for start, end in lines:
        line = flat[start:end]
        if not line or line.isspace():
            if kinds[-1] in DIAGNOSIS_KINDS and filled and not goes_on_behind(flat, starts[-1], start, end):
                open_stretch(start, resume if resume not in DIAGNOSIS_KINDS else "narrative", "")
            elif kinds[-1] == "plan" and inline:
                open_stretch(start, "narrative", "")
            continue
        colon = _colon_after(flat, start, end)
        label, label_end, marked, dashed = _label_of(flat, start, end, colon, bracketed, sections)
        kind = None
        if label in CATEGORIES and kinds[-1] in DIAGNOSIS_KINDS and ITEM.match(flat, start, end):
            label, colon = "", -1  # `3. Tobacco: nicotine dependence`
        if label:
            kind = kind_of(label, sections, pie=pie, marked=marked, dashed=dashed)
            if kind is not None and not marked and kinds[-1] in DIAGNOSIS_KINDS and line.startswith(_FAR_IN):
                kind = None  # the rest of a cell
            beside = bullet in BULLETS and line.startswith(bullet)
            if (
                kind is None
                and marked
                and len(label.split()) <= 5
                and (beside or not ITEM.match(flat, start, end))
            ):
                row = line.lstrip(" ").startswith("|")
                in_list = kinds[-1] in DIAGNOSIS_KINDS and (
                    is_item_label(label, row=row) or standing_of(flat[label_end:end].strip(" |")) is not None
                )
                kind = None if in_list else "other"
        if outer is not None and (place := place_of(flat, start, end)) and place[0] <= outer[0]:
            if place == outer and over and (kind is None or standing_of(label) is Standing.STATED):
                kind, filled = None, True
                open_stretch(start, around, "")
            outer = outer if kind in TAKING_BACK else None
        elif outer is not None:
            over = True
        if kind in TAKING_BACK and outer is None and flat[start] in OPENS_NESTED:
            outer, around = place_of(flat, start, end), kinds[-1]
            over = bool(flat[label_end:end].strip())
        if kind is not None:
            open_stretch(start, kind, label)
            resume = kind
            prose = prose if kind in _ONE_LINE else kind
            filled = inline = bool(flat[label_end:end].strip())
            bullet = line[:2] if filled else ""
        elif kinds[-1] in DIAGNOSIS_KINDS and starts[-1] != start:
            if filled and (
                not continues_list(line, start, end, flat)
                or (bullet in BULLETS and line.startswith(bullet) and is_told(line))
            ):
                resume = resume if resume not in DIAGNOSIS_KINDS else "narrative"
                open_stretch(start, resume, "")
            filled = True
        elif kinds[-1] in _ONE_LINE and starts[-1] != start and filled:
            if not ITEM.match(flat, start, end) or _OUTLINE.match(line.lstrip()):
                resume = prose if prose not in DIAGNOSIS_KINDS else "narrative"
                open_stretch(start, resume, "")
        elif kinds[-1] == "plan" and starts[-1] != start and CLOSING.match(flat, start, end):
            open_stretch(start, "narrative", "")
        else:
            filled = True
        before = kinds[-1]
        if colon < 0 and before not in DIAGNOSIS_KINDS:
            continue
        while colon >= 0:
            at, inner_label = _inner_label(flat, start, colon)
            if at > starts[-1] and flat[colon + 1 : colon + 2] in (" ", "\n", ""):
                inner = kind_of(inner_label, sections, pie=pie, marked=True, dashed=False)
                if inner is not None and (inner, kinds[-1]) != ("other", "correction"):
                    open_stretch(at, inner, inner_label)
            colon = _colon_after(flat, colon + 1, end)
        if (
            kinds[-1] in _NOT_OF_NOW
            and (told := _sentence_of_diagnosis(flat, max(start, starts[-1]), end)) >= 0
        ):
            open_stretch(told, "dx", "dx")
        if kinds[-1] != before and kind is None and kinds[-1] not in DIAGNOSIS_KINDS:
            resume = before if before not in DIAGNOSIS_KINDS else resume
        if kinds[-1] in DIAGNOSIS_KINDS:
            filled = filled or bool(flat[max(starts[-1], end - 400) : end].partition(":")[2].strip())
    boxes = boxes_of(plain)
    title = title_of(flat, lines)
    return Layout(starts, kinds, labels, boxes, title, tells(plain, title))


def _sentence_of_diagnosis(flat: str, start: int, end: int) -> int:
    """Where a sentence behind a label gives a diagnosis and its code, `HW: rest. Dx F41.1`; else -1."""
    at = flat.find(". dx ", start, end) + 2
    lead = _DIAGNOSIS_LEAD.match(flat, at, end) if at > 1 else None
    return at if lead is not None and _CODE_NEAR.match(flat, lead.end(), end) else -1


def _inner_label(flat: str, start: int, colon: int) -> tuple[int, str]:
    """Where the label before a colon inside a line begins, and the label; (-1, "") where there is none."""
    floor = max(start, colon - _LONGEST_INNER_LABEL - 5)
    segment = flat[floor:colon]
    cut = len(segment.rstrip(_LABEL_CHARACTERS))
    mark, after = segment[cut - 1 : cut], segment[cut : cut + 1]
    gap = segment.rstrip().rfind("  ", cut)
    if gap >= 0:
        cut = gap + 2
    elif (
        not (mark in (";", "|") and mark)
        and not (mark and mark in '.],?!":' and after == " ")
        and floor + cut
    ):
        soft = _SOFT_PARTS.search(segment, cut)
        if soft is None:
            return -1, ""
        cut = soft.end()
    label = segment[cut:].strip(" *_")
    if not 1 < len(label) <= _LONGEST_INNER_LABEL or not label[0].isalpha():
        return -1, ""
    return floor + segment.index(label, cut), label


def _colon_after(flat: str, start: int, end: int) -> int:
    """The next colon that is not a time's."""
    colon = flat.find(":", start, end)
    while colon > 0 and flat[colon - 1].isdigit() and flat[colon + 1 : colon + 2].isdigit():
        colon = flat.find(":", colon + 1, end)
    return colon


def _label_of(
    flat: str, start: int, end: int, colon: int, bracketed: set[str], sections: dict[str, str]
) -> tuple[str, int, bool, bool]:
    """The label that opens a line, where it ends, and whether a colon or a dash marks it; own-line labels
    have neither."""
    begin = start
    lead = (_OUTLINE if flat[start : start + 1].isalpha() else _LEAD).match(flat, start, end)
    if lead is not None:
        begin = lead.end()
    opens = flat[begin : begin + 1]
    if (
        begin > start
        and flat[start:begin].lstrip(" ").startswith("|")
        and (bar := flat.find("|", begin, end)) > 0
    ):
        label = flat[begin:bar].strip(" *_")
        if _LABEL.match(label):
            return label, bar + 1, True, False
    boxed = _BOXED_LETTER.match(flat, start, end) if flat.startswith("[", start) else None
    if boxed is not None and (boxed.end() == end or flat[start + 1] in bracketed):
        return flat[start + 1], boxed.end(), True, False
    if opens in bracketed and _BRACKETED.match(flat, begin, end):
        return flat[begin], begin + 2, True, False
    corrected = _CORRECTION_LEAD.match(flat, begin, end) if opens in _CORRECTION_OPENS else None
    if corrected is not None:
        return "addendum", corrected.end(), True, False
    if 0 <= colon - begin <= _LONGEST_LABEL:
        label = flat[begin:colon].strip(" *_|")
        if _LABEL.match(label) and not _SENTENCE.match(label):
            dash = label.find(" - ")
            if dash < 0:
                return label, colon + 1, True, False
    dash = flat.find(" -", begin, min(end, begin + 40))
    if dash >= 0:
        label = flat[begin:dash].strip(" *_")
        if _LABEL.match(label):
            return label, dash + 2, False, True
    named = _DIAGNOSIS_LEAD.match(flat, begin, end) if opens == "d" else None
    if named is not None:
        return "dx", named.end(), False, True
    stop = flat.find(". ", begin, min(end, begin + _LONGEST_SPOKEN_LABEL))
    if stop - begin > 2:
        label = flat[begin:stop]
        if (label.isalpha() and len(label) <= _LONGEST_WORD_LABEL) or label in sections:
            return label, stop + 1, False, True
    gap = flat.find("   ", begin, end)
    stop = gap if gap > begin and COLUMNS.issuperset(flat[gap:end].split()) else end
    if stop - begin <= _LONGEST_LABEL:
        label = flat[begin:stop].strip(" *_|=-")  # `DX LIST       Active?`
        if _LABEL.match(label):
            return label, end, False, False
    if 0 <= colon - begin <= _LONGEST_LABEL:
        label = flat[begin:colon].strip(" *_|")
        if _LABEL.match(label) and not _SENTENCE.match(label):
            return label, colon + 1, True, False
    return "", start, False, False


def _lines(flat: str) -> list[tuple[int, int]]:
    lines, at = [], 0
    for line in flat.split("\n"):
        lines.append((at, at + len(line)))
        at += len(line) + 1
    return lines
