"""From mentions and written codes to findings: one condition, where it is stated, and whether it holds."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from operator import attrgetter

from msgspec.structs import replace

from billing.notes.codeset import CodeSet, CodeStatus
from billing.notes.conditions.alongside import alongside
from billing.notes.conditions.assertion import Context
from billing.notes.conditions.changed import changed
from billing.notes.conditions.explicit import WrittenCode
from billing.notes.conditions.lists import (
    ASSESSMENT_KINDS,
    QUESTIONS,
    is_score,
    is_screened,
    joined,
    row_doubt,
    was_before,
    would_be,
)
from billing.notes.conditions.pairing import Pairing
from billing.notes.conditions.parted import parted
from billing.notes.conditions.placement import FIELD, MENTIONED, STATED, Placement
from billing.notes.conditions.remarks import GRIEFS, remarked
from billing.notes.conditions.resolver import Resolved, Resolver
from billing.notes.conditions.rows import arranged
from billing.notes.conditions.sole import promoted
from billing.notes.conditions.ticked import Forms
from billing.notes.conditions.unread import unread
from billing.notes.finding import Finding
from billing.notes.later import later
from billing.notes.lexicon import Concept, Lexicon, Mentions
from billing.notes.page.layout import DIAGNOSIS_KINDS, Layout
from billing.notes.result import Reason
from billing.notes.text.tokens import TokenStream

FIELD_ONLY, UPPER_ONLY = 1, 2
# The name of a table's column calls nothing in the rows under it.
_CALLED = re.compile(r"\b(?:dx|diagnos\w+|impression|code)\b(?![ ]*[|;][^\n]*\n)")
_BROUGHT_ON_WITHIN = 8
# Between a condition and what brought it about; a mark or a number would begin another entry.
_BROUGHT_ON = re.compile(
    r"(?:[ ]*\(?[a-z]\d\d(?:\.[0-9a-z]{1,4})?\)?)?[ ,:]*-{0,2}[ ]*[\[(]?(?:which )?(?:arose |began |is )?"
    r"(?:due to|d/t|related to|r/t|secondary to|2/2|2o|following|after|in (?:response|reaction|relation) to"
    r"|in (?:the )?context of|in the wake of|in the setting of|from|over|around|about|regarding|re:?|since"
    r"|(?:precipitated|triggered|caused|exacerbated|brought on) by|stemming from)[ ][^,;.\n()0-9]{0,40}"
)
_SINCE, _SINCE_WITHIN = later(r"\b(?:since|until) (?:the|her|his|their) (?:\w+ )?\Z"), 24
# Where a sentence of its own makes more of a condition than its place does.
_MAY_STAND_ALONE = frozenset(
    ("plan", "subjective", "objective", "data", "behavior", "intervention", "response")
)
_NEXT_MARK = re.compile(r"(?:\A|[ ;,.])(?:\(?[2-9][.)]|#[2-9]|\([b-e]\)) ?\Z")
_NEXT = frozenset(("two", "three", "four", "2", "3", "4"))
# Words of complaint that are a diagnosis where the patient is said to be treated for them.
_TREATED_AS = frozenset(("depression_symptom", "anxiety_symptom", "insomnia_symptom"))
# Where the words of the label say nothing of what follows it.
_LABELLED = ("dx", "on_file", "correction")
# What is between people names them: `trouble with spouse (Z63.0)`.
_AMONG_RELATIVES = ("Z62", "Z63")
_BACKGROUND = {
    "family_history": "other_person",
    "past_history": "historical",
    "old_dx": "historical",
    "uncertain_dx": "uncertain",
    "denied": "negated",
    "topic": "conditional",
}


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
    hints: Mapping[str, list[int]]
    context: Context = field(init=False)
    resolver: Resolver = field(init=False)
    instruments: set[int] = field(init=False)
    place: Placement = field(init=False)
    pairing: Pairing = field(init=False)
    forms: Forms = field(init=False)
    wanting: bool = field(init=False)  # whether anything is told that would be

    def __post_init__(self) -> None:
        covered = self.mentions.covered()
        self.wanting = "wanting" in self.hints
        self.place = Placement(
            self.text,
            self.plain,
            self.tokens,
            self.mentions,
            self.layout,
            self.lexicon,
            self.written,
            covered,
            ranked="rank" in self.hints,
        )
        self.pairing = Pairing(self.plain, self.lexicon, self.written, self.tokens, self.mentions)
        self.forms = Forms(self.plain, self.tokens, self.mentions, self.layout, self.lexicon)
        codes = [self.tokens.token_at(code.start) for code in self.written]
        self.context = Context(self.tokens, self.mentions, covered, codes)
        self.resolver = Resolver(self.lexicon, self.tokens, self.mentions)
        self.instruments = {at for first, last, _ in self.mentions.instruments for at in range(first, last)}

    def findings(self) -> list[Finding]:
        """Every condition that is named, in words or by a code, firm or not, in the order of the note."""
        found: list[Finding] = []
        used = self.pairing.told_twice()
        concepts, inner = self.lexicon.concepts, self.mentions.inner
        bound_values: set[int] = set()
        before: Resolved | None = None
        for first, last, (name, preset, mode) in self.mentions.concepts:
            if mode == UPPER_ONLY and not self.place.is_upper(first, last):
                continue
            concept = concepts[name]
            finding, resolved = self._of_words(concept, first, last, preset, bare=mode == FIELD_ONLY)
            if inner:
                bound_values.update(range(resolved.first, resolved.last))
            if self.written:
                finding = self.pairing.join(finding, resolved, used)
                if finding.by == "both" and finding.section == "plan" and finding.strength < STATED:
                    finding = replace(finding, strength=STATED)
            if concept.kind == "status" and self._tells_since_when(finding, before):
                finding = replace(finding, strength=MENTIONED, assertive=False, doubt="background")
            if (
                before is not None
                and (finding.doubt == "background" or (finding.doubt is None and not finding.assertive))
                and found[-1].doubt is None
                and found[-1].strength >= STATED
                and finding.section == found[-1].section
                and (self._counted(resolved) or self._listed(before, resolved, first))
            ):
                finding = replace(
                    finding,
                    strength=max(finding.strength, STATED),
                    assertive=found[-1].assertive,
                    doubt=None,
                )
            found.append(finding)
            before = resolved
        for first, last, (name, skip) in inner:
            if first not in bound_values:
                finding, _ = self._of_words(concepts[name], first + skip, last, frozenset(), bare=False)
                if finding.strength == FIELD:
                    found.append(finding)
        if self.mentions.ambiguous or self.mentions.ambiguous_upper:
            named = {f.concept.name for f in found if f.concept and f.doubt is None}
            found.extend(self._of_abbreviations(used, named))
        found += [self._of_code(code) for code in self.written if code.start not in used]
        found.sort(key=attrgetter("start"))
        found = parted(self.text, self.plain, arranged(self.text, self.plain, found))
        return promoted(self.plain, changed(self.plain, alongside(self.plain, remarked(self.plain, found))))

    def _counted(self, resolved: Resolved) -> bool:
        """`(2) Insomnia disorder`, `number two, insomnia`: the next of the count, behind one stated."""
        words = self.tokens.words[max(0, resolved.first - 2) : resolved.first]
        start = self.tokens.starts[resolved.first]
        if _NEXT_MARK.search(self.plain, max(0, start - 5), start):
            return True
        return len(words) == 2 and words[0] == "number" and words[1] in _NEXT

    def _tells_since_when(self, finding: Finding, before: Resolved | None) -> bool:
        """`Adjustment disorder due to job loss`, `since the divorce`: a circumstance that tells why or since
        when, and is no diagnosis."""
        if finding.by != "words":
            return False
        if _SINCE.search(self.plain, max(0, finding.start - _SINCE_WITHIN), finding.start):
            return True
        if before is None or before.concept.kind != "dx":
            return False
        if finding.first - before.last > _BROUGHT_ON_WITHIN:
            return False
        gap = self.plain[self.tokens.ends[before.last - 1] : finding.start]
        return _BROUGHT_ON.fullmatch(gap) is not None

    def _listed(self, before: Resolved, resolved: Resolved, head: int) -> bool:
        """Whether a condition, its head at a token, continues the list that the one before, or its code,
        opened."""
        behind = self.tokens.starts[before.last : before.last + 1]
        if any(code.start in behind for code in self.written):
            before = replace(before, last=before.last + 1)
        parted = ";" in self.tokens.between(before.last - 1, head)
        return (not parted or self.place.fragment(resolved)) and joined(
            self.plain, self.tokens, before, resolved
        )

    def _of_words(
        self, concept: Concept, first: int, last: int, preset: frozenset[str], *, bare: bool
    ) -> tuple[Finding, Resolved]:
        tokens, place, layout = self.tokens, self.place, self.layout
        start = tokens.starts[first]
        stretch = layout.index(start)
        section = layout.kinds[stretch]
        in_field = section in DIAGNOSIS_KINDS and not place.narrated(first, last, stretch)
        assessed = section in ASSESSMENT_KINDS
        resolved = self.resolver.resolve(concept, first, last, preset, in_field=in_field or assessed)
        boxed, boxes = False, layout.boxes
        if concept.values and (in_field or boxes):
            resolved, boxed = self.forms.narrowed(resolved, last, preset, in_field=in_field)
        box = layout.ticked(self.plain, start, tokens.ends[last - 1]) if boxes and not boxed else None
        strength, assertive = place.strength(concept, resolved, section, in_field=in_field, box=box)
        listed = assessed and place.fragment(resolved)
        floor = place.label_end(stretch) if section in _LABELLED else 0
        doubt = self._doubt(concept, resolved, section, in_field=in_field or listed, box=box, floor=floor)
        if doubt is None and (concept.kind != "dx" or bare):
            doubt = self._of_kind(resolved, section, strength, bare=bare)
        if (
            (last < len(tokens.words) and tokens.words[last] in QUESTIONS)
            or (strength < FIELD and last - first == 1 and is_score(self.plain, tokens, first))
            or (doubt is None and is_screened(tokens, first, last, self.instruments))
        ):
            doubt = "instrument"
        if place.quotes and not in_field and doubt is None and place.quoted(start):
            doubt = "quoted"
        if (
            strength == STATED
            and assessed
            and (not place.opens(resolved) or place.told_of(resolved))
            and not place.claims(resolved)
        ):
            strength, assertive = MENTIONED, False
        end = tokens.ends[resolved.last - 1]
        return Finding(
            concept=concept,
            code=resolved.rule.code,
            reason=resolved.rule.reason
            or (unread(resolved, tokens, self.mentions, self.lexicon) if doubt is None else None),
            values=resolved.values,
            start=tokens.starts[resolved.first],
            end=end,
            section=section,
            strength=strength,
            doubt=doubt,
            by="words",
            specific=not resolved.is_default or concept.name.startswith("code_"),
            rank=1 if doubt or not place.ranked else place.rank(start, end, stretch),
            first=resolved.first,
            assertive=assertive,
            entry=strength == STATED
            and section in _MAY_STAND_ALONE
            and concept.kind == "dx"
            and place.entry(resolved, section),
            corrected=bool(self.corrected)
            and not self.corrected.isdisjoint(range(resolved.first, resolved.last)),
        ), resolved

    def _of_kind(self, resolved: Resolved, section: str, strength: int, *, bare: bool) -> str | None:
        """Why a condition that is no diagnosis by itself is none here, or None."""
        concept, place = resolved.concept, self.place
        if (
            (concept.kind == "symptom" or bare)
            and strength < FIELD
            and not place.anchored(resolved)
            and not (
                strength == STATED
                and (not resolved.is_default or (concept.name in _TREATED_AS and place.treats(resolved)))
            )
        ):
            return "symptom"
        if concept.kind == "none":
            return "not_a_diagnosis"
        if (
            concept.kind == "status"
            and strength < FIELD
            and not place.listed(resolved, section)
            and not place.named(resolved)
            and not place.treats(resolved)
        ):
            return "background"
        return None

    def _doubt(
        self,
        concept: Concept,
        resolved: Resolved,
        section: str,
        *,
        in_field: bool,
        box: bool | None,
        floor: int,
    ) -> str | None:
        if box is False:
            return "unticked"
        if section in _BACKGROUND:
            return _BACKGROUND[section]
        first, last = resolved.first, resolved.last
        clause = (resolved.clause_first, resolved.clause_last)
        doubt = self.context.doubt(first, last, clause, in_field=in_field, floor=floor)
        if doubt is None:
            if was_before(self.plain, self.tokens.starts[first]) or (
                not in_field and self.place.made_elsewhere(resolved)
            ):
                return "historical"
            if self.wanting and would_be(self.plain, self.tokens.starts[first], self.tokens.ends[last - 1]):
                return "uncertain"
            doubt = row_doubt(self.plain, self.tokens.ends[last - 1])
        if in_field and concept.kind == "status":
            # Relatives belong to it: `sibling rivalry (brother born in July)`
            return doubt if doubt != "historical" else None
        if doubt is not None:
            return doubt
        mourned = concept.family in GRIEFS
        if self.context.belongs_to_other(first, last, clause, in_field=in_field, mourned=mourned):
            return "other_person"
        return None

    def _of_abbreviations(self, used: set[int], named: set[str]) -> list[Finding]:
        entries = list(self.mentions.ambiguous)
        entries += [
            entry for entry in self.mentions.ambiguous_upper if self.place.is_upper(entry[0], entry[1])
        ]
        return [self._ambiguous(name, first, last, used, named) for first, last, name in entries]

    def _ambiguous(self, name: str, first: int, last: int, used: set[int], named: set[str]) -> Finding:
        """An abbreviation with two readings: settled by a code or the name, else a question."""
        readings = [self.lexicon.concepts[reading] for reading in self.lexicon.readings[name]]
        finding, resolved = self._of_words(readings[0], first, last, frozenset(), bare=False)
        code = self.pairing.code_beside(finding, used)
        if code is not None:
            for reading in readings:
                if self.lexicon.family_of(code.code) == reading.family:
                    finding, resolved = self._of_words(reading, first, last, frozenset(), bare=False)
                    return self.pairing.join(finding, resolved, used)
        settled = [reading for reading in readings if reading.name in named]
        if not settled:
            near = self.plain[max(0, finding.start - 16) : finding.end + 16]  # `BPD (borderline)`
            settled = [reading for reading in readings if reading.name.partition("_")[0] in near]
        if len(readings) == 1 and (finding.strength == FIELD or self.place.anchored(resolved)):
            settled = readings
        if len(settled) == 1:
            finding, _ = self._of_words(settled[0], first, last, frozenset(), bare=False)
            return finding
        groups = {self.lexicon.concepts[other].group for other in named}
        if readings[0].name.endswith("_unspecified") and readings[0].group in groups:
            return replace(finding, doubt="symptom")  # `ED dx: bulimia nervosa, moderate`
        return replace(finding, reason=Reason.AMBIGUOUS_ABBREVIATION)

    def _of_code(self, code: WrittenCode) -> Finding:
        """A code with no words beside it that the lexicon knows."""
        stretch = self.layout.index(code.start)
        section = self.layout.kinds[stretch]
        in_field = section in DIAGNOSIS_KINDS
        at = min(self.tokens.token_at(code.start), len(self.tokens.words) - 1)
        doubt: str | None = None
        if self.layout.ticked(self.plain, code.start, code.end) is False:
            doubt = "unticked"
        elif section in _BACKGROUND:
            doubt = _BACKGROUND[section]
        else:
            clause = self.tokens.clause_of(at)
            doubt = self.context.doubt(at, at + 1, clause, in_field=in_field)
            if doubt is None and was_before(self.plain, code.start):
                doubt = "historical"
            told = not in_field or self.place.narrated(at, at + 1, stretch)
            if doubt is None and told and not code.code.startswith(_AMONG_RELATIVES):
                others = self.context.belongs_to_other(at, at + 1, clause, in_field=False)
                doubt = "other_person" if others else None
        value, problems = code.code, tuple[str, ...]()
        if code.legacy:
            value, problems = self.lexicon.legacy.get(code.code, ""), (Reason.LEGACY_ONLY,)
        elif code.status is CodeStatus.HEADING:
            children = self.codes.children(code.code)
            value, problems = (children[-1] if children else ""), (Reason.CODE_NOT_BILLABLE,)
        elif code.status is CodeStatus.UNKNOWN:
            value, problems = "", (Reason.CODE_NOT_BILLABLE,)
        strength = FIELD if in_field or section in ASSESSMENT_KINDS else STATED
        if section in ("plan", "medical", "goal", "service"):
            strength = MENTIONED
        return Finding(
            concept=self.lexicon.concepts.get(self.lexicon.concept_of_code.get(value, "")),
            code=value,
            reason=None,
            values=frozenset(),
            start=code.start,
            end=code.end,
            section=section,
            strength=strength,
            doubt=doubt,
            by="code",
            specific=True,
            rank=self.place.rank(code.start, code.end, stretch) if self.place.ranked else 1,
            problems=problems,
            first=at,
            assertive=strength == FIELD
            or _CALLED.search(self.plain, max(0, code.start - 30), code.start) is not None,
            written=code.code,
        )
