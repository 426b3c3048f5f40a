"""From mentions and written codes to findings: one condition, where it is stated, and whether it holds."""

import re
from bisect import bisect_left, bisect_right
from dataclasses import dataclass, field, replace
from typing import Any

from billing.notes.assertion import Context
from billing.notes.codeset import CodeSet, CodeStatus
from billing.notes.explicit import WrittenCode
from billing.notes.layout import DIAGNOSIS_KINDS, Layout
from billing.notes.lexicon import Concept, Lexicon, Mentions
from billing.notes.resolver import Resolved, Resolver, entries_between
from billing.notes.text import TokenStream

FIELD, STATED, MENTIONED = 3, 2, 1
FIELD_ONLY, UPPER_ONLY = 1, 2
# How far back a line or a clause is looked at: longer ones are not prose, and the note stays linear.
_WIDEST_LINE = 400
_WIDEST_CLAUSE = 60

_ASSESSMENT_KINDS = frozenset(("assessment", "problem", "correction"))
_BACKGROUND = {
    "family_history": "other_person",
    "past_history": "historical",
    "old_dx": "historical",
    "uncertain_dx": "uncertain",
}
_NOT_STATING = frozenset(
    (
        "plan",
        "goal",
        "risk",
        "objective",
        "medical",
        "substance_history",
        "social_history",
        "status",
        "participants",
    )
)
_FRAGMENT_AFTER = frozenset(",;:.-()/!\n|")
_OPENERS = frozenset(
    ("1", "2", "3", "4", "5", "6", "a", "b", "also", "with", "and", "the", "diagnosis", "dx", "primary", "secondary", "plus", "first", "second", "third",
     "individual", "ind", "client", "pt", "for", "tx", "then", "ongoing", "chronic", "stable", "her", "his", "their")
)  # fmt: skip
_WHO = frozenset(
    (
        "old",
        "yo",
        "y/o",
        "presents",
        "presented",
        "presenting",
        "veteran",
        "man",
        "woman",
        "male",
        "female",
        "client",
        "pt",
        "patient",
    )
)
_FOLLOW_UP = re.compile(
    r"(?:f/u|down|fu\b|follow[- ]?up|tx\b|better|improv|stable|unchanged|worse|\+|&|and\b|->|->|=|>|slow|in\b|w/|per\b|x\d)"
)
_NUMBERED = re.compile(r"[ ]*(?:[-*#>+]|\(?\d{1,2}[.)]|\(?[a-z]\))")
_PRIMARY = re.compile(
    r"\b(?:primary|principal|main (?:diagnosis|dx|focus)|focus of (?:today|visit|treatment|the visit|this visit|session|care)|\(p\))"
)
_SECONDARY = re.compile(r"\b(?:secondary|additional|comorbid|\(s\)|tertiary)\b")


@dataclass(frozen=True, slots=True)
class Finding:
    """One condition as one place of the note states it; offsets are the note's."""

    concept: Concept | None
    code: str
    reason: str | None
    values: frozenset[str]
    start: int
    end: int
    section: str
    stretch: int
    strength: int
    doubt: str | None
    by: str
    specific: bool
    rank: int
    problems: tuple[str, ...] = ()
    first: int = 0
    corrected: bool = False
    assertive: bool = False
    written: str | None = None

    @property
    def family(self) -> str:
        """The family, or the heading for a code that the lexicon has no words for."""
        return self.concept.family if self.concept else f"heading_{self.code[:3].lower()}"


@dataclass(slots=True)
class Reader:
    """Everything that the stages before know about one note."""

    text: str
    plain: str
    tokens: TokenStream
    mentions: Mentions
    layout: Layout
    lexicon: Lexicon
    codes: CodeSet
    written: list[WrittenCode]
    corrected: frozenset[int]
    context: Context = field(init=False)
    resolver: Resolver = field(init=False)
    instruments: set[int] = field(init=False)
    _code_starts: list[int] = field(init=False)

    def __post_init__(self) -> None:
        self._code_starts = [code.start for code in self.written]
        self.context = Context(self.tokens, self.mentions)
        self.resolver = Resolver(self.lexicon, self.tokens, self.mentions)
        self.instruments = {at for first, last, _ in self.mentions.instruments for at in range(first, last)}

    def findings(self) -> list[Finding]:
        """Every condition that is named, in words or by a code, firm or not, in the order of the note."""
        found: list[Finding] = []
        used: set[int] = set()
        bound_values: set[int] = set()
        before: Resolved | None = None
        for first, last, (name, preset, mode) in self.mentions.concepts:
            if mode == UPPER_ONLY and not self._is_upper(first, last):
                continue
            finding, resolved = self._of_words(
                self.lexicon.concepts[name], first, last, preset, bare=mode == FIELD_ONLY
            )
            bound_values.update(range(resolved.first, resolved.last))
            finding = self._with_code(finding, resolved, used)
            if (
                before is not None
                and found
                and finding.strength == MENTIONED
                and finding.section == found[-1].section
            ):
                if finding.doubt is None and found[-1].strength >= STATED and self._joined(before, resolved):
                    finding = replace(finding, strength=STATED, assertive=found[-1].assertive)
            found.append(finding)
            before = resolved
        for first, last, (name, skip) in self.mentions.inner:
            if first not in bound_values:
                finding, resolved = self._of_words(
                    self.lexicon.concepts[name], first + skip, last, frozenset(), bare=False
                )
                if finding.strength == FIELD:
                    found.append(finding)
        found.extend(
            self._of_abbreviations(used, {f.concept.name for f in found if f.concept and f.doubt is None})
        )
        found.extend(self._of_code(code) for code in self.written if code.start not in used)
        found.sort(key=lambda finding: finding.start)
        return found

    def _of_words(
        self, concept: Concept, first: int, last: int, preset: frozenset[str], *, bare: bool
    ) -> tuple[Finding, Resolved]:
        tokens = self.tokens
        start = tokens.starts[first]
        stretch = self.layout.index(start)
        section = self.layout.kinds[stretch]
        in_field = section in DIAGNOSIS_KINDS
        resolved = self.resolver.resolve(
            concept, first, last, preset, in_field=in_field or section in _ASSESSMENT_KINDS
        )
        box = self._box(start, tokens.ends[last - 1])
        strength, assertive = self._strength(concept, resolved, section, in_field=in_field, box=box)
        listed = section in _ASSESSMENT_KINDS and self._fragment(resolved)
        doubt = self._doubt(concept, resolved, section, first, last, in_field=in_field or listed, box=box)
        if (
            (concept.kind == "symptom" or bare)
            and strength < FIELD
            and doubt is None
            and not self._anchored(resolved)
        ):
            doubt = "symptom"
        if concept.kind == "none":
            doubt = doubt or "not_a_diagnosis"
        if (
            concept.kind == "status"
            and strength < FIELD
            and doubt is None
            and not self._listed(resolved, section)
        ):
            doubt = "background"
        if self._is_score(first, last) and strength < FIELD:
            doubt = "instrument"
        if not in_field and doubt is None and self._quoted(start):
            doubt = "quoted"
        if (
            strength == STATED
            and section in _ASSESSMENT_KINDS
            and not self._opens(resolved)
            and not self._claimed(resolved)
        ):
            strength, assertive = MENTIONED, False
        finding = Finding(
            concept=concept,
            code=resolved.rule.code,
            reason=resolved.rule.reason,
            values=resolved.values,
            start=tokens.starts[resolved.first],
            end=tokens.ends[resolved.last - 1],
            section=section,
            stretch=stretch,
            strength=strength,
            doubt=doubt,
            by="words",
            specific=not resolved.is_default or concept.name.startswith("code_"),
            rank=self._rank(start, tokens.ends[resolved.last - 1], stretch),
            first=resolved.first,
            assertive=assertive,
            corrected=any(at in self.corrected for at in range(resolved.first, resolved.last)),
        )
        return finding, resolved

    def _line_start(self, at: int) -> int:
        """Where the line begins; in an endless line, a fixed way back."""
        floor = max(0, at - _WIDEST_LINE)
        return max(self.plain.rfind("\n", floor, at) + 1, floor)

    def _is_upper(self, first: int, last: int) -> bool:
        """Whether an abbreviation that is also a word stands in capitals, or opens a diagnosis field."""
        start, end = self.tokens.starts[first], self.tokens.ends[last - 1]
        if self.layout.at(start) in DIAGNOSIS_KINDS:
            return True
        line_start = self._line_start(start)
        shouted = self.text[line_start : start + 40].isupper() and end - line_start > 12
        return self.text[start:end].isupper() and not shouted

    def _joined(self, left: Resolved, right: Resolved) -> bool:
        """Whether two conditions stand in one list: only commas, joining words and specifiers between them."""
        if right.first - left.last > 4 or right.first < left.last:
            return False
        gap = self.plain[self.tokens.ends[left.last - 1] : self.tokens.starts[right.first]]
        return not re.search(r"[.;\n]", gap) and all(
            word
            in ("and", "with", "a", "an", "comorbid", "also", "plus", "co", "occurring", "as", "well", "both")
            for word in self.tokens.words[left.last : right.first]
        )

    def _box(self, start: int, end: int) -> bool | None:
        """Whether the option is ticked: the nearest box left of it on its line, or one directly behind it."""
        boxes = self.layout.boxes
        if not boxes:
            return None
        at = bisect_right(boxes, (start, start, True)) - 1
        if at >= 0 and start - boxes[at][1] <= 60:
            gap = self.plain[boxes[at][1] : start]
            if "\n" not in gap and not re.search(r"[.;|]\s|\s{3,}\S", gap.strip() + " "):
                return boxes[at][2]
        if at + 1 < len(boxes) and boxes[at + 1][0] - end <= 2 and boxes[at + 1][0] >= end:
            line_start = self._line_start(start)
            if at < 0 or boxes[at][0] < line_start:
                return boxes[at + 1][2]
        return None

    def _strength(
        self, concept: Concept, resolved: Resolved, section: str, *, in_field: bool, box: bool | None
    ) -> tuple[int, bool]:
        """How strongly the place states the condition, and whether it does so as an assessment."""
        if in_field:
            return FIELD, True
        if section in _ASSESSMENT_KINDS:
            if box and concept.kind != "status":
                return FIELD, True
            return (FIELD if self._anchored(resolved) else STATED), True
        if section in _NOT_STATING:
            return MENTIONED, False
        if self._anchored(resolved) or self._follows(self.mentions.assertive, resolved, 5):
            return STATED, section not in ("subjective", "past_history")
        if (
            self._follows(self.mentions.statements, resolved, 4)
            or self._fragment(resolved)
            or self._describes_patient(resolved)
        ):
            return STATED, False
        return MENTIONED, False

    def _claimed(self, resolved: Resolved) -> bool:
        """Whether the words before a condition in running prose say that the patient has it."""
        return (
            self._follows(self.mentions.assertive, resolved, 5)
            or self._follows(self.mentions.statements, resolved, 4)
            or self._describes_patient(resolved)
        )

    def _anchored(self, resolved: Resolved) -> bool:
        """Whether the word diagnosis or its like stands before the condition in the same clause, or is said of it."""
        clause_first, clause_last = self.tokens.clause_of(resolved.first)
        words = self.tokens.words
        after = words[resolved.last : min(clause_last, resolved.last + 5)]
        if after[:1] and after[0] in ("is", "remains") and ("diagnosis" in after or "dx" in after):
            return True
        for at in range(resolved.first - 1, max(clause_first, resolved.first - 9) - 1, -1):
            if words[at] in ("diagnosis", "diagnoses", "dx", "dxs", "impression", "diagnosis:", "icd"):
                gap = words[at + 1 : resolved.first]
                return not any(
                    word in ("when", "since", "changed", "from", "her", "his", "mother") for word in gap
                )
        return False

    def _describes_patient(self, resolved: Resolved) -> bool:
        """`a 29 year old installer with ADHD`: the condition is part of who the patient is."""
        words = self.tokens.words
        if resolved.first == 0 or words[resolved.first - 1] != "with":
            return False
        clause_first, _ = self.tokens.clause_of(resolved.first)
        return any(word in _WHO for word in words[max(clause_first, resolved.first - 16) : resolved.first])

    def _follows(self, cues: list[tuple[int, int, Any]], resolved: Resolved, within: int) -> bool:
        """Whether one of these cues stands close before the condition in its clause."""
        clause_first, _ = self.tokens.clause_of(resolved.first)
        clause_first = max(clause_first, resolved.first - _WIDEST_CLAUSE)
        return any(
            last <= resolved.first and resolved.first - last <= within
            for _first, last, _ in entries_between(cues, clause_first, resolved.first)
        )

    def _opens(self, resolved: Resolved) -> bool:
        """Whether the condition opens its clause, labels and list marks aside."""
        lead = self._lead(resolved)
        return len(lead) <= 3 and all(word in _OPENERS for word in lead)

    def _fragment(self, resolved: Resolved) -> bool:
        """Whether the condition opens its clause and a mark, not a verb, follows it."""
        if not self._opens(resolved):
            return False
        _, clause_last = self.tokens.clause_of(resolved.first)
        if resolved.last >= clause_last:
            return True
        end = self.tokens.ends[resolved.last - 1]
        tail = self.plain[end : end + 12].lstrip(" ")
        return not tail or tail[0] in _FRAGMENT_AFTER or bool(_FOLLOW_UP.match(tail))

    def _lead(self, resolved: Resolved) -> list[str]:
        """The words of the clause before the condition, a label and its colon left out."""
        clause_first, _ = self.tokens.clause_of(resolved.first)
        if resolved.first - clause_first > _WIDEST_CLAUSE:
            return ["", "", "", ""]
        words = self.tokens.words[clause_first : resolved.first]
        for at in range(len(words) - 1, -1, -1):
            if words[at] == ":" or (
                at and " - " in self.tokens.between(clause_first + at - 1, clause_first + at)
            ):
                return words[at + 1 :] if words[at] == ":" else words[at:]
        if words and " - " in self.tokens.between(resolved.first - 1, resolved.first):
            return []
        return words

    def _listed(self, resolved: Resolved, section: str) -> bool:
        """Whether a status condition stands among assessed problems: opening a clause next to a diagnosis or a list row."""
        start = self.tokens.starts[resolved.first]
        if section not in _ASSESSMENT_KINDS:
            return False
        line_start = self._line_start(start)
        opener = all(word in _OPENERS for word in self._lead(resolved))
        if not opener:
            before = self.plain[line_start:start].rstrip()
            opener = bool(before) and before[-1] in ",;:" and self._diagnosis_between(line_start, start)
        if not opener:
            return False
        if _NUMBERED.match(self.plain, line_start, start):
            return True
        label_end = self.plain.rfind(":", line_start, start)
        if label_end >= 0 and not self.plain[label_end + 1 : start].strip():
            return True
        return self._diagnosis_between(line_start, start)

    def _diagnosis_between(self, left: int, right: int) -> bool:
        tokens = self.tokens
        for first, _, (name, _, bare) in entries_between(
            self.mentions.concepts, tokens.token_at(left), tokens.token_at(right) + 1
        ):
            if (
                left <= tokens.starts[first] < right
                and bare != FIELD_ONLY
                and self.lexicon.concepts[name].kind == "dx"
            ):
                return True
        at = bisect_left(self._code_starts, left)
        return at < len(self._code_starts) and self._code_starts[at] < right

    def _doubt(
        self,
        concept: Concept,
        resolved: Resolved,
        section: str,
        first: int,
        last: int,
        *,
        in_field: bool,
        box: bool | None,
    ) -> str | None:
        if first in self.instruments:
            return "instrument"
        if box is False:
            return "unticked"
        if section in _BACKGROUND:
            return _BACKGROUND[section]
        doubt = self.context.doubt(resolved.first, resolved.last, in_field=in_field)
        if doubt is not None and not (concept.kind == "status" and doubt == "historical" and in_field):
            return doubt
        if self.context.belongs_to_other(resolved.first, resolved.last, in_field=in_field):
            return "other_person"
        return None

    def _is_score(self, first: int, last: int) -> bool:
        """`GAD 14`, `PTSD = 51`: an abbreviation with a number behind it is a questionnaire."""
        if last - first != 1 or len(self.tokens.words[first]) > 5:
            return False
        tail = self.plain[self.tokens.ends[first] : self.tokens.ends[first] + 9]
        return bool(re.match(r"[ ]?(?:[=:]|-)?[ ]?\d{1,2}(?![\d.])(?![ ]?(?:mi|m\b|h|'|y|x|wk|d\b))", tail))

    def _quoted(self, start: int) -> bool:
        line_start = self._line_start(start)
        return self.plain.count('"', line_start, start) % 2 == 1

    def _rank(self, start: int, end: int, stretch: int) -> int:
        """0 where the note calls it primary, 2 where secondary, 1 otherwise."""
        line_start = self._line_start(start)
        line_end = self.plain.find("\n", end, end + _WIDEST_LINE)
        label = self.layout.labels[stretch]
        before = self.plain[max(line_start, start - 45) : start]
        after = self.plain[end : min(line_end if line_end >= 0 else len(self.plain), end + 40)]
        cut = max(before.rfind(";"), before.rfind(". "), before.rfind(","))
        before = before[cut + 1 :]
        after = re.split(r"[;.]|, ", after, maxsplit=1)[0]
        if (
            _SECONDARY.search(before)
            or _SECONDARY.search(after)
            or label.startswith(("secondary", "tertiary"))
        ):
            return 2
        if _PRIMARY.search(before) or _PRIMARY.search(after) or label.startswith(("primary", "principal")):
            return 0
        return 1

    def _with_code(self, finding: Finding, resolved: Resolved, used: set[int]) -> Finding:
        """Join the words with a code that stands beside them, and let the two check each other."""
        code = self._code_beside(finding, used)
        if code is None:
            return finding
        used.add(code.start)
        concept = resolved.concept
        start, end = min(finding.start, code.start), max(finding.end, code.end)
        strength = finding.strength
        doubt = finding.doubt
        if doubt in ("symptom", "background") or strength < FIELD and finding.section not in _NOT_STATING:
            strength = max(strength, FIELD if finding.section in _ASSESSMENT_KINDS else STATED)
            doubt = None if doubt in ("symptom", "background") else doubt
        joined = replace(
            finding, start=start, end=end, strength=strength, doubt=doubt, by="both", written=code.code
        )
        if code.legacy or code.status is CodeStatus.UNKNOWN:
            return joined
        if code.status is CodeStatus.HEADING:
            if finding.code.startswith(code.code) or concept.family == self._family_of(code.code):
                return joined
            return replace(joined, problems=("code_text_mismatch",))
        if code.code == finding.code:
            return replace(joined, reason=None, specific=True)
        if agrees(concept, resolved, code.code):
            return replace(joined, code=code.code, reason=None, specific=True)
        if concept.kind == "symptom" and self._family_of(code.code) in concept.beside | {concept.family}:
            owner = self.lexicon.concepts[self.lexicon.concept_of_code[code.code]]
            return replace(joined, concept=owner, code=code.code, reason=None, specific=True)
        return replace(joined, problems=("code_text_mismatch",))

    def _family_of(self, code: str) -> str:
        return self.lexicon.family_of(code)

    def _code_beside(self, finding: Finding, used: set[int]) -> WrittenCode | None:
        """The nearest code that nothing parts from the words and that no other words have taken."""
        nearest: tuple[int, WrittenCode] | None = None
        begin = bisect_left(self._code_starts, finding.start - 60)
        for code in self.written[begin : bisect_right(self._code_starts, finding.end + 60)]:
            if code.start in used:
                continue
            code_first = code.end <= finding.start
            if code_first:
                gap = self.plain[code.end : finding.start]
            elif code.start >= finding.end:
                gap = self.plain[finding.end : code.start]
            else:
                return code
            if len(gap) > 48 or self._separates(gap, code_first=code_first):
                continue
            if nearest is None or len(gap) < nearest[0]:
                nearest = (len(gap), code)
        return nearest[1] if nearest is not None else None

    @staticmethod
    def _separates(gap: str, *, code_first: bool) -> bool:
        """Whether a gap between code and words parts them: another code, a full stop, a list mark, too many words."""
        if code_first and re.search(r"[;\n]|\.\s", gap):
            return True
        if not code_first and re.search(r"[;\n|]|\.\s", gap):
            return True
        words = re.findall(r"[a-z]+", gap)
        limit = 1 if code_first else 5
        extra = [
            w
            for w in words
            if w
            not in (
                "icd",
                "dsm",
                "cm",
                "code",
                "dx",
                "tr",
                "unspecified",
                "type",
                "with",
                "nos",
                "description",
                "the",
            )
        ]
        return len(extra) > limit

    def _of_abbreviations(self, used: set[int], named: set[str]) -> list[Finding]:
        entries = list(self.mentions.ambiguous)
        entries += [entry for entry in self.mentions.ambiguous_upper if self._is_upper(entry[0], entry[1])]
        return [self._ambiguous(name, first, last, used, named) for first, last, name in entries]

    def _ambiguous(self, name: str, first: int, last: int, used: set[int], named: set[str]) -> Finding:
        """An abbreviation with two readings: settled by a code beside it or the full name elsewhere, else a question."""
        readings = [self.lexicon.concepts[reading] for reading in self.lexicon.readings[name]]
        finding, resolved = self._of_words(readings[0], first, last, frozenset(), bare=False)
        code = self._code_beside(finding, used)
        if code is not None:
            for reading in readings:
                if self._family_of(code.code) == reading.family:
                    finding, resolved = self._of_words(reading, first, last, frozenset(), bare=False)
                    return self._with_code(finding, resolved, used)
        settled = [reading for reading in readings if reading.name in named]
        if len(settled) == 1:
            finding, _ = self._of_words(settled[0], first, last, frozenset(), bare=False)
            return finding
        return replace(finding, reason="ambiguous_abbreviation")

    def _of_code(self, code: WrittenCode) -> Finding:
        """A code with no words beside it that the lexicon knows."""
        stretch = self.layout.index(code.start)
        section = self.layout.kinds[stretch]
        in_field = section in DIAGNOSIS_KINDS
        at = min(self.tokens.token_at(code.start), len(self.tokens.words) - 1)
        box = self._box(code.start, code.end)
        doubt: str | None = None
        if box is False:
            doubt = "unticked"
        elif section in _BACKGROUND:
            doubt = _BACKGROUND[section]
        else:
            doubt = self.context.doubt(at, at + 1, in_field=in_field)
        problems: tuple[str, ...] = ()
        value, reason = code.code, None
        if code.legacy:
            value, problems = self.lexicon.legacy.get(code.code, ""), ("legacy_only",)
        elif code.status is CodeStatus.HEADING:
            children = self.codes.children(code.code)
            value, problems = (children[-1] if children else ""), ("code_not_billable",)
        elif code.status is CodeStatus.UNKNOWN:
            value, problems = "", ("code_not_billable",)
        name = self.lexicon.concept_of_code.get(value)
        strength = FIELD if in_field or section in _ASSESSMENT_KINDS else STATED
        anchor = self.plain[max(0, code.start - 30) : code.start]
        if section in ("plan", "medical", "goal", "service"):
            strength = MENTIONED
        return Finding(
            concept=self.lexicon.concepts[name] if name else None,
            code=value,
            reason=reason,
            values=frozenset(),
            start=code.start,
            end=code.end,
            section=section,
            stretch=stretch,
            strength=strength,
            doubt=doubt,
            by="code",
            specific=True,
            rank=self._rank(code.start, code.end, stretch),
            problems=problems,
            first=at,
            assertive=strength == FIELD or bool(re.search(r"\b(?:dx|diagnos\w+|impression|code)\b", anchor)),
            written=code.code,
        )


def agrees(concept: Concept, resolved: Resolved, code: str) -> bool:
    """Whether the words leave room for the code: same condition, and no word that speaks against it."""
    if code not in concept.codes:
        return False
    if resolved.is_default:
        return True
    weight = len(resolved.rule.needs)
    for rule in concept.rules:
        if rule.code != code or rule is resolved.rule:
            continue
        fits = sum(bool(need & resolved.values) for need in rule.needs)
        if fits >= weight and len(rule.needs) > fits:
            return True
    return code in concept.also
