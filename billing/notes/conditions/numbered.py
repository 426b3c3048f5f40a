"""Which of several diagnoses the note calls the main one by its number in the list."""

from collections.abc import Sequence

from billing.notes.later import later

# A number and what is said of it stand no farther apart.
_NEAR = 72
_NUMBERS = {"1": 1, "2": 2, "3": 3, "4": 4, "one": 1, "two": 2, "three": 3, "first": 1, "second": 2,
            "third": 3, "former": 1, "latter": 2}  # fmt: skip
_OF_TWO = ("former", "latter")
_SAYS_WHICH = ("primary", "principal", "main", "focus", *_OF_TWO)
_MAIN = r"(?:primary|principal|main|focus)"
_NAMED = r"(?:diagnosis|dx|condition)"
_NUMBER = r"(?:#|(?:number|item|problem|line|entry) |no\. ?)([1-4]|one|two|three)\b"
# Whose number it may be instead.
_ELSE = (
    r"(?:goals?|objectives?|steps?|items?|care|interventions?|skills?|exposures?|tasks?|worksheets?|reasons?)"
)
_LIST = r"on (?:the|this|her|his|their) (?:problem |diagnosis |dx )?list"
# The number is that of a diagnosis: behind the verb or the word diagnosis, and of nothing that follows it.
_MAIN_BY_NUMBER = later(
    rf"\b{_MAIN}\b(?:(?!\b{_ELSE}\b)[^.\n]){{0,40}}?"
    rf"(?:\b(?:is|was|remains) (?:the )?(?:{_NAMED} )?|[:=] ?|\b{_NAMED} (?:on the list )?){_NUMBER}"
    rf"(?=[ ]*(?:[.,;:)\n]|\Z|and\b|today\b|{_LIST}))"
    rf"|(?:\A|(?<=\n)|(?<=[.,;:(*-] )|(?<=diagnosis )|(?<=dx )|(?<=condition )){_NUMBER}(?: {_NAMED})? "
    rf"(?:is|was|being|remains)\b[^.\n]{{0,25}}\b{_MAIN}\b(?! {_ELSE}\b)"
)
_MAIN_BY_ORDER = later(
    rf"\bthe (?:(first|second|third)(?: {_NAMED})? (?:is|was|being|remains)\b[^.\n]{{0,25}}"
    rf"\b(?:primary|principal|main) {_NAMED}\b"
    rf"|(former|latter)(?: {_NAMED})? (?:(?:is|goes|comes) first\b|(?:is|was|being|remains)\b"
    rf"[^.\n]{{0,60}}?\b(?:primary\b(?! {_ELSE})|(?:listed|put|placed|coded|billed) first\b)))"
)
# `2) GAD`, `#2 F41.1 GAD`: the number of an item, before its words or its code.
_ITEM = later(
    r"(?<![a-z0-9.])(?:#([1-9])[.):]?|([1-9])[.):])[ ]*(?:\(?[a-z]\d[0-9a-z](?:\.[0-9a-z]{1,4})?\)?[ :-]*)?\Z"
)

_CODE = r"(?:\(?[a-z]\d[0-9a-z](?:\.[0-9a-z]{1,4})?\)?[ :-]*)?"
# `2. F41.1`, `(2) GAD`, `2\u00b0 GAD`, `Diagnosis 2: GAD`, and behind it `(2\u00b0)`
_RANK_BEFORE = later(
    r"(?:(?<![a-z0-9.])(?:#[ ]?([1-9])[.):]?|\(?([1-9])(?:[.):]|\u00b0|\u00ba))"
    rf"|(?:diagnos[ie]s|dx|rank|priority) (?:#[ ]?|no\. ?)?([1-9])[ ]*[:=-])[ ]*{_CODE}\Z"
)
_DIGIT = later(r"[1-9]")
_RANK_BEHIND = later(r"[ ]*[\[(]([1-9])(?:\u00b0|\u00ba|st|nd|rd)[\])]")


def written_order(plain: str, places: list[list[tuple[int, int]]]) -> list[int] | None:
    """The order of the diagnoses by the numbers that they bear in the note, from 1 on; None where one has
    none, or two have the same."""
    if not any(
        _DIGIT.search(plain, max(0, at - 12), at) or plain.startswith((" (", " ["), end)
        for at, end in places[0]
    ):
        return None
    numbers = []
    for spans in places:
        found = set()
        for start, end in spans:
            mark = _RANK_BEHIND.match(plain, end) or _RANK_BEFORE.search(plain, max(0, start - 40), start)
            if mark is not None:
                found.add(int(next(group for group in mark.groups() if group)))
        if len(found) != 1:
            return None
        numbers.append(found.pop())
    if sorted(numbers) != list(range(1, len(numbers) + 1)):
        return None
    return sorted(range(len(numbers)), key=numbers.__getitem__)


def main_by_number(plain: str, numbered: Sequence[int], places: list[list[int]]) -> int | None:
    """The index of the diagnosis that the note calls main by its number, None where it says nothing or the
    number is none of theirs.

    `numbered` is where such words stand, `places` where each diagnosis is stated.
    """
    for at in numbered:
        left, right = max(0, at - _NEAR), at + _NEAR
        near = plain[left:right]
        if not any(map(near.__contains__, _SAYS_WHICH)):
            continue
        match = _MAIN_BY_NUMBER.search(plain, left, right)
        ordinal = None if match else _MAIN_BY_ORDER.search(plain, left, right)
        if match is not None or ordinal is not None:
            said = match or ordinal
            word = next(group for group in said.groups() if group) if said else ""
            if word in _OF_TWO and len(places) != len(_OF_TWO):
                return None
            number = _NUMBERS.get(word, 0)
            return _of_number(plain, number, places, written=match is not None)
    return None


def _of_number(plain: str, number: int, places: list[list[int]], *, written: bool) -> int | None:
    """The diagnosis whose item of the list has that number; where the list has none, the so manieth."""
    marks = [
        {
            int(mark[1] or mark[2])
            for start in starts
            if (mark := _ITEM.search(plain, max(0, start - 40), start))
        }
        for starts in places
    ]
    found = [index for index, numbers in enumerate(marks) if number in numbers]
    if found or written or any(marks):
        return found[0] if len(found) == 1 else None
    order = sorted(range(len(places)), key=lambda index: min(places[index]))
    return order[number - 1] if number <= len(order) else None
