"""What a heading, or the cell of a table, says by itself of the conditions under or beside it: `Ruled out`,
`Maternal aunt`, `Resolved 2019`."""

import re
from enum import StrEnum


class Standing(StrEnum):
    """How a condition stands by the words of a place; but for the last three these are reasons to doubt it.

    `LISTED` is what a list of diagnoses, or a column of states, says of it.
    """

    OTHER_PERSON = "other_person"
    NEGATED = "negated"
    UNCERTAIN = "uncertain"
    HISTORICAL = "historical"
    UNCLEAR = "unclear"
    STATED = "stated"
    LISTED = "listed"


_KIN = frozenset(
    ("mother", "mom", "mum", "father", "dad", "parent", "parents", "sister", "sisters", "brother",
     "brothers", "sibling", "siblings", "son", "sons", "daughter", "daughters", "husband", "wife",
     "spouse", "partner", "boyfriend", "girlfriend", "fiance", "fiancee", "ex-husband", "ex-wife",
     "aunt", "aunts", "uncle", "uncles", "cousin", "cousins", "niece", "nephew", "grandmother",
     "grandfather", "grandma", "grandpa", "grandparent", "grandparents", "grandson", "granddaughter",
     "mgm", "mgf", "pgm", "pgf", "stepmother", "stepfather", "stepmom", "stepdad", "stepson",
     "stepdaughter", "stepbrother", "stepsister", "half-brother", "half-sister", "friend", "roommate",
     "relative", "relatives", "twin", "maternal", "paternal", "family", "fam", "famhx", "fh", "fhx")
)  # fmt: skip
_NEGATED = frozenset(
    ("ruled", "excluded", "denied", "denies", "denying", "negative", "neg", "absent", "rejected",
     "removed", "error", "erroneous", "wrong", "not", "no", "never", "unmet", "discarded", "deleted",
     "withdrawn", "dropped", "subthreshold", "subclinical")
)  # fmt: skip
_UNCERTAIN = frozenset(
    ("rule", "r/o", "r/o's", "r/os", "ro", "provisional", "differential", "differentials", "ddx",
     "suspected", "suspect", "possible", "probable", "likely", "considered", "considering", "consider",
     "consideration", "pending", "working", "tentative", "preliminary", "unconfirmed", "confirm",
     "query", "queried", "questionable", "deferred", "versus", "vs",
     "prov", "poss", "prob", "undetermined", "unclear", "unknown", "presumed", "presumptive", "clarify", "?")
)  # fmt: skip
_HISTORICAL = frozenset(
    ("past", "prior", "previous", "previously", "former", "formerly", "history", "hx", "h/o",
     "historical", "historically", "resolved", "inactive", "old", "childhood", "adolescence", "remote",
     "ago", "gone", "changed", "closed",
     "archived", "discontinued", "retired", "replaced", "ended", "superseded", "expired")
)  # fmt: skip
_STATED = frozenset(
    ("current", "currently", "active", "confirmed", "today", "today's", "treated", "treating",
     "ongoing", "open", "present", "primary", "secondary", "principal", "tertiary", "billing", "billed",
     "established", "self", "client", "patient", "pt", "ip", "yes", "main", "new", "now")
)  # fmt: skip
_SAYING_NOTHING = frozenset(
    ("diagnosis", "diagnoses", "diagnostic", "dx", "dxs", "dx's", "dsm", "icd", "condition",
     "conditions", "disorder", "disorders", "problem", "problems", "list", "impression", "impressions",
     "mental", "behavioral", "health", "psychiatric", "psych", "medical", "clinical", "of", "the",
     "her", "his", "their", "client's", "patient's", "pt's", "a", "an", "to", "be", "and", "or", "for",
     "by", "in", "on", "out", "outs", "as", "code", "codes", "met", "criteria", "does", "did", "meet",
     "longer", "screened", "screen", "screening", "side", "older", "younger",
     "elder", "deceased", "late", "biological", "bio", "half", "step", "adopted", "evaluation",
     "testing", "assessment", "review", "under", "status", "evidence", "entered", "charted", "since",
     "per", "chart", "record", "records", "date", "stable", "chronic", "full", "partial", "early",
     "sustained", "full-time", "first", "degree", "extended", "immediate", "but", "only",
     "child", "teen", "own", "years", "yrs", "months", "has", "context", "coded", "so", "far", "up",
     "after", "workup", "work-up", "supported", "substantiated")
)  # fmt: skip
# What a remission, or watching a condition, is said of a person has to say.
_ASKED_ABOUT = frozenset(("remission", "monitor", "monitoring"))
_CLASSES: dict[str, Standing | None] = {
    **dict.fromkeys(_SAYING_NOTHING),
    **dict.fromkeys(_STATED, Standing.STATED),
    **dict.fromkeys(_HISTORICAL, Standing.HISTORICAL),
    **dict.fromkeys(_UNCERTAIN, Standing.UNCERTAIN),
    **dict.fromkeys(_NEGATED, Standing.NEGATED),
    **dict.fromkeys(_KIN, Standing.OTHER_PERSON),
    **dict.fromkeys(_ASKED_ABOUT, Standing.UNCLEAR),
}
_WORD = re.compile(r"[a-z][a-z/']*|\?|[^\s\d.,;:()\[\]/*_\"#~+&-]")
_MONTH = re.compile(r"(?:jan|feb|mar|apr|may|june?|july?|aug|sept?|oct|nov|dec)[a-z]*")
_LONGEST = 48
# `No change`, `denies panic`, `working on exposure`: among other words these say nothing of a state.
_OF_TREATMENT = frozenset(
    ("no", "not", "never", "denies", "denied", "denying", "negative", "working", "monitor", "monitoring",
     "dropped", "wrong", "error")
)  # fmt: skip
# These say it whatever words follow; `past triggers processed`, `mother reports fewer outbursts` may not.
_FIRM = frozenset(
    ("resolved", "ruled", "excluded", "rejected", "removed", "discarded", "deleted", "withdrawn", "inactive",
     "historical", "discontinued", "archived", "superseded", "retired", "rule", "r/o", "provisional",
     "suspected", "tentative", "unconfirmed", "query")
)  # fmt: skip
_HEAD_ENDS = re.compile(r"[;,:(.<]| -{1,2} | by ")
_NOT_SO = re.compile(
    r"(?:not|never) (?:yet )?(?:confirmed|met|present|active|current|supported|established)\b"
)
# `Active until 2019`; of a date to come it may be a term.
_UNTIL = re.compile(r"\b(?:until|till|through|thru|up to) [^;|\n]{0,16}(?:(?:19|20)\d\d|\d{1,2}/\d\d)\b")
_NO_MORE = re.compile(
    r"\b(?:dx|diagnos\w+)\b[^.;]{0,40}\b(?:resolved|closed|removed|dropped|ended|retired|deleted)\b"
)


def standing_of(said: str) -> Standing | None:
    """What the words of a heading or cell say, None where they are not only such words."""
    if not 0 < len(said) <= _LONGEST or "not changed" in said:
        return None
    said_so: set[Standing] = set()
    known = False
    for word in _WORD.findall(said):
        if word not in _CLASSES and "/" in word:
            parts = word.split("/")
        else:
            parts = [word[:-2] if word.endswith("'s") and word[:-2] in _KIN else word.strip("'")]
        for part in parts:
            if part not in _CLASSES:
                if known and _MONTH.fullmatch(part):
                    continue
                return None
            known = True
            found = _CLASSES[part]
            if found is not None:
                said_so.add(found)
    if not known:
        return None
    return _weighed(said_so)


def says_now(said: str) -> bool:
    """Whether the words state a condition, and don't only name one."""
    return Standing.STATED in map(_CLASSES.get, _WORD.findall(said))


def state_of(cell: str) -> Standing | None:
    """What the cell of a column of states says, or what follows `status:`, in whatever words."""
    found = standing_of(cell)
    if found is not None:
        return found
    if _NO_MORE.search(cell):
        return Standing.HISTORICAL
    if _NOT_SO.match(cell):
        return Standing.NEGATED
    found = standing_of(_HEAD_ENDS.split(cell, maxsplit=1)[0].strip())
    if found is not None:
        return found
    words = _WORD.findall(cell)
    if words and words[0] in _FIRM:
        return _CLASSES[words[0]]
    if _UNTIL.search(cell):
        return Standing.UNCLEAR
    classes = {_CLASSES.get(word) for word in words if word not in _OF_TREATMENT}
    return Standing.UNCLEAR if classes - {None, Standing.STATED} else None


def _weighed(said_so: set[Standing]) -> Standing | None:
    stated = Standing.STATED in said_so
    if Standing.OTHER_PERSON in said_so:
        # `Mother present` tells who came.
        return None if stated else Standing.OTHER_PERSON
    if Standing.NEGATED in said_so:
        return Standing.NEGATED
    if Standing.UNCLEAR in said_so or (stated and Standing.HISTORICAL in said_so):
        return Standing.UNCLEAR
    for standing in (Standing.UNCERTAIN, Standing.HISTORICAL):
        if standing in said_so:
            return standing
    return Standing.STATED
