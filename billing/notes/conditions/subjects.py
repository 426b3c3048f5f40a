"""What a sentence is about, by the words round a condition: what it is called, what is treated."""

import re
from itertools import pairwise

from billing.notes.text.tokens import TokenStream

# Between the verb and the condition, or right before the verb, these make it another's, another time's, or
# a wish.
ELSEWHERE = frozenset(
    ("not", "never", "no", "without", "if", "would", "could", "might",
     "may", "will", "should", "wants", "want", "wanted", "hopes", "hoped", "asked", "asks", "used", "once",
     "previously", "formerly", "earlier", "past", "previous", "prior", "former", "declined", "refused",
     "offered", "next", "group", "groups", "had", "ended", "finished", "completed", "later", "until",
     "mother's", "father's", "class", "clinic", "center", "program", "ward", "unit",
     "evaluation", "testing", "referral", "referred", "residential", "hospital", "book", "certificate",
     "they", "before", "instead", "ask", "find", "talk",
     "learn", "hear", "people", "rather", "medication", "elsewhere", "brother's", "sister's")
)  # fmt: skip
WE = frozenset(("i", "we", "i'm", "i've", "we've", "we're"))
# Verbs and nouns of care given here, by the word that joins the condition to them.
SEEN = frozenset(
    ("seen", "treated", "followed", "treating", "treat", "follow", "following", "here", "comes", "come",
     "coming", "came", "returns", "returned", "back", "attends", "attending", "attended", "brought",
     "presents", "started", "begun", "enrolled", "meets", "admitted")
)  # fmt: skip
OTHERS_WORDS = frozenset(
    ("they", "thinks", "believes", "says", "said", "calls", "called", "fears", "wants", "wanted", "told",
     "hopes", "read", "reads", "found", "doctor", "school", "court", "lawyer", "thought", "not",
     "never", "wonders", "suspects", "might", "may", "could", "would", "if", "asked", "mother", "father",
     "husband", "wife", "partner", "was", "were", "feared")
)  # fmt: skip
_CLEFT = frozenset(
    ("brings", "brought", "treat", "treating", "treated", "find", "see", "diagnose", "call", "has", "have",
     "seeing", "working", "work", "keeps", "name", "remains", "left", "confines", "troubles", "ails", "write",
     "lives", "holds", "diagnosed")
)  # fmt: skip
_HERS = frozenset(
    ("i", "we", "we're", "i'm", "this", "brings", "brought", "keeps", "has", "have", "treat", "treating",
     "see", "settled", "seen", "treated", "diagnosed")
)  # fmt: skip
_NAMING = frozenset(("name", "word", "term"))
_IT_IS = frozenset(("it", "is", "it's", "for", "the", "a", "an", "this", "his", "her"))
# The first word of all that says what a condition is called.
CALLING = frozenset(
    ("is", "comes", "remains", "that's", "it", "the", "that", "accounts", "explains", "and", "which", "i")
)
_TREATING = frozenset(("treat", "treating"))
_EXPLAINS = (["accounts", "for"], ["explains", "the"], ["explains", "all"], ["explains", "it"], ["is", "how"])
# `The character problem we are treating is ...`, `the work is with ...`
_OUR_SUBJECTS = frozenset(
    ("condition", "conditions", "problem", "problems", "diagnosis", "work", "illness", "trouble", "focus",
     "formulation", "conclusion", "opinion", "judgment")
)  # fmt: skip
_OURS = frozenset(("the", "our", "my", "this", "her", "his", "their"))
_NAMED_AS = frozenset(("diagnosis", "dx", "condition", "focus"))
_CHIEF = frozenset(("chief", "main", "primary", "principal", "central", "core", "real"))
_LISTED = (["listed"], ["carried"], ["coded"], ["billed"], ["kept"])
_IN_ORDER = frozenset(("second", "secondarily", "secondary", "first", "next", "third", "comorbid"))
SAYS = frozenset(("is", "comes", "remains", "continues", "that's", "that", "this"))
_HAVING = frozenset(("for", "has", "have", "treat", "treating", "see", "diagnose", "diagnosed"))
THE = (["the"], ["that"], ["this"])
_IS_A = (["is", "a"], ["is", "an"])
THE_PATIENT = frozenset(("patient", "client", "pt", "ct", "he", "she"))
# `In the context of pregnancy`
_CIRCUMSTANCES = frozenset(
    ("trimester", "context", "setting", "wake", "aftermath", "midst", "course", "postpartum", "perinatal",
     "peripartum", "absence", "presence", "face", "workplace")
)  # fmt: skip
_TOLD = (["was"], ["were"], ["came"], ["had"], ["appeared"], ["belonged"], ["stood"])
_WHERE = (["of"], ["in"], ["on"], ["from"])
FARTHEST_BEHIND = 16
# The patient, as a note introduces her.
WHO = frozenset(
    ("old", "yo", "y/o", "presents", "presented", "presenting", "veteran", "man", "woman", "male", "female",
     "client", "pt", "patient")
)  # fmt: skip
AGE = re.compile(r"[1-9]\d?(?:yo|y|f|m)?\Z")
_SOME = frozenset(("the", "a", "that", "another", "one"))
_WHO, _LONGEST_DESCRIPTION = frozenset(("who", "whose", "that", "whom", "with")), 10
_ONE_MORE = frozenset(("another", "second", "third", "fourth", "other", "others"))
_ANYONE = frozenset(("man", "woman", "male", "female", "veteran", "guy", "boy", "girl"))
_SINCE = frozenset(
    ("from", "after", "since", "following", "dating", "stemming", "arising", "resulting", "due", "related",
     "secondary")
)  # fmt: skip
_BEGAN = tuple(["which", began] for began in ("began", "started", "developed", "emerged", "dates"))
ARTICLES = frozenset(("a", "an", "the", "still", "now", "had", "his", "her", "their", "clear", "indeed"))


# How relatives stand in notes; some are words of their own, so only at the head of a sentence.
_KIN = frozenset(
    ("mother", "father", "mom", "dad", "mum", "parents", "brother", "sister", "sibling", "husband", "wife",
     "spouse", "partner", "son", "daughter", "cousin", "aunt", "uncle", "boyfriend", "girlfriend",
     "grandmother", "grandfather", "stepmother", "stepfather", "mother's", "father's", "mom's", "dad's",
     "brother's", "sister's", "husband's", "wife's", "spouse's", "partner's", "son's", "daughter's",
     "cousin's", "sib", "sibs", "mo", "fa", "mob", "fob", "moc", "foc", "dh", "ds", "lo", "fil", "mil")
)  # fmt: skip
_WHOSE = frozenset(("her", "his", "their", "client's", "patient's", "pt's", "dx", "("))
_TOLD_ABOUT = frozenset(("discussed", "processed", "explored", "reviewed", "talked", "spoke"))


_DOES = frozenset(
    ("the", "a", "an", "his", "her", "their", "my", "our", "not", "so", "well", "it", "this", "that",
     "all", "some", "homework", "report", "say", "good", "great")
)  # fmt: skip


def is_verb(words: list[str], at: int) -> bool:
    """`Client DID the homework`"""
    return words[at] == "did" and at + 1 < len(words) and words[at + 1] in _DOES


def tells_of_kin(words: list[str], first: int, covered: set[int]) -> bool:
    """Whether a sentence begins with a relative, or with what was talked about: `Mother's divorce`, `sib w/
    autism`, `discussed unemployment of husband`."""
    first += words[first] in _WHOSE
    if first >= len(words) or first in covered:
        return False
    return words[first] in _KIN or words[first] in _TOLD_ABOUT


def is_of_anyone(before: list[str]) -> bool:
    """`She met a man with OCD`: neither an age nor a word for the patient stands before; `the man has`;
    `a third, who has ...`."""
    if len(before) < 2:
        return False
    if any(one in _ONE_MORE and who == "who" for one, who in pairwise(before)):
        return True
    if before[-1] == "has" and before[0] in _SOME and before[1] in _ANYONE:
        told = before[2:-1]  # `A boy in his class has`
    elif before[-1] == "with" and before[-2] in _ANYONE and len(before) > 2:
        told = before[:-2]
    else:
        return False
    return WHO.isdisjoint(told) and not any(map(AGE.match, told))


def tells_origin(words: list[str], at: int) -> bool:
    """`Arising from duty in 2007`, `which began in 2015`: where a condition came from, not when it was."""
    return words[at] in _SINCE or words[at : at + 2] in _BEGAN


def is_aged(lead: list[str]) -> bool:
    """`This 29-year-old dental hygienist has`, without articles at its end."""
    return (
        5 < len(lead) <= _LONGEST_DESCRIPTION
        and lead[0] in ("this", "the", "a")
        and AGE.match(lead[1]) is not None
        and lead[2:4] == ["year", "old"]
        and lead[-1] == "has"
        and OTHERS_WORDS.isdisjoint(lead)
        and not any(word in _WHO or word.endswith("'s") for word in lead)
    )


def before_articles(words: list[str]) -> int:
    """How many words are left without the articles at the end."""
    end = len(words)
    while end and words[end - 1] in ARTICLES:
        end -= 1
    return end


def is_treated(after: list[str]) -> bool:
    """`The depression for which I am treating her has begun to loosen`, `..., and I treat it as such`,
    `the phobia for which Teddy is seen`."""
    if after[:2] == ["for", "which"] and (
        not SEEN.isdisjoint(after[3:6])
        or after[3:6] == ["is", "in", "treatment"]
        or after[2:4] in (["i", "see"], ["we", "see"])
        or ("seeing" in after[3:6] and "me" in after[4:7])
        or after[2:5] in (["she", "sees", "me"], ["he", "sees", "me"], ["they", "see", "me"])
    ):
        return OTHERS_WORDS.isdisjoint(after[:6]) and ELSEWHERE.isdisjoint(after[:6])
    if after[:1] == ["that"] and not WE.isdisjoint(after[1:2]) and "for" in after[3:6]:
        return not _TREATING.isdisjoint(after[2:4])  # `the PMDD that I'm treating her for`
    if after[:3] == ["which", "is", "the"] and after[4:6] in (["under", "treatment"], ["being", "treated"]):
        return True
    if _TREATING.isdisjoint(after):
        return False
    for at, word in enumerate(after[1:], start=1):
        if word in _TREATING:
            ours = not WE.isdisjoint(after[max(0, at - 4) : at]) and OTHERS_WORDS.isdisjoint(after[:at])
            return ours and (
                after[at + 1 : at + 2] == ["it"]
                or after[:2] == ["for", "which"]
                or after[0] in ("we", "i")
                or after[max(0, at - 4) : at - 1] in _IS_WHAT_WE
            )
    return False


_IS_WHAT_WE = (["is", "what", "we"], ["is", "what", "i"])


def is_cleft(lead: list[str], after: list[str]) -> bool:
    """`It is for the social phobia that I see her.`"""
    return (
        (lead[:2] == ["it", "is"] or lead[:1] == ["it's"])
        and _IT_IS.issuperset(lead)
        and after[:1] == ["that"]
        and not (_CLEFT | SEEN | {"i", "treatment"}).isdisjoint(after[1:5])
        and OTHERS_WORDS.isdisjoint(after)
    )


_UNDER_TREATMENT = tuple(
    [*treated, verb]
    for treated in (["under", "treatment"], ["being", "treated"], ["in", "treatment"])
    for verb in ("is", "are")
)


def is_our_subject(lead: list[str]) -> bool:
    """`The character problem we are treating is ...`, `the work is with ...`."""
    if not lead or lead[0] not in _OURS:
        return False
    end = before_articles(lead)
    if lead[max(0, end - 3) : end] in _UNDER_TREATMENT and OTHERS_WORDS.isdisjoint(lead):
        return True  # `the two conditions under treatment are ...`
    if end > 1 and lead[end - 1] in ("with", "on", "about"):
        end -= 1
    return (
        2 < end <= FARTHEST_BEHIND
        and (lead[end - 1] in ("is", "are", "remains", "concerns") or _is_the_one(lead))
        and not _OUR_SUBJECTS.isdisjoint(lead[1:4])
        and OTHERS_WORDS.isdisjoint(lead)
        and ELSEWHERE.isdisjoint(lead)
    )


def _is_the_one(lead: list[str]) -> bool:
    """`Her own trouble is the one we have been treating since spring, ...`"""
    at = next((at for at, word in enumerate(lead[:6]) if word == "is"), -1)
    said = lead[at + 1 :]
    return (
        at > 0
        and said[:2] in (["the", "one"], ["that", "which"])
        and said[2:3] in (["we"], ["i"])
        and ("treating" in said or "treat" in said)
    )


def is_called(after: list[str]) -> bool:
    """`... is what we settled on`, `... is the name for what she has`, `..., and I agree`."""
    if after[:4] == ["is", "what", "it", "is"] or after[:4] in _ON_THE_PLAN or after[:5] in _ON_THE_PLAN:
        return True
    if len(after) > 2 and after[0] in ("is", "remains", "that's") and OTHERS_WORDS.isdisjoint(after[1:]):
        if after[1] == "what":
            return not _HERS.isdisjoint(after[2:])
        if after[1] in ("the", "my", "our") and not _NAMING.isdisjoint(after[2:4]):
            return not any(word.endswith("'s") for word in after[4:])
        if after[1] == "why" and not SEEN.isdisjoint(after[2:]):
            return True
    if after[:2] == ["it", "is"] and len(after) == 2:
        return True
    if after[:3] == ["is", "the", "reason"] and after[3:4] in _PRONOUNS and not SEEN.isdisjoint(after[4:6]):
        return True  # `... is the reason he comes`
    if after[:1] in (["is"], ["remains"]) and _is_the_diagnosis(after[1:5]):
        return True
    if after[:2] in (["the", "diagnosis"], ["the", "condition"]) and after[3:4] == ["which"]:
        return OTHERS_WORDS.isdisjoint(after[4:6])  # `..., the condition with which he came to me`
    if after[:2] == ["that", "brought"]:
        return "here" in after[2:6] or "us" in after[2:6] or "me" in after[2:6]
    if after[:2] in _EXPLAINS:
        return OTHERS_WORDS.isdisjoint(after)
    for at in range(1, min(5, len(after) - 2)):
        # `..., which is still what I am treating`
        if after[at] == "what" and after[0] in ("and", "which", "that") and after[at + 1] in ("i", "we"):
            return not _CLEFT.isdisjoint(after[at + 2 :]) and OTHERS_WORDS.isdisjoint(after)
    return after[:2] in (["i", "agree"], ["i", "concur"]) or after[:3] in (
        ["and", "i", "agree"], ["and", "i", "concur"], ["and", "it", "stands"],
    )  # fmt: skip


_PRONOUNS = (["he"], ["she"], ["they"])
_RANKED = frozenset(("first", "second", "secondary", "primary", "third"))
_OF_A_LIST = frozenset(
    ("reading", "time", "thing", "episode", "day", "word", "chapter", "cousin", "to", "from")
)
_ON_THE_PLAN = (
    ["is", "on", "the", "plan"],
    ["is", "on", "the", "treatment", "plan"],
    ["is", "on", "his", "plan"],
    ["is", "on", "her", "plan"],
)


def _is_ranked(after: list[str]) -> bool:
    """`... is secondary`, `... comes second`, `... is the first`."""
    return (
        after[0] in ("is", "comes", "remains")
        and not _RANKED.isdisjoint(after[1:3])
        and OTHERS_WORDS.isdisjoint(after[1:6])
        and _OF_A_LIST.isdisjoint(after[1:6])
    )


def _is_the_diagnosis(words: list[str]) -> bool:
    """`... is still his diagnosis`, `... remains the diagnosis under treatment`."""
    words = words[1:] if words[:1] in (["still"], ["now"]) else words
    return words[:1] in (["the"], ["his"], ["her"], ["their"], ["my"], ["our"]) and words[1:2] == [
        "diagnosis"
    ]


def what_it_is(before: list[str], end: int) -> bool:
    """`What brings him in since winter is ...`, `the name of it is ...`; `end` words stand before the
    articles."""
    if not end or before[end - 1] not in ("is", "remains"):
        return False
    near = before[: end - 1]
    if near[-1:] in (["it"], ["this"]):
        return OTHERS_WORDS.isdisjoint(before) and ELSEWHERE.isdisjoint(before)
    if "what" in near:
        said = near[len(near) - 1 - near[::-1].index("what") :]
        ours = not WE.isdisjoint(said)
        others = OTHERS_WORDS & set(said)
        others -= {"school"} if "since" in said else set()
        return not _CLEFT.isdisjoint(said) and not (others - {"would"} if ours else others)
    if near[-2:-1] in (["proper"], ["right"], ["formal"], ["official"]) and near[-1] in _NAMING:
        return True
    return not _NAMING.isdisjoint(near[-4:]) and not {"of", "for", "it", "this"}.isdisjoint(near[-4:])


def is_named_so(after: list[str]) -> bool:
    """`... remains the focus of treatment`, `... is what he has`, `... is listed second`."""
    return after[0] in SAYS and (
        not _NAMED_AS.isdisjoint(after[:6])
        or ("problem" in after[2:5] and not _CHIEF.isdisjoint(after[1:4]))
        or _is_ranked(after)
        or (after[1:2] in _LISTED and not _IN_ORDER.isdisjoint(after[2:5]))
        or (after[:2] == ["is", "what"] and not _HAVING.isdisjoint(after))
    )


def is_told_of(after: list[str]) -> bool:
    """`Bipolar was on the ER sheet`, `the schizophrenia of old summaries`: a story, no statement; but `GAD
    in the third trimester`."""
    if after[:1] in _WHERE and after[1:2] in THE:
        return _CIRCUMSTANCES.isdisjoint(after[2:])
    return after[:1] in _TOLD


def stands_aside(tokens: TokenStream, person: int, first: int) -> bool:
    """`The patient, a mother of two, has PTSD`, `patient is a retired band teacher with ...`: whether a
    person is who the patient is."""
    words, between = tokens.words, tokens.between
    for at in range(max(1, person - 5), person - 1):
        if words[at : at + 2] in _IS_A:
            return words[at - 1] in THE_PATIENT and "," not in between(at, person)
    return (
        words[person - 1] in ("a", "an")
        and words[person - 2] in ("patient", "client", "pt", "ct")
        and "," in between(person - 2, person - 1)
        and any(words[at] == "has" and "," in between(at - 1, at) for at in range(person + 1, first))
    )
