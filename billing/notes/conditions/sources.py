"""What the word diagnosis says in prose: that one is made here, that somebody else made it, or long ago."""

from itertools import pairwise

_CALLED = frozenset(("diagnosis", "diagnoses", "dx", "impression", "label"))
# Whose diagnosis is not this clinician's.
_SOURCES = frozenset(
    f"{who}'s"
    for who in (
        "school", "teacher", "pediatrician", "doctor", "physician", "pcp", "therapist", "counselor",
        "psychiatrist", "psychologist", "neurologist", "prescriber", "evaluator", "examiner", "hospital",
        "clinic", "family", "internet", "app", "court", "lawyer", "insurer", "insurance", "va", "army",
        "mother", "father", "husband", "wife", "provider", "colleague", "nurse", "judge", "employer",
    )
)  # fmt: skip
_PAPERS = frozenset(
    ("letter", "letters", "papers", "form", "forms", "paperwork", "referral", "discharge", "claim", "summary",
     "certificate", "hospital", "school", "er", "ed", "emergency", "jail", "court", "transfer", "app", "old",
     "outside", "former", "policy", "application", "records", "prescriber", "pediatrician")
)  # fmt: skip
_FROM = frozenset(("in", "on", "from", "at", "by"))
_SAYS = frozenset(
    ("lists", "listed", "shows", "showed", "carries", "carried", "names", "named", "says", "said", "gives",
     "gave", "wrote", "has", "had", "mentions", "states", "with", "made")
)  # fmt: skip
_YOUNG = frozenset(
    ("college", "university", "school", "childhood", "teens", "twenties", "thirties", "boyhood", "girlhood",
     "adolescence", "nineties", "eighties", "seventies")
)  # fmt: skip
_AND_TREATED = (["and", "was", "treated"], ["and", "got", "treated"])
_CARRIED = frozenset(("carried", "had", "given", "received", "got", "bore"))
_WAS = frozenset(("was", "were"))
_THEN = frozenset(("first", "ago", "then", "once", "originally", "back", "earlier", "time"))
_AGO = frozenset(("ago", "once", "spring", "summer", "fall", "winter", "then"))
# Then it is taken up here.
_OURS = frozenset(
    ("confirm", "confirmed", "confirms", "agree", "agreed", "stands", "remains", "remain", "continues",
     "unchanged", "our", "we", "i", "now", "today", "current", "currently", "is")
)  # fmt: skip
_NEAR = 4
_THE = frozenset(("the", "our", "my", "her", "his", "their", "both"))
_FOCUS = (["focus", ":"], ["focus", "was"], ["focus", "is"])
_REASON = tuple(["reason", "for", what] for what in ("visit", "treatment", "care", "therapy", "session"))
_OF_CARE = (["this", "episode", "of", "care"], ["this", "course", "of", "treatment"], ["this", "visit"])
_MAIN = (["primary"], ["principal"], ["main"])
_OTHERS = (
    *_MAIN, ["first"], ["second"], ["third"], ["secondary"], ["additional"], ["other"], ["other", "one"],
    ["other", "diagnosis"],
)  # fmt: skip
# `The diagnoses I am treating are ...`
_TREATED = (
    ["under", "treatment"], ["in", "treatment"], ["being", "treated"], ["i", "am", "treating"],
    ["we", "are", "treating"], ["i'm", "treating"], ["we're", "treating"], ["i", "treat"], ["we", "treat"],
)  # fmt: skip
_ARE = (["are"], ["remain"], [":"])
_TODAY = frozenset(("today", "now", "currently", "here", "still"))
_AND = (["and"], ["plus"])
_AND_ALSO = tuple(["and", also] for also in ("also", "then", "secondarily", "secondly", "second"))
# The last word of all that names a diagnosis in front of a condition.
NAMING_ENDS = frozenset(
    (":", "was", "is", "remains", "and", "plus", "visit", "treatment", "care", "therapy", "session")
)
_NOT_HERE = _PAPERS | frozenset(
    ("previous", "past", "school", "mother", "father", "doctor", "they", "not", "gave", "given", "said",
     "never", "once", "possible", "was", "likely", "referring")
)  # fmt: skip

_FIRST = frozenset(("one", "1", "first"))
_NEXT = frozenset(("two", "three", "four", "five", "2", "3", "4", "5", "second", "third", "fourth"))
# `And still the diagnosis is ...`
_JOINING, _MOST_JOINING = frozenset(("but", "and", "still")), 4


def names_diagnosis(lead: list[str]) -> bool:
    """`The diagnosis, made with her gynecologist, is ...`, `the other is ...`, `diagnoses are ..., and ...`,
    `focus: ...`: what the sentence says of itself before a condition."""
    if lead[-2:] in _AND_ALSO:
        lead = lead[:-1]
    if lead[-2:-1] in _AND and lead[-1] in _THE:
        lead = lead[:-1]
    if not lead or lead[-1] not in NAMING_ENDS:
        return False
    if lead[-2:] in _FOCUS or lead[-3:] in _REASON:
        return True
    joining = next((at for at, word in enumerate(lead[:_MOST_JOINING]) if word not in _JOINING), 0)
    lead = lead[joining:]
    if lead[-1:] in (["is"], ["remains"]) and len(lead) > 1:
        subject = lead[1:-1] if lead[0] in _THE else lead[:-1]
        if subject in _OTHERS:
            return True
        subject = subject[1:] if subject[:1] in _MAIN else subject
        if subject[:2] == ["reason", "for"] and subject[2:] in _OF_CARE:
            return True  # `main reason for this episode of care is ...`
        if (subject[:1] == ["diagnosis"] or subject[:2] == ["focus", "of"]) and _NOT_HERE.isdisjoint(subject):
            return True
    if lead[1:2] == ["diagnoses"]:
        treated = next((words for words in _TREATED if lead[2 : 2 + len(words)] == words), [])
        lead = [*lead[:2], *lead[2 + len(treated) :]]
    opening = lead[1:4] if lead[:1] and lead[0] in _THE else lead[:3]
    opening = [word for word in opening if word not in _TODAY][:2]
    return opening[:1] == ["diagnoses"] and opening[1:] in _ARE and lead[-1] in ("and", "plus")


def counts_on(lead: list[str]) -> bool:
    """`Impression, one, bipolar I disorder, in partial remission, two, ...`: the next of a dictated list."""
    counted = any(word in _CALLED and following in _FIRST for word, following in pairwise(lead))
    return counted and not _NEXT.isdisjoint(lead[-2:])


def made_elsewhere(lead: list[str], after: list[str]) -> bool:
    """Whether the words before a condition in its clause, and those right behind it, say that its diagnosis
    is another's or of another time."""
    if lead[-3:-1] == ["met", "criteria"] and _is_past(lead, after):
        return True
    at = next((at for at in range(len(lead) - 1, -1, -1) if lead[at] in _CALLED), None)
    if at is None:
        return False
    before, between = lead[:at], lead[at + 1 :]
    if not _OURS.isdisjoint(after[1:_NEAR]):
        return False
    if not _SOURCES.isdisjoint(before[-_NEAR:]):
        return True
    if after[:2] == ["which", "ended"] or not (_YOUNG.isdisjoint(before) or _CARRIED.isdisjoint(before)):
        return True
    if between[:2] == ["had", "been"]:
        return True
    if not _WAS.isdisjoint(between):
        told = (*before[-2 * _NEAR :], *between, *after[:_NEAR])
        if not _THEN.isdisjoint(told) or any(map(_is_year, told)):
            return True
    if between[:1] and between[0] in _FROM and not _PAPERS.isdisjoint(between):
        return _OURS.isdisjoint(between[:-1])
    return (
        not _PAPERS.isdisjoint(before)
        and not _SAYS.isdisjoint(before)
        and _OURS.isdisjoint(before)
        and not _FROM.issuperset(before[:1])
    )


def _is_past(lead: list[str], after: list[str]) -> bool:
    """`In college she met criteria for ...`, `she had met ...`, `... in the spring, not now`."""
    before = lead[-4 * _NEAR : -3]
    told = (*before, *after[:_NEAR])
    return (
        before[:1] == ["before"]
        or before[-1:] == ["had"]
        or not (_AGO.isdisjoint(told) and _YOUNG.isdisjoint(before))
        or any(map(_is_year, told))
        or after[:3] in _AND_TREATED
        or after[-2:] == ["not", "now"]
    )


def _is_year(word: str) -> bool:
    return len(word) == 4 and word[:2] in ("19", "20") and word.isdigit()
