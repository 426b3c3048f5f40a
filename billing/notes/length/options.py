"""Lengths that a form offers to be ticked: `x 45 min _ 60 min`, `[x] 38-52 [ ] 53+`."""

from billing.notes.later import later
from billing.notes.length.span import Span
from billing.notes.page.layout import Layout

# Boxes, with brackets or without, of which one stands in front of each length of the line.
_LOOSE = later(
    r"(?<![\w.])(?P<box>_+x?_*|x|\[[ x_]?\]|\([ x]?\)"
    r"|[\u2610\u2611])[ ]?(?P<n>\d{2,3})(?:[ -]?(?:min(?:ute)?s?|m))?(?![\d:/%]|[ ]?[-\u2013][ ]?\d)"
)
_BAND = later(
    r"(?<![\d.:/-])(?:(?P<short>1[67][ ]?(?:-|to)[ ]?37)|(?P<middle>38[ ]?(?:-|to)[ ]?52)"
    r"|(?P<long>53[ ]?(?:\+|plus|(?:min(?:ute)?s?[ ])?(?:or|and) (?:more|over|longer|up|above))"
    r"|53[ ]?-[ ]?60))"
)
_BANDS = {"short": 16, "middle": 38, "long": 53}
# `[x] office [ ] telehealth, 45 min`: the length is of no way to meet.
_WAY_TO_MEET = later(
    r"[ ]*(?:telehealth|teletherapy|video|virtual|(?:tele)?phone|audio(?:[- ]only)?|(?:in )?(?:the )?office"
    r"|in[- ]person|home|school|community|other)(?: (?:visit|session|only))?[ ]?[,;|/-][ ]*\Z"
)
# `Individual [x]  Group [ ]      minutes: 34`
_NEXT_FIELD = later(r"[ ]{3,}[a-z][a-z ()]*[:=][ ]*\Z")
_TICK = later(r"[x\u2611]")
_SHORTEST = 15
# `30 [ ] 45 [x] 60 [ ]`: there they stand behind.
_NUMBER_BEFORE = later(r"\d(?:[ -]?min(?:ute)?s?)?[ ]*\Z")


def unticked(plain: str, layout: Layout, span: Span) -> bool:
    """Whether the box of a length is left empty."""
    if layout.ticked(plain, span.start, span.end) is not False:
        return False
    box = next((box for box in reversed(layout.boxes) if box[1] <= span.start), None)
    return box is None or (
        _WAY_TO_MEET.match(plain, box[1], span.start) is None
        and _NEXT_FIELD.match(plain, box[1], span.start) is None
    )


def in_rows(plain: str, layout: Layout, spans: list[Span]) -> list[Span]:
    """The lengths, without those that are left empty in a row of boxes and with those that it ticks."""
    ticked: list[Span] = []
    empty: set[int] = set()
    past = 0
    for at in _boxes(plain, layout):
        if at < past:
            continue
        start = plain.rfind("\n", 0, at) + 1
        past = plain.find("\n", at)
        past = past if past >= 0 else len(plain)
        options = [each for each in _LOOSE.finditer(plain, start, past) if int(each["n"]) >= _SHORTEST]
        on = [each for each in options if _TICK.search(each["box"])]
        if len(options) > 1 and len(on) == 1 and not _NUMBER_BEFORE.search(plain, start, options[0].start()):
            ticked.append(Span(on[0].start("n"), on[0].end(), int(on[0]["n"]), "minutes"))
            empty.update(each.start("n") for each in options if each is not on[0])
    kept = [span for span in spans if span.start not in empty] if empty else spans
    return kept + [span for span in ticked if not any(each.start == span.start for each in kept)]


def _boxes(plain: str, layout: Layout) -> list[int]:
    found = [box[0] for box in layout.boxes]
    at = plain.find("_ ")
    while at >= 0:
        found.append(at)
        at = plain.find("_ ", at + 2)
    return sorted(found)


def ticked_band(plain: str, layout: Layout) -> Span | None:
    """The least minutes of the band that a form's only tick stands for."""
    found = [band for band in _BAND.finditer(plain) if layout.ticked(plain, band.start(), band.end())]
    if len(found) != 1:
        return None
    return Span(found[0].start(), found[0].end(), _BANDS[found[0].lastgroup or ""], "minutes")
