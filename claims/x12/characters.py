"""The characters that X12 data may hold here, and how other text is brought to them.

X12's basic character set is upper case, digits, the blank and ``! " & ' ( ) * + , - . / : ; ? =``. The
asterisk and the colon separate our elements and components, `~` and `^` are not in the set: none of the four
can stand in data. Text is cleaned before a claim is built; the claim itself refuses what is not clean.
"""

from __future__ import annotations

import re
import unicodedata

BASIC_TEXT = re.compile(r"""[A-Z0-9!"&'()+,\-./;?=](?:[A-Z0-9 !"&'()+,\-./;?=]*[A-Z0-9!"&'()+,\-./;?=])?""")

_NOT_BASIC = re.compile(r"""[^A-Z0-9!"&'()+,\-./;?=]+""")
_SPELLED_OUT = str.maketrans(
    {
        "ß": "SS",
        "ẞ": "SS",
        "Æ": "AE",
        "æ": "AE",
        "Œ": "OE",
        "œ": "OE",
        "Ø": "O",
        "ø": "O",
        "Ł": "L",
        "ł": "L",
        "Đ": "D",
        "đ": "D",
        "Ð": "D",
        "ð": "D",
        "Þ": "TH",
        "þ": "TH",
        "ı": "I",
        "Ħ": "H",
        "ħ": "H",
        "Ŋ": "NG",
        "ŋ": "NG",
        "’": "'",
        "‘": "'",
        "ʼ": "'",
        "ʻ": "'",
        "`": "'",
        "´": "'",
        "“": '"',
        "”": '"',
        "‐": "-",
        "‑": "-",
        "–": "-",
        "—": "-",
        "−": "-",
        "_": "-",
        "\\": "/",
        "|": "/",
        "[": "(",
        "{": "(",
        "]": ")",
        "}": ")",
    }
)


def to_basic_text(text: str) -> str:
    """Write text with X12's basic characters: é becomes E, what has no Latin spelling becomes a blank.

    Blanks are collapsed and trimmed, so that text in a foreign script ends as an empty string, which a
    required field then refuses. Delimiters and control characters never survive.
    """
    spelled = unicodedata.normalize("NFKD", text.translate(_SPELLED_OUT))
    plain = "".join(character for character in spelled if not unicodedata.combining(character))
    return _NOT_BASIC.sub(" ", plain.upper().translate(_SPELLED_OUT)).strip()


def loses_letters(text: str) -> bool:
    """Tell whether `to_basic_text` would drop a letter or a digit that it can't spell, as in Cyrillic."""
    return any(character.isalnum() and not to_basic_text(character) for character in text)


def cut_to(text: str, length: int) -> str:
    """Shorten clean text to the room of its element, without a blank left at the end."""
    return text[:length].rstrip()
