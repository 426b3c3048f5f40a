"""Sentences that state a condition without naming it a diagnosis: what is treated, what somebody has, what a
thing is called."""

import re
from dataclasses import dataclass, field

from billing.notes.lexicon import Mentions
from billing.notes.resolver import Resolved, entries_between
from billing.notes.text import TokenStream

# So far from the condition stands the verb that it belongs to.
_REACH = 14
_BEHIND = 9
# How far into a note its patient is named.
_OPENING = 160
_INTRODUCED_BY = frozenset(
    ("with", "for", "client", "pt", "patient", "ct", "mr", "mrs", "ms", "name", "see", "seeing", "individual",
     "session", "visit", "saw", "on", "ip", "called", "without", "of")
)  # fmt: skip
_DETERMINERS = frozenset(
    (
        "a", "an", "the", "his", "her", "their", "this", "ongoing", "chronic", "still", "longstanding",
        "had", "now", "long", "standing", "known", "same", "established", "current",
        "mr", "client's", "pt's", "patient's", "what", "is", "i", "call", "we", "here", "today",
    )
)  # fmt: skip
_ARTICLES = frozenset(("a", "an", "the", "still", "now", "had", "his", "her", "their", "clear", "indeed"))
# Verbs and nouns of care given here, by the word that joins the condition to them.
_SEEN = frozenset(
    ("seen", "treated", "followed", "treating", "treat", "follow", "following", "here", "comes", "come",
     "coming", "came", "returns", "returned", "back", "attends", "attending", "attended", "brought",
     "presents", "started", "begun", "enrolled", "meets", "admitted")
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
    "for": _SEEN | _CARE | {"sees"},
    "of": frozenset(("treatment", "therapy", "care", "management", "comes", "here", "seen", "follow")),
    "about": frozenset(("here", "comes", "come", "came", "sees", "seen", "back")),
    "with": frozenset(("comes", "came", "here", "presents", "back")),
    "on": frozenset(("work", "worked", "working", "works", "focused", "focuses", "concentrated", "spent")),
    "to": frozenset(("devoted", "went", "dedicated", "given")),
    "at": frozenset(("directed", "aimed", "targeted")),
    "toward": frozenset(("directed", "aimed", "geared")),
    "towards": frozenset(("directed", "aimed", "geared")),
    "because": frozenset(("comes", "here", "seen", "came")),
}
_ADDRESSING = frozenset(
    ("address", "addresses", "addressed", "addressing", "target", "targets", "targeted", "targeting")
)
_ADDRESSED_BY = frozenset(("session", "sessions", "visit", "visits", "we", "work", "treatment", "today", "i"))
# Between the verb and the condition, or right before the verb, these make it another's, another time's, or
# a wish.
_ELSEWHERE = frozenset(
    ("not", "never", "don't", "doesn't", "isn't", "wasn't", "no", "without", "if", "would", "could", "might",
     "may", "will", "should", "wants", "want", "wanted", "hopes", "hoped", "asked", "asks", "used", "once",
     "previously", "formerly", "earlier", "past", "previous", "prior", "former", "declined", "refused",
     "offered", "next", "group", "groups", "had", "ended", "finished", "completed", "later", "until",
     "mother's", "father's", "class", "clinic", "center", "program", "ward", "unit",
     "evaluation", "testing", "referral", "referred", "residential", "hospital", "book", "certificate",
     "they", "before", "instead", "ask", "find", "talk",
     "learn", "hear", "people", "rather", "medication", "elsewhere", "brother's", "sister's")
)  # fmt: skip
_WE = frozenset(("i", "we", "i'm", "i've", "we've", "we're"))
_OBJECTS = ("him", "her", "them")
_US = frozenset(("me", "us"))
_CONCLUDING = frozenset(
    ("find", "found", "conclude", "concluded", "diagnose", "diagnosed", "confirm", "confirmed", "established",
     "establish", "documented", "fits", "meets")
)  # fmt: skip
_CONCLUDERS = _WE | {"evaluation", "intake", "assessment", "team"}
_HAS = frozenset(("has", "carries", "have"))
_STRUGGLES = (["struggles", "with"], ["lives", "with"], ["suffers", "from"])
_IS_A = (["is", "a"], ["is", "an"], ["is", "the"])
_EXPLAINS = (["accounts", "for"], ["explains", "the"], ["explains", "all"], ["explains", "it"], ["is", "how"])
_IT_IS = frozenset(("it", "is", "for", "the", "a", "an", "this"))
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
     "responding", "steady", "persistent", "ongoing", "billing")
)  # fmt: skip
_HERS = frozenset(
    ("i", "we", "this", "brings", "keeps", "has", "have", "treat", "treating", "see", "settled", "seen",
     "treated", "diagnosed")
)  # fmt: skip
_OTHERS_WORDS = frozenset(
    ("they", "thinks", "believes", "says", "said", "calls", "called", "fears", "wants", "wanted", "told",
     "hopes", "read", "reads", "found", "doctor", "school", "court", "lawyer", "thought", "not", "isn't",
     "never", "wonders", "suspects", "might", "may", "could", "would", "if", "asked", "mother", "father",
     "husband", "wife", "partner", "was", "were", "feared")
)  # fmt: skip
_CLEFT = frozenset(
    ("brings", "brought", "treat", "treating", "treated", "find", "see", "diagnose", "call", "has", "have",
     "seeing", "working", "work", "keeps", "name", "remains", "left")
)  # fmt: skip
_NAMING = frozenset(("name", "word", "term"))
_INTRODUCTION = 8
_PRONOUNS = ("he", "she", "they", "i", "we")
_AGED = re.compile(
    r"[1-9]\d?(?:yo|yof|yom|f|m)?\Z|[1-9]\d?(?:f|m|yo|yof|yom| (?:yo|y/o|f|m|year|years|yof|yom))\b"
)
# `He is an accountant with ADHD`
_SOMEONE = frozenset(("he", "she", "client", "patient", "pt"))
_CONTINUING = frozenset(("continue", "continues", "continued", "continuing", "cont", "resume"))
_PROGRESS = frozenset(
    (
        "gains",
        "gaining",
        "progress",
        "progressing",
        "headway",
        "strides",
        "improvement",
        "improving",
        "improved",
    )
)
_IN_PART = frozenset(("in", "partly", "partially", "only", "except", "but", "by"))
# `The character problem we are treating is ...`, `the work is with ...`
_OUR_SUBJECTS = frozenset(
    ("condition", "problem", "diagnosis", "work", "illness", "trouble", "focus", "formulation")
)
_OURS = frozenset(("the", "our", "my", "this", "her", "his", "their"))
_FARTHEST_BEHIND = 16
# `I regard the matter as ...`
_REGARDING = frozenset(
    ("put", "regard", "regarded", "understand", "understood", "consider", "diagnose", "diagnosed", "classify",
     "formulate", "formulated", "conceptualize", "think", "see", "treat", "treating")
)  # fmt: skip
_AGREEING = frozenset(("agree", "agreed", "conclude", "confirm", "confirmed"))


@dataclass(slots=True)
class Prose:
    """Answers about sentences of one note."""

    text: str
    plain: str
    tokens: TokenStream
    mentions: Mentions
    _names: dict[str, bool] = field(default_factory=dict)

    def states(self, resolved: Resolved, *, opens: bool) -> bool:
        """Whether the sentence says that the patient has the condition; `opens` says whether it opens the
        sentence."""
        words = self.tokens.words
        clause_first, clause_last = self.tokens.clause_of(resolved.first)
        before = words[max(clause_first, resolved.first - _REACH) : resolved.first]
        after = words[resolved.last : min(clause_last, resolved.last + _BEHIND)]
        return (
            (opens and _stays(after))
            or _is_called(after)
            or _is_treated(words[resolved.last : min(clause_last, resolved.last + _FARTHEST_BEHIND)])
            or _is_our_subject(words[clause_first : resolved.first])
            or _is_cleft(words[clause_first : resolved.first], after)
            or _treated(before)
            or _concluded(before)
            or (after[:1] != ["that"] and _what_it_is(before))
            or _gaining(before)
            or (
                "criteria" in before
                and after[:2] in (["are", "met"], ["is", "met"])
                and _IN_PART.isdisjoint(after[2:3])
            )
            or self._had_by_name(resolved.first, clause_first)
            or self._introduced(resolved.first, clause_first)
        )

    def continued(self, resolved: Resolved) -> bool:
        """`Continue CBT for social anxiety disorder`, said in a plan: what goes on is there."""
        clause_first, _ = self.tokens.clause_of(resolved.first)
        before = self.tokens.words[max(clause_first, resolved.first - _BEHIND) : resolved.first]
        if _CONTINUING.isdisjoint(before):
            return False
        return before[-1] in ("treat", "treating") or (before[-1] in ("for", "of") and _treated(before))

    def treats(self, resolved: Resolved) -> bool:
        """Whether the words right before say that the patient is seen for the condition."""
        clause_first, _ = self.tokens.clause_of(resolved.first)
        before = self.tokens.words[max(clause_first, resolved.first - _REACH) : resolved.first]
        return before[-1:] in (["for"], ["about"]) and _treated(before)

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
        while at > clause_first and words[at] in _ARTICLES:
            at -= 1
        if at > clause_first and words[at - 1 : at + 1] in _STRUGGLES:
            at -= 1
        elif words[at] == "with" and words[clause_first + 1 : clause_first + 3] in _IS_A:
            return self._is_patients(clause_first, words[clause_first])
        elif words[at] not in _HAS:
            return False
        at -= 1
        if at > clause_first and ")" in self.tokens.between(at, at + 1):
            opened = self.plain.rfind("(", self.tokens.starts[clause_first], self.tokens.starts[at])
            at = self.tokens.token_at(opened) - 1 if opened >= 0 else at
        while at > clause_first and words[at].isdigit():
            at -= 1
        return at >= clause_first and self._is_patients(at, words[at])

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
                return lead[0] in _SOMEONE and lead[1:2] == ["is"] and len(lead) > 2
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
        if not self.text[start : start + 1].isupper() or len(name) < 2 or not name.isalpha():
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
        if entries_between(self.mentions.people, max(0, named - (1 if aged else 3)), named + 1):
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


def _stays(after: list[str]) -> bool:
    """`Social anxiety disorder persists`, `OCD is better`."""
    if not after:
        return False
    if after[0] in _STAYS:
        return _ELSEWHERE.isdisjoint(after[1:4])
    return after[0] in _IS and not _THERE.isdisjoint(after[1:5]) and _OTHERS_WORDS.isdisjoint(after[1:5])


def _is_called(after: list[str]) -> bool:
    """`... is what we settled on`, `... is the name for what she has`, `..., and I agree`."""
    if len(after) > 2 and after[0] in ("is", "remains", "that's") and _OTHERS_WORDS.isdisjoint(after[1:]):
        if after[1] == "what":
            return not _HERS.isdisjoint(after[2:])
        if after[1] in ("the", "my", "our") and not _NAMING.isdisjoint(after[2:4]):
            return not any(word.endswith("'s") for word in after[4:])
        if after[1] == "why" and not _SEEN.isdisjoint(after[2:]):
            return True
    if after[:2] in _EXPLAINS:
        return _OTHERS_WORDS.isdisjoint(after)
    for at in range(1, min(5, len(after) - 2)):
        # `..., which is still what I am treating`
        if after[at] == "what" and after[0] in ("and", "which", "that") and after[at + 1] in ("i", "we"):
            return not _CLEFT.isdisjoint(after[at + 2 :]) and _OTHERS_WORDS.isdisjoint(after)
    return after[:2] in (["i", "agree"], ["i", "concur"]) or after[:3] in (
        ["and", "i", "agree"], ["and", "i", "concur"], ["and", "it", "stands"],
    )  # fmt: skip


def _is_treated(after: list[str]) -> bool:
    """`The depression for which I am treating her has begun to loosen`, `..., and I treat it as such`."""
    for at, word in enumerate(after[1:], start=1):
        if word in ("treat", "treating"):
            ours = not _WE.isdisjoint(after[max(0, at - 4) : at]) and _OTHERS_WORDS.isdisjoint(after[:at])
            return ours and (after[at + 1 : at + 2] == ["it"] or after[:2] == ["for", "which"])
    return False


def _is_cleft(lead: list[str], after: list[str]) -> bool:
    """`It is for the social phobia that I see her.`"""
    return (
        lead[:2] == ["it", "is"]
        and _IT_IS.issuperset(lead)
        and after[:1] == ["that"]
        and not (_CLEFT | _SEEN | {"i"}).isdisjoint(after[1:5])
        and _OTHERS_WORDS.isdisjoint(after)
    )


def _is_our_subject(lead: list[str]) -> bool:
    """`The character problem we are treating is ...`, `the work is with ...`."""
    end = _before_articles(lead)
    if end > 1 and lead[end - 1] in ("with", "on"):
        end -= 1
    return (
        2 < end <= _FARTHEST_BEHIND
        and lead[end - 1] in ("is", "remains")
        and lead[0] in _OURS
        and not _OUR_SUBJECTS.isdisjoint(lead[1:4])
        and _OTHERS_WORDS.isdisjoint(lead)
        and _ELSEWHERE.isdisjoint(lead)
    )


def _before_articles(words: list[str]) -> int:
    """How many words are left without the articles at the end."""
    end = len(words)
    while end and words[end - 1] in _ARTICLES:
        end -= 1
    return end


def _treated(before: list[str]) -> bool:
    """`I see Mr. Okafor weekly for ...`, `a stenographer treated for ...`, `sessions address ...`."""
    end = _before_articles(before)
    if not end:
        return False
    if before[max(0, end - 3) : end] == ["on", "account", "of"] or before[max(0, end - 2) : end] == [
        "because",
        "of",
    ]:
        before = [*before[: end - (3 if before[end - 2] == "account" else 2)], "for"]
        end = len(before)
    joined = before[end - 1]
    if joined == "treated":
        return before[max(0, end - 2) : end - 1] in (["we"], ["i"])
    if joined in ("treat", "treating"):
        near = before[max(0, end - 5) : end - 1]
        return not _WE.isdisjoint(near) and _ELSEWHERE.isdisjoint(near)
    if joined in _ADDRESSING:
        near = before[max(0, end - 5) : end - 1]
        return not _ADDRESSED_BY.isdisjoint(near) and _ELSEWHERE.isdisjoint(near)
    fits = _JOINED_BY.get(joined)
    if fits is None:
        return False
    for at in range(end - 2, -1, -1):
        word = before[at]
        if word == "because" and joined == "of":
            return not fits.isdisjoint(before[max(0, at - 3) : at])
        if word in ("for", "that", "because", "but", "whose", "from") or word in _ELSEWHERE:
            return False
        if word in _SEEING and joined == "for" and not at:
            return True
        if word in _SEEING and joined == "for" and not _WE.isdisjoint(before[max(0, at - 4) : at]):
            return _ELSEWHERE.isdisjoint(before[max(0, at - 4) : at])
        if word in fits and word not in _SEEING:
            if word in _ONCE and not _WAS.isdisjoint(before[max(0, at - 2) : at]):
                return False
            if before[at + 1] in _OBJECTS and at and _WE.isdisjoint(before[max(0, at - 4) : at]):
                return False  # `a psychiatrist treated him for ...`
            if word == "sees" and _US.isdisjoint(before[at + 1 : at + 3]):
                return False
            return _ELSEWHERE.isdisjoint(before[max(0, at - 4) : at])
    return False


def _gaining(before: list[str]) -> bool:
    """`Making gains with ...`, `progress on ...`; `ind tx PTSD`."""
    if before[-1:] == ["tx"]:
        return _ELSEWHERE.isdisjoint(before[-4:])
    near = before[-5:-1]
    return (
        before[-1:] in (["with"], ["w"], ["on"], ["in"], ["of"])
        and not _PROGRESS.isdisjoint(near)
        and _ELSEWHERE.isdisjoint(near)
    )


def _concluded(before: list[str]) -> bool:
    """`after two interviews I conclude ...`, `I settled on ...`, `the evaluation established ...`."""
    end = _before_articles(before)
    near = before[max(0, end - 7) : end]
    if not near or not _OTHERS_WORDS.isdisjoint(near) or "no" in near or "did" in near:
        return False
    if near[-2:] == ["settled", "on"]:
        return not _WE.isdisjoint(near)
    as_at = len(near) - (3 if near[-1] in ("from", "with") else 1)
    if near[as_at : as_at + 1] == ["as"] and near[as_at + 1 : as_at + 2] in ([], ["suffering"]):
        return not _WE.isdisjoint(near) and not _REGARDING.isdisjoint(near)
    if near[-1] == "that" and len(near) > 1:
        return near[-2] in _AGREEING and not {"i", "we", "us"}.isdisjoint(near)
    if near[-1] == "fits":
        return near[-2:-1] in (["she"], ["he"])
    return near[-1] in _CONCLUDING and not _CONCLUDERS.isdisjoint(near[:-1])


def _what_it_is(before: list[str]) -> bool:
    """`What brings him in since winter is ...`, `the name of it is ...`."""
    end = _before_articles(before)
    if not end or before[end - 1] not in ("is", "remains"):
        return False
    near = before[: end - 1]
    if near[-1:] in (["it"], ["this"]):
        return _OTHERS_WORDS.isdisjoint(before) and _ELSEWHERE.isdisjoint(before)
    if "what" in near:
        said = near[len(near) - 1 - near[::-1].index("what") :]
        ours = not _WE.isdisjoint(said)
        others = _OTHERS_WORDS & set(said)
        return not _CLEFT.isdisjoint(said) and not (others - {"would"} if ours else others)
    if near[-2:-1] in (["proper"], ["right"], ["formal"], ["official"]) and near[-1] in _NAMING:
        return True
    return not _NAMING.isdisjoint(near[-4:]) and not {"of", "for", "it", "this"}.isdisjoint(near[-4:])
