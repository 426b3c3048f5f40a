"""What a form or the opening of a note says against the service that would be billed."""

from billing.notes.later import later

# `[x] Telehealth  [x] In office`, `[x] Diagnostic evaluation  [x] Individual psychotherapy`
_BOX = r"\[ ?x ?\][ ]?"
_TWO_BOXES = later(
    rf"{_BOX}(?:telehealth|video|virtual)\b[^\n\[]{{0,24}}{_BOX}(?:in[- ])?(?:office|person|clinic)\b"
    rf"|{_BOX}(?:in[- ])?(?:office|person|clinic)\b[^\n\[]{{0,24}}{_BOX}(?:telehealth|video|virtual)\b"
    rf"|{_BOX}(?:initial |diagnostic |psychiatric )*(?:evaluation|intake|assessment)\b"
    rf"[^\n\[]{{0,24}}{_BOX}individual\b"
)
# A crisis is not what the calendar had.
_SCHEDULED = later(
    r"(?<!un)(?<!not )(?<!next )(?<!outside )\b(?:scheduled (?:weekly|visit|appointment|session)"
    r"|regular(?:ly scheduled)? (?:weekly|session|appointment|visit))\b"
    # `Regular appointment is Thursdays and is unaffected`
    r"(?! (?:time |slot )?(?:(?:is|stays|remains|stands|continues|will|not|unchanged|unaffected)\b"
    r"|(?:on )?(?:mon|tues|wednes|thurs|fri|satur|sun)days?(?: at \S+)?"
    r" (?:is|stays|remains|stands|unchanged|not)\b))"
)
_HEAD = 300


def ticks_both(plain: str) -> bool:
    """Whether one line of a form ticks two that exclude each other."""
    return _TWO_BOXES.search(plain) is not None


def was_scheduled(plain: str) -> bool:
    """Whether the opening says that the visit was the usual one, and did not turn into another."""
    return _SCHEDULED.search(plain, 0, _HEAD) is not None and not any(
        map(plain[:_HEAD].__contains__, ("turned into", "became", "changed to"))
    )
