"""How the patient was reached this time: by video, by voice alone, or in the room."""

import re
from collections.abc import Mapping, Sequence

import msgspec
from msgspec.structs import replace

from billing.notes.later import later
from billing.notes.text.letters import words_of
from billing.notes.text.spoken import NUMBER_WORD
from billing.notes.visit.voice import SOMEBODY_AFTER, turned_to_voice
from billing.notes.visit.whole import SO_LONG_OF, is_all_of_it

_MAYBE = later(r"\b(?:can|could|will|would|may|might|if|to be|next)\b")
_MEETING = later(
    r"\b(?:seen|met|attended|held|conducted|joined|connected|session|visit|appeared|presented|logged)\b"
    r"[^.;\n]{0,14}\Z"
)
# `Face to face` is a name for the time as well.
_MET_THERE = later(r"\b(?:met|seen|saw|sat|sat down|meeting)(?: (?:her|him|them|today))? \Z")
# A video that is watched, made or given back is no way of meeting.
_SHOWN = later(
    r"(?:\b(?:an?|the|his|her|their|that|this|of|watch\w*|saw|made|took|sent|send\w*|record\w*|music"
    r"|youtube|tiktok"
    r"|exposure|training|mirror|phone|photos?,|pictures?,"
    r"|watch\w* (?:(?:the|an?|her|his|my|that) )?[a-z]+)|'s)[ ]\Z|\beeg \(\Z"
)
_SHOWING = later(
    r"[ -](?:of|games?|gaming|feedback|with (?:headphones|sound)\b"
    r"|chats? with(?! (?:the )?(?:client|patient|pt|ct|her\b(?! \w)|him|them|me)\b)"
    r"|clips?|about|diary|store|model\w*|exposure|recording|eegs?"
    r"|telemetry|monitoring|surveillance|doorbell|footage)\b"
)
_VISIT_WENT = later(
    r"\btook (?:his|her|their) (?:\d{1,2}(?::\d\d)?(?: ?[ap]m)?|\w+ o'clock|hour)[ ]\Z"
    r"|\b(?:session|visit|hour|appointment|psychotherapy|therapy|individual|ind|seen|met|held|conducted"
    r"|i saw (?:him|her|them)|done|took place|(?:spoke|talked) (?:with|to) (?:the )?(?:client|patient|pt|ct"
    r"|m[rs]{1,2}\.?|miss|him|her|them)"
    r"|(?:we|and i) (?:spoke|talked|worked)|carr(?:y|ied) on|proceeded|call"
    r"|switched|moved|converted|changed|continued|finished|completed|concluded|resumed|reconnected|connected"
    r"|went on|(?<!they )(?<!he )(?:had|have) to go on|so we (?:go on|carry on"
    r"|continue|meet|speak|talk|do (?:it|this))|we ended up|rest|remainder|service|telehealth"
    r"|counseling|all)\b[^.;\n]{0,24}\Z"
    r"|\b(?:i|we) (?:spoke|talked) (?:with|to) m(?:r|rs|s|x)\.? [a-z'-]+(?: [a-z'-]+)?[ ]?\Z"
)
# `Phone call with client, 40 minutes.`
_CALL_OPENS = later(
    r"(?:\A|[.;:|\n-])[ ]*(?:(?:this|today|it) (?:was )?(?:an? )?|individual(?: therapy)?,? )?\Z"
)
# `Individual session, 40 min, on the phone`
_SPOKEN = later(
    r"\b(?:session|visit|appointment|(?:psycho)?therapy|individual(?:ly)?|min(?:ute)?s?|whole thing"
    r"|(?:we|and i) (?:spoke|talked|met|worked))\b[^.;\n]{0,12}\Z"
)
_CALL_LASTS = later(
    r"(?: with (?:the )?(?:client|patient|pt|ct|her|him|them))?(?: today)?[ ]?(?:,|:|-|\(|of|for|lasting"
    r"|lasted)?[ ]?"
    rf"(?:about |approx\.? )?(?:1[6-9]|[2-9]\d|{NUMBER_WORD})[ -]?min(?:ute)?s?\b"
    r"(?!,? (?:with|to|from) (?!(?:the )?(?:client|patient|pt|ct|her\b|him|them)\b))"
)
# `Emergency session. 50 minutes by phone`
_SO_LONG = later(
    r"(?:\A|[.;:\n,(]|\b(?:session|visit|psychotherapy|therapy|individual))[ ]*(?:for |of |x ?)?"
    rf"(?:1[6-9]|[2-9]\d|{NUMBER_WORD})[ -]?min(?:ute)?s?,? \Z"
)
# `By telephone, with the door shut, for 25 minutes`
_LASTS = later(
    r",?(?! (?:with|to|from|call))[^.;\n]{0,40}?[ ,(]"
    rf"(?:1[6-9]|[2-9]\d|{NUMBER_WORD})[ -]?min(?:ute)?s?\b"
)
# `I reached her by phone and we held the session that way`
_HELD_SO = later(
    r",? and (?:we |i )?(?:held|did|had|conducted|completed) (?:the|our|this|today's)"
    r" (?:session|visit|hour)\b"
)
_BECAUSE = later(r" (?:because|since|as|due to)\b")
_SOMEBODY = later(
    r"\b(?:mother|mom|father|dad|parents?|husband|wife|partner|sister|brother|pharmacy|prescriber|doctor"
    r"|school|teacher"
    r"|case manager|insurance|daughter|son|friend|psychiatrist|physician|pcp|nurse|police|lawyer|attorney"
    r"|medication|psychologist|principal|counselor|advocate|caseworker|landlord|sponsor"
    r"|crisis|reached|called|consult\w*|coordinat\w+)\b[^.;\n]*\Z"
    r"|\b(?:he|she|they) (?:spoke|talked) (?:to|with) (?:her|him|them)\b[^.;\n]*\Z"
)
_ANOTHER_DAY = later(
    r"\b(?:(?:last|previous|prior|next|earlier) (?:\w+ )?(?:session|visit|appointment|time|week)"
    r"|in (?:our|the|her|his) (?:first|early) (?:\w+ )?(?:months|weeks|sessions|years?|visits)"
    r"|used to|formerly|early on)\b[^.;\n]*\Z"
)
# A meeting of other people.
_EVENTS = frozenset(
    ("hearing", "court", "job", "interview", "class", "classes", "conference", "funeral", "church", "wedding",
     "party", "lesson", "lessons", "doctor", "dermatologist", "pediatrician", "obstetrician")
)  # fmt: skip
_NOT_CARE = later(
    r" (?:meeting|class|party|wedding|church|interview|game|lesson|funeral|conference|happy hour|book club"
    r"|call with)\b| meetings\b"
)
_OTHERS_MEETING = later(r"\b(?:an?|her|his|their|weekly|work|aa|na|staff|the) \Z")
_TURNED_TO = later(r"\b(?:converted|moved|switched|changed) to (?:an? )?\Z")
_ANOTHER_TIME_BEFORE = later(
    r"\b(?:next|tomorrow|return|returns|future|offered|declined|option of|prefers?|or|again|unless"
    r"|called(?! in[;,. ])|another|follow[- ]up|previous|last|prior|consent(?:ed)? to|switch to|then|if"
    r"|future|(?:switched|moved"
    r"|changed|converted|went) from|cancell?ed (?:the|his|her|their)|interpreter|usually|usual|no|not|isn't"
    r"|not a|scheduled (?:for|as|by)|planned(?: for| as)?|booked (?:for|as|by)|on the (?:books|schedule"
    r"|calendar) (?:for|as|by)|down (?:for|as)|(?:was|were|supposed"
    r"|meant) to be|instead of|rather than)\b[^.\n]{0,12}$"
)
# One of these words stands in all that it matches, as one of the events does in what is told of an event.
_ANOTHER_TIME_WORDS = frozenset(
    ("next", "tomorrow", "return", "returns", "future", "offered", "declined", "option", "prefer", "prefers",
     "or", "again", "called", "unless", "another", "follow", "previous", "last", "prior", "consent",
     "consented", "switch", "then", "if", "switched", "moved", "changed", "converted", "went", "canceled",
     "cancelled", "interpreter", "usually", "usual", "no", "not", "isn", "scheduled", "planned", "booked",
     "books", "schedule", "calendar", "down", "was", "were", "supposed", "meant", "instead", "rather")
)  # fmt: skip
_ANOTHER_TIME_AFTER = later(
    r"[^.\n;]{0,20}\b(?:next|tomorrow|again|(?<!video )(?:offered|declined)(?! (?:the )?(?:video|camera))"
    r"|in (?:one|two|three|four|\d) (?:weeks?"
    r"|days?)|if needed|was offered|interpreter|policy|consent (?:on|form|signed|reviewed)|is available"
    r"|available|option|template|(?:was "
    r"|were )?not used|call (?:tonight|at"
    r"|with mother|from)|with (?:the |her |his |their |an? )?(?:new )?(?:pcp|psychiatrist|prescriber"
    r"|physician|nurse|dietitian|specialist|attorney|lawyer)|unless|at \d)\b"
)


# Of a video: the telephone took its place. `By FaceTime, Zoom was down` tells why it was used.
_FAILED = later(
    r"(?:(?!\b(?:zoom|doxy|teams|because|since|due to|as (?:the|her|his|my|our))\b)[^.\n;]){0,20}\b(?:failed"
    r"|(?:would|could|did|does) not (?:open|load|connect|work|be)|couldn't|wouldn't"
    r"|not possible"
    r"|not working|unavailable|kept (?:failing|dropping|cutting|going down)|(?:is|was|went) (?:down|out))\b"
)
# `Telehealth: N`
_NO_BOX = later(r"[ ]*[:=][ ]*(?:no?|none|not used|n/a)\b")
# `Uses her phone only in the evening.`
_HER_PHONE = later(r"\b(?:her|his|their|my|the|a|on|to|of) \Z")
# `Virtual today, roads iced`, and not `his school was virtual today`
_TODAY, _BEGINS = ("today", "instead", "because", "due to"), frozenset(("", ".", ";", ":", ",", "(", "-"))
_OPENS = later(r"(?:\A|[:\n(|/-])[ ]*\Z")
# `Her hearing was by video`
_OF_AN_EVENT = later(
    r"\b(?:hearing|court|job|interview|class(?:es)?|conference|funeral|church|wedding|party|lessons?|doctor"
    r"|dermatologist|pediatrician|obstetrician)(?: [a-z]+){0,2} (?:by|via|over|on|through|is|was|were)"
    r"(?: [a-z]+)? \Z"
)
# `His lawyer met him on Zoom`
_ANOTHER_MET = later(
    r"\b(?:lawyer|attorney|psychiatrist|prescriber|doctor|sponsor|teacher|tutor|boss|judge|officer|nurse|aunt"
    r"|uncle|sister|brother|cousin|friend|son|daughter|caseworker) (?:met|saw|sees|meets|calls|called|visits)"
    r"(?: with)? (?:him|her|them) (?:[a-z]+ ){0,3}\Z"
)
# `They met online`
_OTHERS_MET = ("they ", "who ", "whom she ", "whom he ", "had ", "couple ", "they'd ", "partners ")
_WHOM, _MET_WITHIN = (" him ", " her ", " them "), 50
_REACHED = later(r"\b(?:reached|reachable|available)(?: [a-z]+)? \Z")
_FINISHED_SO = later(
    r"\b(?:finished|ended|completed (?:the )?(?:rest|remainder)|(?:the )?(?:rest|remainder|last \d+ minutes)"
    r"(?: was| were| went)?) \Z"
)
_TOLD_WITHIN, _ALL_OF_IT = 80, 5
_ONE_VOICE = later(r"\b(?:one|a|an|her|his|their|my|the|inner|quiet|soft|low) \Z")
_ALONE = later(r"(?:audio|voice|telephone|landline)(?: call)? only\Z|\A(?:by|via|over|no picture) ")


class Cue(msgspec.Struct, frozen=True, gc=False):
    """Words that name a service or a way of meeting, with the weight of their place."""

    kind: str
    start: int
    end: int
    weight: int


def in_part_by_voice(plain: str, cue: Cue) -> bool:
    """Whether only the end of the visit is told to have gone over the telephone."""
    return _FINISHED_SO.search(plain, max(0, cue.start - _TOLD_WITHIN), cue.start) is not None


# `I saw Petra remotely for 46 minutes, she at home and me at the office`
_SAW_AFAR = later(
    r"(?:(?:\A|[.;:\n])[ ]*(?:today,? )?|\b(?:i|we|writer|therapist|clinician) )"
    r"(?:saw|met(?: with)?|spoke with|talked with|worked with) (?:(?:m[rs]{1,2}|dr)\.? )?"
    r"(?!(?:each|one|once|someone|somebody|people|him|her|them) other\b)[a-z'-]+(?: [a-z]\.)? (?:remotely"
    r"|virtually)\b(?![^.;\n]{0,40}\b(?:last|yesterday|ago|until|since|before|in the past|when|once|while"
    r"|next)\b)"
)
_OPENING = 200
_BY_VOICE = later(r"[^.;\n]{0,30}?\b(?:phone|telephone|voice|audio|landline)\b(?![^.;\n]{0,12}video)")
# The clinician's own place.
_MINE = later(
    r"\b(?:me|i(?:'m| was| am| sat)?|myself|with me|(?:this )?(?:writer|therapist|clinician|provider))"
    r"(?: (?:was|is|sat|being|remained|located))* \Z"
)


def saw_from_afar(plain: str) -> Cue | None:
    """Words of the opening for a meeting that was remote."""
    if "remotely" not in plain[:_OPENING] and "virtually" not in plain[:_OPENING]:
        return None
    saw = _SAW_AFAR.search(plain, 0, _OPENING)
    if saw is None:
        return None
    return Cue("audio_only" if _BY_VOICE.match(plain, saw.end()) else "telehealth", *saw.span(), 2)


def modality_of(
    plain: str, by_kind: Mapping[str, list[Cue]], hints: Mapping[str, Sequence[int]]
) -> tuple[str | None, Cue | None]:
    """`audio`, `video` or `in_person` for this visit, None where the note does not say."""
    if (voice := turned_to_voice(plain, hints)) is not None:
        return "audio", Cue("audio_only", *voice, _ALL_OF_IT)
    audio, video, present = (
        [
            _stressed(plain, cue)
            for cue in by_kind.get(kind, [])
            if cue.weight >= 1 and _this_visit(plain, cue)
        ]
        for kind in ("audio_only", "telehealth", "in_person")
    )
    audio += [
        replace(cue, weight=max(cue.weight, 2))
        for cue in by_kind.get("by_phone", [])
        if cue.weight and _held_by_phone(plain, cue) and _this_visit(plain, cue)
    ]
    if (afar := saw_from_afar(plain)) is not None:
        (audio if afar.kind == "audio_only" else video).append(afar)
        present = [cue for cue in present if not _MINE.search(plain, max(0, cue.start - 30), cue.start)]
    present_best = max((cue.weight for cue in present), default=0)
    if present_best > 1:
        # `Seen in person. No video used.`
        audio = [cue for cue in audio if plain[cue.start : cue.end] != "no video"]
    audio_best = max((cue.weight for cue in audio), default=0)
    video_best = max((cue.weight for cue in video), default=0)
    if (
        audio
        and audio_best >= 2
        and (audio_best >= video_best or any("only" in plain[c.start : c.end] for c in audio))
    ):
        return "audio", max(audio, key=lambda cue: cue.weight)
    if video_best >= 2 and video_best >= present_best:
        return "video", max(video, key=lambda cue: cue.weight)
    if present_best >= 2:
        named = [
            c
            for c in present
            if re.search(r"person|office|clinic|seen", plain[c.start : c.end])
            or _MET_THERE.search(plain, max(0, c.start - 16), c.start)
        ]
        if named:
            return "in_person", named[0]
    if (
        video_best == 1
        and not present
        and any(re.search(r"telehealth|video|teletherapy|zoom", plain[c.start : c.end]) for c in video)
    ):
        return "maybe_video", video[0]
    if audio_best == 1 and not present and not video:
        return "maybe_audio", audio[0]
    if present:
        named = [c for c in present if _is_there(plain, c, alone=not video and not audio)]
        if named:
            return "in_person", named[0]
    return None, None


def _is_there(plain: str, cue: Cue, *, alone: bool) -> bool:
    """`In person`; or, where nothing else is told, `in my office`, and not `he at home, I in my office`."""
    words = plain[cue.start : cue.end].replace("-", " ")
    mine = _MINE.search(plain, max(0, cue.start - 30), cue.start) is not None
    return "in person" in words or (alone and words.startswith("in my ") and not mine)


def _held_by_phone(plain: str, cue: Cue) -> bool:
    """Whether it was the visit that went over the telephone, not a call to somebody."""
    before = plain[max(0, cue.start - 60) : cue.start]
    if plain.endswith("one call", cue.start, cue.end):
        return _CALL_OPENS.search(before) is not None and _CALL_LASTS.match(plain, cue.end) is not None
    went = _SPOKEN if plain.startswith("on ", cue.start) else _VISIT_WENT
    if _HELD_SO.match(plain, cue.end):
        return True
    opens = _CALL_OPENS.search(before) is not None and (
        _LASTS.match(plain, cue.end) is not None or _BECAUSE.match(plain, cue.end) is not None
    )
    return (
        (opens or went.search(before) is not None or _SO_LONG.search(before) is not None)
        and not _SOMEBODY.search(before)
        and not _MAYBE.search(before)
        and not SOMEBODY_AFTER.match(plain, cue.end)
        and not before.endswith(("confirmed ", "verified ", "notified ", "reached "))
    )


def of_another_call(plain: str, at: int) -> bool:
    """Whether words for the telephone speak of a call to somebody, or of another day."""
    before = plain[max(0, at - 60) : at]
    return (
        _SOMEBODY.search(before) is not None
        or _ANOTHER_DAY.search(before) is not None
        or (plain.startswith("phone only", at) and _HER_PHONE.search(before) is not None)
        or (plain.startswith("by ", at) and not _OPENS.search(before) and not _VISIT_WENT.search(before))
    )


def _stressed(plain: str, cue: Cue) -> Cue:
    """The cue, heavier where a word for this meeting stands right before it: `seen by video`."""
    if cue.weight != 1:
        return cue
    # `The truck would not start, so we met by video`
    before = plain[max(0, cue.start - 40) : cue.start].rpartition(" so ")[2]
    near = _MEETING.search(before[-26:]) or ("ed to " in before and _TURNED_TO.search(before))
    near = near and not _MAYBE.search(before)
    # `so we spoke over the telephone, as we have done since the summer`
    near = near or SO_LONG_OF.search(before) or is_all_of_it(plain, cue.start, cue.end)
    near = near or (before.endswith(("we ", " and i ")) and plain.startswith(("spoke ", "met "), cue.start))
    if not near and cue.kind == "audio_only" and not _MAYBE.search(before):
        near = _ALONE.search(plain[cue.start : cue.end])
    return replace(cue, weight=2) if near else cue


def _this_visit(plain: str, cue: Cue) -> bool:
    before = plain[max(0, cue.start - 30) : cue.start]
    after = plain[cue.end : cue.end + 34]
    words = plain[cue.start : cue.end]
    if cue.kind == "telehealth" and _FAILED.match(after):
        return False
    if _NO_BOX.match(after):
        return False
    if words == "video" and _SHOWN.search(before):
        return False
    if words.endswith("video") and _SHOWING.match(after):
        return False
    if words.startswith("virtual ") and words.endswith(_TODAY) and before.strip()[-1:] not in _BEGINS:
        return False
    if words.startswith("met ") and before.endswith(_OTHERS_MET):
        return False
    if words.endswith("only") and _REACHED.search(before):
        return False
    if words.startswith(("voice only", "voice alone")) and _ONE_VOICE.search(before):
        return False
    words_before = words_of(before)
    if not _EVENTS.isdisjoint(words_before) and _OF_AN_EVENT.search(before):
        return False
    far = max(0, cue.start - _MET_WITHIN)
    if any(map(plain[far : cue.start].__contains__, _WHOM)) and _ANOTHER_MET.search(plain, far, cue.start):
        return False
    elsewhere = _NOT_CARE.match(plain, cue.end)
    if (words.endswith(("meeting", "group")) or elsewhere) and _OTHERS_MEETING.search(before):
        return False
    if elsewhere is not None and elsewhere[0] == " meetings":
        return False
    if words.startswith(("phone only", "telephone only")) and _HER_PHONE.search(before):
        return False
    if not _ANOTHER_TIME_WORDS.isdisjoint(words_before) and _ANOTHER_TIME_BEFORE.search(before):
        return False
    return not _ANOTHER_TIME_AFTER.match(after)
