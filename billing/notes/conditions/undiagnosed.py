"""Whether a note says that no diagnosis has been made: then no condition that it mentions is one."""

from collections.abc import Mapping, Sequence

from billing.notes.later import later

# What is said of a second axis, of one kind of condition, or of an earlier visit.
_OF_SOMETHING = later(
    r"\bax(?:is)? (?:ii|iii|2|3)\b[^\n]*\Z"
    r"|\b(?:secondary|tertiary|other|additional|second|personality|medical|until|before|previously"
    r"|siblings?|brothers?|sisters?|cousins?|in the past|years ago|\d(?:th|rd|nd|st) grade|school counselor"
    r"|the (?:er|ed)|by (?:the|her|his|their) [a-z]+)\b[^.\n]*\Z"
)
# `Hx: none entered`
_OTHER_FIELD = later(r"\b(?!dx|diagnos|impression|assessment)[a-z]+[:=][ (]*\Z")
# `Depression and anxiety were reviewed and neither is diagnosed`
_TWO_NAMED = later(r"\w and \w[^.;\n]* (?:was|were) [^.;\n]*(?:,|\band) \Z")
_DIAGNOSIS = r"(?:diagnos[ie]s|dx)\b"
_KIND = r"(?:(?:formal|clinical|psychiatric|mental|health|mh|bh|billable|current|firm|official) )*"
_MADE = (
    r"(?:made|assigned|entered|established|given|determined|rendered|recorded|confirmed|diagnosed"
    r"|diagnosable|settled|offered|set|listed|chosen|reached(?! (?!yet|today|so far|as of|at this)[a-z]))\b"
    r"(?! by\b| (?:here )?as (?!of\b|yet\b))"
)
_MAKING = (
    r"(?:assign|made?|making|enter|establish|giv|settl\w+ on|put|offer|record|reach|name)[a-z]*"
    r" (?:(?:a|any|one|the|her|him|them|it|formal|firm) )*"
)
_OF_HERS = r"(?:in|on|for) (?:her|his|him|them|their|this|the|my|file|either|today)\b"
_SAID = (
    # `no diagnosis has been made`, `no dx yet`, `no diagnosis on her chart`, `no disorder to name`
    rf"no {_KIND}(?:disorder(?![ ]*[.;)\n])|{_DIAGNOSIS})(?! {_MADE} of\b)(?=[ ]*(?:[.;)\n]|\Z"
    rf"|,? (?:has|have|had) been\b|(?: (?:was|were|is|will|can|could|be|yet|to))+ {_MADE}| {_MADE}"
    rf"| (?:was )?(?:found|identified)\b"
    rf"| (?:yet|here|so far|as yet|as of|today|at (?:this|present)|to (?:put|name|give)|{_OF_HERS})))",
    # `Dx: (blank)`, `diagnosis not yet established`
    rf"{_DIAGNOSIS}(?:(?: (?:1|is|was|are|has been|remains|still))*[ ]?[:=-]*[ ]*\(?"
    rf"(?:not (?:yet )?(?:been )?{_MADE}|to be (?:determined|considered|established|decided|made)"
    rf"|(?:tbd|blank|undetermined)\b|none (?:yet|so far|at this|{_MADE}))"
    # `Diagnosis on our side: none yet`
    rf"|(?: [a-z]+){{0,4}}[:=][ ]*(?:none|nothing) (?:yet|so far|{_MADE}))",
    # `I have diagnosed nothing`
    r"diagnosed (?:nothing|nobody)\b",
    # `neither is diagnosed as of today`, `nothing confirmed yet`
    rf"(?:none|nothing|neither)(?: of (?:this|these|those|it|them|which))?"
    rf"(?: (?:is|are|was|were|has been|have been))?(?: yet)? {_MADE}",
    # `I have found no disorder`, `without a diagnosis`
    r"found no (?:mental |psychiatric )?(?:disorder|diagnosis)\b",
    rf"without (?:a|any) (?:formal |mental health )?{_DIAGNOSIS}(?! of)",
)
# `I have not assigned a diagnosis`, `does not have a mental disorder`
_NOT = (
    rf"(?:not|n't|never) (?:(?:yet |been |going to |able to |ready to )*{_MAKING}{_DIAGNOSIS}"
    r"|(?:have|carry|need|get|meet criteria for) (?:a|any) (?:mental |psychiatric |dsm )?"
    rf"(?:disorder\b|{_DIAGNOSIS}))(?! of)"
)
_NOTHING = later(rf"\b(?:{'|'.join(_SAID)})|{_NOT}")
# One of these stands in all that it matches.
_SAYS_NO = (
    "no ", "not ", "n't ", "never ", "none ", "nothing", "nobody", "neither", "blank", "tbd", "undetermined",
    "to be ", "without ",
)  # fmt: skip
# And where it names no diagnosis and no disorder, one of what may be done with them.
_DONE = (
    "made", "assigned", "entered", "established", "given", "determined", "rendered", "recorded", "confirmed",
    "settled", "offered", "set", "listed", "chosen", "reached",
)  # fmt: skip
# No statement reaches farther from the word that it is tried for.
_ROUND = 60
_UNTICKED = ("[ ]", "[]", "( )", "()", "\u2610", "__")


def says_undiagnosed(plain: str, hints: Mapping[str, Sequence[int]]) -> bool:
    """Whether one of these stands in the note and is said of this patient, this visit and all conditions."""
    for at in hints.get("undiagnosed", ()):
        left, right = max(0, at - _ROUND), at + _ROUND
        near = plain[left:right]
        named = "diagnos" in near or "dx" in near or "disorder" in near or any(map(near.__contains__, _DONE))
        said = named and any(map(near.__contains__, _SAYS_NO))
        match = _NOTHING.search(plain, left, right) if said else None
        if match is not None:
            before = plain[max(0, match.start() - _ROUND) : match.start()]
            of_something = _OF_SOMETHING.search(before) or before.endswith(("secondary ", "other "))
            of_two = match[0].startswith("neither") and _TWO_NAMED.search(before)
            other_field = match[0].startswith("no") and _OTHER_FIELD.search(before)
            unticked = before.rstrip().endswith(_UNTICKED)
            if not (of_something or of_two or other_field or unticked):
                return True
    return False
