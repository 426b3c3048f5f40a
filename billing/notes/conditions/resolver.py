"""Head and specifiers to one leaf: which words narrow a condition, and what its table makes of them."""

from bisect import bisect_left
from operator import itemgetter

import msgspec

from billing.notes.later import later
from billing.notes.lexicon import PARTING, Concept, Lexicon, Mentions, Rule
from billing.notes.text.tokens import TokenStream

_WIDEST_BRACKET = 48
_WHENCE = later(r"(?:since|dx|per|from|after|onset|by|rx|prescribed)\b|\d")
_REACH = 5
_NO_VALUES: frozenset[str] = frozenset()
# Between a specifier and the head behind it: `moderate episode of recurrent major depressive disorder`.
_JOINING = frozenset(("and", "of", "in", "with", "unipolar", "episode", "episodes", "ep"))
_STANDS = frozenset(("is", "remains", "stays"))
_RELATIVE = frozenset(("for", "which"))
_RATES = frozenset(("rate", "grade", "call", "put", "judge", "consider", "regard", "code", "record"))
_THEIRS = frozenset(("her", "his", "their", "the", "this"))

_ANSWERED = frozenset(("psychosis", "remission"))
_BY_NOW = (["yet"], ["currently"], ["now"], ["presently"], ["quite"])
_ANSWERED_NO = later(
    r"[ ]{0,3}(?:\((?:y/n|yes/no)\)|[?])?[ ]{0,3}(?:[:=-]|(?:is|are|was|were)\b)?[ ]{0,3}"
    r"(?:(?:none|absent|n/a)\b|(?:(?:not present|denied|negative)\b|(?<=[:=?-] )(?:no|n)\b)"
    r"(?=[ ]*(?:[.,;)\n]|\s{2}|\Z)))"
    r"|[ ]{0,3}(?:criteria )?(?:(?:is|was|are|were|has|have)(?: been)? )?not"
    r" (?:yet |been |currently |fully )*(?:met|reached|established|achieved|attained|earned|claimed)\b"
)
_ONCE = frozenset(("x1", "1x"))
# `Moderate progress`, `chronic pain`: these are said of much else.
_APART = PARTING | {"("}
_OF_ANYTHING = ("severity", "course")
# What the specifier of a condition is called, in a line below it.
_CALLED = frozenset(
    ("severity", "course", "specifier", "specifiers", "type", "subtype", "presentation", "episode", "onset",
     "level", "status", "remission", "features", "current", "/", "and")
)  # fmt: skip
_STOPS = frozenset(".;!?|\n]")
_OFTEN = frozenset(
    ("a", "an", "per", "every", "each", "/", "daily", "day", "week", "wk", "weekly", "biweekly", "month",
     "mo", "monthly", "year", "yr", "session", "sessions", "therapy")
)  # fmt: skip


class Resolved(msgspec.Struct, frozen=True, gc=False):
    """A condition with the specifiers that were bound to it; tokens [first, last) include them, and
    [clause_first, clause_last) are the clause that it begins in."""

    concept: Concept
    values: frozenset[str]
    rule: Rule
    first: int
    last: int
    clause_first: int
    clause_last: int

    @property
    def is_default(self) -> bool:
        """Whether no specifier chose the code."""
        return not self.rule.needs


class Resolver:
    """Binds the specifiers of one note to its conditions."""

    def __init__(self, lexicon: Lexicon, tokens: TokenStream, mentions: Mentions) -> None:
        self._lexicon = lexicon
        self._tokens = tokens
        self._at: dict[int, list[tuple[int, str]]] = {}
        self._ending: dict[int, list[tuple[int, str]]] = {}
        for first, last, value in mentions.values:
            self._at.setdefault(first, []).append((last, value))
            self._ending.setdefault(last, []).append((first, value))
        self._fillers = {first: last for first, last, _ in mentions.fillers}
        self._fillers_ending = {last: first for first, last, _ in mentions.fillers}
        # Specifiers up to here belong to the condition before.
        self._taken_to = 0
        self._heads = [*map(itemgetter(0), mentions.concepts)]
        self._is_head = frozenset(self._heads)

    def resolve(
        self, concept: Concept, first: int, last: int, preset: frozenset[str], *, in_field: bool
    ) -> Resolved:
        """Collect the specifiers round the head in tokens [first, last) and look the combination up."""
        clause_first, clause_last = self._tokens.clause_of(first)
        if not concept.values:
            self._taken_to = last
            return Resolved(concept, _NO_VALUES, concept.default, first, last, clause_first, clause_last)
        values: dict[str, str] = {}
        axis_of = self._lexicon.axis_of
        for value in sorted(preset):
            values[axis_of.get(value, value)] = value
        if first < self._taken_to:
            self._taken_to = 0
        begin = self._before(concept, first, values, clause_first)
        end = self._after(concept, last, values, in_field=in_field)
        if begin < clause_first:
            clause_first, clause_last = self._tokens.clause_of(begin)
        known = concept.values.intersection(values.values())
        self._taken_to = end
        return Resolved(concept, known, concept.resolve(known), begin, end, clause_first, clause_last)

    def _before(self, concept: Concept, first: int, values: dict[str, str], clause_first: int) -> int:
        """Specifiers that stand directly left of the head, nearest first."""
        begin = at = first
        words = self._tokens.words
        axis_of = self._lexicon.axis_of
        floor = max(clause_first, self._taken_to)
        skipped = 0
        while at > floor and skipped <= 2:
            bound = False
            for value_first, value in self._ending.get(at, ()):
                if (
                    value in concept.values
                    and axis_of[value] not in values
                    and ("," not in self._gap_after(at) or self._opens_clause(first, clause_first))
                ):
                    values[axis_of[value]] = value
                    at = begin = value_first
                    skipped = 0
                    bound = True
                    break
            if bound:
                continue
            filler = self._fillers_ending.get(at)
            if filler is not None:
                at = filler
                continue
            if words[at - 1] in _THEIRS and words[at - 3 : at - 1] == ["episode", "of"]:
                at -= 1  # `a moderate episode of her recurrent depression`
                continue
            if words[at - 1] in _JOINING:
                at -= 1
                skipped += 1
                continue
            break
        return begin

    def _opens_clause(self, first: int, clause_first: int) -> bool:
        """Whether no other condition stands before it in its clause."""
        return bisect_left(self._heads, clause_first) == bisect_left(self._heads, first)

    def _gap_after(self, token: int) -> str:
        if token >= len(self._tokens.starts):
            return ""
        return self._tokens.text[self._tokens.ends[token - 1] : self._tokens.starts[token]]

    def _after(self, concept: Concept, last: int, values: dict[str, str], *, in_field: bool) -> int:
        """Specifiers that follow the head, over connecting words and specifiers without a code."""
        words = self._tokens.words
        axis_of = self._lexicon.axis_of
        connectors = self._lexicon.connectors
        count = len(words)
        end = at = last
        skipped = 0
        while at < count and skipped <= _REACH:
            word = words[at]
            if word in ".;!?|\n[]\u2610\u2611:":
                if not self._may_cross(word, at, concept, in_field=in_field):
                    break
                at += 1
                continue
            if at in self._is_head:
                break
            bound = False
            known = self._at.get(at, ())
            for value_last, value in known:
                if value not in concept.values:
                    continue
                following = words[value_last] if value_last < count else ""
                axis = axis_of[value]
                if (
                    axis in _OF_ANYTHING
                    and following in self._lexicon.blocked_after
                    and _APART.isdisjoint(self._gap_after(value_last))
                ):
                    return end
                if words[value_last - 1] in _ONCE and (
                    following in _OFTEN or "/" in self._gap_after(value_last)
                ):
                    return end  # `MDD, moderate, 1x weekly`
                if axis in values and not (axis == "remission" and values[axis] != value):
                    if values[axis] == value:
                        at = end = value_last
                        bound = True
                        break
                    return end
                denied = self._denied(value_last) if axis in _ANSWERED else 0
                if axis == "psychosis" or not denied:
                    values[axis] = "not_psychotic" if denied else value
                at = end = denied or value_last
                skipped = 0
                bound = True
                break
            if bound:
                continue
            if word == "the" and words[at + 1 : at + 2] == ["latter"] and not skipped:
                at += 2  # `... and recurrent major depression, the latter in partial remission`
                continue
            if word == "not" and (denied := self._behind_not(at, concept)):
                at = end = denied
                continue
            filler = self._fillers.get(at)
            if filler is not None:
                at = filler
                continue
            told = self._behind_relative(at, count) if word in _RELATIVE and not skipped else 0
            if told:
                at = told
                continue
            if at == last and (behind := self._behind_bracket(at, concept)):
                at = behind  # `PTSD (car accident in May), chronic`
                continue
            if known:
                at = known[0][0]  # of another condition
            elif (
                word in connectors
                or (word[0].isdigit() and len(word) <= 7)
                or (word[0] in "fz" and word[1:2].isdigit())
            ):
                at += 1
            else:
                break
            skipped += 1
        return end

    def _behind_bracket(self, at: int, concept: Concept) -> int:
        """The specifier of a condition behind a bracket that opens right behind its name; else 0."""
        text, starts = self._tokens.text, self._tokens.starts
        opened = self._tokens.ends[at - 1]
        if text[opened : starts[at]] != " (":
            return 0
        if concept.group == "substance" and not _WHENCE.match(text, starts[at]):
            return 0  # `opioid use disorder (Xanax), severe`
        closed = text.find(")", opened, opened + _WIDEST_BRACKET)
        if closed < 0 or "\n" in text[opened:closed]:
            return 0
        behind = self._tokens.token_at(closed)
        fits = any(value in concept.values for _, value in self._at.get(behind, ()))
        return behind if fits and text[closed : starts[behind]] in (") ", "), ") else 0

    def _behind_relative(self, at: int, count: int) -> int:
        """`The depression for which I see her is in remission`, `bulimia nervosa, which I still rate as
        moderate`: where the specifier stands; else 0."""
        words = self._tokens.words
        first, verbs = (at + 1, _STANDS) if words[at] == "for" else (at, _RATES)
        if words[first : first + 1] != ["which"] or words[first + 1 : first + 2] not in (["i"], ["we"]):
            return 0
        verb = next((each for each in range(first + 2, min(first + 7, count)) if words[each] in verbs), 0)
        if not verb:
            return 0
        return next((each for each in range(verb + 1, min(verb + 4, count)) if each in self._at), 0)

    def _behind_not(self, at: int, concept: Concept) -> int:
        """`Alcohol use disorder, moderate, not yet in remission`: the token behind what is denied; else 0."""
        words, axis_of = self._tokens.words, self._lexicon.axis_of
        at += 1 + (words[at + 1 : at + 2] in _BY_NOW)
        at += words[at : at + 1] == ["in"] and at not in self._at
        return max(
            (
                last
                for last, value in self._at.get(at, ())
                if axis_of[value] == "remission" and value in concept.values
            ),
            default=0,
        )

    def _denied(self, at: int) -> int:
        """Behind `psychotic features: none`, `... absent`, the token after the answer; else 0."""
        if at >= len(self._tokens.words):
            return 0
        said = _ANSWERED_NO.match(self._tokens.text, self._tokens.ends[at - 1])
        return self._tokens.token_at(said.end() - 1) + 1 if said else 0

    def _may_cross(self, word: str, at: int, concept: Concept, *, in_field: bool) -> bool:
        """Whether a stop may stand between head and specifier: a full stop only in a diagnosis field, a line
        end or a semicolon where nothing but specifiers follows it."""
        if word == ":":
            return True
        if word in "[;\n" and (in_field or word != "\n") and self._only_specifies(at + 1, concept):
            return True
        if not in_field or word not in ".;|":
            return False
        following = self._tokens.words[at + 1] if at + 1 < len(self._tokens.words) else ""
        if word == "." and "panic" in self._tokens.words[at + 2 : at + 3]:
            return False  # `Agoraphobia. No panic attacks this week.`
        told = following in ("current", "currently") and word == ";"
        return (at + 1 in self._at or told) and following not in ("", "\n")

    def _only_specifies(self, at: int, concept: Concept) -> bool:
        """`PTSD [chronic]`, `ADHD` and below it `Presentation: combined`: whether up to the next stop there
        is nothing but specifiers, and one that the condition has."""
        words = self._tokens.words
        while at < len(words) and at not in self._at and words[at] in _CALLED:
            at += 1
        at += words[at : at + 1] == [":"]
        fits = False
        while at < len(words) and words[at] not in _STOPS:
            known = self._at.get(at)
            if known is not None:
                fits = fits or any(value in concept.values for _, value in known)
                at = known[0][0]
            elif at in self._fillers:
                at = self._fillers[at]
            elif words[at] in _JOINING:
                at += 1
            else:
                return False
        return fits
