"""Fields as systems export them, put as a person writes them: `Start Time: 07:45`.

Each line keeps its length and every value its place; only the label and what parts it from its value move.
"""

import re
from collections import Counter
from html import unescape

# `<StartTime> 07:45`, `<field name="StartTime">07:45`, `</StartTime>`
_TAG = re.compile(
    r"(?m)^([ ]*)<(?:[A-Za-z]{1,20} (?:name|label|title|key)=[\"'](?=[\w -]+[\"']))?"
    r"([A-Za-z][\w -]{1,30})(?:[\"'][^<>\n]{0,80})?>|</[A-Za-z][A-Za-z_]{1,30}>"
)
# `START_TIME|0745`, `sessionMinutes: 45`, `Length (min)|45`
_KEY = re.compile(
    r"(?m)^([ ]*(?:[a-z]{1,20}\.){0,3})(?:([A-Za-z]+(?:_[A-Za-z]+|(?<=[a-z])[A-Z][a-z]+){1,4})[ ]?[|:=]"
    r"|([A-Za-z][A-Za-z ()/-]{1,28})\|)(?=[^|\n]*$)"
)
# `Diagnosis | Status` over its rows, in which no cell is a label.
_TWO_COLUMNS = re.compile(
    r"(?im)(^[^|\n]{0,20}\b(?:diagnos[ie]s|dx|problem|condition)s?[ ]*\|[ ]*(?:current )?"
    r"(?:status|state|certainty|codes?|icd[ \w-]{0,8})[ ]*$(?:\n[^|\n]*\|[^|\n]*$)+)"
)
_HUMP = re.compile(r"(?<=[a-z])(?=[A-Z])|_")
# `Start               7:45 AM`
_COLUMN = re.compile(r"(?m)^([A-Z][A-Za-z/() -]{1,27}[A-Za-z)])( {3,})(?=[^\s:=|.])")
# Names of columns, with rules under them.
_RULED = re.compile(r"[^\n]{0,80}\n[ ]*[-=]{3,}[ ]+[-=]{3,}[-= ]*(?:\n|\Z)")
# `"Start","17:30"`
_QUOTED = re.compile(r'(?m)^([ ]*)"([A-Za-z][\w /()#-]{1,40})","(?=(?:[^"\n]|"")*"[ ]*$)')
# `"minutes": 53`; `MINUTES,52`
_JSON_KEY = re.compile(r'"([A-Za-z][A-Za-z_ ]{1,30})":(?=[ ]?["\d])')
_VALUES_KEY = re.compile(r"(?m)^([A-Z][A-Z_ ]{3,24}|[a-z]+(?:_[a-z]+)*),(?=(?:\"[^\"\n]*\"|[^\",\n]+)$)")
_FEWEST_ROWS = 4
# `<td>Diagnosis</td><td>GAD</td>`, `</p><p>`, `<b>`, `&nbsp;`: what an export in HTML leaves in a note.
_MARKED = re.compile(
    r"[<&](?:[/#]|(?:[pab]|br|h[1-6r]|t[dhr]|div|ul|ol|li)[ />]|[a-z]{2,6}[;>])", re.IGNORECASE
)
_INSIDE_TAG = r"(?:\s[^<>\n]{0,200})?/?>"
_MARKUP = re.compile(
    rf"(?P<cells></t[dh]>\s*<t[dh]{_INSIDE_TAG})"
    rf"|(?P<lines>(?:</?(?:p|br|hr|div|li|ul|ol|dl|dt|dd|tr|table|tbody|thead|h[1-6]){_INSIDE_TAG}\s*)+)"
    rf"|</?(?:td|th|a|b|i|u|em|strong|small|span|font|label){_INSIDE_TAG}"
    r"|(?P<entity>&(?:nbsp|amp|lt|gt|quot|apos|[lr][sd]quo|[nm]dash|bull|#\d{2,4}|#x[\da-f]{2,4});)",
    re.IGNORECASE,
)


def without_markup(text: str) -> str:
    """The text with tags as blanks and line ends, and with the characters that its entities stand for."""
    if ("<" in text or "&" in text) and _MARKED.search(text):
        return _MARKUP.sub(_plain, text)
    return text


def _plain(found: re.Match[str]) -> str:
    width = len(found[0])
    if found["lines"] is not None:
        return "\n".rjust(width)
    if found["entity"] is not None:
        return unescape(found[0])[:1].ljust(width)
    return ("|" if found["cells"] is not None else " ").ljust(width)


def as_written(text: str) -> str:
    """The text with its exported fields as labels before their values."""
    if "<" in text:
        text = _TAG.sub(_tag, text)
    if "|" in text or "_" in text:
        parts = _TWO_COLUMNS.split(text) if "|" in text else [text]
        text = "".join(part if at % 2 else _KEY.sub(_key, part) for at, part in enumerate(parts))
    if '"' in text:
        if text.count('","') >= _FEWEST_ROWS:
            text = _QUOTED.sub(r"\1 \2:  ", text)
        if text.count('":') >= _FEWEST_ROWS:
            text = _JSON_KEY.sub(r" \1: ", text)
    tight = text.count(",") - text.count(", ")
    if tight >= _FEWEST_ROWS and len(_VALUES_KEY.findall(text)) >= _FEWEST_ROWS:
        text = _VALUES_KEY.sub(r"\1:", text)
    if "    " in text:
        text = _columns(text)
    return text


def _tag(found: re.Match[str]) -> str:
    label = found[2]
    room = len(found[0]) - len(found[1] or "")
    return " " * room if label is None else f"{found[1]}{_spelled(label, room)}"


def _key(found: re.Match[str]) -> str:
    label = found[2] or found[3]
    indent = found[1] if found[1].isspace() else " " * len(found[1])
    return f"{indent}{_spelled(label, len(found[0]) - len(indent))}"


def _spelled(label: str, room: int) -> str:
    """A label's words, with a colon where there is room for it."""
    words = _HUMP.sub(" ", label)
    return (f"{words}:" if len(words) < room else words[:room]).ljust(room)


def _are_names(text: str, row: re.Match[str]) -> bool:
    """Whether a row holds the names of two columns: in capitals, or with rules under them."""
    end = text.find("\n", row.end())
    value = text[row.end() : end if end >= 0 else len(text)]
    return (row[1].isupper() and value.isupper()) or _RULED.match(text, row.end()) is not None


def _columns(text: str) -> str:
    rows = list(_COLUMN.finditer(text))
    value_at, count = Counter(row.end() - row.start() for row in rows).most_common(1)[0] if rows else (0, 0)
    if count < _FEWEST_ROWS:
        return text
    return _COLUMN.sub(
        lambda row: (
            f"{row[1]}: ".rjust(len(row[0]))
            if len(row[0]) == value_at and not _are_names(text, row)
            else row[0]
        ),
        text,
    )
