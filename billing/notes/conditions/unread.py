"""Words beside a condition that make another one of it and were not read: then a person is asked."""

from billing.notes.conditions.resolver import Resolved
from billing.notes.lexicon import Concept, Lexicon, Mentions, entries_between
from billing.notes.text.tokens import UNKNOWN, TokenStream

_CAUSED = frozenset(("due", "secondary", "associated", "because", "caused"))
_ILLNESSES = frozenset(
    (
        "medical", "condition", "disease", "illness", "hiv", "parkinson's", "alzheimer's", "huntington's",
        "tbi", "brain", "stroke", "lewy", "infection", "physiological", "hypothyroidism",
        "thyroid", "substance",
        "medication", "epilepsy", "dementia", "cancer", "etiologies", "lupus", "sclerosis",
    )
)  # fmt: skip
# Axes whose value changes the code wherever it stands in the clause.
_TELLING = frozenset(("remission", "psychosis", "episode", "mood_episode"))
_NEAR, _FAR, _ABBREVIATED = 6, 24, 2
_SHOWN = (["in"], ["that"], ["which"], ["where"], ["with"], ["showing"], ["shown"], ["marked"], ["affecting"])
_MOODS_AND_DEEDS = frozenset(
    ("mood", "moods", "feelings", "emotions", "emotional", "emotionally", "anxious", "anxiety", "nervous",
     "worry", "worries", "sad", "sadness", "depressed", "depressive", "depression", "tearful", "tearfulness",
     "conduct", "behavior", "behaviors", "behavioral", "acting")
)  # fmt: skip
# `The depression for which she came is now in partial remission`: farther off, right behind one of these.
_NOW_IT = frozenset(("is", "now", "currently", "present", "presently", "been", "remains", "today"))
_JOINING = frozenset(("in", "a", "an", "of", "only", "the"))
_COURSE = _TELLING | {"severity"}
_MOODS = "mood_episode"
# `At five episodes a week we are calling it moderate`, `the episode is a severe one`: in the next sentence.
_SAID_OF_IT = frozenset(("episode", "it", "level", "grade", "severity", "form", "type", "diagnosis"))
_AROUND = 4
_MISSPOKEN = (
    "strike", "scratch", "misspoke", "correct", "i mean", "make that", "make it", "change that", "excuse me",
    "sorry", "wait", "rather",
)  # fmt: skip
_CHANGING = frozenset(
    ("down", "up", "improved", "improving", "reduced", "lowered", "eased", "lessened", "decreased", "dropped",
     "worsened", "worsening", "increased", "risen", "trending", "moving", "upgraded", "downgraded", "now",
     "currently", "today", "intake", "admission", "previously", "formerly", "initially", "toward", "towards",
     "lately")
)  # fmt: skip
_LINE_ENDS = frozenset("\n?!")


def unread(resolved: Resolved, tokens: TokenStream, mentions: Mentions, lexicon: Lexicon) -> str | None:
    """The reason to ask where words beside a condition make another one of it: a substance or an illness
    that brought it about, or a specifier that it knows and that was not bound to it."""
    concept = resolved.concept
    if concept.kind == "dx" and (
        _brought_about(resolved, concept, tokens)
        or _unbound(resolved, concept, tokens, mentions, lexicon)
        or (concept.name == "adjustment_disorder" and resolved.is_default and _shown_in(resolved, tokens))
    ):
        return "specifier_unclear"
    return None


def _shown_in(resolved: Resolved, tokens: TokenStream) -> bool:
    """`Adjustment disorder in which both feelings and behavior are disturbed`: the clause behind it tells
    which one, in words of its own."""
    behind = tokens.words[resolved.last : min(resolved.clause_last, resolved.last + _FAR)]
    return behind[:1] in _SHOWN and not _MOODS_AND_DEEDS.isdisjoint(behind)


def _brought_about(resolved: Resolved, concept: Concept, tokens: TokenStream) -> bool:
    """`Inhalant-induced anxiety disorder`, `neurocognitive disorder due to Parkinson's disease`."""
    words = tokens.words
    first, last = resolved.first, resolved.last
    if first and words[first - 1] in ("induced", "related"):
        return True
    if last >= len(words) or words[last] not in _CAUSED or concept.family == "adjustment":
        return False
    return not _ILLNESSES.isdisjoint(words[last + 2 : min(resolved.clause_last, last + 8)])


def _unbound(
    resolved: Resolved, concept: Concept, tokens: TokenStream, mentions: Mentions, lexicon: Lexicon
) -> bool:
    """`... manic, in what he calls partial remission`: a telling specifier before any other condition, or one
    that is said of it farther off; `..., and her current episode is ...`."""
    last = resolved.last
    if not concept.values:
        return False
    words = tokens.words
    clause_last = resolved.clause_last
    axis_of = lexicon.axis_of
    # What is set by a wording has no axis of its own.
    bound = {axis_of.get(value) for value in resolved.values}
    if _MOODS not in bound and "episode" in words[last : min(clause_last, last + _NEAR)]:
        return any(axis_of.get(value) == _MOODS for value in concept.values)
    for at, after, value in entries_between(mentions.values, last, last + _FAR):
        if _another(mentions, last, at + 1) or "]" in words[last:at]:
            return False  # `[x] bipolar I, current episode depressed  [ ] full remission`
        if value not in concept.values:
            continue
        axis, inside = axis_of[value], at < clause_last
        if axis in bound:
            said = tokens.between(last - 1, at)  # as it was written: `strike` is near another word
            if inside and value not in resolved.values and any(word in said for word in _MISSPOKEN):
                return True  # `moderate, no, strike that, severe`
            other = axis == "severity" and inside and value not in resolved.values
            if other and not _CHANGING.isdisjoint(words[last:at]):
                return True  # `severe, down to moderate as of today`
            continue
        if not inside and (axis not in _COURSE or (axis == "severity" and "remission" in bound)):
            continue
        if not inside and not _LINE_ENDS.isdisjoint(words[clause_last:at]):
            return False
        if inside and axis in _COURSE and at - last <= _ABBREVIATED and _all_unknown(tokens, last, at):
            return True  # `MDD, 3rd ep., moderate`
        if inside and axis in _TELLING and (at < last + _NEAR or axis == "remission"):
            return True
        following = "".join(words[after : after + 1])
        if following == "and" or following in lexicon.blocked_after:
            continue
        if _is_said_of_it(words, last, at, after, beyond=not inside):
            return True
    return False


def _all_unknown(tokens: TokenStream, left: int, right: int) -> bool:
    return tokens.letters[left:right] == [UNKNOWN] * (right - left)


def _another(mentions: Mentions, left: int, right: int) -> bool:
    """Whether another condition stands there; a symptom is none."""
    found = entries_between(mentions.concepts, left, right)
    return any(not name.endswith("_symptom") for _, _, (name, _, _) in found)


def _is_said_of_it(words: list[str], last: int, at: int, after: int, *, beyond: bool) -> bool:
    """Whether a specifier is said of the condition: `is now ...`; in the next sentence of its episode."""
    before = at - 1
    if beyond:
        around = (*words[max(last, at - _AROUND) : at], *words[after : after + _AROUND - 1])
        return words[before] in (".", ":") or (words[before] != "was" and not _SAID_OF_IT.isdisjoint(around))
    while before > last and words[before] in _JOINING:
        before -= 1
    return words[before] in _NOW_IT
