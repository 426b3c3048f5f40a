"""What a page itself sets aside, blanked: struck words, the column of what was only scheduled, the rows of
other visits in a table of visits."""

import re
from collections.abc import Iterator

from billing.notes.text.table import RULE, WIDEST_LINE, Cells, cells_of

# `~~F32.1~~`, `--8:45 am-- 8:55 am`
_STRUCK = re.compile(
    r"~~(?=[^\s~])[^\n~]{1,160}~~|(?<![-\w])--(?=\d)[\d:.]{1,6}[ ]?(?:[ap]\.?m\.?)?--(?=[ ])"
)
_SCHEDULED = frozenset(("scheduled", "sched", "planned", "booked", "expected"))
_ACTUAL = frozenset(("actual", "held", "delivered", "real", "provided", "worked"))
_OF_VISITS = frozenset(("date", "visit", "session", "dos", "day", "of", "no"))
_OF_LENGTH = frozenset(
    ("min", "mins", "minutes", "len", "length", "duration", "time", "start", "stop", "in", "out", "begin",
     "end", "mode", "format")
)  # fmt: skip
_OPENS = frozenset(("start", "in", "begin", "began", "from"))
_CLOSES = frozenset(("stop", "out", "end", "to"))
_MINUTES = frozenset(("min", "mins", "minutes"))
_AS_MIN = "time: "
_WORD = re.compile(r"[a-z]+")
_DATE = re.compile(
    r"(?<![\w.])(?:\d{1,2}[/-]\d{1,2}(?:[/-]\d{2,4})?|\d{4}-\d\d-\d\d"
    r"|(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]* \d{1,2})(?![\d:])",
    re.IGNORECASE,
)
_THIS_ONE = re.compile(r"\b(?:today|this (?:note|visit|session|encounter))\b", re.IGNORECASE)
# `TODAY (called back)`, `see below (today)`, and not `today she cried`.
_MARKED_SO = re.compile(
    rf"(?:\A|[(\[<>*-])[ *]*(?:{_THIS_ONE.pattern})[ *]*(?:\Z|[()\[\]<>:;,.*-])", re.IGNORECASE
)
_POINTED_AT = re.compile(r"\A[ ]*[>*]|[ ]\*[ ]")
_CLOCK = re.compile(r"(?:[01]?\d|2[0-3])[:.][0-5]\d[ ]?(?:[ap]\.?m\.?)?", re.IGNORECASE)
# The cell of a row says that it is another visit's, or, under `This visit`, that it is this one's.
_OF_ANOTHER = re.compile(
    r"[ ]*(?:prior|previous|earlier|past|last (?:visit|session|week)|(?:already )?billed|signed|closed"
    r"|submitted|next|upcoming|planned|scheduled|booked|cancel+ed|missed|no[- ]show)[ ]*",
    re.IGNORECASE,
)
_MARK = re.compile(r"[ ]*(?:[x*\u2611]|yes|here|<+-*|\[[x\u2611]\])[ ]*", re.IGNORECASE)
_SERVICE_DATE = re.compile(
    r"(?:\A|\n)[ ]*(?:date(?: of (?:service|visit|session))?|dos|(?:service|visit|session) date)[ ]*[:|][ ]*"
    r"(?P<date>[\d/-]{6,10})(?![\d/-])",
    re.IGNORECASE,
)
# Of what is set aside one of these stands in the note.
_TOLD_BY = (
    "today", "this ", "sched", "planned", "booked", "start", "begin", "in  ", "in |", "min |", "min\n",
    "minutes",
)  # fmt: skip
_FEWEST_ROWS, _MOST_ROWS = 2, 40

Row = tuple[int, int, Cells]


def without_set_aside(written: str, text: str) -> str:
    """The text, what the page sets aside blanked; as long as it was. `written` still has its tabs."""
    if "~~" in text or "--" in text:
        text = _STRUCK.sub(lambda struck: " " * len(struck[0]), text)
    if "|" in text or "   " in text or "\t" in written:
        for mark, rows in _tables(written, text):
            text = _without_columns(_without_visits(text, mark, rows), mark, rows)
    return text


def _tables(written: str, text: str) -> Iterator[tuple[str, list[Row]]]:
    """The tables that may set something aside: what parts their cells, and their rows, the names of their
    columns first."""
    lines: list[tuple[int, int]] = []
    before = ""
    start = 0
    for line in [*text.split("\n"), ""]:
        end = start + len(line)
        mark = "|" if "|" in line else "\t" if "\t" in written[start:end] else ""
        if not mark and "  " in line and "  " in line.strip():
            mark = " "
        if len(line) > WIDEST_LINE:
            mark = ""
        if lines and (mark != before or len(lines) >= _MOST_ROWS):
            if len(lines) >= _FEWEST_ROWS and _tells(text[lines[0][0] : lines[-1][1]].lower()):
                yield before, [(*row, cells_of(written, text, *row, before)) for row in lines]
            lines = []
        if mark and not RULE.issuperset(line):
            lines.append((start, end))
        before = mark
        start = end + 1


def _tells(table: str) -> bool:
    return any(map(table.__contains__, _TOLD_BY))


def _words(plain: str, cell: tuple[int, int]) -> set[str]:
    return set(_WORD.findall(plain[slice(*cell)].lower()))


def _without_columns(plain: str, mark: str, rows: list[Row]) -> str:
    """The text without the cells of a column of scheduled times beside one of actual ones."""
    header = rows[0]
    scheduled = [cell for cell in header[2] if not _words(plain, cell).isdisjoint(_SCHEDULED)]
    actual = [cell for cell in header[2] if not _words(plain, cell).isdisjoint(_ACTUAL)]
    if len(scheduled) != 1 or len(actual) != 1:
        return plain
    counted = not _words(plain, actual[0]).isdisjoint(_MINUTES)
    for row in rows[1:]:
        planned, held = (_under(cell[0], header, row, mark) for cell in (scheduled, actual))
        plain = _blanked(plain, *planned)
        room = _stripped(plain, held)[0] - planned[0]
        if (
            counted
            and planned[1] <= held[0]
            and plain[slice(*held)].strip().isdigit()
            and room >= len(_AS_MIN)
        ):
            start = planned[0] + room
            plain = f"{plain[: planned[0]]}{_AS_MIN.rjust(room)}{plain[start:]}"
    return plain


def _without_visits(plain: str, mark: str, rows: list[Row]) -> str:
    """The text without the rows, or the columns, of other visits than today's; what is left put as fields."""
    header = rows[0]
    dated = [cell for cell in header[2] if _DATE.search(plain, *cell)]
    today = [cell for cell in dated if _THIS_ONE.search(plain, *cell)]
    if len(dated) > 1 and len(today) == 1:
        for row in rows:
            for cell in dated:
                if cell != today[0]:
                    plain = _blanked(plain, *_under(cell, header, row, mark))
        return plain
    names = [_words(plain, cell) for cell in header[2]]
    if not any(words and words <= _OF_LENGTH for words in names):
        return plain
    # A table of conditions may tell of dates too.
    if not names[0] <= _OF_VISITS:
        alone = len(rows) == _FEWEST_ROWS and _OF_VISITS.isdisjoint(set().union(*names))
        return _as_fields(plain, rows[1], names, header, mark) if alone else plain
    visits = [row for row in rows[1:] if _DATE.search(plain, row[0], row[1])] or rows[1:]
    now = [row for row in visits if _is_of_today(plain, row)] or _marked(plain, visits, header, mark)
    if len(visits) > 1 and len(now) == 1:
        for row in visits:
            if row is not now[0]:
                plain = _blanked(plain, row[0], row[1])
        visits = now
    return _as_fields(plain, visits[0], names, header, mark) if len(visits) == 1 else plain


def _is_of_today(plain: str, row: Row) -> bool:
    """Whether a row is marked as that of the visit: in the cell of its date, or apart in another."""
    for cell in row[2]:
        said = plain[slice(*cell)]
        if _THIS_ONE.search(said) and (_DATE.search(said) or _MARKED_SO.search(said.strip())):
            return True
    return _POINTED_AT.search(plain[row[0] : row[1]]) is not None


def _marked(plain: str, visits: list[Row], header: Row, mark: str) -> list[Row]:
    """The rows of visits that a column of marks, their date, or what the others say makes this note's."""
    for cell in header[2]:
        if _THIS_ONE.search(plain, *cell):
            return [row for row in visits if _MARK.fullmatch(plain, *_under(cell, header, row, mark))]
    dates = {date["date"] for date in _SERVICE_DATE.finditer(plain)}
    if len(dates) == 1:
        found = [
            row for row in visits if not dates.isdisjoint(plain[row[0] : row[1]].replace("|", " ").split())
        ]
        if found:
            return found
    return [row for row in visits if not any(_OF_ANOTHER.fullmatch(plain, *cell) for cell in row[2])]


def _as_fields(plain: str, row: Row, names: list[set[str]], header: Row, mark: str) -> str:
    """The text, two times of a row joined to a range and its minutes called so, where there is room."""
    columns = [
        next((i for i, cell in enumerate(header[2]) if _under(cell, header, row, mark) == (left, right)), -1)
        for left, right in row[2]
    ]
    for at, cell in enumerate(row[2][:-1]):
        named = names[columns[at]] if columns[at] >= 0 else set()
        left, right = _stripped(plain, cell)
        end, _ = _stripped(plain, row[2][at + 1])
        if named & _OPENS and _CLOCK.fullmatch(plain, left, right) and columns[at + 1] >= 0:
            if names[columns[at + 1]] & _CLOSES:
                plain = f"{plain[:right]}{'-'.center(end - right)}{plain[end:]}"
        elif named & _MINUTES and plain[left:right].isdigit() and end - right > len(" min "):
            plain = f"{plain[:right]}{' min'.ljust(end - right)}{plain[end:]}"
    return plain


def _stripped(plain: str, cell: tuple[int, int]) -> tuple[int, int]:
    """A cell without the blanks in front and behind."""
    said = plain[slice(*cell)]
    left = cell[0] + len(said) - len(said.lstrip())
    return left, max(left, cell[0] + len(said.rstrip()))


def _under(cell: tuple[int, int], header: Row, row: Row, mark: str) -> tuple[int, int]:
    """The cell of a row under one of the header; empty where it has none."""
    if mark == " ":
        offset = cell[0] - header[0]
        until = next((left - header[0] for left, _ in header[2] if left > cell[0]), WIDEST_LINE)
        own = [(left, right) for left, right in row[2] if offset - 2 <= left - row[0] < until - 2]
        return own[0] if own else (row[0], row[0])
    # A header may leave out what stands above the names of the rows.
    at = header[2].index(cell) + (len(row[2]) == len(header[2]) + 1)
    return row[2][at] if at < len(row[2]) else (row[0], row[0])


def _blanked(plain: str, start: int, end: int) -> str:
    """The text with blanks in a place, and for the bar behind it."""
    if end > start and plain.startswith("|", end):
        end += 1
    return f"{plain[:start]}{' ' * (end - start)}{plain[end:]}"
