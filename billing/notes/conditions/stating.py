"""Sentences that state a condition without naming it a diagnosis: what is treated, what somebody has, what a
thing is called."""

import re

import msgspec

from billing.notes.conditions.concluding import concluded, in_an_episode, is_known, is_one_with
from billing.notes.conditions.goes import goes_on, is_gaining, what_goes
from billing.notes.conditions.resolver import Resolved
from billing.notes.conditions.sources import names_diagnosis
from billing.notes.conditions.subjects import (
    ARTICLES,
    CALLING,
    ELSEWHERE,
    FARTHEST_BEHIND,
    OTHERS_WORDS,
    SEEN,
    THE_PATIENT,
    WE,
    before_articles,
    is_aged,
    is_called,
    is_cleft,
    is_our_subject,
    is_treated,
    what_it_is,
)
from billing.notes.lexicon import Mentions, entries_between
from billing.notes.text.spoken import NUMBERS
from billing.notes.text.tokens import TokenStream

# So far from the condition stands the verb that it belongs to.
_REACH = 14
_BEHIND = 9
# Before the condition in a sentence that says what the work is about.
_LONGEST_SUBJECT = 32
# How far into a note its patient is named.
_OPENING = 160
_INTRODUCED_BY = frozenset(
    ("with", "for", "client", "pt", "patient", "ct", "mr", "mrs", "ms", "name", "see", "seeing", "individual",
     "session", "visit", "saw", "on", "ip", "called", "without", "of", "mx", "professor", "rev", "because")
)  # fmt: skip
# `Was treated for` may be long ago.
_ONCE = frozenset(("treated", "followed", "admitted", "started"))
_WAS = frozenset(("was", "were", "been", "got"))
_SEEING = frozenset(("see", "seeing", "meet", "meeting", "treat", "treating", "follow", "following"))
_CARE = frozenset(
    ("therapy", "psychotherapy", "treatment", "tx", "session", "sessions", "visit", "visits", "counseling",
     "cbt", "erp", "emdr", "dbt", "cpt", "ipt", "exposure", "exposures", "interviewing", "care", "work",
     "appointment", "psychotherapeutic", "followup", "individual", "teletherapy", "bill", "billed")
)  # fmt: skip
_JOINED_BY = {
    "for": SEEN | _CARE | {"sees", "here"},
    "of": frozenset(("treatment", "therapy", "care", "management", "comes", "here", "seen", "follow")),
    "about": frozenset(("here", "met", "comes", "come", "came", "sees", "seen", "back")),
    "with": frozenset(("comes", "came", "here", "presents", "back")),
    "on": frozenset(
        ("touched", "work", "worked", "working", "works", "focused", "focuses", "concentrated", "spent")
    ),
    "to": frozenset(("devoted", "went", "dedicated", "given")),
    "at": frozenset(("directed", "aimed", "targeted")),
    "toward": frozenset(("directed", "aimed", "geared")),
    "towards": frozenset(("directed", "aimed", "geared")),
}
# `For her claustrophobia we sat in the closet`
_WE_DO = (["we"], ["i"])
_SPANS_OF_TIME = frozenset(("month", "months", "week", "weeks", "year", "years", "while", "time"))
_BECAUSE_OF = (["because", "of"], ["on", "account", "of"])
_ADDRESSING = frozenset(
    ("address", "addresses", "addressed", "addressing", "target", "targets", "targeted", "targeting")
)
_ADDRESSED_BY = frozenset(("session", "sessions", "visit", "visits", "we", "work", "treatment", "today", "i"))
_SELF = frozenset(("himself", "herself"))
_OBJECTS = ("him", "her", "them")
_US = frozenset(("me", "us"))
_HAS = frozenset(("has", "carries", "have"))
_STRUGGLES = (["struggles", "with"], ["lives", "with"], ["suffers", "from"])
# The last word before a condition that somebody is said to have.
_HAVING = ARTICLES | _HAS | {"whose", "with", "from"}
_IS_A = (["is", "a"], ["is", "an"], ["is", "the"])
# What is said of a condition that is there.
_STAYS = frozenset(
    ("stands", "persists", "continues", "brings", "brought", "improved", "improving", "worsened", "flared",
     "eased", "holds", "lingers", "remains", "endures")
)  # fmt: skip
_IS = frozenset(("is", "remains", "that's", "was"))
_THERE = frozenset(
    ("stable", "improving", "improved", "better", "worse", "worsening", "unchanged", "active", "quiet",
     "quieter",
     "well", "controlled", "why", "reason", "under", "treated", "subject", "problem", "primary", "agenda",
     "responding", "steady", "confirmed", "persistent", "ongoing", "billing")
)  # fmt: skip
_INTRODUCTION = 8
_AGES = frozenset(("age", "aged", *NUMBERS))
_PRONOUNS = ("he", "she", "they", "i", "we")
_AGED = re.compile(
    r"[1-9]\d?(?:yo|yof|yom|f|m)?\Z|[1-9]\d?(?:f|m|yo|yof|yom| (?:yo|y/o|f|m|year|years|yof|yom))\b"
)
# `He is an accountant with ADHD`
_INITIALS = re.compile(r"[a-z](?:\.[a-z])+\.?\Z")
_CONTINUING = frozenset(("continue", "continues", "continued", "continuing", "cont", "resume"))
_BESIDE = frozenset(("listed", "second", "secondary", "billed", "coded"))
_IN_PART = frozenset(("in", "partly", "partially", "only", "except", "but", "by"))
_THAT_IS_WHAT = ["that", "is", "what"]
_SECOND = (["second"], ["secondary"], ["secondarily"])
_AS_THE = tuple(["as", the, what] for the in ("the", "our") for what in ("reason", "focus", "target"))
_MY_PATIENT = (["my", "patient"], ["my", "client"], ["my", "care"])
_MINE = (["my", "patient", "for"], ["my", "client", "for"])
_KEEPS_US = tuple([keeps, "us", "at"] for keeps in ("keeps", "puts", "leaves", "keep"))
# `Their son Kendall, 24, whose treatment this is`
_WHOSE_TREATMENT = "whose treatment this is"


class Prose(msgspec.Struct):
    """Answers about sentences of one note."""

    text: str
    plain: str
    tokens: TokenStream
    mentions: Mentions
    _names: dict[str, bool] = msgspec.field(default_factory=dict)

    def states(self, resolved: Resolved, *, opens: bool) -> bool:
        """Whether the sentence says that the patient has the condition; `opens` says whether it opens the
        sentence."""
        words = self.tokens.words
        clause_first, clause_last = resolved.clause_first, resolved.clause_last
        first, last = resolved.first, resolved.last
        before = words[max(clause_first, first - _REACH) : first]
        after = words[last : min(clause_last, last + _BEHIND)]
        end = before_articles(before)
        if after and (
            ((opens or not end) and _stays(after))
            or (after[0] in CALLING and is_called(after))
            or is_treated(words[last : min(clause_last, last + FARTHEST_BEHIND)])
        ):
            return True
        if "what" in after and _is_what_we_do(after):
            return True  # `... last spring, and that is what we have been working from`
        if not before:
            return False
        if before[-1] == "with" and (after[:1] in _SECOND or after[:3] in _AS_THE):
            return True  # `..., with generalized anxiety disorder second`
        if before[-3:] in _KEEPS_US or (before[0] in _PRONOUNS and before[2:5] in _MINE and end <= 6):
            return True
        if before[end - 1 : end] == ["for"] and any(
            before[at : at + 2] in _MY_PATIENT for at in range(end - 1)
        ):
            return True  # `he is my patient for adult ADHD`, `that keeps us at ...`
        lead = words[clause_first:first] if first - clause_first <= _LONGEST_SUBJECT else []
        return (
            (before[0] == "for" and end <= 1 and after[:1] in _WE_DO)
            or is_our_subject(lead)
            or is_cleft(lead, after)
            or _treated(before, end)
            or _is_a_diagnosis(before, end)
            or concluded(before, end)
            or (after[:1] != ["that"] and (what_it_is(before, end) or what_goes(before, end)))
            or goes_on(lead, after)
            or in_an_episode(before)
            or is_one_with(before)
            or is_gaining(before)
            or is_known(before, end)
            or (
                "criteria" in before
                and after[:2] in (["are", "met"], ["is", "met"], ["remain", "met"])
                and _IN_PART.isdisjoint(after[2:3])
            )
            or self._had_by_name(first, clause_first)
            or self._introduced(first, clause_first)
            or self._had_by_patient(first, clause_first)
        )

    def continued(self, resolved: Resolved) -> bool:
        """`Continue CBT for social anxiety disorder`, said in a plan: what goes on is there."""
        first = resolved.first
        before = self.tokens.words[max(resolved.clause_first, first - _BEHIND) : first]
        if _CONTINUING.isdisjoint(before):
            return False
        return before[-1] in ("treat", "treating") or (
            before[-1] in ("for", "of") and _treated(before, len(before))
        )

    def treats(self, resolved: Resolved) -> bool:
        """Whether the words right before say that the patient is seen for the condition."""
        first = resolved.first
        before = self.tokens.words[max(resolved.clause_first, first - _REACH) : first]
        return before[-1:] in (["for"], ["about"]) and _treated(before, len(before))

    def names(self, resolved: Resolved) -> bool:
        """`What we are treating, and what is on the plan, is relationship distress`, `the only thing I treat
        is ...`, `presenting problem and focus: ...`, `..., and that is what I am treating`."""
        words, first, last = self.tokens.words, resolved.first, resolved.last
        before = words[max(resolved.clause_first, first - _LONGEST_SUBJECT) : first]
        after = words[last : min(resolved.clause_last, last + FARTHEST_BEHIND)]
        if "what" in after and _is_what_we_do(after):
            return True
        if "diagnoses" in before[:2] and names_diagnosis(before):
            return True  # `diagnoses today are ..., and suicidal ideation`
        end = before_articles(before)
        if _is_a_diagnosis(before, end):
            return True
        if end < 2 or not (before[end - 1] in ("is", "remains") or (before[-1] == ":" and "is" in before)):
            return "focus" in before and "presenting" in before and before[-1] in ("focus", ":", "is")
        told = (
            before[2:5]
            if before[0] == "what" and before[1:2] in _WE_DO
            else before[max(0, end - 5) : end - 1]
        )
        worked_on = before[0] == "what" and told[-2:] == ["working", "on"]
        return (worked_on or not {"treat", "treating"}.isdisjoint(told)) and OTHERS_WORDS.isdisjoint(told)

    def _had_by_name(self, first: int, clause_first: int) -> bool:
        """`Cody has ADHD`, `Theo, 9, has autism`, `Saskia's anorexia nervosa`, at the name of the patient."""
        words = self.tokens.words
        at = first - 1
        if at < clause_first:
            return False
        if at == clause_first and self.plain[self.tokens.ends[at] : self.tokens.starts[first]] == ", ":
            return self._is_patients(at, words[at])  # `Ingrid, bipolar disorder, arrived rested`
        if words[at].endswith("'s") and self._is_patients(at, words[at][:-2]):
            return True
        if words[at] not in _HAVING:
            return False
        if words[at] == "whose":
            return at > clause_first and self._is_patients(at - 1, words[at - 1])
        while at > clause_first and words[at] in ARTICLES:
            at -= 1
        if at > clause_first and words[at - 1 : at + 1] in _STRUGGLES:
            at -= 1
        elif words[at] == "with" and words[clause_first + 1 : clause_first + 3] in _IS_A:
            return self._is_patients(clause_first, words[clause_first])
        elif words[at] not in _HAS:
            return False
        at -= 1
        if words[at] == "and" and not entries_between(self.mentions.people, clause_first, at):
            at = clause_first  # `Marisol is ten weeks out from delivery and has ...`
        if at > clause_first and ")" in self.tokens.between(at, at + 1):
            opened = self.plain.rfind("(", self.tokens.starts[clause_first], self.tokens.starts[at])
            at = self.tokens.token_at(opened) - 1 if opened >= 0 else at
        while at > clause_first and (words[at].isdigit() or words[at] in _AGES):
            at -= 1
        return at >= clause_first and self._is_patients(at, words[at])

    def _had_by_patient(self, first: int, clause_first: int) -> bool:
        """`The patient, a mother of two, has PTSD`, behind an aside about who it is; `he is autistic`;
        `..., and she also has PTSD`."""
        words, between = self.tokens.words, self.tokens.between
        lead = words[clause_first:first]
        while lead and lead[-1] in ARTICLES:
            lead.pop()
        if lead[1:] == ["is"] and lead[0] in THE_PATIENT and first - clause_first == len(lead):
            return True
        if is_aged(lead):
            return not entries_between(self.mentions.people, clause_first, first)
        if lead[-2:] == ["also", "has"] and not THE_PATIENT.isdisjoint(lead[-3:-2]):
            return True
        has, opens = clause_first + len(lead) - 1, clause_first + (lead[:1] == ["the"])
        return (
            lead[-1:] == ["has"]
            and words[opens] in THE_PATIENT
            and words[opens + 1 : opens + 2] in (["a"], ["an"])
            and "," in between(opens, opens + 1)
            and "," in between(has - 1, has)
        )

    def _introduced(self, first: int, clause_first: int) -> bool:
        """`10 yo F, indiv, PTSD after a dog attack`: in the line that says who the patient is."""
        words = self.tokens.words
        if not 2 <= first - clause_first <= _INTRODUCTION:
            return False
        start = self.tokens.starts[first]
        lead = words[clause_first:first]
        if lead[-1] == "with":
            lead.pop()
            if not lead[-1][0].isdigit():
                return lead[0] in THE_PATIENT and lead[1:2] == ["is"] and len(lead) > 2
        elif self.plain[max(0, start - 2) : start] not in (", ", "; ", "/ ", "- "):
            return False
        if ":" in lead:
            lead = lead[lead.index(":") + 1 :]
        if not lead or lead[0] in _PRONOUNS:
            return False
        return any(
            word[:1].isdigit() and _AGED.match(" ".join(lead[at : at + 2]))
            for at, word in enumerate(lead[:2])
        ) and not entries_between(self.mentions.people, clause_first, first)

    def _is_patients(self, at: int, name: str) -> bool:
        """Whether a word is a name, of someone whom the note names at its beginning and not as a relative."""
        start = self.tokens.starts[at]
        if not self.text[start : start + 1].isupper() or len(name) < 2:
            return False
        if not (name.isalpha() or _INITIALS.match(name)):
            return False
        known = self._names.get(name)
        if known is None:
            known = self._names[name] = self._opens_note(name)
        return known

    def _opens_note(self, name: str) -> bool:
        words, limit = self.tokens.words, self.tokens.token_at(_OPENING)
        named = next((at for at in range(limit) if words[at] in (name, f"{name}'s")), None) if limit else None
        if named is None:
            return False
        aged = words[named + 1 : named + 2] and words[named + 1].isdigit()
        if _WHOSE_TREATMENT in " ".join(words[named + 1 : named + 8]):
            return True
        near = 1 if aged or words[named - 1] == "without" else 3
        if entries_between(self.mentions.people, max(0, named - near), named + 1):
            return False
        clause_first, _ = self.tokens.clause_of(named)
        opens = (
            named == clause_first
            or not words[named - 1].isalpha()
            or "," in self.tokens.between(named - 1, named)
        )
        if not opens and words[named - 1] not in _INTRODUCED_BY:
            return False
        start = self.tokens.starts[named]
        return self.text[start : start + 1].isupper()


def _is_a_diagnosis(before: list[str], end: int) -> bool:
    """`The diagnosis is ...`, `and his other listed problem is ...`"""
    if before[end - 1 : end] not in (["is"], ["remains"]):
        return False
    lead = before[max(0, end - 5) : end - 1]
    if lead[-1:] in (["diagnosis"], ["dx"]):
        return OTHERS_WORDS.isdisjoint(lead)
    return lead[-1:] == ["problem"] and not _BESIDE.isdisjoint(lead)


def _stays(after: list[str]) -> bool:
    """`Social anxiety disorder persists`, `OCD is better`."""
    if after[0] in _STAYS:
        return ELSEWHERE.isdisjoint(after[1:4])
    return after[0] in _IS and not _THERE.isdisjoint(after[1:5]) and OTHERS_WORDS.isdisjoint(after[1:5])


def _is_what_we_do(after: list[str]) -> bool:
    return any(after[at : at + 3] == _THAT_IS_WHAT and after[at + 3] in WE for at in range(len(after) - 3))


def _treated(before: list[str], end: int) -> bool:
    """`I see Mr. Okafor weekly for ...`, `a stenographer treated for ...`, `sessions address ...`; `end` is
    how many words stand before the articles."""
    if not end or not _SELF.isdisjoint(before):
        return False  # `His dad, who is in treatment himself for ...`
    joined = before[end - 1]
    if joined == "of":
        because = next((words for words in _BECAUSE_OF if before[:end][-len(words) :] == words), None)
        if because is not None:
            before = [*before[: end - len(because)], "for"]
            end = len(before)
            joined = "for"
    if joined == "treated":
        return before[max(0, end - 2) : end - 1] in (["we"], ["i"])
    if joined in ("treat", "treating"):
        near = before[max(0, end - 5) : end - 1]
        return not WE.isdisjoint(near) and ELSEWHERE.isdisjoint(near)
    if joined in _ADDRESSING:
        near = before[max(0, end - 5) : end - 1]
        return not _ADDRESSED_BY.isdisjoint(near) and ELSEWHERE.isdisjoint(near)
    fits = _JOINED_BY.get(joined)
    if fits is None:
        return False
    if joined == "for" and before[end - 2 : end - 1] == ["and"] and "for" in before[: end - 2]:
        end = end - 2 - before[: end - 2][::-1].index("for")  # `I follow her for OCD, and for a ...`
    for at in range(end - 2, -1, -1):
        word = before[at]
        if word == "for" and not _SPANS_OF_TIME.isdisjoint(before[at + 1 : at + 4]):
            continue  # `we have been working together for a month on ...`
        if word in ("for", "that", "because", "but", "whose", "from") or word in ELSEWHERE:
            return False
        if word in _SEEING and joined == "for" and not at:
            return True
        if word in _SEEING and joined == "for" and not WE.isdisjoint(before[max(0, at - 4) : at]):
            return ELSEWHERE.isdisjoint(before[max(0, at - 4) : at])
        if word in fits and word not in _SEEING:
            if word in _ONCE and not _WAS.isdisjoint(before[max(0, at - 2) : at]):
                return False
            if before[at + 1] in _OBJECTS and at and WE.isdisjoint(before[max(0, at - 4) : at]):
                return False  # `a psychiatrist treated him for ...`
            if word == "sees" and _US.isdisjoint(before[at + 1 : at + 3]):
                return False
            return ELSEWHERE.isdisjoint(before[max(0, at - 4) : at])
    return False
