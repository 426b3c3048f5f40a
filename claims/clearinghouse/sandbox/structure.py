"""Checks the structure of an 837P set as a 999 does: required segments, required loops, and the SE.

The loops and what they require, in the order of the guide (005010X222A1), as far as a therapy claim has them:

    1000A NM1*41, PER      1000B NM1*40
    2000A HL*20            2010AA NM1*85, N3, N4, REF
    2000B HL*22, SBR       2010BA NM1*IL         2010BB NM1*PR
    2300 CLM, HI           2400 LX, SV1, DTP*472
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from claims.x12.segments import Segment, element

SEGMENT_MISSING = "3"
CONTROL_NUMBERS_DIFFER = "3"
COUNT_DIFFERS = "4"
SEGMENTS_IN_ERROR = "5"

_REQUIRED_IN_LOOP: dict[str, tuple[str, ...]] = {
    "header": ("BHT",),
    "1000A": ("PER",),
    "1000B": (),
    "2000A": (),
    "2010AA": ("N3", "N4", "REF"),
    "2000B": ("SBR",),
    "2010BA": (),
    "2010BB": (),
    "2300": ("HI",),
    "2400": ("SV1", "DTP"),
    "other": (),
}
# Optional segments that stand behind all that the loop requires.
_LAST_IN_LOOP = {"2010AA": "PER", "2400": "REF"}
_FIRST_SEGMENT = {
    "1000A": "NM1",
    "1000B": "NM1",
    "2000A": "HL",
    "2010AA": "NM1",
    "2000B": "HL",
    "2010BA": "NM1",
    "2010BB": "NM1",
    "2300": "CLM",
    "2400": "LX",
}
_LOOP_OF_NAME = {"41": "1000A", "40": "1000B", "85": "2010AA", "IL": "2010BA", "PR": "2010BB"}
_LOOP_OF_LEVEL = {"20": "2000A", "22": "2000B"}


@dataclass(frozen=True, slots=True)
class SegmentFault:
    """An IK3: `position` counts from the ST as 1, and is where the segment was expected."""

    segment: str
    position: int
    loop: str = ""
    code: str = SEGMENT_MISSING


@dataclass(frozen=True, slots=True)
class SetVerdict:
    """What the 999 says of one set: its IK3s and the codes of IK502 onward; both empty when accepted."""

    faults: tuple[SegmentFault, ...] = ()
    set_codes: tuple[str, ...] = ()

    @property
    def accepted(self) -> bool:
        """Whether nothing is wrong with the set."""
        return not self.faults and not self.set_codes


def check_structure(segments: Sequence[Segment]) -> SetVerdict:
    """Judge one set, ST to SE."""
    faults = tuple(_missing_segments(segments))
    codes = []
    trailer = segments[-1]
    if element(trailer, 2) != element(segments[0], 2):
        codes.append(CONTROL_NUMBERS_DIFFER)
    if element(trailer, 1) != str(len(segments)):
        codes.append(COUNT_DIFFERS)
    if faults:
        codes.append(SEGMENTS_IN_ERROR)
    return SetVerdict(faults, tuple(codes))


def _missing_segments(segments: Sequence[Segment]) -> Iterator[SegmentFault]:
    current = "header"
    awaited = list(_REQUIRED_IN_LOOP[current])
    seen: set[str] = set()
    for position, segment in enumerate(segments, start=1):
        name = segment[0]
        begun = _loop_begun_by(segment)
        if begun or name in ("SE", _LAST_IN_LOOP.get(current)):
            for missing in awaited:
                yield SegmentFault(missing, position)
            current = begun or current
            awaited = list(_REQUIRED_IN_LOOP[begun]) if begun else []
            seen.add(current)
        elif name in awaited:
            while awaited[0] != name:
                yield SegmentFault(awaited.pop(0), position)
            awaited.pop(0)
    for loop, first in _FIRST_SEGMENT.items():
        if loop not in seen:
            # IK303 has room for four characters.
            yield SegmentFault(first, len(segments), loop[:4])


def _loop_begun_by(segment: Segment) -> str:
    match segment[0]:
        case "NM1":
            return _LOOP_OF_NAME.get(element(segment, 1), "other")
        case "HL":
            return _LOOP_OF_LEVEL.get(element(segment, 3), "other")
        case "CLM":
            return "2300"
        case "LX":
            return "2400"
        case _:
            return ""
