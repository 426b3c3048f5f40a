"""The form of a payer's member IDs: a regular expression that staff write, and that must come to an end."""

import math
import re
from functools import lru_cache

_PLAIN_CHARACTER = r"\\.|\[\^?\]?(?:\\.|[^]\\])*\]"
_REPEAT = re.compile(r"[*+?|]|\{(\d*),(\d*)\}")
_LONGEST_ID = 80
_MOST_WAYS = 10_000
"""What is tried of them on a member ID takes milliseconds."""


class FormError(ValueError):
    """Why a regular expression can't be used, in a sentence."""


@lru_cache(maxsize=512)
def form_of(pattern: str) -> re.Pattern[str]:
    """Read the pattern of a whole member ID, or raise `FormError`.

    Python tries one way to match after the other, so their number is bounded: by what each repeat and each
    alternative multiplies it with. A repeated group can have more ways than can be told.
    """
    try:
        form = re.compile(pattern)
    except (re.error, OverflowError) as error:
        raise FormError(f"Not a regular expression: {error}.") from error
    bare = re.sub(_PLAIN_CHARACTER, "x", pattern, flags=re.DOTALL)
    if re.search(r"\(\?(?!:)|\)(?:[*+]|\{\d*,?\d*\})", bare):
        raise FormError(
            "A group may be optional, (…)?, or not captured, (?:…), but not repeated or anything else."
        )
    if math.prod(_ways(each) for each in _REPEAT.finditer(bare)) > _MOST_WAYS:
        raise FormError(
            "It can match in too many ways to try. Say how long each part may be, like [0-9]{6,9}."
        )
    return form


def _ways(repeat: re.Match[str]) -> int:
    if repeat[0] in "?|":
        return 2
    least, most = int(repeat[1] or 0), int(repeat[2] or _LONGEST_ID)
    return min(max(most - least, 0), _LONGEST_ID) + 1
