"""Whether a note takes back or puts right what it would be billed by, or leaves it to be marked."""

import re

from billing.notes.conditions.diagnoses import Diagnosed
from billing.notes.decision.told import all_told, findings_between, told
from billing.notes.later import later
from billing.notes.reading import Reading
from billing.notes.text.sentences import sentence_round

_TAKEN_BACK = later(
    r"\b(?:incorrect|in error|by mistake|mistaken(?:ly)?|is withdrawn|(?:was|is) wrong|strike that"
    r"|amend(?:ment|ed)"
    r"|(?<!not )(?:carried|copied) (?:in|over|forward|from)(?! and confirmed)|pulled (?:in|over"
    r"|forward) from|rolled forward"
    r"|not to be billed"
    r"|(?:wrong|different|previous) (?:client|patient|person|chart)(?!'s (?:story|room))"
    r"|(?:an)?other (?:client|patient|person)'s (?:chart|note|record|file|entry|diagnos|dx|visit|session)"
    r"|(?:belong|meant|entered|pasted|intended|written)\w* (?:to|for|from|in) (?:an)?other (?:client|patient"
    r"|person|chart)"
    r"|wrong (?:line|row|entry|box|item|template|menu|drop-?down|choice)"
    r"|not apply to (?:this|her|him|them)"
    r"|mis-?click(?:ed|s)?|auto-?filled|cloned|not (?:for |of |about )?this (?:client|patient|pt)(?!')"
    r"|pasted (?:(?:it|this|that|in|here) )*from|disregard (?:for|in|on) this"
    r"|(?:withdr[ae]wn?|withdrawing|retract(?:ed|ing)?|str(?:ike|iking|uck)(?: out)?|remov(?:ed?|ing)"
    r"|drop(?:ped|ping)?) (?:the )?(?:number|item|line|entry|no\.|#) ?"
    r"(?:\d|one|two|three|four))\b"
)
# `The old diagnosis doesn't fit anymore`
_OUTGROWN = later(
    r"\b(?:old|previous|former|earlier|listed|current|carried|this|that|the) (?:diagnosis|dx|label)"
    r" (?:doesn't|does not|no longer) (?:fits?|appl(?:y|ies))\b"
    r"|n[o']t (?:think|believe|feel)(?: that)? (?:the|his|her|their|this|that)(?: \w+)?"
    r" (?:diagnosis|dx|label) (?:still )?(?:fits|applies)\b"
)
_WAS = later(r"[ ]*:[ ]*(?:was|from|formerly|previously)\b(?! (?:entered|made|given|reviewed))")
_TO_MARK = later(r"\b(?:circle|check|tick|select|mark|choose)\b")

# `He fears that he poisoned customers by mistake`: only of what is written is it put right.
_OF_LIFE = later(r"amend|mistake|incorrect|is wrong|was wrong|in error")
_OF_RECORDS = later(
    r"\b(?:dx|diagnos\w*|icd|codes?|coded|chart\w*|entr(?:y|ies)|entered|listed|notes?|record\w*|template"
    r"|box|boxes|form|field|label\w*|ticked|checked|selected|typed|written|wrote|billed|copied|problem list"
    r"|[a-tv-z]\d\d[.\da-z]*)\b"
)
# `Relapse prevention plan amended with an exit script`
_OF_A_PLAN = later(
    r"\b(?:plan|contract|schedule|agreement|script|goals?|hierarchy|letter) (?:is |was |were )?\Z"
)
# `The diagnosis given at 22 was in error`
_GIVEN_THEN = later(
    r"\b(?:diagnosis|dx|label) (?:given|made|assigned|received)"
    r" (?:at (?!intake)|by (?!me\b|us\b)|in |when |as an? )"
)


def is_put_right(reading: Reading, diagnosed: Diagnosed) -> bool:
    """Whether something is put right, called outgrown or taken back, and it is open what remains."""
    if _corrects_what_was(reading) or told(_OUTGROWN, "outgrown", reading):
        return True
    backs = list(all_told(_TAKEN_BACK, "taken_back", reading))
    return bool(backs) and _leaves_it_open(reading, diagnosed) and _is_of_this(reading, backs)


def _leaves_it_open(reading: Reading, diagnosed: Diagnosed) -> bool:
    """Whether more than one condition remains, and not all of them in the correction; or one that stands
    there is in doubt, and what it corrects remains."""
    corrected = [finding for finding in reading.findings if finding.section == "correction"]
    if any(f.doubt in ("historical", "uncertain") for f in corrected) and not any(
        f.doubt is None for f in corrected
    ):
        return True
    named = {
        finding.family
        for finding in reading.findings
        if finding.doubt in (None, "uncertain") and (finding.concept is None or finding.concept.kind == "dx")
    }
    return len(named) > 1 and not all(
        any(finding.section == "correction" for finding in diagnosis.findings)
        for diagnosis in diagnosed.chosen
    )


def _is_of_this(reading: Reading, backs: list[re.Match[str]]) -> bool:
    """Whether one of the sentences that take something back speaks of the record, and not of a condition
    that is stated nowhere: `the bipolar diagnosis carried from the hospital was removed`."""
    stated = {finding.family for finding in reading.findings if finding.doubt is None}
    for back in backs:
        before, behind = sentence_round(reading.plain, *back.span())
        if _OF_LIFE.search(back[0]) and not _OF_RECORDS.search(f"{before}{back[0]}{behind}"):
            continue
        if _OF_A_PLAN.search(before) or _GIVEN_THEN.search(before):
            continue
        told_of = findings_between(reading, back.start() - len(before), back.end() + len(behind))
        named = {finding.family for finding in told_of}
        if not named or not named.isdisjoint(stated):
            return True
    return False


def _corrects_what_was(reading: Reading) -> bool:
    """`Dx change: was MDD, mild; now moderate`: a correction that opens with what it replaces."""
    layout = reading.layout
    return "correction" in layout.kinds and any(
        kind == "correction"
        and ("dx" in label or "diagnos" in label)
        and _WAS.match(reading.plain, start + len(label)) is not None
        for start, label, kind in zip(layout.starts, layout.labels, layout.kinds, strict=False)
    )


def is_unmarked(reading: Reading, diagnosed: Diagnosed) -> bool:
    """`Diagnosis (circle): GAD / MDD / PTSD`: several options of one field, and no box shows which."""
    layout = reading.layout
    stretches = [reading.layout.index(diagnosis.lead.start) for diagnosis in diagnosed.chosen]
    for index in {index for index in stretches if stretches.count(index) > 1}:
        start, end = layout.span(index, len(reading.plain))
        if _TO_MARK.search(layout.labels[index]) and not any(
            box[0] < end for box in layout.boxes_from(start, 1)
        ):
            return True
    return False
