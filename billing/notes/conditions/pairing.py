"""A code and the words beside it: which belong together, and whether they agree."""

import re
from bisect import bisect_left, bisect_right
from dataclasses import dataclass, field
from itertools import pairwise

from msgspec.structs import replace

from billing.notes.codeset import CodeStatus
from billing.notes.conditions.explicit import WrittenCode
from billing.notes.conditions.lists import ASSESSMENT_KINDS
from billing.notes.conditions.placement import FIELD, NOT_STATING, STATED
from billing.notes.conditions.resolver import Resolved
from billing.notes.finding import Finding
from billing.notes.lexicon import Concept, Lexicon, Mentions, entries_between
from billing.notes.result import Reason
from billing.notes.text.tokens import TokenStream

_PARTED = re.compile(r"[;\n]|\.\s|(?<![\w.])\d[.)]\s|\[\d\]\s")
# `Diagnosis Code: F40.230` and below it `Diagnosis Description: ...`
_DESCRIBED = re.compile(
    r"[ .]*\n[ ]*(?:(?:diagnosis|diagnostic|dx|icd(?:[- ]10)?(?:-cm)?|code) )?"
    r"(?:description|desc|name|title)[ ]*:[ ]*"
)
_WORDS = re.compile(r"[a-z]+")
# `300.02 (F41.1)`, `F41.1 / 300.02`: one condition by its code in two systems.
_TWICE = re.compile(r"[ ]*[(\[,/|-]?[ ]*(?:icd[- ]?10(?:-cm)?:?[ ]*)?")
_WIDEST_TWICE, _WIDEST_GAP = 16, 48
# Where one specifier leaves no room for a second: `F43.23 adjustment disorder with anxiety`.
_EXCLUDING = frozenset(("adjustment", "adhd"))
# What an older code leaves open.
_BROADER = {"300.29": "F40.2", "300.3": "F42.", "309.81": "F43.1", "314.01": "F90."}
_BESIDE_CODES = frozenset(
    ("icd", "dsm", "cm", "code", "dx", "tr", "unspecified", "type", "with", "nos", "description", "the")
)


@dataclass(slots=True)
class Pairing:
    """Pairs the written codes of one note with the words beside them."""

    plain: str
    lexicon: Lexicon
    written: list[WrittenCode]
    tokens: TokenStream
    mentions: Mentions
    _code_starts: list[int] = field(init=False)

    def __post_init__(self) -> None:
        self._code_starts = [code.start for code in self.written]

    def told_twice(self) -> set[int]:
        """Where a code of an older system only repeats the one right beside it."""
        found = set()
        for left, right in pairwise(self.written):
            older, code = (left, right) if left.legacy else (right, left)
            if (
                older.legacy
                and code.status is CodeStatus.BILLABLE
                and right.start - left.end <= _WIDEST_TWICE
                and _TWICE.fullmatch(self.plain, left.end, right.start)
                and code.code.startswith(_BROADER.get(older.code) or self.lexicon.legacy.get(older.code, "-"))
            ):
                found.add(older.start)
        return found

    def join(self, finding: Finding, resolved: Resolved, used: set[int]) -> Finding:
        """Join the words with a code that stands beside them, and let the two check each other."""
        code = self.code_beside(finding, used) if self.written else None
        if code is None:
            return finding
        used.add(code.start)
        concept = resolved.concept
        start, end = min(finding.start, code.start), max(finding.end, code.end)
        strength = finding.strength
        doubt = finding.doubt
        if doubt in ("symptom", "background") or (strength < FIELD and finding.section not in NOT_STATING):
            strength = max(strength, FIELD if finding.section in ASSESSMENT_KINDS else STATED)
            doubt = None if doubt in ("symptom", "background") else doubt
        joined = replace(
            finding, start=start, end=end, strength=strength, doubt=doubt, by="both", written=code.code
        )
        if code.legacy or code.status is CodeStatus.UNKNOWN:
            return joined
        if code.status is CodeStatus.HEADING:
            if finding.code.startswith(code.code):
                return joined
            open_yet = resolved.is_default and concept.family == self.lexicon.family_of(code.code)
            problem = Reason.CODE_NOT_BILLABLE if open_yet else Reason.CODE_TEXT_MISMATCH
            return replace(joined, problems=(problem,))
        if code.code == finding.code:
            return replace(joined, reason=None, specific=True)
        if agrees(concept, resolved, code.code):
            return replace(joined, code=code.code, reason=None, specific=True)
        if concept.kind == "symptom" and self.lexicon.family_of(code.code) in concept.beside | {
            concept.family
        }:
            owner = self.lexicon.concepts[self.lexicon.concept_of_code[code.code]]
            return replace(joined, concept=owner, code=code.code, reason=None, specific=True)
        return replace(joined, problems=(Reason.CODE_TEXT_MISMATCH,))

    def code_beside(self, finding: Finding, used: set[int]) -> WrittenCode | None:
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
            within = _WIDEST_GAP if nearest is None else nearest[0] - 1
            if len(gap) > within or self._separates(gap, code_first=code_first):
                continue
            if code_first or not self._is_of_another(finding, code):
                nearest = (len(gap), code)
        return nearest[1] if nearest is not None else None

    def _is_of_another(self, finding: Finding, code: WrittenCode) -> bool:
        """`PTSD and panic disorder (F41.0)`: whether another condition stands nearer, and it is its code."""
        first, last = self.tokens.token_at(finding.end), self.tokens.token_at(code.start)
        family = self.lexicon.family_of(code.code)
        return family != finding.family and any(
            self.lexicon.concepts[name].family == family
            for _, _, (name, _, _) in entries_between(self.mentions.concepts, first, last)
        )

    @staticmethod
    def _separates(gap: str, *, code_first: bool) -> bool:
        """Whether a gap between code and words parts them: another code, a full stop, a list mark, too
        many words."""
        if code_first and "\n" in gap and _DESCRIBED.fullmatch(gap):
            return False
        if _PARTED.search(gap) or ("|" in gap and not code_first):
            return True
        limit = 1 if code_first else 5
        return sum(word not in _BESIDE_CODES for word in _WORDS.findall(gap)) > limit


def agrees(concept: Concept, resolved: Resolved, code: str) -> bool:
    """Whether the words leave room for the code: same condition, and no word that speaks against it."""
    if code not in concept.codes:
        return False
    if resolved.is_default:
        return True
    if concept.family in _EXCLUDING:
        return False
    weight = len(resolved.rule.needs)
    for rule in concept.rules:
        if rule.code != code or rule is resolved.rule:
            continue
        fits = sum(bool(need & resolved.values) for need in rule.needs)
        if fits >= weight and len(rule.needs) > fits:
            return True
    return code in concept.also and all(rule.code != code for rule in concept.rules)
