"""Where a note says things: its sections and fields, its tick boxes, the letters of its format."""

import re
from bisect import bisect_right
from dataclasses import dataclass

_LABEL = r"[a-z][a-z0-9 /&()'.,\-]{0,78}?"
_LINE_LABEL = re.compile(
    rf"[ ]*(?:[-*#>=]+[ ]*)?(?:\d{{1,2}}[.)][ ]*)?[*_]*({_LABEL})[*_]*[ ]*(?:(:)[*_]*|[ ](-{{1,2}}|>)[ ]|$)"
)
_INLINE_LABEL = re.compile(
    r"(?:[;|]|[ ]{2,}|[.)\]?!][ ]+|[ ]/[ ]|, )[*_]*([a-z][a-z0-9 /&()'\-]{0,38}?)[*_]*[ ]?:(?=[ ]|$)"
)
_SINGLE = re.compile(r"(s|o|a|p|d|b|i|r|g|e|a/p)$")
_ITEM = re.compile(r"[ ]*(?:[-*#>+][ ]|\d{1,2}[.)]|\(?[a-z]\)[ ]|[\[(][ x\u2611]?[\])]|\u2610|\u2611|[a-z]\d\d|r/o|rule)")
_BOX = re.compile(
    r"(?:[\[(][ ]?(?P<on>[xy*+/\u2611]|yes)[ ]?[\])]|(?P<off>[\[(][ _]{0,3}[\])])|(?P<ticked>\u2611)|(?P<empty>\u2610)"
    r"|(?P<line_on>(?<![a-z0-9])_+x_+)|(?P<line_off>(?<![a-z0-9_])__+(?![x_])(?=[ ]?[a-z])))"
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
    letters = {
        match[1]
        for start, end in lines
        if (match := _LINE_LABEL.match(flat, start, end)) and _SINGLE.match(match[1]) and (match[2] or match[3])
    }
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
        match = _LINE_LABEL.match(flat, start, end)
        kind = None
        if match:
            kind = _kind_of(match[1], sections, pie=pie, marked=bool(match[2]), dashed=bool(match[3]))
            if kind is None and match[2]:
                kind = "other" if len(match[1].split()) <= 5 and not _ITEM.match(flat, start, end) else None
                if kind == "other" and kinds[-1] in DIAGNOSIS_KINDS and _is_item_label(match[1]):
                    kind = None
        if kind is not None and match is not None:
            open_stretch(start, kind, match[1])
            resume = kind
            filled = match.end() < end and bool(flat[match.end() : end].strip())
        elif kinds[-1] in DIAGNOSIS_KINDS and starts[-1] != start:
            if filled and not _continues_list(flat[start:end], start, end, flat):
                resume = resume if resume not in DIAGNOSIS_KINDS else "narrative"
                open_stretch(start, resume, "")
            filled = True
        else:
            filled = True
        before = kinds[-1]
        for inline in _INLINE_LABEL.finditer(flat, start, end):
            inner = _kind_of(inline[1], sections, pie=pie, marked=True, dashed=False)
            if inner is not None and (len(inline[1]) > 1):
                open_stretch(inline.start(1), inner, inline[1])
        if kinds[-1] != before and kind is None and kinds[-1] not in DIAGNOSIS_KINDS:
            resume = before if before not in DIAGNOSIS_KINDS else resume
        if kinds[-1] in DIAGNOSIS_KINDS:
            filled = filled or bool(flat[starts[-1] : end].partition(":")[2].strip())
    boxes = _boxes(plain)
    first = next(((s, e) for s, e in lines if flat[s:e].strip()), (0, 0))
    return Layout(starts, kinds, labels, boxes, first)


def _lines(flat: str) -> list[tuple[int, int]]:
    lines = []
    at = 0
    for line in flat.split("\n"):
        lines.append((at, at + len(line)))
        at += len(line) + 1
    return lines


def _kind_of(label: str, sections: dict[str, str], *, pie: bool, marked: bool, dashed: bool) -> str | None:
    """The section type of a label: as it stands, without its bracket, before its comma, or by the word diagnosis."""
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
        if any(word in ("past", "previous", "prior", "old", "former", "historical", "referring", "outside") for word in words):
            return "old_dx"
        return "uncertain_dx" if words[0] in ("working", "provisional", "differential", "possible") else "dx"
    return None


def _is_item_label(label: str) -> bool:
    """Whether a label inside a diagnosis list is one of its rows and not the next section."""
    return label.split()[0] in ("z", "f", "icd", "dsm") or bool(re.match(r"[a-z]\d\d", label))


def _continues_list(line: str, start: int, end: int, flat: str) -> bool:
    if _ITEM.match(flat, start, end):
        return True
    stripped = line.strip()
    return len(stripped) <= 90 and not stripped.endswith(".") and len(stripped.split()) <= 12


def _boxes(plain: str) -> list[tuple[int, int, bool]]:
    """Every tick box as (start, end, ticked); a ticked box is filled, an empty one unfilled, in any style."""
    if "[" not in plain and "(" not in plain and "_" not in plain and "\u2611" not in plain and "\u2610" not in plain:
        return []
    found = []
    for match in _BOX.finditer(plain):
        ticked = match["on"] is not None or match["ticked"] is not None or match["line_on"] is not None
        found.append((match.start(), match.end(), ticked))
    return found
