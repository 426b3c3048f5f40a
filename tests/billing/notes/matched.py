"""Texts that a pattern matches, chosen at random along its parse: a hundredth of Hypothesis's time."""

import random
import re
from collections.abc import Callable, Iterator
from re import _constants as op  # type: ignore[attr-defined]
from re import _parser as parser  # type: ignore[attr-defined]
from typing import Any

BEYOND_ASCII = "éßİſK‑–—“”’\u00a0\u2009\u0660\u0969٣😀"
ASCII = "".join(map(chr, range(32, 127))) + "\n\t"
ANY = ASCII * 2 + BEYOND_ASCII
IN_CATEGORY: dict[Any, Callable[[str], Any]] = {
    op.CATEGORY_DIGIT: re.compile(r"\d").match,
    op.CATEGORY_NOT_DIGIT: re.compile(r"\D").match,
    op.CATEGORY_SPACE: re.compile(r"\s").match,
    op.CATEGORY_NOT_SPACE: re.compile(r"\S").match,
    op.CATEGORY_WORD: re.compile(r"\w").match,
    op.CATEGORY_NOT_WORD: re.compile(r"\W").match,
}
MOST_REPEATS = 3
"""Above the fewest that a pattern asks for."""
TRIES = 400
"""For one text: what stands around a match is not looked at when it is made."""


def texts_of(pattern: str, *, count: int = 300) -> Iterator[str]:
    """The same texts each time, each matched by the pattern from its begin to its end."""
    chosen = random.Random(pattern)
    compiled, parsed = re.compile(pattern), parser.parse(pattern)
    for _ in range(count):
        yield _one(compiled, parsed, chosen)


def _one(compiled: re.Pattern[str], parsed: Any, chosen: random.Random) -> str:
    for _ in range(TRIES):
        text = _written(parsed, chosen, {})
        if compiled.fullmatch(text):
            return text
    raise AssertionError(f"no text found in {TRIES} tries: {compiled.pattern[:80]}")


def _written(parsed: Any, chosen: random.Random, groups: dict[int, str]) -> str:
    return "".join(_part(code, what, chosen, groups) for code, what in parsed)


def _part(code: Any, what: Any, chosen: random.Random, groups: dict[int, str]) -> str:
    if code is op.LITERAL:
        return chr(what)
    if code is op.NOT_LITERAL:
        return chosen.choice(ANY.replace(chr(what), ""))
    if code is op.ANY:
        return chosen.choice(ANY.replace("\n", ""))
    if code is op.IN:
        return chosen.choice(_members(what))
    if code is op.BRANCH:
        return _written(chosen.choice(what[1]), chosen, groups)
    if code is op.SUBPATTERN:
        number, _, _, inner = what
        groups[number] = _written(inner, chosen, groups)
        return groups[number]
    if code is op.ATOMIC_GROUP:
        return _written(what, chosen, groups)
    if code in (op.MAX_REPEAT, op.MIN_REPEAT, op.POSSESSIVE_REPEAT):
        fewest, most, inner = what
        times = chosen.randint(fewest, min(most, fewest + MOST_REPEATS))
        return "".join(_written(inner, chosen, groups) for _ in range(times))
    if code is op.GROUPREF:
        return groups.get(what, "")
    if code is op.GROUPREF_EXISTS:
        number, present, absent = what
        return _written(present if number in groups else absent or (), chosen, groups)
    assert code in (op.AT, op.ASSERT, op.ASSERT_NOT), code
    return ""


def _members(items: Any) -> list[str]:
    negated = items[0][0] is op.NEGATE
    known: set[str] = set()
    for code, what in items:
        if code is op.LITERAL:
            known.add(chr(what))
        elif code is op.RANGE:
            known.update(map(chr, range(what[0], what[1] + 1)))
        elif code is op.CATEGORY:
            known.update(filter(IN_CATEGORY[what], ANY))
    return sorted(set(ANY) - known if negated else known)
