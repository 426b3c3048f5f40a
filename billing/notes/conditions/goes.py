"""Clauses that tell how a condition goes: `while the OCD is quieter`, `the panic disorder keeps her from the
highway`, `what is moving is the panic disorder`."""

from billing.notes.conditions.subjects import ELSEWHERE, OTHERS_WORDS

_HERS = frozenset(("the", "her", "his", "their"))
# A clause that they open says what is.
_SUBORDINATE = frozenset(
    ("while", "although", "though", "because", "since", "as", "and", "but", "so", "today", "meanwhile",
     "otherwise", "still", "yet", "now", "that", "even", "here", "currently", "overall", "clinically")
)  # fmt: skip
_GOES = frozenset(
    ("is", "has", "remains", "stays", "keeps", "continues", "still", "goes", "holds", "sits", "runs", "takes",
     "makes", "gets", "lingers", "persists", "limits", "costs", "drives", "shows", "responds", "wakes",
     "loosens", "tightens", "gives", "lets", "leaves", "wins", "eats", "flares", "improves", "worsens")
)  # fmt: skip
# Said of a condition they make it another's, of another time, or no more than a word.
_NOT_SO = OTHERS_WORDS | frozenset(
    ("no", "none", "nothing", "nowhere", "neither", "nor", "gone", "over", "past", "behind", "resolved",
     "remitted", "former", "old", "history", "wrong", "ruled", "question", "questioned", "doubt", "doubtful",
     "idea", "theory", "label", "word", "possible", "possibly", "maybe", "perhaps", "should", "whether",
     "unclear", "unlikely", "another", "anymore", "longer", "form", "file", "chart", "record", "records",
     "list",
     "paper", "referral", "insurance", "insurer", "letter", "certificate", "report", "someone", "somebody",
     "else", "out", "likely", "probable", "probably", "rule", "differential", "consideration", "considered",
     "isn't", "hasn't", "doesn't", "wasn't", "been", "sure", "certain", "own", "theirs", "mine", "sister",
     "brother", "son", "daughter", "friend", "teacher", "internet", "unconfirmed", "provisional", "tentative",
     "suspected", "working", "yours", "cured", "finished", "done", "absent", "quiescent", "remission", "joke",
     "explained", "described", "hers", "his", "history", "screening", "topic", "subject", "fear", "fears",
     "excuse", "explanation", "answer", "name", "called", "thing", "one", "common", "treatable", "illness",
     "disease", "people", "runs", "family", "which", "who", "what", "years", "ago")
)  # fmt: skip
# `What worries her is panic disorder`: no word of the writer's.
_NOT_SAID = (OTHERS_WORDS - {"not"}) | frozenset(
    ("call", "calls", "called", "look", "looks", "looked", "seem", "seems", "seemed", "appears", "sounds",
     "resembles", "like", "ruled", "rule", "considered", "consider", "weighed", "excluded", "rejected",
     "missing", "absent", "lacking", "worries", "worried", "frightens", "scares", "interests", "puzzles",
     "described", "describes", "mentioned", "mentions", "heard", "saw", "diagnosed", "suspected", "suspect",
     "wonder", "ask", "asks", "know", "knows", "brother", "sister", "son", "daughter", "friend", "family",
     "runs", "they", "people", "once", "used", "previously", "before", "years", "ago", "supposed",
     "claimed", "there",
     "claims", "likely", "probably", "possibly", "perhaps", "maybe", "should", "old", "chart", "referral")
)  # fmt: skip
_FAR, _SAID = 9, 12
_PROGRESS = frozenset(
    ("gains", "gaining", "progress", "progressing", "headway", "strides", "improvement", "improving",
     "improved")
)  # fmt: skip


def goes_on(before: list[str], after: list[str]) -> bool:
    """Whether the condition is the subject of a clause that tells how it goes; `before` is all of the clause
    in front of it."""
    if not before or before[-1] not in _HERS or not _SUBORDINATE.issuperset(before[:-1]):
        return False
    return len(after) > 1 and after[0] in _GOES and _NOT_SO.isdisjoint(after[1:_FAR])


def what_goes(before: list[str], end: int) -> bool:
    """`What has not budged is ...`; `end` words stand before the articles."""
    if end < 3 or before[end - 1] not in ("is", "remains") or "what" not in before[: end - 1]:
        return False
    said = before[end - 2 - before[: end - 1][::-1].index("what") + 1 : end - 1]
    return 0 < len(said) <= _SAID and said[0] in _TELLS and _NOT_SAID.isdisjoint(said)


_TELLS = frozenset(
    ("is", "has", "have", "keeps", "still", "makes", "takes", "gets", "stands", "wakes", "drives", "holds",
     "needs", "moves", "does", "hurts", "limits", "troubles", "remains", "we", "i")
)  # fmt: skip


def is_gaining(before: list[str]) -> bool:
    """`Making gains with ...`, `progress on ...`; `ind tx PTSD`."""
    if before[-1] == "tx":
        return ELSEWHERE.isdisjoint(before[-4:])
    near = before[-5:-1]
    return (
        before[-1] in ("with", "w", "on", "in", "of")
        and not _PROGRESS.isdisjoint(near)
        and ELSEWHERE.isdisjoint(near)
    )
