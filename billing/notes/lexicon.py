"""The compiled lexicon in memory and the one pass that finds its words: Aho-Corasick over word numbers."""

import gc
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any

import ahocorasick_rs
import msgspec

from billing.notes.text.tokens import BREAK, CLAUSE_END, CLAUSE_ENDS, OTHER_BREAKS, TokenStream

COMPILED = Path(__file__).parent / "data" / "lexicon.json"
_MOST_FAMILIES = 10_000
# The commonest words get the letters of two bytes. With one byte the automaton would take ten megabytes more.
_FIRST = 0x80
# How far a misspelled word may be from what it was meant to be, and from how many letters on that far.
MOST_SLIPS, _MOST_FROM = 2, 10
_YEARS = range(1900, 2100)


class Rule(msgspec.Struct, frozen=True):
    """One row of a decision table: every need is a set of values, one of which must be present."""

    needs: tuple[frozenset[str], ...]
    code: str
    reason: str | None


class Concept(msgspec.Struct, frozen=True, eq=False):
    """A condition, the specifiers that it knows and the code that each combination becomes."""

    name: str
    family: str
    group: str
    kind: str
    beside: frozenset[str]
    rules: tuple[Rule, ...]
    otherwise: str
    also: frozenset[str]
    values: frozenset[str]
    default: Rule
    # What was looked up before: a table knows few combinations.
    resolved: dict[frozenset[str], Rule] = msgspec.field(default_factory=dict)

    def resolve(self, values: frozenset[str]) -> Rule:
        """The first row that the values satisfy; the table is total."""
        if not values:
            return self.default
        known = self.resolved.get(values)
        if known is None:
            fits = (rule for rule in self.rules if not any(map(values.isdisjoint, rule.needs)))
            known = self.resolved[values] = next(fits, self.default)
        return known

    @property
    def codes(self) -> frozenset[str]:
        """Every code that this concept can become or agrees with."""
        return frozenset(rule.code for rule in self.rules) | {self.otherwise} | self.also


class Mentions(msgspec.Struct):
    """What the pass found, by kind, each as (first token, after the last token, what it says), in order."""

    concepts: list[tuple[int, int, Any]]
    values: list[tuple[int, int, Any]]
    fillers: list[tuple[int, int, Any]]
    inner: list[tuple[int, int, Any]]
    cues: list[tuple[int, int, Any]]
    terminators: list[tuple[int, int, Any]]
    statements: list[tuple[int, int, Any]]
    corrections: list[tuple[int, int, Any]]
    instruments: list[tuple[int, int, Any]]
    people: list[tuple[int, int, Any]]
    patient: list[tuple[int, int, Any]]
    has: list[tuple[int, int, Any]]
    services: list[tuple[int, int, Any]]
    not_this_visit: list[tuple[int, int, Any]]
    not_service_after: list[tuple[int, int, Any]]
    ambiguous: list[tuple[int, int, Any]]
    ambiguous_upper: list[tuple[int, int, Any]]
    assertive: list[tuple[int, int, Any]]

    def covered(self) -> set[int]:
        """The tokens that belong to a condition or narrow one."""
        found: set[int] = set()
        for group in (self.concepts, self.values, self.fillers, self.inner, self.ambiguous):
            for first, last, _ in group:
                found.update(range(first, last))
        return found


_BUCKETS = {
    "concept": 0, "value": 1, "filler": 2, "inner": 3, "cue": 4, "terminators": 5, "statement": 6,
    "correction": 7,
    "instrument": 8, "is_people": 9, "is_patient": 10, "is_has": 11, "service": 12, "not_this_visit": 13,
    "not_service_after": 14, "ambiguous": 15, "ambiguous_upper": 16, "assertive": 17,
}  # fmt: skip


_CONCEPT = _BUCKETS["concept"]
_INSTRUMENT = _BUCKETS["instrument"]
# What stands between the entries of a list.
PARTING = frozenset(",/+")
# More words than that has no wording.
_LONGEST = 20


class Lexicon:
    """Loaded once a process; everything on it is read-only."""

    def __init__(self, compiled: "_Parts") -> None:
        # First what needs most memory while it is made.
        self._automaton = ahocorasick_rs.AhoCorasick(
            compiled["spelled"].split("\n"),
            matchkind=ahocorasick_rs.MatchKind.LeftmostLongest,
            store_patterns=False,
        )
        self.sha: str = compiled["sha"]
        self.letters: dict[str, str] = {
            word: letter(number) for number, word in enumerate(compiled["vocabulary"])
        }
        for word, other in compiled["aliases"].items():
            self.letters[word] = self.letters[other]
        for year in _YEARS:
            self.letters.setdefault(str(year), self.letters["year"])
        self.letters.update(dict.fromkeys(CLAUSE_ENDS, CLAUSE_END))
        self.letters.update(dict.fromkeys(OTHER_BREAKS, BREAK))
        roles = [[(_BUCKETS[role[0]], _payload(role)) for role in roles] for roles in compiled["roles"]]
        self._roles = [roles[number] for number in compiled["played"]]
        self.concepts = {name: _concept(name, raw) for name, raw in compiled["concepts"].items()}
        self.axis_of: dict[str, str] = compiled["axes"]
        self.connectors = frozenset(compiled["connectors"])
        self.blocked_after = frozenset(compiled["blocked_after"])
        self.sections: dict[str, str] = compiled["sections"]
        self.readings: dict[str, list[str]] = compiled["ambiguous"]
        self.legacy: dict[str, str] = compiled["legacy"]
        # What a sentence says of a condition, by its first word: its words and what kind of saying it is.
        self.predicates: dict[str, list[tuple[list[str], str]]] = defaultdict(list)
        for kind, forms in compiled["predicates"].items():
            for form in forms:
                self.predicates[form[0]].append((form, kind))
        by_code: dict[str, str] = {}
        for concept in self.concepts.values():
            for code in sorted(concept.codes):
                if concept.kind != "symptom":
                    by_code.setdefault(code, concept.name)
        self.concept_of_code = by_code
        self._families: dict[str, str] = {}
        # What a misspelled word of that first letter and length may have been.
        self.head_words: dict[tuple[str, int], list[str]] = defaultdict(list)
        for word in compiled["head_words"]:
            for length in range(len(word) - MOST_SLIPS, len(word) + MOST_SLIPS + 1):
                if abs(length - len(word)) <= slips_allowed(length):
                    self.head_words[word[0], length].append(word)

    def family_of(self, code: str) -> str:
        """The family of a code, or of the first code below a heading."""
        known = self._families.get(code)
        if known is None:
            owner = self.concept_of_code.get(code) or next(
                (name for other, name in self.concept_of_code.items() if other.startswith(code)), None
            )
            known = self.concepts[owner].family if owner else f"heading_{code[:3].lower()}"
            if len(self._families) < _MOST_FAMILIES:
                self._families[code] = known
        return known

    def knows(self, word: str) -> bool:
        """Whether the word occurs in any wording."""
        return word in self.letters

    def find(self, tokens: TokenStream) -> Mentions:
        """Every wording in the note, leftmost and longest, sorted by kind."""
        buckets: list[list[tuple[int, int, Any]]] = [[] for _ in _BUCKETS]
        roles, past = self._roles, 0
        for pattern, first, last in self._automaton.find_matches_as_indexes(tokens.spelled):
            if first < past:
                continue
            named = roles[pattern]
            kind = named[0][0] if last - first > 1 else None
            if kind == _CONCEPT and not PARTING.isdisjoint(tokens.between(first, last - 1)):
                at = self._parted(tokens, first, last, buckets[_CONCEPT])
                if at:
                    parts = [
                        *self._matches(tokens, first, at),
                        next(self._matches(tokens, at, at + _LONGEST)),
                    ]
                    for part, start, past in parts:
                        for bucket, payload in roles[part]:
                            buckets[bucket].append((start, past, payload))
                    continue
            if kind == _INSTRUMENT and _is_numbered(tokens, first, last):
                for part, start, stop in self._matches(tokens, first, last - 1):
                    for bucket, payload in roles[part]:
                        buckets[bucket].append((start, stop, payload))
                continue
            for bucket, payload in named:
                buckets[bucket].append((first, last, payload))
        found = Mentions(*buckets)
        if found.inner:
            self._release(found)
        return found

    def _parted(self, tokens: TokenStream, first: int, last: int, before: list[tuple[int, int, Any]]) -> int:
        """Where a wording falls apart at a comma, because what stands behind it is a longer one: `OCD,
        unspecified anxiety disorder`; or what stands before it is said of the condition before: `PTSD,
        chronic, insomnia disorder`. 0 where it doesn't."""
        for at in range(first + 1, last):
            if PARTING.isdisjoint(tokens.between(at - 1, at)):
                continue
            behind = next(self._matches(tokens, at, at + _LONGEST), None)
            if behind is None or behind[1] > at or self._roles[behind[0]][0][0] != _CONCEPT:
                continue
            if behind[2] > last or (behind[2] == last and before and before[-1][1] == first):
                return at
        return 0

    def _matches(self, tokens: TokenStream, first: int, last: int) -> Iterator[tuple[int, int, int]]:
        for pattern, start, end in self._automaton.find_matches_as_indexes(tokens.spelled[first:last]):
            yield pattern, first + start, first + end

    def _release(self, found: Mentions) -> None:
        """Take the diagnoses inside specifiers that the condition before doesn't have for conditions of their
        own: `OCD and agoraphobia`, but `panic disorder and agoraphobia`."""
        values = {first: value for first, _, value in found.values}
        inner: list[tuple[int, int, Any]] = []
        covered: set[int] = set()
        for entry in found.inner:
            first, last, (name, skip) = entry
            if self.concepts[name].kind == "symptom":
                inner.append(entry)
                continue
            before = bisect_left(found.concepts, (first,)) - 1
            if before >= 0 and values[first] in self.concepts[found.concepts[before][2][0]].values:
                covered = covered or found.covered()
                if covered.issuperset(range(found.concepts[before][1], first)):
                    continue
            found.concepts.insert(before + 1, (first + skip, last, (name, frozenset(), 0)))
        found.inner = inner


def _is_numbered(tokens: TokenStream, first: int, last: int) -> bool:
    """`(1) GAD (2) MDD`: whether a questionnaire's number is that of the next entry."""
    start = tokens.starts[first]
    return (
        tokens.text.startswith(f"({tokens.words[last - 1]})", tokens.starts[last - 1] - 1)
        and tokens.text.find("(1)", max(0, start - 90), start) >= 0
    )


def letter(number: int) -> str:
    """What a word of the vocabulary is to the automaton."""
    return chr(_FIRST + number)


def slips_allowed(length: int) -> int:
    """How many slips a word of that many letters may have."""
    return MOST_SLIPS if length >= _MOST_FROM else 1


def _payload(role: list[Any]) -> Any:
    if role[0] == "concept":
        return (role[1], frozenset(role[2]), role[3])
    return role[1] if len(role) == 2 else tuple(role[1:])


def _concept(name: str, raw: dict[str, Any]) -> Concept:
    rules = tuple(
        Rule(tuple(frozenset(need) for need in needs), code, why) for needs, code, why in raw["rules"]
    )
    return Concept(
        name=name,
        family=raw["family"],
        group=raw["group"],
        kind=raw["kind"],
        beside=frozenset(raw["beside"]),
        rules=rules,
        otherwise=raw["otherwise"][0],
        also=frozenset(raw["also"]),
        values=frozenset(value for rule in rules for need in rule.needs for value in need),
        default=Rule((), raw["otherwise"][0], raw["otherwise"][1]),
    )


class _Parts:
    """The compiled lexicon, of which each part is decoded when it is asked for, and not kept."""

    def __init__(self, packed: bytes) -> None:
        self._parts = msgspec.json.decode(packed, type=dict[str, msgspec.Raw])

    def __getitem__(self, name: str) -> Any:
        return msgspec.json.decode(self._parts[name])


@lru_cache(maxsize=1)
def load_lexicon() -> Lexicon:
    """The packaged lexicon."""
    collects = gc.isenabled()
    # It makes many objects and no garbage: nothing is to be collected on the way.
    gc.disable()
    try:
        return Lexicon(_Parts(COMPILED.read_bytes()))
    finally:
        if collects:
            gc.enable()


def entries_between(found: list[tuple[int, int, Any]], left: int, right: int) -> list[tuple[int, int, Any]]:
    """The entries of a list sorted by first token that begin in [left, right)."""
    return found[bisect_left(found, (left,)) : bisect_left(found, (right,))]
