"""The characters that a claim can carry, and how other text is brought to them.

X12's basic character set is upper case, digits, the blank and ``! " & ' ( ) * + , - . / : ; ? =``. The
asterisk and the colon separate our elements and components, `~` and `^` are not in the set: none of the four
can stand in data.
"""

import re
import unicodedata

PLAIN = str.maketrans(
    {
        "ß": "ss", "ẞ": "SS", "Æ": "AE", "æ": "ae", "Œ": "OE", "œ": "oe", "Ø": "O", "ø": "o",
        "Ł": "L", "ł": "l", "Đ": "D", "đ": "d", "Ð": "D", "ð": "d", "Þ": "TH", "þ": "th", "ı": "i",
        "Ħ": "H", "ħ": "h", "ĸ": "k", "Ŋ": "NG", "ŋ": "ng", "Ŧ": "T", "ŧ": "t",
        "‘": "'", "’": "'", "‛": "'", "ʼ": "'", "ʻ": "'", "`": "'", "´": "'", "“": '"', "”": '"',
        "‐": "-", "‑": "-", "‒": "-", "–": "-", "—": "-", "−": "-",
    }
)  # fmt: skip
"""What a keyboard has for letters, quotes and dashes that Unicode doesn't take apart."""
_SPELLED = PLAIN | str.maketrans(
    {
        "_": "-", "…": "...", "№": "No", "@": " at ", "\\": "/", "|": "/",
        "[": "(", "]": ")", "{": "(", "}": ")",
    }
)  # fmt: skip
_FRACTION_SLASH = "\N{FRACTION SLASH}"
_PRINT = re.compile(r"[\s\-\u2010-\u2015\u2212\ufe63\uff0d]+")
_NOT_BASIC = re.compile(r"[^A-Za-z0-9!\"&'()+,\-./;?=]+")


_UNSEEN = frozenset({"Cf", "Mn", "Me"})


def without_marks(decomposed: str) -> str:
    """The text without accents, and without what has no width: soft hyphens, joiners, marks of direction."""
    return "".join(
        each
        for each in decomposed
        if not (unicodedata.combining(each) or unicodedata.category(each) in _UNSEEN)
    )


def basic_text(text: str) -> str:
    """The text in characters that a claim can carry: accents taken off, ligatures spelled, the rest a blank.

    Letters keep their case; the writer puts everything into upper case. A fraction or a raised digit stands
    apart, so that it never becomes part of the number beside it. Blanks are collapsed and trimmed, so
    that text in a foreign script ends as an empty string, which a required field then refuses. Delimiters
    and control characters never survive.
    """
    apart = "".join(f" {each} " if unicodedata.category(each) == "No" else each for each in text)
    spelled = unicodedata.normalize("NFKD", apart.translate(_SPELLED)).replace(_FRACTION_SLASH, "/")
    return _NOT_BASIC.sub(" ", without_marks(spelled)).strip()


def loses_letters(text: str) -> bool:
    """Whether some letters of the text have no counterpart there, as those of another script."""
    return not text.isascii() and any(each.isalpha() and not basic_text(each) for each in text)


def bare_member_id(member_id: str) -> str:
    """The member ID as a claim carries it and as patients are compared: upper case, no blanks, no dashes."""
    return _PRINT.sub("", member_id).upper()
