"""Sentences by which a clinician concludes that a condition is there, or has known it for long."""

from billing.notes.conditions.subjects import ELSEWHERE, OTHERS_WORDS, WE

_PRONOUNS = ("he", "she", "they", "i", "we")
_CONCLUDING = frozenset(
    ("find", "found", "conclude", "concluded", "diagnose", "diagnosed", "diagnosing", "confirm", "confirmed",
     "established", "establish", "documented", "fits", "meets",
     "added", "adding", "listing")
)  # fmt: skip
# The last word of all that concludes.
_CONCLUSION_ENDS = _CONCLUDING | {"on", "as", "having", "from", "with", "that", "have"}
_CONCLUDERS = WE | {"evaluation", "intake", "assessment", "team"}
_AS_SUFFERING = (["as", "suffering", "from"], ["as", "suffering", "with"])
# `I regard the matter as ...`
_REGARDING = frozenset(
    ("put", "regard", "regarded", "understand", "understood", "consider", "diagnose", "diagnosed", "classify",
     "formulate", "formulated", "conceptualize", "think", "see", "treat", "treating", "carry", "carrying",
     "code", "coding", "list", "listing", "chart", "charting", "record", "recording", "enter", "entering",
     "assess", "assessed", "listed", "charted", "recorded", "entered")
)  # fmt: skip
_ONE = (["a"], ["an"], ["another"], ["the"])
_PERSONS = (["woman"], ["man"], ["person"], ["boy"], ["girl"], ["child"])
_IS_IN = (["is", "in"], ["remains", "in"], ["are", "in"])
_NOTHING = frozenset(("no", "did", "nothing", "none", "neither", "nobody"))
_AGREEING = frozenset(("agree", "agreed", "conclude", "confirm", "confirmed"))


def in_an_episode(before: list[str]) -> bool:
    """`She is in a severe episode of ...`"""
    return (
        (before[-2:] == ["episode", "of"] or before[3:] in _ONE)
        and before[0] in _PRONOUNS
        and before[1:3] in _IS_IN
        and ELSEWHERE.isdisjoint(before)
    )


def is_one_with(before: list[str]) -> bool:
    """`She remains, for the purposes of this file, a woman with ...`"""
    return (
        before[-1] == "with"
        and before[-2:-1] in _PERSONS
        and before[:2] in (["she", "remains"], ["he", "remains"], ["she", "is"], ["he", "is"])
        and OTHERS_WORDS.isdisjoint(before)
    )


def is_known(before: list[str], end: int) -> bool:
    """`Known to me for six years with ...`, `my patient for six years with a ...`."""
    if not end or before[end - 1] != "with":
        return False
    before = before[:end]
    if "my" in before:
        return before[before.index("my") + 1 :][:2] in (["patient", "for"], ["client", "for"])
    return "known" in before and before[before.index("known") + 1 :][:2] in (
        ["to", "me"],
        ["to", "us"],
        ["to", "this"],
    )


def concluded(before: list[str], end: int) -> bool:
    """`after two interviews I conclude ...`, `I settled on ...`, `the evaluation established ...`."""
    if not end or before[end - 1] not in _CONCLUSION_ENDS:
        return False
    near = before[max(0, end - 7) : end]
    if not OTHERS_WORDS.isdisjoint(near) or not _NOTHING.isdisjoint(near):
        return False
    if near[-1] == "on" and "settled" in near[-5:]:
        return not WE.isdisjoint(near)  # `I settled in the fall on ...`
    if near[-1] == "as" and "confirmed" in before[:end] and not WE.isdisjoint(before[:end]):
        return True  # `confirmed, after the interview we finished today, as ...`
    if near[-1] == "as" or near[-2:] == ["as", "having"] or near[-3:] in _AS_SUFFERING:
        return not WE.isdisjoint(near) and not _REGARDING.isdisjoint(near)
    if near[-2:] == ["to", "have"]:
        return not WE.isdisjoint(near) and not _REGARDING.isdisjoint(near)  # `I consider Ada to have ...`
    if near[-1] == "that" and len(near) > 1:
        return near[-2] in _AGREEING and not {"i", "we", "us"}.isdisjoint(near)
    if near[-1] == "fits":
        return near[-2:-1] in (["she"], ["he"])
    return near[-1] in _CONCLUDING and not _CONCLUDERS.isdisjoint(near[:-1])
