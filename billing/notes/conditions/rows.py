"""What the row of a table says of the condition in it, by its other cells and the names of their columns, and
what the list says that an entry is nested in."""

import re
from bisect import bisect_left
from operator import attrgetter

from msgspec.structs import replace

from billing.notes.conditions.placement import FIELD
from billing.notes.finding import Finding
from billing.notes.page.nested import nested_under, opens_entry, state_below
from billing.notes.page.standing import Standing, says_now, standing_of, state_of
from billing.notes.result import Reason
from billing.notes.text.table import RULE, WIDEST_LINE, cell_at, cells_of, name_of, parted_by

Names = list[tuple[int, str]]
# By where a row begins and what parts its cells.
KnownNames = dict[tuple[int, str], Names]

_MOST_CELLS = 40
# What the column holds says nothing of whether the condition is there.
_ASIDE = frozenset(
    ("onset", "informant", "reported", "source", "auth", "authorization", "insurance", "claim", "provider",
     "diagnosed", "plan", "goal", "goals", "treatment", "intervention", "response", "homework", "age", "made",
     "rank", "priority", "order", "participants", "first", "severity", "specifier", "specifiers", "type",
     "by", "rater", "respondent", "interventions", "progress")
)  # fmt: skip
_OF_WHOM = frozenset(("relative", "who", "person", "relationship", "member", "whom", "relation"))
_OF_RANK = frozenset(("rank", "priority", "order", "diagnosis rank", "dx rank", "primary", "principal"))
_FIRST = frozenset(("1", "primary", "principal", "first", "1st", "main"))
_LATER = frozenset(("2", "3", "4", "5", "secondary", "tertiary", "second", "third", "2nd", "3rd"))
# `"status": "active"`
_KEYED = re.compile(
    r'"?(?P<key>status|state|certainty|who|relative|relation|rank)"?[ ]?[:=][ ]?"?(?P<value>[^"]{1,60})'
)
_GOALS = frozenset(("goal", "goals"))
_OF_STATE = frozenset(("status", "state", "certainty"))
# One of these makes the first row of a table the names of its columns, whatever the others are called.
_TELLING = frozenset(("diagnosis", "diagnoses", "dx", "condition", "status", "state", "certainty", "problem"))
_LONGEST_NAME, _LABEL_AND_VALUE = 4, 2
_NAMES = _ASIDE | _OF_WHOM | _OF_STATE | frozenset(
    ("diagnosis", "diagnoses", "dx", "code", "codes", "icd", "icd-10", "icd-10-cm", "dsm", "description",
     "condition", "conditions", "disorder", "problem", "problems", "date", "dates",
     "seq", "text",
     "comment", "comments", "note", "notes", "remarks", "details", "course", "since", "by", "of", "no", "#",
     "number", "the", "to", "cm", "tr", "s", "last", "updated", "reviewed", "added", "start", "end", "family",
     "axis", "and", "on", "criteria", "met", "line", "item")
)  # fmt: skip
_OF_THE_CONDITION = frozenset(("diagnosis", "dx", "code", "problem", "condition"))
# What a column says of a condition's place in the list: `no` in it takes nothing back.
_OF_ORDER = frozenset(("primary", "secondary", "principal", "tertiary", "main", "new", "established"))
_NAME = re.compile(r"[a-z]+|#")
_CODED = re.compile(r"\d[a-z]|[a-z]\d|\d\d")
_OF_PATIENT = frozenset(("self", "client", "patient", "pt"))
# What a list or a state that states a condition sets aside.
_LIFTED = (None, "quoted", "historical")
_MARKED = re.compile(
    r"[x\u2611+*y]|yes|true|[\[(][ ]?[x\u2611y*+][ ]?[\])]|\d{1,2}/(?:\d{1,2}/)?\d{2,4}"
    r"|(?:19|20)\d\d(?:-\d\d){0,2}"
)
_UNMARKED = re.compile(r"no?|false|none|[\[(][ _]*[\])]|\u2610|-+")
_BOXES = frozenset("[(\u2610")
_UNSAID = frozenset(("no", "none", "family", "n/a", "unknown", "new"))


def arranged(text: str, plain: str, found: list[Finding]) -> list[Finding]:
    """The findings, those in doubt that a heading over them or a cell beside them takes back."""
    known: KnownNames = {}
    for at, finding in enumerate(found):
        if finding.doubt not in _LIFTED:
            continue
        over = nested_under(text, plain, found, finding.start)
        beside, rank = _said_beside(text, plain, found, finding, known)
        if rank is not None and finding.doubt is None:
            found[at] = replace(finding, rank=rank)
        standing = over if over not in (None, Standing.STATED, Standing.LISTED) else None
        below = None if standing or beside else state_below(text, plain, finding.start, finding.end)
        standing = standing or beside or below or over
        if standing is over and finding.doubt == "historical":
            continue
        if standing is None or standing is Standing.STATED:
            continue
        if standing is Standing.LISTED:
            found[at] = _listed(text, plain, found[at])
        elif finding.doubt is not None:
            continue
        elif standing is Standing.UNCLEAR:
            if not any("remission" in value for value in finding.values):
                asked = _listed(text, plain, found[at]) if below else found[at]
                found[at] = replace(asked, reason=finding.reason or Reason.SPECIFIER_UNCLEAR)
        else:
            found[at] = replace(finding, doubt=str(standing))
    return found


def _listed(text: str, plain: str, finding: Finding) -> Finding:
    """A condition that a list of diagnoses, or its row's state, states where it opens its entry or cell."""
    before = plain[max(0, finding.start - 3) : finding.start].rstrip(' "')
    if not (before.endswith(("|", ",", ";", ":", "\n")) or opens_entry(text, plain, finding.start)):
        in_cell = plain.endswith("  ", 0, finding.start) or text[finding.start - 1 : finding.start] == "\t"
        if not in_cell:
            return finding
    return replace(finding, strength=FIELD, doubt=None)


def _said_beside(
    text: str, plain: str, found: list[Finding], finding: Finding, known: KnownNames
) -> tuple[Standing | None, int | None]:
    """What the other cells of its row say of a condition, and which rank they give it."""
    start = plain.rfind("\n", max(0, finding.start - WIDEST_LINE), finding.start) + 1
    end = plain.find("\n", finding.end, finding.end + WIDEST_LINE)
    if end < 0:
        end = len(plain)
    mark = parted_by(text, plain, start, end) if end - start <= WIDEST_LINE else None
    if mark is None:
        return None, None
    cells = cells_of(text, plain, start, end, mark)
    if len(cells) > _MOST_CELLS:
        return None, None
    names = _names_above(text, plain, start, mark, known)
    own = cell_at(cells, finding.start)
    if own and len(cells) == _LABEL_AND_VALUE and names and names[0][1]:
        over = names[-1][1]
        label = plain[slice(*cells[0])].strip(' ".*_:')
        if _calls_a_diagnosis(label) or (
            standing_of(label) is not None and standing_of(over) in (None, Standing.STATED)
        ):
            names = []
    if len(cells) < 2 and not names:
        return None, None
    begin = bisect_left(found, start, key=attrgetter("start"))
    stop = bisect_left(found, end, begin, key=attrgetter("start"))
    conditions = {cell_at(cells, other.start) for other in found[begin:stop]}
    of_now = False
    if names:
        over = name_of(names, cells, own, cells[own][0] - start, mark)
        above = standing_of(over)
        if above not in (None, Standing.STATED):
            return above, None
        of_now = says_now(over)
    if plain[finding.end : cells[own][1]].strip() == "," and mark == "|":
        return Standing.UNCLEAR, None  # goes on in the next row
    rank: int | None = None
    said: dict[int, Standing] = {}
    marked: list[int] = []
    anothers = False
    for at, (left, right) in enumerate(cells):
        if at in conditions:
            continue
        cell = plain[left:right].strip(' ".*_{}')
        if not cell or cell.endswith(":") or cell[0] in _BOXES:
            continue
        name = name_of(names, cells, at, left - start, mark) if names else ""
        if not name and (keyed := _KEYED.fullmatch(cell)):
            name, cell = keyed["key"], keyed["value"]
        anothers = anothers or (bool(names) and _is_anothers(name, cell, first=at < own))
        if name in _OF_RANK:
            rank = 0 if cell in _FIRST or _MARKED.fullmatch(cell) else 2 if cell in _LATER else None
            continue
        standing = _of_cell(cell, name, named=bool(names))
        if standing is not None:
            said[at] = standing
            if name and standing is standing_of(name) and _MARKED.fullmatch(cell):
                marked.append(at)
    if any(said[at] is Standing.STATED for at in marked):
        of_now = True  # and what it was before, or is in the family, matters less
        said = {at: standing for at, standing in said.items() if at not in marked}
    standing = _of_row(said, conditions, own) or (Standing.LISTED if of_now else None)
    return None if anothers and standing is Standing.LISTED else standing, rank


def _of_row(said: dict[int, Standing], conditions: set[int], own: int) -> Standing | None:
    """What the cells say of the condition in one of them: where several rows stand in one line, those up to
    the next condition."""
    if not said:
        return None
    first, last = min(conditions), max(conditions)
    told = list(said)
    if any(first < at < last for at in said):
        if min(said) < first:
            after = max((at for at in said if at < own), default=-1)
            told = [at for at in said if at == after]
        else:
            behind = [at for at in said if at > own]
            parted = min((at for at in conditions if behind and at > behind[0]), default=last + len(said) + 1)
            told = [at for at in behind if at < parted]
            if not behind and said[max(said)] not in (Standing.STATED, Standing.LISTED):
                return Standing.UNCLEAR  # `GAD | History | PTSD`: of which of them
    doubts = [said[at] for at in told if said[at] not in (Standing.STATED, Standing.LISTED)]
    return doubts[0] if doubts else Standing.LISTED if Standing.LISTED in map(said.get, told) else None


def _of_cell(cell: str, name: str, *, named: bool) -> Standing | None:
    """What a cell says under the name of its column."""
    words = set(_NAME.findall(name))
    if words & _OF_WHOM:
        return standing_of(cell)
    if words & _OF_STATE:
        standing = state_of(cell)
        return Standing.LISTED if standing is Standing.STATED else standing
    if words & _ASIDE:
        return None
    column = standing_of(name) if name else None
    if column is not None and column is not Standing.STATED:
        if not _MARKED.fullmatch(cell):
            return None
        # The family has it too, or a history of it.
        return Standing.UNCLEAR if column is Standing.OTHER_PERSON and "family" in words else column
    if says_now(name) and words.isdisjoint(_OF_THE_CONDITION | _OF_ORDER):
        if _UNMARKED.fullmatch(cell):
            return Standing.NEGATED
        if _MARKED.fullmatch(cell):
            return Standing.STATED
    if cell in _UNSAID:
        return None
    standing = standing_of(cell)
    if standing is Standing.OTHER_PERSON and (named or ":" in cell):
        return Standing.UNCLEAR if named else None  # or who was there, or who told of it
    return None if "childhood" in cell and standing is Standing.HISTORICAL else standing


def _names_above(text: str, plain: str, start: int, mark: str, known: KnownNames) -> Names:
    """The names of the columns, and how far from the line's beginning each stands, from the nearest row above
    that is one of names."""
    at, names = start, Names()
    passed = []
    while at > 0:
        if (at, mark) in known:
            names = known[at, mark]
            break
        passed.append(at)
        end = at - 1
        at = max(plain.rfind("\n", max(0, end - WIDEST_LINE), end) + 1, end - WIDEST_LINE, 0)
        line = plain[at:end]
        if not line.strip() or RULE.issuperset(line):
            continue
        if parted_by(text, plain, at, end) != mark:
            break
        cells = cells_of(text, plain, at, end, mark)
        if len(cells) > _MOST_CELLS:
            break
        said = [_name_in(plain[left:right]) for left, right in cells]
        if len(said) > 1 and (all(map(_is_name, said)) or _are_columns(said)):
            names = [(left - at, name) for (left, _), name in zip(cells, said, strict=True)]
            break
    known.update(dict.fromkeys(((each, mark) for each in passed), names))
    return names


def _name_in(cell: str) -> str:
    """The name of a column without its bracket; `Self past` is `past`."""
    name, _, bracket = cell.partition("(")
    if standing_of(bracket.partition(")")[0]) is Standing.OTHER_PERSON:
        return f"({bracket}"  # `Gus (partner)`
    name = name.strip(' ".*_')
    name = name.rstrip("?") or name
    words = name.split()
    return " ".join(words[1:]) if len(words) > 1 and words[0] in _OF_PATIENT else name


def _calls_a_diagnosis(cell: str) -> bool:
    """Whether the first of two cells names what the second holds: `| Diagnosis | GAD |`."""
    words = _NAME.findall(cell)
    return not (_TELLING | _OF_THE_CONDITION).isdisjoint(words) and standing_of(cell) is not None


def _is_anothers(name: str, cell: str, *, first: bool) -> bool:
    """Whether the cell of a column says that its row is not simply the client's: `Anna` under `Sibling`, and
    in front `Sertraline` under `Medication`."""
    if not cell or cell in _UNSAID or any(tells.fullmatch(cell) for tells in (_MARKED, _UNMARKED)):
        return False
    if standing_of(name) is Standing.OTHER_PERSON or not _OF_WHOM.isdisjoint(_NAME.findall(name)):
        return cell not in _OF_PATIENT
    return first and not cell.isdigit() and not (_is_name(name) and _GOALS.isdisjoint(_NAME.findall(name)))


def _is_name(name: str) -> bool:
    if any(map(str.isdigit, name)) and "icd" not in name and "dsm" not in name:
        return standing_of(name) is not None
    return standing_of(name) is not None or all(word in _NAMES for word in _NAME.findall(name))


def _are_columns(names: list[str]) -> bool:
    """Whether the cells of a row are short, without a number, and one of them says what a column holds."""
    return (
        any(
            name.startswith("(") or (words and _TELLING.issuperset(words))
            for name, words in ((name, _NAME.findall(name)) for name in names)
        )
        and all(len(name.split()) <= _LONGEST_NAME for name in names)
        and not any(map(_CODED.search, names))
    )
