"""Visits that went over the telephone because the video failed."""

from collections.abc import Mapping, Sequence

from billing.notes.later import later

# A call is with somebody else.
SOMEBODY_AFTER = later(
    r" (?:with|to|from|by) (?!(?:the )?(?:client|patient|pt|ct|him|her\b(?! \w)|them|me\b|home|request))"
)
# `Neither picture nor sound would load ... from hello to goodbye this was telephone only`
_VIDEO_FAILED = later(
    r"\b(?:picture|sound|video|link|platform|camera|screen|app|connection|zoom|audio)\b[^.;\n]{0,40}?"
    r"\b(?:would load|(?:would|could|did|does)(?: not|n't) (?:load|open|come up|connect|start|work)"
    r"|never (?:opened|loaded|connected|came up|worked|started)|failed|(?:is|was|went) (?:down|out)|down"
    r"|froze (?:each|every) time|(?:kept|keeps) (?:freezing|dropping|cutting))\b"
    r"|\b(?:could not|couldn't|unable to|failed to) connect\b|\bno video (?:was )?(?:possible|available)\b"
)
_ALL_BY_VOICE = later(
    r"\b(?:(?:(?:this|all of it|(?:the|this) (?:whole |entire )?(?:visit|session|hour|appointment))"
    r" (?:was|went|ran|took place)(?: done| held| conducted)?"
    r"|(?:(?:we|i) (?:did|held|had|conducted|completed)(?: it| all of it)?"
    r"|(?:did|held|had|conducted|completed) (?:the|this) (?:whole |entire )?(?:visit|session|hour)|conducted)"
    r"|start to finish we (?:were|talked|spoke|met))(?: all| entirely| throughout)?"
    r"(?:(?: by| over| on| via)(?: the| her| his)? (?:telephone|phone|landline|voice|audio)(?: call)?"
    r"(?:[ ,]only)?| (?:telephone|phone|voice|audio) only)"
    r"|we (?:ended up|wound up|were|stayed) (?:by|over|on) the (?:tele)?phone (?:for|through)"
    r" (?:all of it|all \d\d|the (?:whole|entire|full))"
    r"|(?:telephone|phone|voice|audio) only (?=from (?:the )?(?:first|start|hello|beginning)|throughout))\b"
)
# One of these stands in all that tells of a video that failed.
_FAILED_WORDS = (
    "load", "opened", "not open", "n't open", "come up", "came up", "connect", "failed", "down", "not work",
    "n't work", "went out", "was out", "is out", "no video", "never ", "not start", "n't start",
    "froze ", "freezing", "dropping", "cutting",
)  # fmt: skip
_PARTLY = later(
    r"\b(?:finish\w*|ended|last|rest|remainder|remaining|half|next|minute \d+|after \d+|if|when"
    r"|would(?! not)|could(?! not)|usually|tomorrow)\b[^.;\n]*\Z"
)
_TOLD_WITHIN = 80


def turned_to_voice(plain: str, hints: Mapping[str, Sequence[int]]) -> tuple[int, int] | None:
    """Where the words stand that tell of the whole visit by voice, if the note says that the video failed."""
    near = [(max(0, at - _TOLD_WITHIN), at + _TOLD_WITHIN) for at in hints.get("all_by_voice", ())]
    if (
        not any(_ALL_BY_VOICE.search(plain, *place) for place in near)
        or not any(word in plain for word in _FAILED_WORDS)
        or not _VIDEO_FAILED.search(plain)
    ):
        return None
    for told in _ALL_BY_VOICE.finditer(plain):
        if not (
            _PARTLY.search(plain, max(0, told.start() - _TOLD_WITHIN), told.start())
            or SOMEBODY_AFTER.match(plain, told.end())
        ):
            return told.span()
    return None
