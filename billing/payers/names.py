"""How a payer's name is read: one spelling for the many that people type and directories print."""

import re
import unicodedata

MAXIMUM_NAME = 60
MAXIMUM_WORDS = 16
MAXIMUM_CHARACTERS = 300
MAXIMUM_JOINTS = 5

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
# Postal codes that are also words or other abbreviations: a state only beside a name that goes by states.
STATE_WORDS = frozenset(word for state in _STATES.values() for word in state.split())
_AMBIGUOUS_STATES = frozenset({"co", "de", "hi", "id", "in", "la", "ma", "me", "oh", "ok", "or", "pa", "va"})
_ENGLISH_WORDS = frozenset({"in", "or", "me", "hi", "ok"})
_GO_BY_STATES = frozenset(
    {"anthem", "bc", "bcbs", "blue", "bluecross", "blueshield", "bs", "medicaid", "medicare"}
)

_LONG_FORMS = {
    "assn": "association",
    "assoc": "association",
    "bc": "blue cross",
    "bcbs": "blue cross blue shield",
    "bcbsm": "blue cross blue shield michigan",
    "bcbst": "blue cross blue shield tennessee",
    "behavioural": "behavioral",
    "bh": "behavioral health",
    "bluecross": "blue cross",
    "bluecrossblueshield": "blue cross blue shield",
    "blueshield": "blue shield",
    "bs": "blue shield",
    "fep": "federal employee program",
    "grp": "group",
    "healthcare": "health care",
    "healthplan": "health plan",
    "healthplans": "health plans",
    "hlth": "health",
    "ins": "insurance",
    "mcaid": "medicaid",
    "mcare": "medicare",
    "natl": "national",
    "svcs": "services",
    "uhc": "united health care",
    "unitedhealth": "united health",
    "unitedhealthcare": "united health care",
}
_NOISE = frozenset(
    {"a", "an", "and", "co", "company", "corp", "corporation", "for", "in", "inc", "incorporated"}
    | {"llc", "llp", "lp", "ltd", "of", "or", "plc", "the"}
)
# Letters that Unicode does not take apart.
_LIGATURES = str.maketrans(
    {"Æ": "AE", "æ": "ae", "Œ": "OE", "œ": "oe", "Ø": "O", "ø": "o", "Ł": "L", "ł": "l"}
)
_DOTTED = re.compile(r"\b(?:[a-z]\.){2,}(?:[a-z]\b)?")
_BLUE_OF_STATE = re.compile(r"(bcbs|bc|bs)(?:of)?([a-z]{2})")


def words_of(name: str) -> tuple[str, ...]:
    """The words of a payer's name: lower case, no accents, marks or company forms, abbreviations spelt out.

    >>> words_of("BCBS of Texas, Inc.")
    ('blue', 'cross', 'blue', 'shield', 'texas')
    """
    plain = _split(name[:MAXIMUM_CHARACTERS])[:MAXIMUM_WORDS]
    by_state = not _GO_BY_STATES.isdisjoint(plain)
    spelt: list[str] = []
    for position, word in enumerate(plain):
        last = position == len(plain) - 1
        state_here = word not in _AMBIGUOUS_STATES or (by_state and (last or word not in _ENGLISH_WORDS))
        spelt += _spell_out(word, state_here=state_here)
    meaningful = [word for word in spelt if word not in _NOISE]
    return tuple(meaningful or spelt)[:MAXIMUM_WORDS]


def fit_name(name: str) -> str:
    """A carrier's name as a claim can carry it: at most 60 characters, cut at a word."""
    if len(name) <= MAXIMUM_NAME:
        return name
    return name[: MAXIMUM_NAME + 1].rpartition(" ")[0].rstrip(" ,;(-/") or name[:MAXIMUM_NAME]


def search_text(name: str) -> str:
    """The same words in one string: equal for two spellings of one name."""
    return " ".join(words_of(name))


def readings_of(query: str) -> list[tuple[str, ...]]:
    """The ways in which a query can be meant: as written, states spelt out, two of its words run together."""
    words = words_of(query)
    spelt = tuple(piece for word in words for piece in _STATES.get(word, word).split())
    joined = [
        (*words[:at], words[at] + words[at + 1], *words[at + 2 :])
        for at in range(min(len(words) - 1, MAXIMUM_JOINTS))
    ]
    return list(dict.fromkeys(reading for reading in (words, spelt, *joined) if reading))


def _split(name: str) -> list[str]:
    decomposed = unicodedata.normalize("NFKD", name.translate(_LIGATURES)).casefold()
    bare = "".join(character for character in decomposed if not unicodedata.combining(character))
    bare = bare.replace("'", "").replace("’", "").replace("&", " and ")
    bare = _DOTTED.sub(lambda found: found[0].replace(".", ""), bare)
    return "".join(character if character.isalnum() else " " for character in bare).split()


def _spell_out(word: str, *, state_here: bool) -> list[str]:
    if word in _STATES and state_here:
        return _STATES[word].split()
    if word in _LONG_FORMS:
        return _LONG_FORMS[word].split()
    if (blue := _BLUE_OF_STATE.fullmatch(word)) and blue[2] in _STATES:
        return [*_LONG_FORMS[blue[1]].split(), *_STATES[blue[2]].split()]
    return [word]
