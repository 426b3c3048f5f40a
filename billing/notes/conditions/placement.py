"""Where a condition stands, and how strongly that place states it: field, list, fragment, statement, tick
box."""

import re
from bisect import bisect_left
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

from billing.notes.conditions.explicit import WrittenCode
from billing.notes.conditions.lists import (
    ASSESSMENT_KINDS,
    lists_diagnoses,
    opens_with_patient,
    stands_in_title,
)
from billing.notes.conditions.ranking import rank_of
from billing.notes.conditions.resolver import Resolved
from billing.notes.conditions.sources import counts_on, made_elsewhere, names_diagnosis
from billing.notes.conditions.stating import Prose
from billing.notes.conditions.subjects import (
    AGE,
    SAYS,
    THE,
    WHO,
    is_named_so,
    is_of_anyone,
    is_told_of,
    is_verb,
    tells_of_kin,
)
from billing.notes.lexicon import Concept, Lexicon, Mentions, entries_between
from billing.notes.page.layout import DIAGNOSIS_KINDS, Layout
from billing.notes.text.tokens import TokenStream

FIELD, STATED, MENTIONED = 3, 2, 1
FIELD_ONLY, UPPER_ONLY = 1, 2
# How far back a line or a clause is looked at: longer ones are not prose, and the note stays linear.
_WIDEST_LINE, _WIDEST_CLAUSE = 400, 60
_ANCHORS = frozenset(("diagnosis", "diagnoses", "dx", "dxs", "impression", "icd"))
# Between "diagnosis" and a condition these tell of another time or person.
_HEADS, _LONGEST_HEAD = (["diagnosis"], ["diagnoses"], ["dx"]), 5
_STORY = frozenset(("when", "since", "changed", "from", "her", "his", "mother"))
_SENTENCE_LEAD = 3  # so many other words before a condition make a sentence of it

NOT_STATING = frozenset(
    ("plan", "goal", "risk", "objective", "medical", "substance_history", "social_history", "status",
     "participants")
)  # fmt: skip
_FARTHEST, _NEAR, _LONGEST_SAYING = 16, 8, 9
_NAME_ENDS = frozenset(("type", "presentation", "subtype", "ep", "episode"))
_FRAGMENT_AFTER, _ENTRY_AFTER = frozenset(",;:.-()/!\n|"), frozenset((",", ":", ""))
_GOING_ON = frozenset(
    ("continue", "continues", "continued", "continuing", "stable", "ongoing", "unchanged", "improving", "on",
     "as", "responding", "steady", "progressing", "active")
)  # fmt: skip
_OPENERS = frozenset(
    ("1", "2", "3", "4", "5", "6", "one", "two", "three", "a", "b", "also", "with", "and", "the",
     "diagnosis", "dx", "primary", "secondary", "plus", "first", "second", "third", "comorbid", "additional",
     "additionally", "treating", "diagnosed", "coexisting", "concurrent", "concomitant", "individual", "ind",
     "client", "pt", "for", "tx", "then", "ongoing", "chronic", "stable", "her", "his", "their", "still",
     "junior", "senior", "sophomore", "freshman", "student", "grader", "[", "]")
)  # fmt: skip
_GOES_ON = frozenset(("is", "was", "in", "on", "of", "from", "has", "had", "appears", "stays", "belongs"))
_HERS = frozenset(("her", "his", "their"))
_PARTING_WORDS = frozenset(("in", "as", "to", "that", "who", "on", "at", "by", "from", "after"))
_FOLLOW_UP = re.compile(
    r"(?:f/u|since|dx\b|down|fu\b|follow[- ]?up|tx\b|better|improv|stable|unchanged|worse|[+&=>]|and\b|->"
    r"|slow|in\b|w/|with\b|without\b|of\b|after\b|following\b|per\b|x\d|r/t\b|due to\b|d/t\b"
    r"|secondary to\b|related to\b|2/2)"
)
_NUMBERED = re.compile(r"[ ]*(?:[-*#>+]|\(?\d{1,2}[.)]|\(?[a-z]\)|(?:[a-h]|[ivx]{1,4})\.[ ])")


@dataclass(slots=True)
class Placement:
    """Answers about places in one note."""

    text: str
    plain: str
    tokens: TokenStream
    mentions: Mentions
    layout: Layout
    lexicon: Lexicon
    written: list[WrittenCode]
    covered: set[int]
    ranked: bool
    _code_starts: list[int] = field(init=False)
    quotes: bool = field(init=False)
    _prose: Prose = field(init=False)
    _asked: Resolved | None = field(init=False, default=None)
    _opens: bool = field(init=False, default=False)

    def __post_init__(self) -> None:
        self._code_starts = [code.start for code in self.written]
        self.quotes = '"' in self.plain
        self._prose = Prose(self.text, self.plain, self.tokens, self.mentions)

    def line_start(self, at: int) -> int:
        """Where the line begins; in an endless line, a fixed way back."""
        floor = max(0, at - _WIDEST_LINE)
        return max(self.plain.rfind("\n", floor, at) + 1, floor)

    def is_upper(self, first: int, last: int) -> bool:
        """Whether an abbreviation that is also a word stands in capitals, or opens a diagnosis field."""
        start, end = self.tokens.starts[first], self.tokens.ends[last - 1]
        line_start = self.line_start(start)
        if self.layout.at(start) in DIAGNOSIS_KINDS and self._opens_entry(first, line_start):
            return True
        shouted = self.text[line_start : start + 40].isupper() and end - line_start > 12
        return self.text[start:end].isupper() and not shouted and not is_verb(self.tokens.words, first)

    def _opens_entry(self, first: int, line_start: int) -> bool:
        """`Dx: bed`, and not `Homelessness (shelter, bed 41)`; or nothing in the line has a capital."""
        before = self.tokens.words[first - 1] if first else "\n"
        line_end = self.tokens.ends[first]
        if self.text[self.tokens.starts[first] : line_end].istitle() or self._goes_on(first):
            return False
        return not before.isalpha() or before in _ANCHORS or self.text[line_start:line_end].islower()

    def _goes_on(self, first: int) -> bool:
        """`stage 1: did it twice`: a word with which a sentence goes on is no entry."""
        tokens = self.tokens
        if (
            first + 1 >= len(tokens.words)
            or first + 1 in self.covered
            or not tokens.words[first + 1].isalpha()
        ):
            return False
        return not tokens.between(first, first + 1).strip()

    def label_end(self, stretch: int) -> int:
        """The first token behind the label of a stretch."""
        return self.tokens.token_at(self.layout.starts[stretch] + len(self.layout.labels[stretch]))

    def narrated(self, first: int, last: int, stretch: int) -> bool:
        """Whether a mention in a diagnosis field stands in a sentence about something, behind the list
        itself: `Dx: PTSD. Her mother, who raised her, has bipolar disorder.`"""
        clause_first, _ = self.tokens.clause_of(first)
        if self.tokens.starts[clause_first] <= self.layout.starts[stretch] + len(self.layout.labels[stretch]):
            return False
        line_start = self.line_start(self.tokens.starts[first])
        if self.tokens.starts[clause_first] <= line_start + 4 or self.tokens.words[first - 1] == ":":
            return False
        known, words = self.covered, self.tokens.words
        lead = (at for at in range(clause_first, first) if at not in known and words[at].isalpha())
        if next(islice(lead, _SENTENCE_LEAD - 1, None), None) or tells_of_kin(words, clause_first, known):
            return True
        # `"Conduct disorder" is still on the form`, `the bipolar disorder in the file is her mother's`
        opened = words[clause_first:first] in THE or self.plain[self.tokens.starts[first] - 1] == '"'
        return opened and words[last : last + 1] != [] and words[last] in _GOES_ON

    def strength(
        self, concept: Concept, resolved: Resolved, section: str, *, in_field: bool, box: bool | None
    ) -> tuple[int, bool]:
        """How strongly the place states the condition, and whether as an assessment."""
        if in_field:
            return FIELD, True
        if (
            box
            and concept.kind == "dx"
            and lists_diagnoses(self.plain, self.tokens.starts[resolved.first], section)
        ):
            return FIELD, True
        if section in ASSESSMENT_KINDS:
            if box and concept.kind != "status":
                return FIELD, True
            return (FIELD if self.anchored(resolved) else STATED), True
        if section in NOT_STATING:
            if concept.kind == "dx" and (
                self._follows(self.mentions.assertive, resolved, 1, of=2)
                or self._called(resolved)
                or self._headed(resolved)
                or names_diagnosis(self._said_before(resolved))
            ):
                return STATED, True  # `meets criteria for`, wherever it stands
            stated = section == "plan" and concept.kind == "dx"
            stated = stated and (self.fragment(resolved) or self._prose.continued(resolved))
            return (STATED if stated else MENTIONED), False
        if self._is_of_anyone(resolved):
            return MENTIONED, False
        if self.anchored(resolved) or self._follows(self.mentions.assertive, resolved, 5):
            return STATED, section not in ("subjective", "past_history")
        if (
            self._follows(self.mentions.statements, resolved, 4)
            or self.fragment(resolved)
            or self._describes_patient(resolved)
            or self._prose.states(resolved, opens=self.opens(resolved))
            or stands_in_title(self.plain, self.tokens, resolved, self.layout)
        ):
            return STATED, False
        return MENTIONED, False

    def claims(self, resolved: Resolved) -> bool:
        """Whether the words before a condition in running prose say that the patient has it."""
        if self._follows(self.mentions.assertive, resolved, 5):
            return True
        return not self._is_of_anyone(resolved) and (
            self._follows(self.mentions.statements, resolved, 4)
            or self._describes_patient(resolved)
            or self._prose.states(resolved, opens=False)
        )

    def treats(self, resolved: Resolved) -> bool:
        """Whether the patient is told to be seen for the condition."""
        return self._prose.treats(resolved)

    def named(self, resolved: Resolved) -> bool:
        """Whether the note says in so many words that this is what is treated."""
        return self._follows(self.mentions.assertive, resolved, 1, of=2) or self._prose.names(resolved)

    def anchored(self, resolved: Resolved) -> bool:
        """Whether the word diagnosis or its like stands before the condition in the same clause, or is
        said of it."""
        if self._called(resolved):
            return True
        lead = self._said_before(resolved)
        if not lead or names_diagnosis(lead) or counts_on(lead):
            return bool(lead)
        before = lead[-9:]
        if _ANCHORS.isdisjoint(before) or (resolved.concept.kind == "symptom" and "episode" in before):
            return False
        anchor = max(at for at, word in enumerate(before) if word in _ANCHORS)
        between = _STORY.intersection(before[anchor + 1 :])
        return not between or (between == {"since"} and before[-1] in ("is", "remains", "stays"))

    def _said_before(self, resolved: Resolved) -> list[str]:
        first = resolved.first
        return self.tokens.words[max(resolved.clause_first, first - _WIDEST_CLAUSE) : first]

    def made_elsewhere(self, resolved: Resolved) -> bool:
        """`The diagnosis in the referral letter is ...`, `in 2015 the diagnosis was ...`."""
        if resolved.first == resolved.clause_first:
            return False
        after = self.tokens.words[resolved.last : min(resolved.clause_last, resolved.last + _NEAR)]
        return made_elsewhere(self._said_before(resolved)[-_FARTHEST:], after)

    def _headed(self, resolved: Resolved) -> bool:
        """`P: Stairs. Diagnosis as before, conversion disorder`: a sentence that the word itself opens."""
        if resolved.first - resolved.clause_first > _LONGEST_HEAD + _LONGEST_HEAD:
            return False
        words = self._lead(resolved)
        return len(words) <= _LONGEST_HEAD and words[:1] in _HEADS and words[1:2] != ["of"]

    def _called(self, resolved: Resolved) -> bool:
        """`Gambling disorder remains the focus of treatment`, `prolonged grief is what he has`."""
        last, words = resolved.last, self.tokens.words
        clause_last = resolved.clause_last
        if last >= clause_last or words[last] not in SAYS:
            return False
        return is_named_so(words[last : min(clause_last, last + _LONGEST_SAYING)])

    def _is_of_anyone(self, resolved: Resolved) -> bool:
        return is_of_anyone(self._said_before(resolved)[-_FARTHEST:])

    def _describes_patient(self, resolved: Resolved) -> bool:
        """`a 29 year old installer with ADHD`, `Ari, 9, ADHD`: it is part of who the patient is."""
        lead = self._said_before(resolved)[-16:]
        if lead and AGE.match(lead[-1]):
            return opens_with_patient(self.plain, self.tokens.starts[resolved.first], self.layout)
        if lead[-1:] not in (["with"], ["w"]):
            return False
        return not WHO.isdisjoint(lead) or (
            len(lead) > 3 and "is" in lead and AGE.match(lead[-2]) is not None
        )

    def _follows(
        self, cues: list[tuple[int, int, Any]], resolved: Resolved, within: int, *, of: int = 1
    ) -> bool:
        """Whether one of these cues, of so many words, stands close before the condition in its clause."""
        if not cues:
            return False
        clause_first, first = resolved.clause_first, resolved.first
        at = bisect_left(cues, (first,)) - 1
        # Wordings don't overlap: the one before ends before.
        while at >= 0 and cues[at][0] >= clause_first and first - cues[at][1] <= within:
            if (
                first >= cues[at][1]
                and cues[at][1] - cues[at][0] >= of
                and not self._parted(cues[at][0], cues[at][1], first)
            ):
                return True
            at -= 1
        return False

    def _parted(self, cue_first: int, cue_last: int, first: int) -> bool:
        """`Discharged her in 2018 as schizophrenic`: what is called hers is not what follows."""
        words = self.tokens.words
        return words[cue_first] in _HERS and not _PARTING_WORDS.isdisjoint(words[cue_last:first])

    def told_of(self, resolved: Resolved) -> bool:
        """Whether the sentence that the condition opens tells of it."""
        last, tokens = resolved.last, self.tokens
        return is_told_of(tokens.words[last : last + 4]) and "," not in tokens.between(last - 1, last)

    def opens(self, resolved: Resolved) -> bool:
        """Whether the condition opens its clause, labels and list marks aside."""
        if self._asked is not resolved:
            self._asked, self._opens = resolved, self._stands_first(resolved)
        return self._opens

    def _stands_first(self, resolved: Resolved) -> bool:
        first = resolved.first
        if first == resolved.clause_first:
            return True
        before = self.tokens.words[first - 1]
        if before not in _OPENERS and before != ":" and " - " not in self.tokens.between(first - 1, first):
            return False
        lead = self._lead(resolved)
        return len(lead) <= 3 and _OPENERS.issuperset(lead)

    def fragment(self, resolved: Resolved) -> bool:
        """Whether the condition opens its clause and a mark, not a verb, follows it."""
        if not self.opens(resolved):
            return False
        last, clause_last = resolved.last, resolved.clause_last
        if last < clause_last and self.tokens.words[last] in _NAME_ENDS:
            last += 1
        if last >= clause_last or len(resolved.values) >= 2:
            return True
        end = self.tokens.ends[last - 1]
        tail = self.plain[end : end + 12].lstrip(" ")
        return not tail or tail[0] in _FRAGMENT_AFTER or bool(_FOLLOW_UP.match(tail))

    def entry(self, resolved: Resolved, section: str) -> bool:
        """`P: Panic disorder. RTC one week.`: a sentence of its own; in a plan no line of a list."""
        if not self.opens(resolved):
            return section == "plan" and self._prose.continued(resolved)
        end = self.tokens.ends[resolved.last - 1]
        tail = self.plain[end : end + 2].lstrip(" ")[:1]
        if section != "plan":
            return resolved.last >= resolved.clause_last or tail in _ENTRY_AFTER
        if tail == ",":
            return not _GOING_ON.isdisjoint(self.tokens.words[resolved.last : resolved.last + 1])
        stretch = self.layout.index(self.tokens.starts[resolved.first])
        labelled = "\n" not in self.plain[self.layout.starts[stretch] : end]
        return tail in (".", ";") or (labelled and tail in ("", "\n", ":"))

    def _lead(self, resolved: Resolved) -> list[str]:
        """The words of the clause before the condition, a label and its colon left out."""
        clause_first, first = resolved.clause_first, resolved.first
        if first - clause_first > _WIDEST_CLAUSE:
            return ["", "", "", ""]
        words = self.tokens.words[clause_first:first]
        starts = self.tokens.starts
        if ":" not in words and self.tokens.text.find(" - ", starts[clause_first], starts[first]) < 0:
            return words
        for at in range(len(words) - 1, -1, -1):
            if words[at] == ":" or (
                at and " - " in self.tokens.between(clause_first + at - 1, clause_first + at)
            ):
                return words[at + 1 :] if words[at] == ":" else words[at:]
        if " - " in self.tokens.between(first - 1, first):
            return []
        return words

    def listed(self, resolved: Resolved, section: str) -> bool:
        """Whether a status condition stands among assessed problems: opening a clause next to a diagnosis
        or a list row."""
        start = self.tokens.starts[resolved.first]
        if section not in ASSESSMENT_KINDS:
            return False
        line_start = self.line_start(start)
        opener = _OPENERS.issuperset(self._lead(resolved))
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

    def quoted(self, start: int) -> bool:
        """Whether a quotation is open at an offset."""
        line_start = self.line_start(start)
        return self.plain.count('"', line_start, start) % 2 == 1

    def rank(self, start: int, end: int, stretch: int) -> int:
        """0 where the note calls it primary, 2 where secondary, 1 otherwise."""
        return rank_of(
            self.plain, start, end, line_start=self.line_start(start), label=self.layout.labels[stretch]
        )
