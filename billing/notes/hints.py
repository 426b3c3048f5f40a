"""The words without which a costly pattern cannot match, found in one pass over the text.

A pattern that begins with a choice of words is tried at every character. Where none of the words that every
match contains stands in the note, it is not tried at all.
"""

from collections.abc import Mapping

import ahocorasick_rs

from billing.notes.spoken import SPOKEN

# By the name of the pattern: one of these stands in everything that it matches.
LITERALS: Mapping[str, tuple[str, ...]] = {
    "unit": ("min", "hour"),
    "spoken": SPOKEN,
    "short_form": (
        "gen. ", "maj. ", "adj. ", "dep. ", "unspec. ", "anx. ", "recur. ", "sust. ", "sev. ", "mod. ",
        "rec. ", "remiss. ", "ep. ",
    ),
    "rank": (
        "primary", "principal", "main", "focus of", "(p)", "(s)", "secondary", "additional", "comorbid",
        "tertiary",
    ),
    "lost": (
        "of these", "of those", "of that", "of the", "dropped", "lost", "froze", "out for",
        "off for", "down for", "break of", "pause of", "gap of", "interruption of", "the room", "the office",
        "the screen",
    ),
    "interrupted": (
        "fire alarm", "fire drill", "were lost", "was lost", "lost to", "split", "two part", "two piece",
        "two hal", "resumed", "paged", "no therapy", "not therapy", "evacuat", "connected", "dropped",
        "of these", "of those", "of that", "of the", "went out for", "stepped out",
    ),
    "main": (
        "primary", "principal", "main", "focus", "reason", "treated today", "first", "number", "no.",
        "second is", "third is", "latter is",
    ),
    "main_by_number": ("#", "number", "no.", "the first", "the second", "the third"),
    "taken_back": (
        "incorrect", "in error", "mistake", "withdrawn", "wrong", "strike that", "amend", "carried",
        "copied", "rolled forward", "not to be billed",
    ),
    "in_the_room": ("face to face", "drove in", "in room", "in suite", "not used", "in person", "in-person"),
    "by_voice": ("phone", "voice only", "landline", "camera"),
    "missed": ("missed", "did not attend", "no clinical service", "no service"),
    "shared": ("family", "couple", "conjoint", "group", "parent"),
    "without_patient": ("parents", "not seen", "take part", "school"),
    "several": ("diagnoses",),
}  # fmt: skip

_NAMES = tuple(LITERALS)
_WORDS = tuple(dict.fromkeys(word for words in LITERALS.values() for word in words))
_OF = tuple(tuple(name for name in _NAMES if word in LITERALS[name]) for word in _WORDS)
_AUTOMATON = ahocorasick_rs.AhoCorasick(_WORDS, implementation=ahocorasick_rs.Implementation.DFA)


def find_hints(plain: str) -> dict[str, list[int]]:
    """Where the words of each pattern begin; a pattern without any is absent."""
    found: dict[str, list[int]] = {}
    for word, start, _ in _AUTOMATON.find_matches_as_indexes(plain, overlapping=True):
        for name in _OF[word]:
            found.setdefault(name, []).append(start)
    return found
