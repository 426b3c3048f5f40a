"""Which line ends of a note only wrap its paragraphs, and which end a line."""

import re
from itertools import pairwise

from billing.notes.text.items import LETTERED, STATES_OFF, is_sentence

_LABEL = r"[a-z][a-z /&()'-]{0,40}:"
_MARK = (
    rf"[-*#>+|]|\d{{1,2}}[.)]|{LETTERED}|\[|\((?:[ ]?[x\u2611*]?[ ]?|[a-z\d]{{1,2}})\)"
    r"|\u2610|\u2611|[a-z]/p?[ ]*\Z"
)
_LINE_OPENS_ITEM = re.compile(rf"[ ]*(?:{_MARK}|{_LABEL})")
_OPENS_MARKED = re.compile(rf"[ ]*(?:{_MARK})")
# A line that ends so goes on in the next, whatever that begins with: a joining word, an item's number.
_GOES_ON = re.compile(
    r"(?:[,&+(/]|\b(?:and|or|of|with|w|w/|in|to|the|an?|for|by|from|at|on|due|than|via|is|was|as|her|his|their"
    r"|are|were|has|have|had|been|that|which|who|but|no|not|denies|without|after|before|during|into|about"
    r"|possible|probable|sustained|partial|early|r/o|vs\.?|recurrent|major|generali[sz]ed|social|separation"
    r"|post-?traumatic(?: stress)?|obsessive|persistent|premenstrual|suicidal)"
    r"|(?:[.;:]|\A)[ ]+[(]?[1-9][.)])[ ]*\Z"
)
# `Diagnosis: GAD; rule out` above `PTSD`: a word that speaks of what follows.
_QUALIFIERS = (
    "; rule out", "; r/o", ". rule out", ". r/o", "; possible", ". possible", "; provisional",
    ". provisional", "; probable", ". probable", "; suspected", ". suspected", "; past", ". past",
    " history of",
    " hx of", " h/o", "; no", "; denies", ". denies", " mother has", " father has", " mother with",
    " father with", " sister has", " brother has", " vs", " vs.", " versus",
)  # fmt: skip
# `Individual vs.`: a visit.
_VISIT = re.compile(
    r"\b(?:individual|ind|indiv|family|couples?|group|office|clinic|home|video|tele(?:health|med\w*)?|phone"
    r"|intake|routine|follow[- ]?up|f/u|initial|weekly|therapy|this|today's|no\.? of"
    r"|\d(?:st|nd|rd|th)) vs\.?[ ]*\Z"
)
# Not a heading that is nothing else.
_MORE_THAN_THAT = re.compile(
    r"[ ]{0,8}+(?:[-*#>+][ ]|\(?[a-z0-9]{1,3}[.)])?+[ ]{0,8}+(?=[a-z])"
    r"(?!rule out|r/o|possible|provisional|probable|suspected|past|(?:[a-z]+ ){0,2}history of|hx of|h/o|no\b"
    r"|denies|(?:her |his )?(?:mother|father|sister|brother)\b)"
)
# `Major depressive disorder, recurrent, moderate (resolved)`: an entry that tells its state goes on nowhere.
_STATE_ENDS = re.compile(
    rf"(?: -{{1,2}} |\()(?:{STATES_OFF}|(?:by |family |past )?(?:history|hx)|denied|not met"
    r"|(?:her |his |in )?(?:mother|father|brother|sister))\)?\Z"
)
# A box has its option behind it.
_BOX_ENDS = re.compile(r"[\[(][ ]?[x\u2611]?[ ]?[\])]?[ ]*\Z|[\u2610\u2611][ ]*\Z")
_BOX_OPENS = re.compile(
    r"(?:[^:\n]{0,60}:|dx\b|diagnos[ei]s\b)?[ ]*(?:[\[(][ ]?[x\u2611]?[ ]?[\])]|[\u2610\u2611])[ ]*[a-z]"
)
_WITH_CODE = re.compile(r"[^.;\n]{0,60}?(?<![a-z0-9])[a-z]\d\d(?:\.|\b)")
_DIAGNOSES = re.compile(r"[ ]*(?:dx|diagnos|impression|icd)[^:\n]{0,30}:")
_RULE_OUT = ("rule out", "rule-out", "r/o ")
_BOXES = ("[ ]", "[x]", "( )", "(x)", "[]", "\u2610", "\u2611")
# Blanks that no sentence's end accounts for: a row of fields.
_COLUMNS = re.compile(r"[^.,;:!?\s][ ]{2,}(?!\d{1,2}[.)][ ])\S")
_LETTER = re.compile(r"[a-z]")
_CLOSING = ".;:!?"
_BOX_LAST = "[]()x\u2610\u2611"
_WIDEST_WRAPPED, _SHORTEST_WRAPPED, _FEWEST_WRAPPED = 160, 34, 2
_BLANK_LINE = re.compile(r"\n[ ]*\n")
_FEWEST_LINES, _LONGEST_LINE = 5, 140


def _without_double_spacing(plain: str) -> str:
    """The text without the blank line behind every line, where a note has one behind each; not between
    paragraphs, which are longer than lines."""
    filled = [bool(line.strip()) for line in plain.strip().split("\n")] if "\n\n" in plain else []
    if len(filled) < _FEWEST_LINES or any(before and behind for before, behind in pairwise(filled)):
        return plain
    if len(plain) > _LONGEST_LINE * sum(filled):
        return plain
    return _BLANK_LINE.sub(lambda blank: "\n".rjust(len(blank[0])), plain)


def _goes_on_as_name(line: str, following: str) -> bool:
    """Whether what looks like a label is the rest of a service's name."""
    return line.endswith("interactive") and following.startswith("complexity")


class _Wrapping:
    """Which line ends of a note only wrap its paragraphs.

    `text` is the note as written: a line that goes on in lower case continues the one before.
    """

    def __init__(self, lines: list[str], text: str) -> None:
        self._text = text
        self._widest = max(map(len, lines))
        self._lines = lines
        self._tabbed = "\t" in text
        self._shouted, self._is_lower = text.isupper(), text.islower()
        self._to_one_width: bool | None = None
        self.wrapped = False  # whether the line went on from the one above

    def joins(self, line: str, following: str, at: int) -> bool:
        """Whether a line goes on in the following one, which begins at an offset; asked line by line."""
        if line.endswith("  r/o") or (self._tabbed and "\t" in self._text[at - len(line) - 1 : at]):
            return False  # rows
        if ";" in line and line.count(";") == following.count(";"):
            return False
        if line.endswith(_QUALIFIERS) and _MORE_THAN_THAT.match(line) and following:
            return not (_LINE_OPENS_ITEM.match(following) or _VISIT.search(line))
        length, widest = len(line), self._widest
        if length < _SHORTEST_WRAPPED or widest > _WIDEST_WRAPPED or not following:
            return False
        opens = self._text[at : at + 1]
        small = opens == "(" or opens.islower() or (self._shouted and opens.isupper())
        is_item = _LINE_OPENS_ITEM.match(following) is not None
        if is_item and not small:
            return _goes_on_as_name(line, following)
        last = line.rstrip()[-1:]
        closed = last in _CLOSING
        if self._shouted and (closed or not self._is_full(line, following)):
            small = False
        # Of all that looks like a label only what has a small letter under a line that is full.
        if is_item and (not small or closed or self._is_lower or _OPENS_MARKED.match(following)):
            return _goes_on_as_name(line, following)
        if is_item and not self._is_full(line, following):
            return False
        if not _LETTER.search(line):
            return False
        if not small and (following.startswith(_RULE_OUT) or _STATE_ENDS.search(line)):
            return False
        # A capital goes on only behind a full, unlabelled line without a closing mark.
        uncoded = _WITH_CODE.match(following) is None
        open_end = uncoded and self._is_full(line, following) and _GOES_ON.search(line) is not None
        runs_on = open_end or (uncoded and length >= 55 and not closed and not _LINE_OPENS_ITEM.match(line))
        full = length >= (0.6 if small or open_end else 0.85) * widest and (small or runs_on)
        # The option before the box may have begun above.
        if (
            last in _BOX_LAST
            and (full or length >= 55)
            and _BOX_ENDS.search(line)
            and (self.wrapped or _BOX_OPENS.match(line.rpartition("|")[2]))
        ):
            return True
        if "|" in line or "|" in following:
            return False
        if last == ":":
            return self._is_full(line, following) and self._are_to_one_width()
        if "  " in line.strip() and not (
            open_end or (small and (any(box in line for box in _BOXES) or not _COLUMNS.search(line)))
        ):
            return False
        if not (full or (self._is_full(line, following) and self._are_to_one_width())):
            return False
        if small or open_end:
            return True
        if closed and _DIAGNOSES.match(line) and is_sentence(following):
            return False
        return not any(box in line for box in _BOXES)

    def _is_full(self, line: str, following: str) -> bool:
        """Whether the next word had no room."""
        return len(line) + 1 + len(following.partition(" ")[0]) > self._widest

    def _are_to_one_width(self) -> bool:
        """Whether the lines of the note are filled to one width, as a program fills them."""
        if self._to_one_width is None:
            at, found = 0, 0
            for line, following in pairwise(self._lines):
                at += len(line) + 1
                opens = self._text[at : at + 1]
                found += (
                    (opens == "(" or opens.islower() or (self._shouted and opens.isupper()))
                    and line.rstrip()[-1:] not in _CLOSING
                    and self._is_full(line, following)
                )
            self._to_one_width = found >= _FEWEST_WRAPPED
        return self._to_one_width


# A label inside a note of one line, whose line ends went on the way: `... better. O: on time. A: GAD.`
_LABEL_WITHIN = re.compile(
    r"(?<![\])\u2610\u2611,]) "
    r"(?=(?:[SOAPDBIRGE]|A/P|D[Xx]|[A-Z][a-z]+(?: [a-z]+)?|[A-Z]{3,}(?: [A-Z]+)?):[ ])"
)
_FEWEST_LABELS, _LONG_FOR_A_LINE = 3, 200


def _with_line_ends(plain: str, text: str) -> str:
    """A note of one line with several labels, each on a line of its own again."""
    places = [label.start() for label in _LABEL_WITHIN.finditer(text)]
    if len(plain) < _LONG_FOR_A_LINE or len(places) < _FEWEST_LABELS:
        return plain
    pieces = [plain[left:right] for left, right in pairwise([0, *places, len(plain)])]
    return "\n".join([pieces[0], *(piece[1:] for piece in pieces[1:])])


def join_wrapped_lines(plain: str, text: str) -> str:
    """Replace the line ends that only wrap a paragraph; lists, fields and short lines keep theirs."""
    plain = _without_double_spacing(plain)
    lines = plain.split("\n")
    if len(lines) == 1:
        return _with_line_ends(plain, text)
    wrapping = _Wrapping(lines, text)
    pieces = [lines[0]]
    at = 0
    for line, following in pairwise(lines):
        at += len(line) + 1
        wrapping.wrapped = wrapping.joins(line, following, at)
        pieces.append(" " if wrapping.wrapped else "\n")
        pieces.append(following)
    return "".join(pieces)
