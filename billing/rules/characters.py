"""The characters that a claim can carry."""

import re
import unicodedata

_SPELLED = str.maketrans(
    {
        "ß": "ss", "ẞ": "SS", "Æ": "AE", "æ": "ae", "Œ": "OE", "œ": "oe", "Ø": "O", "ø": "o",
        "Ł": "L", "ł": "l",
        "Đ": "D", "đ": "d", "Ð": "D", "ð": "d", "Þ": "TH", "þ": "th", "ı": "i", "Ħ": "H", "ħ": "h", "ĸ": "k",
        "Ŋ": "N", "ŋ": "n", "Ŧ": "T", "ŧ": "t", "‘": "'", "’": "'", "‛": "'", "ʼ": "'", "ʻ": "'", "`": "'",
        "´": "'", "“": '"', "”": '"', "‐": "-", "‑": "-", "‒": "-", "–": "-", "—": "-", "−": "-", "…": "...",
        "№": "No", "@": " at ", "_": "-", "[": "(", "]": ")", "{": "(", "}": ")",
    }
)  # fmt: skip
_BASIC = re.compile(r"[^A-Za-z0-9 !\"&'()+,\-./;?=]+")
"""X12's basic character set, without the four characters that separate: * : ^ ~"""


def basic_text(text: str) -> str:
    """The text in characters that a claim can carry: accents taken off, ligatures spelled, the rest a blank.

    Letters keep their case; the writer puts everything into upper case.
    """
    spelled = unicodedata.normalize("NFKD", text.translate(_SPELLED))
    plain = "".join(character for character in spelled if not unicodedata.combining(character))
    return " ".join(_BASIC.sub(" ", plain).split())
