"""A diagnosis of the list that a later sentence takes back, calls over, or puts behind another one: `dropping
the GAD`, `the PTSD is her husband's`, `bill under the alcohol`. Then a person is asked."""

from collections.abc import Iterator

from billing.notes.conditions.diagnoses import Diagnosed
from billing.notes.decision.said_off import is_said_off
from billing.notes.later import later
from billing.notes.reading import Reading
from billing.notes.result import Reason
from billing.notes.text.letters import words_of
from billing.notes.text.sentences import sentence_round

# `Dx 2 closed`, `take the insomnia out`, `testing says no to the ADHD`
_BACK = later(
    r"\b(?:(?:dropping|removing|remove|strike|delete) (?:the )?(?!it\b|that\b"
    r"|them\b)[a-z]+ ?(?:part)?(?:[.,;]|\Z| at next| from)|scratch the [a-z]+|take the [a-z]+ out\b|(?:comes?"
    r"|come|take (?:that|it)) off(?: today| now)?(?:[,;]|\Z)|is off the table|is (?:closed|done with)\b"
    r"|no longer applies|(?:doesn't|does not) hold(?:[,;]|\Z)|only [a-z]+ stands|just the [a-z]+ now"
    r"|ruled out after all|says no to (?:the )?|no longer think there's|and i don't share it"
    r"|and it isn't(?=[ ]*(?:[.,;]|\Z))"
    r"|not counting it as|on reflection\b|(?:took|taken)[^.;\n]{0,40} off last week|not what i put on top"
    r"|new dx from today|did not confirm it|turned out to be (?:her|his|their) |explained by the first"
    r"|does not make|is (?:her|his) (?:husband|wife|partner|mother|father|brother|sister|son|daughter)'s)"
)
# `A matter of history`, `no depression now`, `in full remission by any count`
_OVER = later(
    r"\b(?:(?:only|a matter of|just) history\b|belongs to (?:his|her|their) [a-z]+ days|have been gone for"
    r"|and i list it so|hasn't been depressed since|hasn't had an? (?:attack|episode) since|no depression now"
    r"|nothing left of it|i keep it for the record|no defiance any ?more|has come right by itself"
    r"|by now it's in|remission (?:i'd say|by any count))"
)
# Told of a use disorder that is coded as going on.
_SOBER = later(
    r"\b(?:(?:clean|sober|dry) since (?:the )?(?:[a-z]+ties|[12]\d{3})|(?:years|months) (?:sober|dry"
    r"|clean))\b"
)
# `The main thing by far is the OCD`
_LEADS = later(
    r"\b(?:main thing(?: by far)? is|bill under|leads\b|(?<!ing )ahead of the|comes first"
    r"|reason for treatment is|first is the|is what i'm treating|comes after|waits until|[a-z]+ work first"
    r"|followed on the side)"
)
_OF_ANY = frozenset(
    ("disorder", "major", "mild", "moderate", "severe", "with", "without", "type", "chronic", "recurrent",
     "single", "episode", "unspecified", "specified", "other", "the", "and", "use", "remission", "sustained",
     "early", "partial", "full", "current", "presentation", "combined", "predominantly", "level",
     "personality", "mixed", "features")
)  # fmt: skip
_ALSO = {
    "alcohol": ("drinking", "drink", "sober", "dry"), "major": ("depression", "mood", "depressed"),
    "mdd": ("depression", "mood", "depressed"), "generalized": ("gad", "worry"), "attention": ("adhd",),
    "obsessive": ("ocd",), "posttraumatic": ("ptsd",),
}  # fmt: skip
_OF_BEFORE = frozenset(
    ("family_history", "past_history", "old_dx", "uncertain_dx", "social_history", "denied")
)
_PLACED = (
    "diagnosis above",
    "dx above",
    "the diagnosis is",
    "this diagnosis is",
    "dx 1",
    "dx 2",
    "the second",
    "the first of",
    "that one",
    "the acute one",
)


def taken_off(reading: Reading, diagnosed: Diagnosed) -> Reason | None:
    """Why a person is asked about what would be billed, if a later sentence speaks against it."""
    if is_said_off(reading, diagnosed):
        return Reason.CONFLICT_CODES
    hints = reading.hints.get("taken_off")
    if not hints or not diagnosed.chosen:
        return None
    since = min(each.lead.end for each in diagnosed.chosen)
    if max(hints) < since:
        return None
    named = {word for each in diagnosed.chosen for word in _names(reading, each.lead.start, each.lead.end)}
    uses = any(each.code.startswith("F1") and each.code[5:6] == "0" for each in diagnosed.chosen)
    for sentence in _sentences(reading, hints, since):
        if named.isdisjoint(words_of(sentence)) and not any(map(sentence.__contains__, _PLACED)):
            continue
        if _BACK.search(sentence) or _OVER.search(sentence) or (uses and _SOBER.search(sentence)):
            return Reason.CONFLICT_CODES
        if len(diagnosed.chosen) > 1 and _LEADS.search(sentence):
            return Reason.ORDER_UNCLEAR
    return None


def _sentences(reading: Reading, hints: list[int], since: int) -> Iterator[str]:
    for at in hints:
        if at >= since and reading.layout.at(at) not in _OF_BEFORE:
            before, after = sentence_round(reading.plain, at, at + 1)
            yield before + reading.plain[at : at + 1] + after


def _names(reading: Reading, start: int, end: int) -> Iterator[str]:
    for word in words_of(reading.plain[start:end]):
        yield from _ALSO.get(word, ())
        if word not in _OF_ANY and len(word) > 2:
            yield word
