"""Patterns that are compiled when a note first needs them: most notes need few of them."""

import re
from typing import Any, cast


class _Later:
    """Stands for a compiled pattern; its methods are those of the pattern from their first use on."""

    __slots__ = ("_compiled", "_flags", "_text", "finditer", "fullmatch", "match", "search", "split", "sub")

    def __init__(self, text: str, flags: re.RegexFlag) -> None:
        self._text, self._flags = text, flags
        self._compiled: re.Pattern[str] | None = None

    def __getattr__(self, name: str) -> Any:
        if self._compiled is None:
            self._compiled = re.compile(self._text, self._flags)
        found = getattr(self._compiled, name)
        if name in _Later.__slots__:
            setattr(self, name, found)
        return found


def later(text: str, flags: re.RegexFlag = re.NOFLAG) -> re.Pattern[str]:
    """The pattern, not compiled yet."""
    return cast(re.Pattern[str], _Later(text, flags))
