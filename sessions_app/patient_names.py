"""How a patient's name is compared: whatever its case and accents."""

import unicodedata

from billing.rules.characters import PLAIN, without_marks

SHORTEST_KEYED = 3
"""Letters of the shortest word that the index of names can find."""


def search_form(text: str) -> str:
    """Lower case, plain letters, quotes and dashes, single blanks: what the name filter compares."""
    decomposed = unicodedata.normalize("NFKD", text.translate(PLAIN)).casefold()
    return " ".join(without_marks(decomposed).split())


def words_of(name: str) -> list[str]:
    """The words to look for, commas aside, each once, in the form that is compared."""
    return list(dict.fromkeys(search_form(name.replace(",", " ")).split()))


def pattern(word: str) -> str:
    """A LIKE pattern for names with this word, its wildcards taken literally."""
    plain = word.replace("\\", r"\\").replace("%", r"\%").replace("_", r"\_")
    return f"%{plain}%"


def keyed(word: str, *, partner: str, words: int) -> str:
    """The condition by which the index of names finds a word, one of so many; LIKE has to look again.

    Word and partner are SQL. Each key is a list to read, so that not all are asked for: every second, which
    shares a letter with the next, and of several words every third. The planner takes each such condition for
    half a percent of all names; a single word's first key is asked for again, so that few rows are expected.
    """
    keys = "name_keys(partner_id, patient_search_name)"
    if words > 1:
        return f"{keys} @> name_keys({partner}, {word}, 3)"
    return f"{keys} @> name_keys({partner}, {word}, 2) AND {keys} @> name_keys({partner}, left({word}, 3))"


def full_name(first: str, last: str) -> str:
    """First and last name with one space."""
    return f"{first} {last}"
