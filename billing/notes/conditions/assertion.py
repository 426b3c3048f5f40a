"""ConText for therapy notes: is a mentioned condition the patient's, present, certain, and now?"""

from bisect import bisect_left, bisect_right
from operator import itemgetter
from typing import Any

from billing.notes.conditions.entries import NEXT_ENTRY, is_dashed, tells_of_entry
from billing.notes.conditions.lists import (
    HEADINGS,
    NEUTRAL,
    VISITS,
    behind_code,
    heads_next,
    subject_end,
    tells_of_next,
)
from billing.notes.conditions.marked import marked
from billing.notes.conditions.subjects import stands_aside, tells_origin
from billing.notes.lexicon import Mentions
from billing.notes.text.kin import OF_A_SEX, SPEAKS_OF
from billing.notes.text.tokens import TokenStream

# No cue reaches farther than this many words.
_REACH = 30
_JOINERS = frozenset(("and", "or", "nor", "vs", "versus"))
_WEAK_NEGATION = frozenset(("no", "not", "non", "never", "w/o", "hardly"))
_FORWARD = frozenset(
    ("r/o", "rule", "ro", "query", "provisional", "provisionally", "probable", "suspected", "questionable",
     "presumed", "tentative", "presumptive", "possible", "possibly", "likely", "maybe", "perhaps")
)  # fmt: skip
# `The formulation we have worked with`, `a member of this group for the treatment of ...`: of this patient.
_WE_HAVE = frozenset(("we", "i", "have", "we've", "i've", "we're", "this", "our"))
_WORKING, _WHETHER = frozenset(("work", "works", "worked", "working")), frozenset(("whether", "if"))
# `What we are up against`, `in this record`: no word against it, no old record.
_NO_CUES = (["up", "against"], ["anyone", "reading"], ["this", "record"], ["this", "chart"], ["of", "record"])
# `Diagnosed by our intake team`
_BY_US = (["by", "our"], ["by", "us"], ["by", "me"], ["by", "this"])
# `..., ? PTSD`: a question mark that asks about what follows; behind a word it ends a question.
_ARE = (["are"], ["is"], ["were"], ["remain"])
_SYMPTOMS, _POSSESSIVE = frozenset(("symptoms", "sx")), (["her"], ["his"], ["their"])
_ON_HIS = tuple(["on", *whose] for whose in _POSSESSIVE)
_NOT_ALL = frozenset(("one", "two", "three", "four", "some", "few", "several", "only", "most", "half"))
_OWN = frozenset(("her", "his", "their", "own"))
_OF_PEOPLE = frozenset(("late", "deceased", "older", "younger", "estranged", "adult", "eldest", "youngest"))
_HAVING = frozenset(
    ("own", "has", "had", "with", "diagnosed", "struggles", "struggled", "suffers", "deals", "whose", "takes")
)
_CARRYING = frozenset(("has", "have", "carries", "carry", "who", "got"))
_AND, _SAYS_WHAT = ("and", "but"), frozenset(("it", "this"))
_TOLD_BY = frozenset(("rating", "ratings", "account", "input", "observations", "description", "help"))
# `OCD in both of her brothers`
_WHOSE = frozenset(
    ("in", "of", "on", "his", "her", "their", "the", "a", "both", "client's", "pt's", "patient's", "one")
)
_NO_MORE_SO = frozenset(("provisional", "suspected", "tentative", "rule", "r/o", "possible", "presumed"))
_FORMERLY = frozenset(("a", "an", "was", "formerly", "previously", "initially", "originally", "once"))
_BROUGHT = frozenset(("brought", "escorted", "driven"))
# After a review or the like: `MDD, per diagnostic review`.
_BASED = frozenset(
    ("per", "by", "based", "following", "on", "managed", "stable", "controlled", "treated", "maintained",
     "responding", "improving", "improved", "well")
)  # fmt: skip
_OPENERS = ("[", ":")
_SEXES = {"her": ("she", "her", "hers", "herself"), "his": ("he", "him", "his", "himself")}
_BY_SEX = frozenset(word for forms in _SEXES.values() for word in forms)
_SEX_OF = {"he": "his", "she": "her", "he's": "his", "she's": "her"}
_PATIENT = frozenset(("client", "pt", "patient", "ct", "client's", "pt's", "patient's", "ct's", "ip", "i"))
_THE_PATIENTS = frozenset(word for word in _PATIENT if word.endswith("'s"))
_WHEN = frozenset(("when", "after", "while", "once", "because", "since", "where"))
_IS_HERS = (["is", "her"], ["is", "his"], ["is", "their"], ["was", "her"], ["was", "his"])
# A person so many words behind the condition may have it.
_NEAREST_PERSON, _FARTHEST_PERSON = 4, 8
# So far behind a relative, and so far before the condition, a pronoun takes up who was named.
_TAKEN_UP, _SAID_OF = 40, 10
# So far behind a person who opens the sentence, a possessive still speaks of that person.
_OWN_STORY = 8
_A_STORY = frozenset((who, did) for who in ("he", "she", "they") for did in ("had", "was", "were"))


class Context:
    """The cues of one note, asked clause by clause."""

    def __init__(self, tokens: TokenStream, mentions: Mentions, covered: set[int], codes: list[int]) -> None:
        self._tokens = tokens
        self._mentions = mentions
        first = itemgetter(0)
        self._cue_starts = [*map(first, mentions.cues)]
        self._stops = [*map(first, mentions.terminators)]
        self._people = [*map(first, mentions.people)]
        self._codes = frozenset(codes)  # each as good as a name, and one token
        self._concept_starts = sorted([*map(first, mentions.concepts), *codes])
        self._covered = covered.union(codes)
        self._spoken_of: dict[str, int] | None = None  # counted once, where a possessive asks for it

    def doubt(
        self, first: int, last: int, clause: tuple[int, int], *, in_field: bool, floor: int = 0
    ) -> str | None:
        """Why the mention in tokens [first, last) is not a firm present condition of the patient, or None; no
        cue before the token `floor` counts: the words of a field's own label."""
        words = self._tokens.words
        clause_first, clause_last = clause
        begin = bisect_left(self._cue_starts, max(clause_first, first - _REACH, floor))
        stop = bisect_left(self._cue_starts, min(clause_last, last + _REACH), begin)
        for cue_first, cue_last, (klass, side, within, through, prose) in self._mentions.cues[begin:stop]:
            if prose and in_field and tuple(words[clause_first : clause_first + 2]) not in _A_STORY:
                continue  # but `Dx: GAD. She had anorexia as a teenager` tells a story in a field
            if side == "before":
                if cue_last > first or first - cue_last > within:
                    continue
                if klass == "conditional" and (
                    words[cue_first - 1] in _WE_HAVE
                    or (words[cue_first] in _WORKING and words[first - 1] == "on")
                    or (words[cue_first] in _WORKING and words[first - 2 : first] in _ON_HIS)
                    or self._met(cue_first, cue_last, last)
                ):
                    continue  # `the formulation we have worked with is ...`, `working with Odalys on ...`
                if (
                    klass in ("subthreshold", "conditional")
                    and words[cue_first] in _SYMPTOMS
                    and words[cue_last:first] in _POSSESSIVE
                ):
                    continue  # `symptoms of her PTSD`
                if cue_first == clause_first and words[cue_first:cue_last] == ["diagnosed", "with"]:
                    continue
                if tells_of_entry(self._tokens, self._covered, cue_first, first, cue_last):
                    continue
                if prose and words[cue_last:first].count("since"):
                    continue  # `ADHD, found at twenty, and since her transfer for ...`
                if self._reaches(
                    cue_first, cue_last, first, through=bool(through), in_field=in_field, klass=klass
                ) and not self._is_ours(cue_first, cue_last):
                    return str(klass)
            elif (
                cue_first >= last
                and cue_first - (subject := subject_end(self._tokens, self._covered, last)) <= within
                and self._reached_back(min(subject, cue_first), cue_first, klass)
            ):
                if (prose and cue_first > last and tells_origin(words, last)) or (
                    words[cue_first] in HEADINGS and heads_next(self._tokens, last, cue_first, cue_last)
                ):
                    continue
                if klass == "conditional" and (
                    words[last + (words[last] in _OPENERS)] in _BASED
                    or (in_field and self._tokens.between(last - 1, last).endswith("("))
                ):
                    continue
                if words[cue_last : cue_last + 1] and words[cue_last] in _WHETHER:
                    continue  # `and I considered whether ...`: of what follows
                if words[cue_first] in _FORWARD and self._introduces(cue_first, cue_last, clause_last):
                    continue
                if self._is_ours(cue_first, cue_last):
                    continue
                return str(klass)
        return marked(self._tokens, first, last)

    def _is_ours(self, cue_first: int, cue_last: int) -> bool:
        """`Up against`, `in this record`, `all prior sessions`, `diagnosed by our intake team`."""
        words = self._tokens.words
        behind = words[cue_last : cue_last + 2]
        if words[cue_first - 2 : cue_first] == ["no", "longer"] and not _NO_MORE_SO.isdisjoint(
            words[cue_first:cue_last]
        ):
            return True  # `no longer provisional as of February`
        if words[cue_first - 1] in _FORMERLY and "confirmed" in words[cue_last : cue_last + 3]:
            return True  # `was a rule-out; confirmed in May`
        if words[cue_first - 1] == "all" and not VISITS.isdisjoint(behind[:1]):
            return True
        ours = words[cue_last - 1] == "diagnosed" and behind in _BY_US
        return ours or words[cue_first - 1 : cue_first + 1] in _NO_CUES

    def _reaches(
        self, cue_first: int, cue_last: int, first: int, *, through: bool, in_field: bool, klass: str
    ) -> bool:
        if self._stopped(cue_last, first):
            return False
        words = self._tokens.words
        if klass == "negated" and words[first - 1] == "has" and words[first - 2] in _AND:
            return False  # `neither mad nor psychotic and has PTSD`
        if cue_last - cue_first == 1 and words[cue_first] in _WEAK_NEGATION:
            for at in range(cue_last, first):
                if at not in self._covered and words[at] not in NEUTRAL:
                    return False
            return True
        own = first - (first - 1 in self._codes)  # `corrected from F41.9, anxiety disorder unspecified`
        crossed = bisect_left(self._concept_starts, own) - bisect_left(self._concept_starts, cue_last)
        if crossed <= 0:
            return True
        cue_last += words[cue_last] == ":"  # `Ruled out: panic disorder, bipolar disorder`
        if not through:
            return self._joined_list(cue_last, first)
        if in_field and klass == "historical":
            return False
        return not in_field or self._joined_list(cue_last, first)

    def _met(self, cue_first: int, cue_last: int, last: int) -> bool:
        """`Criteria for agoraphobia are met`, but not two or some of them."""
        words = self._tokens.words
        if "criteria" not in words[cue_first:cue_last] or words[cue_first - 1] in _NOT_ALL:
            return False
        met = (["met"], ["fulfilled"], ["satisfied"])
        return words[last : last + 1] in _ARE and words[last + 1 : last + 2] in met

    def _introduces(self, cue_first: int, cue_last: int, clause_last: int) -> bool:
        """Whether a cue belongs to the condition that follows it: "depression, r/o ADHD"."""
        at = bisect_left(self._concept_starts, cue_last)
        if at == len(self._concept_starts) or self._concept_starts[at] >= min(cue_last + 4, clause_last):
            return False
        behind = self._concept_starts[at]
        return not tells_of_entry(self._tokens, self._covered, cue_first, behind, cue_last)

    def _reached_back(self, last: int, cue_first: int, klass: str) -> bool:
        # `OCD, which her last doctor raised, could not be confirmed`
        told = klass in ("negated", "historical") and self._tokens.words[last] == "which"
        if self._stopped(last + told, cue_first):
            return False
        last = behind_code(self._tokens, self._codes, last)
        crossed = bisect_left(self._concept_starts, cue_first) - bisect_left(self._concept_starts, last)
        if tells_of_next(self._tokens.words[last:cue_first], self._tokens.words[cue_first]):
            return False
        if crossed and self._is_inside(last, cue_first):
            return False  # `Adjustment disorder (oppositional defiant disorder ruled out)`
        if crossed and (
            is_dashed(self._tokens, cue_first)
            or tells_of_entry(self._tokens, self._covered, cue_first, cue_first)
        ):
            starts, ends = self._tokens.starts, self._tokens.ends
            return NEXT_ENTRY.search(self._tokens.text, ends[last - 1], starts[cue_first]) is None
        return not crossed or self._joined_list(last, cue_first)

    def _is_inside(self, last: int, cue_first: int) -> bool:
        """Whether a bracket that opens behind the token `last` holds another condition and the cue."""
        starts, before = self._tokens.starts, bisect_left(self._concept_starts, cue_first) - 1
        opened = self._tokens.text.rfind("(", self._tokens.ends[last - 1], starts[cue_first])
        if opened < 0 or self._tokens.text.find(")", opened, starts[cue_first]) >= 0:
            return False
        return bool(starts[self._concept_starts[before]] > opened)

    def _joined_list(self, left: int, right: int) -> bool:
        """Whether between two places stand only conditions, their specifiers and joining words."""
        words = self._tokens.words
        return all(
            at in self._covered or words[at] in _JOINERS or words[at] in NEUTRAL for at in range(left, right)
        )

    def _stopped(self, left: int, right: int) -> bool:
        at = bisect_left(self._stops, left)
        return at < len(self._stops) and self._stops[at] < right

    def belongs_to_other(
        self, first: int, last: int, clause: tuple[int, int], *, in_field: bool, mourned: bool = False
    ) -> bool:
        """Whether the condition is said of a relative, partner, friend or other member; who is named behind
        a grief is `mourned`."""
        words = self._tokens.words
        if first and words[first - 1] in _SEXES and self._speaks_less_of(words[first - 1]):
            # `Eighteen months since Alma died; he still visits. Her dementia ...`: a possessive of whom the
            # note speaks no more often than of the other sex is not surely the patient's.
            return True
        people = self._mentions.people
        if not people:
            return False
        clause_first, clause_last = clause
        if words[first - 1] == "for" and _BROUGHT.intersection(words[max(clause_first, first - 10) : first]):
            return False  # `brought by her grandmother for separation anxiety`
        at = bisect_right(self._people, first) - 1
        floor = max(clause_first, first - _REACH)
        while at >= 0 and people[at][0] >= floor:
            _, person_last, _ = people[at]
            at -= 1
            if person_last > first:
                continue
            if self._has_patient(person_last, first):
                continue
            between = words[person_last:first]
            person = people[at + 1][0]
            if tells_of_entry(self._tokens, self._covered, person, first, person_last):
                continue  # `panic disorder (family hx), PTSD`
            if words[person - 1] == "my" and not _SEX_OF.keys().isdisjoint(between):
                continue  # `on which my supervisor signed off, is that she has ...`
            if words[person - 2 : person] == ["is", "a"] or stands_aside(self._tokens, person, first):
                continue  # `L.W. is a member of this group`, `a mother of two`: who is spoken of
            opens = person - clause_first <= 1 or (
                person - clause_first == 2
                and (words[person - 1] in _THE_PATIENTS or words[clause_first] in _WHEN)
            )
            if not in_field and opens and 0 < len(between) <= _OWN_STORY and between[-1] in _OWN:
                return True  # `Husband started paroxetine for his OCD`: his own
            if (
                not in_field
                and opens
                and 0 < len(between) <= _OWN_STORY
                and SPEAKS_OF.isdisjoint(between)
                and between[0] not in _JOINERS
            ):
                return True  # `His sister, in treatment for opioid use disorder`: the sentence is about her
            possessive = words[person_last - 1].endswith(("'s", "s'"))
            if possessive and between and between[0] in _TOLD_BY and not _SAYS_WHAT.isdisjoint(between):
                continue  # `with his partner's ratings, it is now ADHD`
            linked = self._has_link(person_last, first)
            if possessive and len(between) <= 4:
                return True
            if in_field:
                gap = self._tokens.between(person_last - 1, first)
                if (linked and len(between) <= 6) or (opens and gap in (" - ", ": ", " ")):
                    return True
                continue
            if linked and len(between) <= 14:
                theirs = not between or between[-1] not in ("her", "his", "their")
                return theirs or self._close_link(between)
            if len(between) <= 2 and not (between and between[-1] in _OWN):
                return True
        if not in_field and self._of_one_named_before(clause_first, first):
            return True
        return not mourned and self._other_after(last, clause_last)

    def _of_one_named_before(self, clause_first: int, first: int) -> bool:
        """`She came to talk about her brother. He has schizophrenia`: a pronoun of the sex of a relative, in
        a note that speaks as often of the other sex; or of anybody, in a note that began with the other."""
        words = self._tokens.words
        floor = max(clause_first, first - _SAID_OF)
        if floor == clause_first and words[floor] in _SEXES:
            at, own = floor, words[floor]  # `His neurologist has added ...`
        elif _SEX_OF.keys().isdisjoint(words[floor:first]):
            return False
        else:
            at = next(at for at in range(first - 1, floor - 1, -1) if words[at] in _SEX_OF)
            own = _SEX_OF[words[at]]
        other = "his" if own == "her" else "her"
        for before in range(at - 1, max(-1, at - _TAKEN_UP), -1):
            word = words[before]
            if word in _PATIENT:
                return False
            if word.removesuffix("'s") in OF_A_SEX[own]:
                return own not in words[max(0, before - 2) : before] and self._speaks_less_of(own)
            if at == clause_first and before in self._people and word not in OF_A_SEX[other]:
                return self._speaks_first_of(other) and self._speaks_less_of(own)
        return False

    def _speaks_first_of(self, sex: str) -> bool:
        """Whether the first pronoun of the note is of this sex."""
        return next((word in _SEXES[sex] for word in self._tokens.words if word in _BY_SEX), False)

    def _speaks_less_of(self, own: str) -> bool:
        """Whether the note speaks no more often of this sex than of the other."""
        if self._spoken_of is None:
            words = self._tokens.words
            self._spoken_of = {sex: sum(map(words.count, forms)) for sex, forms in _SEXES.items()}
        return self._spoken_of[own] <= self._spoken_of["his" if own == "her" else "her"]

    def _other_after(self, last: int, clause_last: int) -> bool:
        words = self._tokens.words
        at = bisect_left(self._people, last)
        if at == len(self._people):
            return False
        person = self._people[at]
        if person >= clause_last or person - last > _FARTHEST_PERSON:
            return False
        if words[person - 2 : person] in _IS_HERS and words[person].endswith("'s"):
            return True  # `The bipolar disorder in the file is her mother's`
        if person - last > _NEAREST_PERSON:
            return False
        if person == last and words[last - 2] in _SEXES:
            return True  # `his bipolar son-in-law`
        between = [word for word in words[last:person] if word not in _OF_PEOPLE]
        if not between:
            gap = self._tokens.text[self._tokens.ends[last - 1] : self._tokens.starts[person]]
            return "(" in gap or "," in gap
        return between[0] in ("in", "of", "on", "dx'd", "from") and _WHOSE.issuperset(between)

    def _has_patient(self, left: int, right: int) -> bool:
        words = self._tokens.words
        return any(
            words[at] in _PATIENT and words[at - 1] not in ("other", "another", "former")
            for at in range(left, right)
        )

    def _has_link(self, left: int, right: int) -> bool:
        if any(left <= link[0] < right for link in _window(self._mentions.has, left, right)):
            return True
        words = self._tokens.words
        if "w" in words[left:right]:
            return True  # `spouse w/ dementia`
        # `carries a diagnosis of` is one wording, which begins with its own verb
        stated = _window(self._mentions.statements, left, right)
        return any(
            words[verb] in _CARRYING for statement in stated for verb in (statement[0], statement[1] - 1)
        )

    @staticmethod
    def _close_link(between: list[str]) -> bool:
        return not _HAVING.isdisjoint(between[-4:])


def _window(found: list[tuple[int, int, Any]], left: int, right: int) -> list[tuple[int, int, Any]]:
    """The entries that begin in [left, right) of a list sorted by start."""
    begin = bisect_left(found, (left,))
    end = bisect_left(found, (right,))
    return found[begin:end]
