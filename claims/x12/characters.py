"""Text as it stands in X12: basic characters in upper case.

It is cleaned before a claim is built; the claim itself refuses what is not clean.
"""

from __future__ import annotations

import re

from billing.rules.characters import basic_text

BASIC_TEXT = re.compile(r"""[A-Z0-9!"&'()+,\-./;?=](?:[A-Z0-9 !"&'()+,\-./;?=]*[A-Z0-9!"&'()+,\-./;?=])?""")


def to_basic_text(text: str) -> str:
    """Write text with X12's basic characters: é becomes E, what has no Latin spelling becomes a blank."""
    return basic_text(text).upper()


def cut_to(text: str, length: int) -> str:
    """Shorten clean text to the room of its element, without a blank left at the end."""
    return text[:length].rstrip()
