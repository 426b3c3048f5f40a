"""A condition that became another one, one that was weighed against another, and one that the speaker takes
back in the same breath: `from F43.23 to F33.1`, `better accounted for by GAD than PTSD`, `panic disorder,
scratch that, GAD`."""

from itertools import pairwise

from msgspec.structs import replace

from billing.notes.finding import Finding
from billing.notes.later import later
from billing.notes.result import Reason

_BEFORE, _BETWEEN = 48, 64
_CODE = r"(?:[a-z]\d\d[0-9a-z]?(?:\.[0-9a-z]{1,4})?)?"
_CHANGED = (
    r"(?:updated|upgraded|changed|revised|progressed|switched|converted|amended|corrected|evolved|advanced"
    r"|transitioned|moved)"
)
_BECAME = later(
    rf"[ ]?[(\[]?{_CODE}[)\]]?[ ]*(?:--?>|=+>|>|[.,;-]*[ ]*(?:(?:the )?(?:diagnosis|dx) )?(?:(?:has|have"
    rf"|was|is|now"
    rf"|since|been|today) ){{0,3}}{_CHANGED} (?:today |now )?(?:in)?to)[ ]*[(\[]?{_CODE}[)\]:]?[ -]*"
)
_TO = later(rf"[ ]?[(\[]?{_CODE}[)\]]?,? to [(\[]?{_CODE}[)\]:]?[ -]*")
_FROM = later(rf"\b{_CHANGED}\b(?:[^.;\n]{{0,24}} from |(?: dx| diagnosis| code)?:? )(?:the |an? )?[(\[]?\Z")
_THAN = later(rf"[ ]?[(\[]?{_CODE}[)\]]?,? than (?:by |with |for |of )?(?:an? |the )?[(\[]?{_CODE}[)\]]?[ ]?")
# `In 2019 it was changed from F33.1 to F33.42`, `at her last clinic`: nobody says that it is so now.
_THEN_WORDS = (
    r"(?:(?:19|20)\d\d|ago|last|prior|previous(?:ly)?|earlier|once|had|then|back|elsewhere"
    r"|(?:at|by) (?:the |her |his )?(?:intake|discharge|hospital|other|old|pcp|referr\w+|school))\b"
)
_THEN = later(rf"\b{_THEN_WORDS}[^.;\n]*\Z")
_THEN_BEHIND = later(rf"[^.;\n]{{0,32}}\b{_THEN_WORDS}|[^.;\n]{{0,32}}\b(?:but|not|wrongly|in error)\b")
# `F32.1 or F41.1`: which of them, a person is asked.
_OR = later(
    rf"[ ]?[(\[]?{_CODE}[)\]]?,? or (?:else |maybe |perhaps |possibly )?(?:an? |the )?[(\[]?{_CODE}[)\]:]?"
    r"[ -]*"
)
# What a speaker says who corrects himself, so that it is the next that counts; and what goes along with it.
_MISSPOKE = (
    r"(?:(?:scratch|strike|delete|change|make) (?:that|it)(?: to)?|(?:let me )?correct(?:ion| that)(?: to)?"
    r"|i misspoke|or rather|no,? wait)"
)
_MISSPOKE_MILDLY = r"(?:i mean(?:t)?|excuse me|(?:i'm |i am )?sorry|pardon(?: me)?)"
_ALONG = (
    r"(?:no|uh|um|er|actually|wait|hold on|it's|that's|it is|that is|that should be|it should be|should be"
    r"|please (?:type|put|write|enter)|the (?:diagnosis|dx) is|diagnosis is)"
)
_RETOLD = later(
    rf"[ ]?[(\[]?{_CODE}[)\]]?[ ]?(?:[,.;-][ ]?(?:{_ALONG}[ ,.;:-]{{1,3}}){{0,3}}{_MISSPOKE}"
    rf"|[,-][ ]?(?:{_ALONG}[ ,:-]{{1,3}}){{0,3}}{_MISSPOKE_MILDLY})[ ,.;:-]{{1,3}}"
    rf"(?:(?:{_ALONG}|{_MISSPOKE})[ ,.;:-]{{1,3}}){{0,3}}(?:an? |the )?[(\[]?{_CODE}[)\]:]?[ -]{{0,2}}"
)
_RETOLD_WORDS = (
    "that", " it", "correction", "mean", "misspoke", "rather", "wait", "excuse", "sorry", "pardon",
)  # fmt: skip
_SAID_NO, _ENDS_NO = later(r"\bno\b"), (" no", ",no", ".no")
# `Panic disorder, no, GAD`: which one is meant, a person is asked.
_NO_THAT = later(rf"[ ]?[(\[]?{_CODE}[)\]]?[ ]?[,.;-][ ]?no, (?:it's |that's |it is )?(?:an? |the )?")
# Behind the second: that it comes on top of the first, or is none either.
_SAID_BEHIND = later(
    r"[^.;\n]{0,40}?\b(?:too|also|as well|added|omitted|missing|not|no longer|removed|deleted|denied"
    r"|ruled out|should|does|is|was|were|met|present|resolved|last year's)\b"
)
# Told so that it is not plain what counts.
_UNSETTLED = later(
    r"\b(?:(?:scratch|strike|disregard|ignore) (?:that|this|it)(?! last| bit)|scratch|oops|my mistake"
    r"|i misspoke|nope|start over|correction)\b|[,(-] ?(?:sorry|uh no|er no)\b"
)
# `GAD, scratch that.`, and nothing in its place.
_TAKEN_BACK = later(
    rf"[ ]?[(\[]?{_CODE}[)\]]?[ ]?(?:[.,;:(-]{{1,4}}[ ]?)(?:(?:no|oh|uh|um|er|actually|wait|oops|sorry)"
    r"[ ,.;:-]{1,3}){0,3}"
    r"(?:(?:scratch|strike|delete|disregard|ignore|erase|omit|remove|cross out)(?: (?:that|this|it|out))?"
    r"|never ?mind|(?:i )?misspoke|wait(?![ ]?,)"
    r"|(?<=actually )no|(?<=oops, )no|correction|my mistake|wrong chart)"
    r"(?! (?:technique|ritual|worry|urge|thought|list|exercise|game)s?\b)"
    r"(?= last|[ ]?[.,;:)!\n]|[ ]*\Z)"
)
_TAKING_BACK = (
    "scratch", "strike", "delet", "disregard", "ignore", "erase", "omit", "remove", "cross out", "mind",
    "misspoke", "wait", "ly no", ", no", "correction", "mistake", "wrong",
)  # fmt: skip
_LONGEST_TAKING_BACK = 40
_LISTED_WITHIN, _RIGHT_BESIDE = 24, 30
_PARTS = later(r"[.;\n]")


def changed(plain: str, found: list[Finding]) -> list[Finding]:
    """The findings in order, those that were replaced or outweighed in the same breath in doubt."""
    found = list(found)
    for at, (left, right) in enumerate(pairwise(found)):
        between = right.start - left.end
        if not 0 < between <= _BETWEEN or left.code == right.code:
            continue
        said = plain[left.end : right.start]
        if any(map(said.__contains__, _RETOLD_WORDS)) and _RETOLD.fullmatch(plain, left.end, right.start):
            _take_back(plain, found, at)
            continue
        if between <= _RIGHT_BESIDE and _UNSETTLED.search(said) and not _PARTS.search(said):
            _doubt(found, at, at + 1)
            continue
        if " or " in said and _OR.fullmatch(plain, left.end, right.start):
            if left.doubt is None and right.doubt in (None, "uncertain"):
                _doubt(found, at, at + 1)
            continue
        if "no," in said and _NO_THAT.fullmatch(plain, left.end, right.start):
            _doubt(found, at, at)
        if not ("to" in said or ">" in said or "than" in said) or _is_in_order(plain, left.end, said):
            continue
        if _BECAME.fullmatch(plain, left.end, right.start) or (
            _TO.fullmatch(plain, left.end, right.start)
            and _FROM.search(plain, max(0, left.start - _BEFORE), left.start)
        ):
            found[at] = replace(found[at], doubt=found[at].doubt or "historical")
            if (
                right.doubt == "historical" or (right.doubt is None and left.family == right.family)
            ) and not _is_of_then(plain, left.start, right.end):
                found[at + 1] = replace(right, doubt=None, section="correction", assertive=True)
        elif _THAN.fullmatch(plain, left.end, right.start):
            found[at + 1] = replace(right, doubt=right.doubt or "negated")
    for at, finding in enumerate(found):
        if finding.doubt is None and _is_taken_back(plain, finding):
            found[at] = replace(finding, reason=finding.reason or Reason.CONFLICT_CODES)
    return found


def _is_in_order(plain: str, at: int, said: str) -> bool:
    """`Bipolar I > GAD > insomnia disorder`: several of a line by their weight, and none became the next."""
    if said.strip(" )]") != ">":
        return False
    begin, end = plain.rfind("\n", 0, at) + 1, plain.find("\n", at)
    return plain.count(" > ", begin, end if end >= 0 else len(plain)) > 1


def _is_of_then(plain: str, start: int, end: int) -> bool:
    """Whether the clause round [start, end) tells of another day."""
    return (
        _THEN.search(plain, max(0, start - _BEFORE), start) is not None
        or _THEN_BEHIND.match(plain, end) is not None
    )


def _is_taken_back(plain: str, finding: Finding) -> bool:
    """Whether the speaker takes a condition back in the same breath without another in its place."""
    behind = plain[finding.end : finding.end + _LONGEST_TAKING_BACK]
    return (
        behind[:1] not in ("", "\n")
        and any(map(behind.__contains__, _TAKING_BACK))
        and (_TAKEN_BACK.match(plain, finding.end) is not None)
    )


def _take_back(plain: str, found: list[Finding], at: int) -> None:
    """Let the next finding count instead of this one; where more is said of them, neither is firm."""
    left, right = found[at], found[at + 1]
    before = found[at - 1] if at else None
    listed = before is not None and before.doubt is None and _goes_on(plain, before, left)
    said = plain[left.end : right.start]
    if listed or said.rstrip(" ,").endswith(_ENDS_NO) or _SAID_BEHIND.match(plain, right.end):
        last = at + 1
        while last + 1 < len(found) and _goes_on(plain, found[last], found[last + 1]):
            last += 1
        _doubt(found, at - listed, last)
        return
    found[at] = replace(left, doubt=left.doubt or "historical")
    if left.doubt is None and right.doubt == "negated" and _SAID_NO.search(said):
        # The `no` of `no, correction` takes back the first, not the second.
        found[at + 1] = replace(right, doubt=None)


def _doubt(found: list[Finding], first: int, last: int) -> None:
    """Leave the findings of a stretch to a person, where nothing else is said of them."""
    for number in range(first, last + 1):
        found[number] = replace(found[number], doubt=found[number].doubt or "uncertain")


def _goes_on(plain: str, left: Finding, right: Finding) -> bool:
    """Whether one condition stands right behind another, in one sentence."""
    near = 0 < right.start - left.end <= _LISTED_WITHIN
    return near and _PARTS.search(plain, left.end, right.start) is None
