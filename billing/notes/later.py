"""Patterns that are compiled when a note first needs them (most need few), or all beforehand."""

import re
from typing import Any, cast


class _Later:
    """Stands for a compiled pattern; its methods are those of the pattern from their first use on."""

    __slots__ = (
        "_compiled",
        "_flags",
        "_text",
        "findall",
        "finditer",
        "fullmatch",
        "match",
        "search",
        "split",
        "sub",
    )

    def __init__(self, text: str, flags: re.RegexFlag) -> None:
        self._text, self._flags = text, flags
        self._compiled: re.Pattern[str] | None = None

    def __getattr__(self, name: str) -> Any:
        self.compile()
        found = getattr(self._compiled, name)
        if name in _Later.__slots__:
            setattr(self, name, found)
        return found

    def compile(self) -> None:
        """Compile it now, if it isn't yet."""
        if self._compiled is None:
            self._compiled = re.compile(self._text, self._flags)


_PATTERNS: list[_Later] = []


def later(text: str, flags: re.RegexFlag = re.NOFLAG) -> re.Pattern[str]:
    """The pattern, not compiled yet."""
    pattern = _Later(text, flags)
    _PATTERNS.append(pattern)
    return cast(re.Pattern[str], pattern)


def compile_all() -> None:
    """Compile every pattern of the modules that are imported."""
    for pattern in _PATTERNS:
        pattern.compile()
