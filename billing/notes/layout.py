"""Where a note says things: its sections and fields, its tick boxes, the letters of its format."""

import re
from bisect import bisect_right
from dataclasses import dataclass

_LEAD = re.compile(r"[ ]*(?:[-*#>=+|]+[ ]*)?(?:\d{1,2}[.)][ ]*)?[*_|]*")
_LABEL = re.compile(r"[a-z][a-z0-9 /&()'.,+\-]*$")
_LONGEST_LABEL = 80
_INLINE_LEAD = re.compile(
    r"(?:[;|]|[ ]{2,}|[.)\]?!][ ]+|[ ]/[ ]|, |^)[*_ ]*([a-z][a-z0-9 /&()'\-]{0,38}?)[*_]*[ ]?$"
)
_LETTER_LINE = re.compile(r"^[ ]*([soapdbirge]|a/p)[ ]*(?::|[ ]-)", re.MULTILINE)
_ITEM = re.compile(
    r"[ ]*(?:[-*#>+][ ]|\d{1,2}[.)]|\(?[a-z]\)[ ]|[\[(][ x\u2611]?[\])]|\u2610|\u2611|[a-z]\d\d|r/o|rule)"
)
_BOX_MARKS = ("[", "(", "__", "\u2610", "\u2611")
_BOX = re.compile(
    r"(?:[\[(][ ]?(?P<on>[xy*+/\u2611]|yes)[ ]?[\])]|(?P<off>[\[(][ _]{0,3}[\])])|(?P<ticked>\u2611)"
    r"|(?P<empty>\u2610)"
    r"|(?P<line_on>(?<![a-z0-9])_{1,8}x_{1,8})|(?P<line_off>(?<![a-z0-9_])__+(?![x_])(?=[ ]?[a-z])))"
)
# The letters of a note tell P (problem) from P (plan).
_PROBLEM_FORMATS = frozenset("ie")

DIAGNOSIS_KINDS = frozenset(("dx", "on_file", "old_dx", "uncertain_dx"))


@dataclass(frozen=True, slots=True)
class Layout:
    """The note cut into consecutive stretches; `starts` and `kinds` run in parallel."""

    starts: list[int]
    kinds: list[str]
    labels: list[str]
    boxes: list[tuple[int, int, bool]]
    title: tuple[int, int]

    def at(self, offset: int) -> str:
        """The kind of the stretch that an offset lies in."""
        return self.kinds[bisect_right(self.starts, offset) - 1]

    def index(self, offset: int) -> int:
        """Which stretch an offset lies in."""
        return bisect_right(self.starts, offset) - 1

    def span(self, index: int, length: int) -> tuple[int, int]:
        """Where a stretch begins and ends."""
        end = self.starts[index + 1] if index + 1 < len(self.starts) else length
        return self.starts[index], end


def lay_out(plain: str, flat: str, sections: dict[str, str]) -> Layout:
    """Cut a normalised note into its sections; `flat` is the same text with wrapped lines joined."""
    lines = _lines(flat)
    letters = {match[1] for match in _LETTER_LINE.finditer(flat)}
    pie = letters >= _PROBLEM_FORMATS and "p" in letters and not letters & set("sdboag")
    starts, kinds, labels = [0], ["narrative"], [""]

    def open_stretch(at: int, kind: str, label: str) -> None:
        if starts[-1] == at:
            kinds[-1], labels[-1] = kind, label
        else:
            starts.append(at)
            kinds.append(kind)
            labels.append(label)

    resume = "narrative"
    filled = False
    for start, end in lines:
        blank = not flat[start:end].strip()
        if blank:
            if kinds[-1] in DIAGNOSIS_KINDS and filled:
                open_stretch(start, resume if resume not in DIAGNOSIS_KINDS else "narrative", "")
            continue
        colon = flat.find(":", start, end)
        label, label_end, marked, dashed = _label_of(flat, start, end, colon)
        kind = None
        if label:
            kind = _kind_of(label, sections, pie=pie, marked=marked, dashed=dashed)
            if kind is None and marked and len(label.split()) <= 5 and not _ITEM.match(flat, start, end):
                in_list = kinds[-1] in DIAGNOSIS_KINDS and _is_item_label(label)
                kind = None if in_list else "other"
        if kind is not None:
            open_stretch(start, kind, label)
            resume = kind
            filled = bool(flat[label_end:end].strip())
        elif kinds[-1] in DIAGNOSIS_KINDS and starts[-1] != start:
            if filled and not _continues_list(flat[start:end], start, end, flat):
                resume = resume if resume not in DIAGNOSIS_KINDS else "narrative"
                open_stretch(start, resume, "")
            filled = True
        else:
            filled = True
        before = kinds[-1]
        while colon >= 0:
            inline = _INLINE_LEAD.search(flat, max(start, colon - 44), colon)
            if inline is not None and inline.start(1) > starts[-1] and len(inline[1]) > 1:
                inner = _kind_of(inline[1], sections, pie=pie, marked=True, dashed=False)
                if inner is not None and flat[colon + 1 : colon + 2] in (" ", "\n", ""):
                    open_stretch(inline.start(1), inner, inline[1])
            colon = flat.find(":", colon + 1, end)
        if kinds[-1] != before and kind is None and kinds[-1] not in DIAGNOSIS_KINDS:
            resume = before if before not in DIAGNOSIS_KINDS else resume
        if kinds[-1] in DIAGNOSIS_KINDS:
            filled = filled or bool(flat[max(starts[-1], end - 400) : end].partition(":")[2].strip())
    boxes = _boxes(plain)
    first = next(((s, e) for s, e in lines if flat[s:e].strip()), (0, 0))
    return Layout(starts, kinds, labels, boxes, first)


def _label_of(flat: str, start: int, end: int, colon: int) -> tuple[str, int, bool, bool]:
    """The label that opens a line, where it ends, and whether a colon or a dash marks it; own-line labels
    have neither."""
    lead = _LEAD.match(flat, start, end)
    begin = lead.end() if lead is not None else start
    if 0 <= colon - begin <= _LONGEST_LABEL:
        label = flat[begin:colon].strip(" *_|")
        if _LABEL.match(label):
            dash = label.find(" - ")
            if dash < 0:
                return label, colon + 1, True, False
    dash = flat.find(" -", begin, min(end, begin + 40))
    if dash >= 0:
        label = flat[begin:dash].strip(" *_")
        if _LABEL.match(label):
            return label, dash + 2, False, True
    if end - begin <= _LONGEST_LABEL:
        label = flat[begin:end].strip(" *_|=-")
        if _LABEL.match(label):
            return label, end, False, False
    if 0 <= colon - begin <= _LONGEST_LABEL and _LABEL.match(flat[begin:colon].strip(" *_|")):
        return flat[begin:colon].strip(" *_|"), colon + 1, True, False
    return "", start, False, False


def _lines(flat: str) -> list[tuple[int, int]]:
    lines = []
    at = 0
    for line in flat.split("\n"):
        lines.append((at, at + len(line)))
        at += len(line) + 1
    return lines


def _kind_of(label: str, sections: dict[str, str], *, pie: bool, marked: bool, dashed: bool) -> str | None:
    """The section type of a label: as it stands, without its bracket, before its comma, or by the word
    diagnosis."""
    label = " ".join(label.split()).strip(" .-*")
    if not label:
        return None
    if label == "p" and pie:
        return "problem"
    kind = sections.get(label)
    if kind is not None:
        return kind if len(label) > 1 or marked or dashed else None
    bare = label.partition("(")[0].strip()
    kind = sections.get(bare)
    if kind is not None and len(bare) > 1:
        return kind
    if not marked:
        return None
    kind = sections.get(label.partition(",")[0].strip())
    if kind is not None:
        return kind
    words = label.split()
    if len(words) <= 6 and any(word.startswith("diagnos") or word in ("dx", "dxs") for word in words):
        if any(word in ("no", "family", "if") for word in words):
            return "other"
        if any(
            word in ("past", "previous", "prior", "old", "former", "historical", "referring", "outside")
            for word in words
        ):
            return "old_dx"
        return "uncertain_dx" if words[0] in ("working", "provisional", "differential", "possible") else "dx"
    return None


def _is_item_label(label: str) -> bool:
    """Whether a label inside a diagnosis list is one of its rows and not the next section."""
    return bool(re.match(r"(?:v/z|z|v|f|icd|dsm|axis)(?:[ /-]|$)|[a-z]\d\d", label))


def _continues_list(line: str, start: int, end: int, flat: str) -> bool:
    if _ITEM.match(flat, start, end):
        return True
    stripped = line.strip()
    return len(stripped) <= 90 and not stripped.endswith(".") and len(stripped.split()) <= 12


def _boxes(plain: str) -> list[tuple[int, int, bool]]:
    """Every tick box as (start, end, ticked); a ticked box is filled, an empty one unfilled, in any style."""
    found = []
    after = 0
    marks = []
    for mark in _BOX_MARKS:
        at = plain.find(mark)
        while at >= 0:
            marks.append(at)
            at = plain.find(mark, at + len(mark))
    for at in sorted(marks):
        match = _BOX.match(plain, at)
        if match is None or match.start() < after:
            continue
        after = match.end()
        ticked = match["on"] is not None or match["ticked"] is not None or match["line_on"] is not None
        found.append((match.start(), match.end(), ticked))
    return found
