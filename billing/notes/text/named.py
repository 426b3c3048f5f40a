"""People other than the patient whom the note calls by name: `her husband (Grady)`, `sister Ana`."""

from typing import Any

from billing.notes.text.tokens import UNKNOWN, TokenStream

# They may be the patient themselves: `parents of their daughter Ines`.
_MAY_BE_SEEN = frozenset(
    ("son", "sons", "daughter", "daughters", "dtr", "child", "twin", "twins", "student", "students",
     "clients", "patients", "someone", "partner", "spouse", "parents", "siblings")
)  # fmt: skip
_THE_PATIENT = ("client", "patient", "pt", "ip", "identified")
_SHORTEST = 3


# Relatives in two letters, as they are written; `6 mo` is a time.
_IN_SHORT = {"mo": "Mo", "fa": "Fa", "dh": "DH", "dw": "DW"}


def named_people(
    text: str, tokens: TokenStream, people: list[tuple[int, int, Any]]
) -> list[tuple[int, int, Any]]:
    """The people of a note with every further mention of those whose name stands beside what they are.

    `text` is the note as written. Who is named before that is not taken for another.
    """
    short = [
        (at, at + 1, None)
        for at, word in enumerate(tokens.words)
        if word in _IN_SHORT and text.startswith(_IN_SHORT[word], tokens.starts[at])
    ]
    people = sorted([*people, *short], key=lambda person: person[:2]) if short else people
    names = {_name_beside(text, tokens, first, last) for first, last, _ in people} - {None}
    if not names:
        return people
    named = {
        (at, at + 1, None)
        for at, word in enumerate(tokens.words)
        if word in names or (word.endswith("'s") and word[:-2] in names)
    }
    return sorted({*people, *named}, key=lambda person: person[:2])


def _name_beside(text: str, tokens: TokenStream, first: int, last: int) -> str | None:
    """The name in `husband Grady`, `husband (Grady)` or `Grady (husband)`."""
    words = tokens.words
    if words[last - 1] in _MAY_BE_SEEN or not text[tokens.starts[first]].islower():
        return None
    for at, before, gaps in ((last, last - 1, (" ", " (")), (first - 1, first - 1, (" (",))):
        if (
            0 <= at < len(words)
            and tokens.letters[at] == UNKNOWN
            and tokens.between(before, before + 1) in gaps
            and _is_name(text, tokens, at)
        ):
            return words[at]
    return None


def _is_name(text: str, tokens: TokenStream, at: int) -> bool:
    """Whether a word is a name that is told here for the first time, and not called the patient's."""
    word, start, end = tokens.words[at], tokens.starts[at], tokens.ends[at]
    return (
        len(word) >= _SHORTEST
        and word.isalpha()
        and text[start].isupper()
        and text[start + 1].islower()
        and tokens.words.index(word) == at
        and not text[end : end + 14].lstrip(" (,").lower().startswith(_THE_PATIENT)
    )
