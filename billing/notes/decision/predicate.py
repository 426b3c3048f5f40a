"""What a sentence of prose goes on to say of the condition that it opens with: `has run its course`, `belongs
to the years after the crash`, `is what her mother calls it`, `did not survive the second interview`.

Words are looked up in lists (`data/predicates.yaml`), and a verb of the past tells of the present only where
the sentence says so or where it is what conditions do to people.
"""

from billing.notes.finding import Finding
from billing.notes.lexicon import entries_between, load_lexicon
from billing.notes.reading import Reading

_BE = frozenset(("is", "was", "are", "were", "remains", "remained", "became", "stands", "stood", "been"))
_FINITE = _BE | {
    "has", "had", "have", "did", "does", "may", "might", "would", "could", "can", "will", "should",
}  # fmt: skip
_MODAL = frozenset(("may", "might", "would", "could", "should"))
_OTHERS = frozenset(("her", "his", "their", "the", "a", "an", "some", "everyone", "everybody", "people"))
_THEIRS = frozenset(("her", "his", "their", "people", "everyone", "everybody", "you", "one"))
_DETERMINERS = _OTHERS | {"its", "this", "that", "one", "no"}
_SUBJECTS = _DETERMINERS | {
    "she", "he", "they", "i", "we", "it", "there", "what", "who", "nobody", "nothing", "my", "our", "both",
    "today", "those", "these",
}  # fmt: skip
_WE = frozenset(("we", "i", "we've", "i've"))
_DOING = frozenset(("she", "he", "they", "i", "we"))
_JOINING = frozenset(("and", "but", "so", "yet"))
# `PTSD related to the crash`: what brought it about, and no verb of the past.
_BROUGHT_ABOUT = frozenset(
    ("related", "triggered", "precipitated", "prompted", "sparked", "exacerbated", "worsened", "complicated",
     "compounded", "maintained", "linked", "tied", "connected", "provoked", "driven", "fueled", "brought")
)  # fmt: skip
_BREAKING = frozenset(
    ("because", "although", "though", "while", "whereas", "but", "which", "who", "whom", "where",
     "except", "despite", "given")
)  # fmt: skip
# With these a condition is told apart before its verb comes.
_TELLING = frozenset(
    ("that", "of", "from", "in", "on", "for", "with", "at", "about", "after", "i", "we", "she", "he", "they",
     "her", "his", "their", "the", "diagnosis")
)  # fmt: skip
_GOVERNING = frozenset(("for", "of", "with", "from", "about", "to", "on", "in", "by", "as", "at", "through"))
_NOT = frozenset(("not", "never", "no", "hardly", "nor", "without"))
_WRITTEN = frozenset(("on", "in", "from", "off"))
_NEAR, _FAR, _LONGEST_NAME = 3, 4, 5


def speaks_against(reading: Reading, finding: Finding) -> bool:
    """Whether what its sentence says of a condition is that the patient hasn't got it now."""
    tokens = reading.tokens
    first = tokens.token_at(finding.end)
    opened, last = tokens.clause_of(max(0, first - 1))
    behind = _Behind(reading, first, last)
    if not behind.words:
        return False
    if behind.is_told_by_others() or behind.is_on_paper(0):
        return True
    return (
        _is_subject(tokens.words[opened : finding.first])
        and not tokens.text.endswith(", ", 0, finding.start)
        and tokens.text[finding.end : tokens.starts[first]] in (" ", ", ")
        and behind.turns()
    )


def _is_subject(lead: list[str]) -> bool:
    """Whether what stands before it in the sentence leaves it the subject: no `exposure for his ...`."""
    last = next((word for word in reversed(lead) if word not in _DETERMINERS), None)
    return last not in _GOVERNING and _FINITE.isdisjoint(lead)


class _Behind:
    """The words behind a condition in its sentence, and what of the lists is among them."""

    def __init__(self, reading: Reading, first: int, last: int) -> None:
        tokens = reading.tokens
        self._people = [at - first for at, _, _ in entries_between(reading.mentions.people, first, last)]
        listed = load_lexicon().predicates
        self.words = words = tokens.words[first:last]
        self._names = {
            at - first
            for named in (reading.mentions.values, reading.mentions.concepts)
            for value, behind, _ in entries_between(named, first, last)
            for at in range(value, behind)
        }
        self._commas = [at for at in range(last - first) if "," in tokens.between(first + at - 1, first + at)]
        self._said = [
            (at, at + len(form), kind)
            for at, word in enumerate(words)
            for form, kind in listed.get(word, ())
            if words[at : at + len(form)] == form
        ]

    def at(self, kind: str, at: int) -> int:
        """How many words a saying of this kind has that begins with this word, 0 where none does."""
        return max(
            (behind - at for first, behind, each in self._said if first == at and each == kind), default=0
        )

    def has(self, kind: str, start: int, end: int) -> bool:
        """Whether a saying of this kind stands between two words."""
        return any(each == kind and start <= at and behind <= end for at, behind, each in self._said)

    def is_told_by_others(self) -> bool:
        """`according to the form`, `if it ever was that`."""
        return self.has("said", 0, self._end(0))

    def turns(self) -> bool:
        """Whether the predicate, or the aside before it, speaks against the condition."""
        words, start = self.words, 0
        if self._commas[:1] == [0]:
            start = self._behind_aside()
            if self._is_called(start):
                return True
            if not _WE.isdisjoint(words[:start]) or "treated" in words[:start]:
                return False  # `, which we have been working at, is a thing that ...`
        end = self._end(start)
        if start >= end or words[start] in _JOINING:
            return False
        if words[start] in _BROUGHT_ABOUT and words[start + 1 : start + 2] in (["to"], ["by"], ["on"]):
            return False
        if (
            words[start] in _MODAL
            or self._is_in_their_words()
            or self._is_denied(start, end)
            or self._is_no_condition(start, end)
        ):
            return True
        verb = self._verb(start, end)
        if verb is None or not self._is_past(verb) or self._is_of_today():
            return False
        does = (
            self.has("does", verb, min(end, verb + _NEAR))
            or self.at("object", verb + 1)
            or (words[verb] == "was" and words[verb + 2 : verb + 3] == ["by"])
        )
        return self.has("then", start, len(words)) or not does

    def _is_of_today(self) -> bool:
        """Whether the sentence tells of today, and not of what there has not been since."""
        said = (at for at, _, kind in self._said if kind == "now")
        return any(_NOT.isdisjoint(self.words[max(0, at - _FAR) : at]) for at in said)

    def _behind_aside(self) -> int:
        """Where the predicate begins behind an apposition: `, so named by an aunt, looks like grief`."""
        words = self.words
        for at in self._commas if words[0] != "and" else ():
            word = words[at]
            if word in _FINITE or (self._is_past(at) and not word.endswith("ed")):
                return at
            # Right behind the first comma and before `by` a participle goes on with the aside.
            ended = word.endswith("ed") and word != "diagnosed" and not self.at("by", at + 1)
            if at and (ended or word.endswith("s")):
                return at
            told = any(not first and last > 1 for first, last, _ in self._said)
            if not at and (told or (word == "that" and words[1:2] != ["is"])):
                return at
        return len(words)

    def _end(self, start: int) -> int:
        """Where the predicate ends: at a joining word behind which another subject is spoken of."""
        words = self.words
        for at in range(start, len(words)):
            if words[at] in _BREAKING or (
                words[at] in _JOINING and not _SUBJECTS.isdisjoint(words[at + 1 : at + 2])
            ):
                return at
        return len(words)

    def _is_past(self, at: int) -> bool:
        if at in self._names or (at and self.words[at - 1] in _DETERMINERS):
            return False  # `combined presentation`, `the left leg`
        return self.words[at].endswith("ed") or self.at("past", at) > 0

    def _verb(self, start: int, end: int) -> int | None:
        """The verb: the first word, or the last finite one behind `that followed the fire`."""
        words = self.words
        while start < end and (
            words[start].endswith("ly") or words[start] in ("also", "then", "once", "just")
        ):
            start += 1
        if start < end and words[start] in _TELLING:
            return next(
                (at for at in range(end - 1, start, -1) if words[at] in _FINITE or self._is_past(at)), None
            )
        return start if start < end else None

    def _is_in_their_words(self) -> bool:
        """`The depression her mother still calls laziness was gone by June`."""
        return self.words[0] in _THEIRS and self.has("calling", 1, _LONGEST_NAME)

    def _is_denied(self, start: int, end: int) -> bool:
        """`has run its course`, `was her twin's all along`, `does not describe ...`."""
        for at, behind, kind in self._said:
            if start <= at < end and kind in ("others", "denied"):
                return True
            if start <= at < end and kind == "gone" and not self.at("partly", behind):
                # `a weather that she has stopped commenting on`
                hers = at > start + 1 and not _DOING.isdisjoint(self.words[at - 2 : at])
                if not hers and _NOT.isdisjoint(self.words[max(start, at - _NEAR) : at]):
                    return True
        return False

    def _is_no_condition(self, start: int, end: int) -> bool:
        """`is the family's favorite story`, `is what his ex-wife calls it`, `is her sister's`, `sits on the
        old problem list`."""
        words = self.words
        be = next((at for at in range(start, end) if words[at] in _BE), None)
        if be is None:
            be = start
        told = be + 1
        while more := self.at("meanwhile", told):
            told += more
        if words[be] not in _BE:
            return self.is_on_paper(told)
        near = min(end, told + _LONGEST_NAME)
        if words[told : told + 1] == ["what"] and _WE.isdisjoint(words[told + 1 : told + 2]):
            return not _THEIRS.isdisjoint(words[told + 1 : told + 2]) or self.has("calling", told + 2, near)
        if self._is_anothers(told, end):
            return True
        if words[told : told + 1] in (["a"], ["an"], ["one"]):
            return not self.has("stays", told, near) or self.has("names", told, near)
        return self._is_named(told, end) or self.is_on_paper(told) or self.is_on_paper(told + 1)

    def _is_anothers(self, at: int, end: int) -> bool:
        """`is her sister talking`, `is the ex-husband's`, not `is this boy's diagnosis`."""
        while at < end and self.words[at] in _DETERMINERS:
            at += 1
        for owner in range(at, min(end, at + 2)):
            if owner in self._people or self.words[owner].endswith(("'s", "s'")):
                return not self.has("owned", owner, owner + _NEAR)
        return False

    def _is_named(self, start: int, end: int) -> bool:
        """`a name that he picked up`, `the label her lawyer used`, not `the right name for it`."""
        named = self.has("names", start, min(end, start + _LONGEST_NAME))
        return named and self.words[start] in _DETERMINERS and not self.has("rightly", start, end)

    def _is_called(self, end: int) -> bool:
        """`, as her cousin likes to call it`, `, the verdict of a sister-in-law`, `, a leftover`."""
        words = self.words
        if words[0] == "as":
            return words[1:2] != [] and words[1] in _OTHERS and self.has("calling", 2, end)
        return self._is_named(0, end)

    def is_on_paper(self, at: int) -> bool:
        """`on her disability application`, `in the old file`."""
        words = self.words
        return (
            at + 1 < len(words)
            and words[at] in _WRITTEN
            and words[at + 1] in _DETERMINERS
            and self.has("papers", at + 2, at + 2 + _NEAR)
        )
