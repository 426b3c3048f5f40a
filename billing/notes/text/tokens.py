"""The note as the engine reads it: one-to-one normalised characters, hard and soft line ends, word tokens."""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Mapping
from itertools import accumulate, repeat

from billing.notes.text.aside import without_set_aside
from billing.notes.text.forms import as_written, without_markup
from billing.notes.text.heaped import with_rows_apart

# One character for one character, always: an offset into the normalised text is an offset into the note.
_CHARACTERS = {
    "\u2018": "'", "\u2019": "'", "\u201a": "'", "\u201b": "'", "\u2032": "'", "\u00b4": "'", "`": "'",
    "\u201c": '"', "\u201d": '"', "\u201e": '"', "\u2033": '"',
    "\u2010": "-", "\u2011": "-", "\u2012": "-", "\u2013": "-", "\u2014": "-", "\u2015": "-", "\u2212": "-",
    "\u00a0": " ", "\u2002": " ", "\u2003": " ", "\u2007": " ", "\u2009": " ", "\u200a": " ", "\u202f": " ",
    "\u3000": " ", "\u200b": " ", "\ufeff": " ", "\t": " ", "\f": " ", "\v": " ",
    "\u2022": "*", "\u25cf": "*", "\u25e6": "*", "\u25aa": "*", "\u2023": "*", "\u00b7": "*",
    "\u2612": "\u2611", "\u2713": "\u2611", "\u2714": "\u2611", "\u2705": "\u2611", "\u25a0": "\u2611",
    "\u25a1": "\u2610", "\u25fb": "\u2610", "\u2b1c": "\u2610",
    "\u2192": ">", "\r": "\n", "\u2028": "\n", "\u2029": "\n", "\x85": "\n",
    "\u0130": "i", "\u00e9": "e", "\u00e8": "e", "\u00ef": "i", "\uff1a": ":",
}  # fmt: skip

_TOKEN = re.compile(
    r"([a-z]{2,}(?:'[a-z]+|)"
    r"|[.;:!?|\n\u2610\u2611\[\]]"
    r"|\d\d*(?:[.,:]\d+)*[a-z]*"
    r"|[a-z](?:/[a-z](?![a-z])|(?:\.[a-z](?![a-z]))+\.?|\d+(?:[.,:]\d+)*[a-z]*)?)"
)
# The same, and the sign for a word.
_TOKEN_OR_AND = re.compile(_TOKEN.pattern.replace("(", "((?<=[ ])&(?=[ ])|", 1))
# A full stop after one of these ends no sentence.
_ABBREVIATIONS = frozenset(("vs", "dr", "mr", "mrs", "ms", "approx", "incl", "st", "e.g", "i.e"))
_NOT = "n't"
# As it is written in haste.
_BARE = frozenset(
    ("arent", "cant", "couldnt", "didnt", "dont", "doesnt", "hadnt", "hasnt", "havent", "isnt", "shouldnt",
     "wasnt", "werent", "wont", "wouldnt")
)  # fmt: skip
_SHORTENED = {"ca": "can", "wo": "will", "sha": "shall", "ai": "is"}
# What a word is to the lexicon: one character; these are for what is in no wording.
UNKNOWN, CLAUSE_END, BREAK = "\x01", "\x02", "\x03"
CLAUSE_ENDS = ".;!?|\n\u2610\u2611"
OTHER_BREAKS = ":[]"
# `Minutes of counseling ........ 53`: a form's leaders stand for a colon.
_LEADERS = re.compile(r"[ ]?\.(?:[ ]?\.){3,}(?:[ ]?:)?")
# `DIAGNOSES>> Bipolar I disorder`
_ARROWS = re.compile(r"(?<=[A-Za-z])>>")
# `Dx: 1. GAD 2. Panic disorder` names no questionnaire; `PHQ-2: 1. GAD 2.` does.
_NEXT_OF_LIST = re.compile(
    r"((?:\A|\n|(?<![\dq])[:,(-]|\b(?:dx|diagnos[ei]s|impressions?|assessment)[ ])[ ]*1[.)][ ]*gad )2(?=[.)])"
)
# What a dictation speaks out; so many stops make it one.
_SPOKEN = re.compile(
    r"\b(?:(?P<stop>period(?!,? (?:(?:and|or)\b|&))|full stop)|(?P<comma>comma)|(?P<semicolon>semicolon)"
    r"|(?P<colon>colon)"
    r"|(?P<line>(?:(?:new|next) )?paragraph|(?:new|next) line)|(?P<quote>(?:open |close |end |un)?quote))\b"
)
_MARKS = {"stop": ".", "comma": ",", "semicolon": ";", "colon": ":", "line": "\n", "quote": '"'}
_FEWEST_STOPS = 4


def normalise(text: str) -> str:
    """Lower case, plain quotes, dashes and spaces; exactly as long as the text it came from."""
    written = text
    # One line end, not two: a blank line would part what belongs together.
    text = without_markup(text.replace("\r\n", " \n"))
    if not text.isascii():
        for character, as_typed in _CHARACTERS.items():
            text = text.replace(character, as_typed)
    elif "\t" in text or "\r" in text or "`" in text:
        text = text.replace("\t", " ").replace("\r", "\n").replace("`", "'")
    if "...." in text or ". . ." in text:
        text = _LEADERS.sub(lambda dots: ":".ljust(len(dots[0])), text)
    if ">>" in text:
        text = _ARROWS.sub(": ", text)
    if "[\n]" in text:
        text = text.replace("[\n]", "[ ]")  # a box in which a line was wrapped
    plain = as_written(without_set_aside(written, with_rows_apart(text))).lower()
    if "gad 2" in plain:
        plain = _NEXT_OF_LIST.sub(r"\1;", plain)
    if (stops := plain.count(" period")) >= _FEWEST_STOPS or (stops > 1 and "new paragraph" in plain):
        plain = _SPOKEN.sub(lambda spoken: _MARKS[spoken.lastgroup or ""].ljust(len(spoken[0])), plain)
    return plain


# `1) ... 2) ...` on one line is a list; the number parts what stands round it. `(age 12)` is none.
_INLINE_ITEM = re.compile(r"(?<![(\w])(?<!\d\.)\d{1,2}\Z")
_BRACKET_WITHIN = 60


def split_words(plain: str) -> list[str]:
    """The words, numbers and breaks of a normalised text."""
    words = _TOKEN.findall(plain)
    return [word for each in words for word in _apart(each)]


def _apart(word: str) -> tuple[str, ...]:
    """`have` and `not` for `haven't` and `havent`; any other word as it is."""
    if word.endswith(_NOT):
        verb = word[: -len(_NOT)]
    elif word in _BARE:
        verb = word[:-2]
    else:
        return (word,)
    return _SHORTENED.get(verb, verb), "not"


def _in_bracket(plain: str, at: int) -> bool:
    """Whether a round bracket that was opened a little before, on the same line, is still open."""
    floor = max(0, at - _BRACKET_WITHIN)
    return plain.rfind("(", floor, at) > max(plain.rfind(")", floor, at), plain.rfind("\n", floor, at))


class TokenStream:
    """The tokens of one note as parallel lists, and where its clauses end.

    `letters` holds what each word is to the lexicon, one character a word, and `spelled` the same as one
    text; `short_forms` are the offsets of "adj." and its like, whose full stop ends nothing.
    """

    __slots__ = ("_asked", "_clause", "clause_ends", "ends", "letters", "spelled", "starts", "text", "words")

    def __init__(self, flat: str, letters: Mapping[str, str], *, short_forms: Iterable[int]) -> None:
        # `Slept. ` ends in one and is none; `dep. ` ends in another.
        stops = {flat.index(".", at) for at in short_forms if not flat[at - 1 : at].isalpha()}
        if stops:
            places = sorted(stops)
            flat = " ".join(
                flat[after:stop]
                for after, stop in zip([0, *[at + 1 for at in places]], [*places, len(flat)], strict=True)
            )
        joined = " & " in flat
        parts = (_TOKEN_OR_AND if joined else _TOKEN).split(flat)
        positions = list(accumulate(map(len, parts)))
        self.text = flat
        words = parts[1::2]
        if joined:
            words = ["and" if word == "&" else word for word in words]
        self.words = words
        self.starts = positions[0:-1:2]
        self.ends = positions[1::2]
        if _NOT in flat or not _BARE.isdisjoint(words):
            self._part_contractions()
        self.letters = list(map(letters.get, words, repeat(UNKNOWN)))
        possessive = flat.find("'s")
        while possessive >= 0:
            at = bisect_left(self.ends, possessive + 2)
            if at < len(words) and self.letters[at] == UNKNOWN and words[at].endswith("'s"):
                self.letters[at] = letters.get(words[at][:-2], UNKNOWN)
            possessive = flat.find("'s", possessive + 2)
        self.spelled = "".join(self.letters)
        lengths = accumulate(map(len, self.spelled.split(CLAUSE_END)[:-1]))
        ends = [
            at
            for number, length in enumerate(lengths)
            if not (words[(at := number + length) - 1] in _ABBREVIATIONS and at and words[at] == ".")
        ]
        bracket = flat.find(") ")
        while bracket >= 0:
            if bracket and flat[bracket - 1].isdigit():
                item = _INLINE_ITEM.search(flat, max(0, bracket - 3), bracket)
                if item is not None and not _in_bracket(flat, item.start()):
                    ends.append(bisect_left(self.starts, item.start()))
            bracket = flat.find(") ", bracket + 2)
        ends.sort()
        self.clause_ends = ends
        # The same token is asked for again and again while its condition is weighed.
        self._asked, self._clause = -1, (0, 0)

    def _part_contractions(self) -> None:
        """Make two words of `haven't`, so that what is said with `not` is said with it as well."""
        words = self.words
        shortened = [at for at, word in enumerate(words) if word.endswith(_NOT) or word in _BARE]
        for at in reversed(shortened):
            cut = self.ends[at] - (len(_NOT) if words[at].endswith(_NOT) else 2)
            words[at : at + 1] = _apart(words[at])
            self.starts.insert(at + 1, cut)
            self.ends.insert(at, cut)

    def correct(self, better: Mapping[int, tuple[str, str]]) -> None:
        """Put words right, each by its number and with its letter; offsets stay the note's."""
        for at, (word, letter) in better.items():
            self.words[at], self.letters[at] = word, letter
        self.spelled = "".join(self.letters)

    def clause_of(self, token: int) -> tuple[int, int]:
        """The clause round a token as a half-open range of tokens, its closing break excluded."""
        if token == self._asked:
            return self._clause
        at = bisect_right(self.clause_ends, token)
        first = self.clause_ends[at - 1] + 1 if at else 0
        last = self.clause_ends[at] if at < len(self.clause_ends) else len(self.words)
        self._asked, self._clause = token, (first, last)
        return first, last

    def token_at(self, offset: int) -> int:
        """The first token that ends after an offset."""
        return bisect_right(self.ends, offset)

    def between(self, left: int, right: int) -> str:
        """The characters between the end of one token and the start of another."""
        return self.text[self.ends[left] : self.starts[right]]
