"""How a payer's name is read: one spelling for the many that people type and directories print."""

import re
import unicodedata
from collections.abc import Iterator

MAXIMUM_WORDS = 16
MAXIMUM_CHARACTERS = 300

_STATES = {
    "al": "alabama",
    "ak": "alaska",
    "az": "arizona",
    "ar": "arkansas",
    "ca": "california",
    "co": "colorado",
    "ct": "connecticut",
    "dc": "district columbia",
    "de": "delaware",
    "fl": "florida",
    "ga": "georgia",
    "hi": "hawaii",
    "ia": "iowa",
    "id": "idaho",
    "il": "illinois",
    "in": "indiana",
    "ks": "kansas",
    "ky": "kentucky",
    "la": "louisiana",
    "ma": "massachusetts",
    "md": "maryland",
    "me": "maine",
    "mi": "michigan",
    "mn": "minnesota",
    "mo": "missouri",
    "ms": "mississippi",
    "mt": "montana",
    "nc": "north carolina",
    "nd": "north dakota",
    "ne": "nebraska",
    "nh": "new hampshire",
    "nj": "new jersey",
    "nm": "new mexico",
    "nv": "nevada",
    "ny": "new york",
    "oh": "ohio",
    "ok": "oklahoma",
    "or": "oregon",
    "pa": "pennsylvania",
    "pr": "puerto rico",
    "ri": "rhode island",
    "sc": "south carolina",
    "sd": "south dakota",
    "tn": "tennessee",
    "tx": "texas",
    "ut": "utah",
    "va": "virginia",
    "vt": "vermont",
    "wa": "washington",
    "wi": "wisconsin",
    "wv": "west virginia",
    "wy": "wyoming",
}
# Postal codes that are also words or other abbreviations: a state only behind a Blue.
_AMBIGUOUS_STATES = frozenset({"co", "de", "hi", "id", "in", "la", "ma", "me", "oh", "ok", "or", "pa", "va"})

_LONG_FORMS = {
    "bcbs": "blue cross blue shield",
    "bcbsm": "blue cross blue shield michigan",
    "bcbst": "blue cross blue shield tennessee",
    "bluecross": "blue cross",
    "blueshield": "blue shield",
    "bluecrossblueshield": "blue cross blue shield",
    "behavioural": "behavioral",
    "fep": "federal employee program",
    "healthcare": "health care",
    "hlth": "health",
    "hosp": "hospital",
    "ins": "insurance",
    "medi-cal": "medical",
    "svcs": "services",
    "uhc": "united health care",
    "unitedhealth": "united health",
    "unitedhealthcare": "united health care",
}
_NOISE = frozenset(
    {"a", "an", "and", "co", "company", "corp", "corporation", "for", "inc", "incorporated"}
    | {"llc", "llp", "lp", "ltd", "of", "plc", "the"}
)
_BLUE_OF_STATE = re.compile(r"(bcbs|bcs|bcb|bc|bs)(?:of)?([a-z]{2})$")


def words_of(name: str) -> tuple[str, ...]:
    """The words of a payer's name: lower case, no accents, marks or company forms, abbreviations spelt out.

    >>> words_of("BCBS of Texas, Inc.")
    ('blue', 'cross', 'blue', 'shield', 'texas')
    """
    plain = list(_split(name[:MAXIMUM_CHARACTERS]))[:MAXIMUM_WORDS]
    spelt = [
        piece for position, word in enumerate(plain) for piece in _spell_out(word, before=plain[:position])
    ]
    meaningful = tuple(word for word in spelt if word not in _NOISE)
    return (meaningful or tuple(spelt))[:MAXIMUM_WORDS]


def search_text(name: str) -> str:
    """The same words in one string: equal for two spellings of one name."""
    return " ".join(words_of(name))


def _split(name: str) -> Iterator[str]:
    decomposed = unicodedata.normalize("NFKD", name).casefold()
    bare = "".join(character for character in decomposed if not unicodedata.combining(character))
    bare = bare.replace("'", "").replace("’", "").replace("&", " and ")
    word = ""
    for character in bare:
        if character.isalnum():
            word += character
        elif word:
            yield word
            word = ""
    if word:
        yield word


def _spell_out(word: str, *, before: list[str]) -> list[str]:
    if word in _LONG_FORMS:
        return _LONG_FORMS[word].split()
    if word in _STATES and (word not in _AMBIGUOUS_STATES or _ends_in_blue(before)):
        return _STATES[word].split()
    if (blue := _BLUE_OF_STATE.match(word)) and blue[2] in _STATES:
        return [*_BLUES[blue[1]].split(), *_STATES[blue[2]].split()]
    if word in _BLUES and not before:
        return _BLUES[word].split()
    return [word]


def _ends_in_blue(before: list[str]) -> bool:
    informative = [word for word in before if word not in _NOISE]
    return bool(informative) and informative[-1] in {
        "bcbs",
        "bc",
        "bs",
        "cross",
        "shield",
        "bluecross",
        "blueshield",
    }


_BLUE_ENDINGS = frozenset({"bcbs", "bc", "bs", "cross", "shield", "bluecross", "blueshield"})
_BLUES = {
    "bcbs": "blue cross blue shield",
    "bcb": "blue cross blue shield",
    "bcs": "blue cross blue shield",
    "bc": "blue cross",
    "bs": "blue shield",
}
