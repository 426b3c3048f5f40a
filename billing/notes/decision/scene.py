"""Where a visit took place as its story shows: on a screen, or in the clinician's own room. Told against the
place that was scheduled, a person is asked."""

from collections.abc import Mapping, Sequence

from billing.notes.later import later
from billing.notes.text.sentences import sentence_round

_ROUND = 40
# What only a screen does, or a person at the other end of a link.
_SCREEN = later(
    r"\b(?:fro(?:ze|zen)|pixel\w+|blurry|went dark|upside down|(?:behind|beside) (?:him|her|them)"
    r"|(?:see|saw|watch\w*) (?:him|her|them|the|his|their)\b[^.;\n]{0,24}|(?:she|he|they) (?:was|were|sat"
    r"|appeared|looked))"
    r"(?: [a-z]+)? on my (?:screen|monitor)\b"
    r"|\b(?:her|his|their) (?:picture|image|video|feed) (?:(?:just|then|twice|once|again) )?(?:froze"
    r"|kept freezing|pixelated|lagged)\b"
    r"|\bstayed logged (?:in|on) with (?:her|him|them|me|client|the client|pt|patient)\b"
    r"|\bsame link (?:next|on|in \w+ weeks?|mon|tue|wed|thu|fri|sat|sun)\w*"
    r"|\b(?:carried?|carries|took|take|takes|walk(?:ed)?|hold|held|aimed?|turned|moved|propped) me"
    r" \((?:on )?(?:the |her |his )?(?:laptop|phone|tablet|screen|ipad|camera)\)"
    r"|\b(?:walked over the keyboard|propped me on|shared my screen|muted (?:him|her|them)sel(?:f|ves)"
    r"|into the chat|with the (?:tablet|laptop) on (?:his|her|their)|laptop on the (?!desk|table)"
    r"|carried the laptop|as (?:his|her|their) background|(?:her|his) couch, i on mine"
    r"|(?:joined|connected|logged (?:on|in))(?: at \d\S*(?: sharp)?)? from (?:the|her|his|their) (?:kitchen"
    r"|porch|truck"
    r"|car|couch|bed(?:room)?|home(?! life)|office|dorm|break room|desk|garage|living room))\b"
    r"|\b(?:turned|aimed|tilted|pointed|angled) (?:the|his|her|their) (?:camera|laptop|phone|tablet|ipad)"
    r" (?:so |to show |so that |round so )(?:me|i|that i)\b"
)
# One by itself may be a manner of speaking.
_MY = r"my (?:own )?(?:(?:old|green|brown|blue|red|gray|grey|white|big|little|good|second|other|small) )?"
_ROOM = later(
    rf"(?<!i sat )\b(?:at|through|by|in|on|off|over|under|across) {_MY}(?P<thing>door(?:way|step)?|radiator"
    rf"|couch"
    r"|sofa|desk|chair|rug|carpet|floor|window|waiting room|bookshel(?:f|ves)|office|hallway|coat rack"
    r"|coat hook|table|armchair|stairs|lobby)\b"
    r"|\b(?P<did>same chair (?:next|as|on)|i (?:handed|passed|gave) (?:her|him|them) (?:the|a) (?:tissues?"
    r"|box|towel|paper|pen|pencil|pillow|blanket|glass|cup|card|worksheet|clipboard|marker|whiteboard)(?!')"
    r"|(?:shook|shakes) my hand"
    r"|(?:i |and )walked (?:her|him|them) (?:out|back|down|to the)|held out the|(?:hung|hangs) (?:up )?(?:his"
    r"|her|their) coat|took off (?:his|her|their) (?:wet |muddy )?(?:boots|shoes|coat)"
    r"|held (?:the|my) door|brought me (?:a|an|the|two)\b)"
)
_NOT_NOW = later(
    r"\b(?:miss(?:es|ed|ing)|last (?:time|week|month|year|visit|session)|used to|next|remember\w*|recall\w*"
    r"|would|could(?! (?:see|hear|watch))|if|when we|before|wish\w*|imagin\w+|dream\w*|years? ago"
    r"|back when)\b[^.;\n]{0,60}\Z"
)
_SIGNS = 2


def on_screen(plain: str, hints: Mapping[str, list[int]]) -> bool:
    """Whether the story can only have been seen through a camera."""
    return any(
        (found := _SCREEN.search(plain, max(0, at - _ROUND), at + _ROUND)) is not None
        and not _NOT_NOW.search(plain, max(0, found.start() - 2 * _ROUND), found.start())
        for at in hints.get("screen", ())
    )


def in_my_room(plain: str, hints: Mapping[str, list[int]]) -> bool:
    """Whether two different things of the story happened in the clinician's own room."""
    signs = set()
    for at in hints.get("room", ()):
        found = _ROOM.search(plain, max(0, at - 12), at + _ROUND)
        if found is not None and not _NOT_NOW.search(
            plain, max(0, found.start() - 2 * _ROUND), found.start()
        ):
            signs.add(found["thing"] or found["did"])
    return len(signs) >= _SIGNS


# A visit by video that went on over the telephone: for the part by voice another modifier holds.
_PHONE = r"(?:the |her |his |my |a )?(?:tele)?phone\b(?! (?:screen|hotspot|camera|app))"
TO_THE_PHONE = later(
    r"(?:\b(?:we|i|so|session|visit|hour|appointment|and|then)\b(?: (?:then|had to|both|all|just|was|were"
    r"|been|therefore|had|have|quickly|simply))* (?:went|go|switch(?:ed)?|moved?|changed?|turned|carried on"
    r"|continued|finished|ended|concluded|completed|closed|wrapped up|resumed)"
    r"(?: (?:it|up|out|off|over|on|the (?:session|visit|hour|rest|remainder)))*"
    r"|\b(?:rest|remainder|(?:last|final|remaining) (?:[\w-]+ ){0,2}[\w-]+|second half)"
    r"(?: (?:was|were|went|took place|held|done|conducted|completed))+) (?:to|by|on|onto|over|via) "
    rf"{_PHONE}(?! (?:next|if|last|tomorrow))"
)
# What tells of voices alone.
_HEARD_ONLY = later(
    r"\b(?:i (?:rang|dialed) (?:her|him|them)\b|i (?:rang|dialed|called) (?:her|his|their) cell"
    r"|telephone again\b"
    r"|could only hear each other|kept the camera off the whole|both cameras off|no picture, (?:her"
    r"|his) choice"
    r"|called me from an? [a-z ]{0,12}phone|until (?:her|his) battery went|rang from the [a-z]+ porch"
    r"|(?:her|his) cell all the way)"
)
_NOT_THIS = later(
    r"\b(?:if|in case|would|will|can|could|plan\w*|agreed|next|last (?:time|week|session|visit)|mother"
    r"|father|sister|brother|husband|wife|call(?:ed)?)\b"
)


def went_over_to_the_phone(plain: str, hints: Mapping[str, Sequence[int]]) -> bool:
    """Whether the visit is told to have gone on over the telephone, or with voices alone."""
    if any(_HEARD_ONLY.search(plain, max(0, at - _ROUND), at + _ROUND) for at in hints.get("heard_only", ())):
        return True
    for at in hints.get("by_voice", ()):
        told = TO_THE_PHONE.search(plain, max(0, at - _ROUND), at + _ROUND)
        if told is not None:
            before, _ = sentence_round(plain, told.start(), told.end())
            if not _NOT_THIS.search(before) and not _NOT_THIS.search(told[0]):
                return True
    return False
