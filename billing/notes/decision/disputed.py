"""What a note's story says against the diagnosis of its fields: another severity or episode than the code's,
another name for it, its end. Then a person is asked."""

import re
from collections.abc import Iterator

from billing.notes.conditions.diagnoses import Diagnosed
from billing.notes.decision.behind import OF_NOW
from billing.notes.finding import Finding
from billing.notes.later import later
from billing.notes.reading import Reading

_SEVERITY = r"(mild|moderate|severe)\b(?![ -]to\b|ly)"
# `Her depression is now severe`, `meets criteria for severe depression`, `I would now call it moderate`
_NOW_SO = later(
    r"\b(?:(?:depression|depressive (?:disorder|episode)|mdd|use(?: disorder)?|disorder|episode)"
    rf" (?:is|has become|has reached) (?:now |currently |by now ){_SEVERITY}"
    rf"|(?:is|has become) (?:now )?{_SEVERITY} (?:now|today|by now|by any measure)\b"
    rf"|meets(?: full)? criteria for (?:a )?{_SEVERITY} (?:major |depress|alcohol|cannabis|opioid|use)"
    rf"|(?:now|currently) (?:a )?{_SEVERITY} (?:depressi(?:on|ve episode)|(?:[a-z]+ )?use disorder)"
    r"|i (?:would |have )?(?:now |since )?(?:call|rated?|grade|put|raised?|lower(?:ed)?|upgraded?"
    r"|downgraded?) (?:it|(?:her|his|their|the) (?:depression|episode|severity|disorder|diagnosis))"
    rf" (?:now |today )?(?:at|as|to) {_SEVERITY}(?! range)"
    rf"|i (?:would |have )?(?:now |since )?(?:call|rated?|grade) it {_SEVERITY})"
)
_NTH = r"(?:second|third|fourth|fifth|sixth|[2-9](?:nd|rd|th))"
_AGAIN = later(
    rf"\b(?:her|his|their|a|my|the (?:client|patient)'s) {_NTH} (?:such |major |depressive )*"
    r"episode\b"
    r"|\bhad (?:two|three|four|five|six|several|many|multiple|[2-9]) (?:such |earlier |previous |prior |other"
    r" |major |depressive )+episodes\b"
)
_THE_FIRST = later(
    r"\b(?:this is|it is) (?:her|his|their|a) (?:very )?first (?:ever )?(?:major |depressive )*"
    r"episode\b|\bfirst ever (?:major |depressive )*episode\b"
    r"|\bnever (?:been )?depressed before\b|\bno (?:earlier|previous|prior) (?:major |depressive )*"
    r"episodes?\b"
)
# `Meets 8 of 11 criteria`: two or three are mild.
_CRITERIA_MET = later(r"\bmeets (?P<n>\d{1,2}) (?:of|/) ?(?:the )?11 (?:criteria|symptoms)\b")
_MOST_OF_MILD = 3
_MANIC = later(r"(?<!no )(?<!any )(?<!never a )(?<!full )(?<!of a )\bmanic episode\b(?! (?:ruled|excluded))")
_LOW = later(
    r"\b(?:currently|now) (?:depressed\b|in a depressed|in a depressive)|\bcurrent(?:ly)? depressive"
)
# The condition that takes another's place stands before the first of these, behind the second.
_FITS_BETTER = later(
    r"\b(?:fits|describes|captures|explains) (?:(?:it|this|her|him|them|the picture) )?(?:better|best)\b"
    r"|\bis (?:now )?the (?:better|right|correct|more accurate|proper) (?:word|diagnosis|dx|name|label|fit"
    r"|term)\b"
)
_CHANGED_TO = later(
    r"\b(?:diagnosis|dx)(?: of [a-z -]{1,40}?)? (?:was|is|has been) (?:changed|revised|updated|switched"
    r"|amended) (?:today |now )?(?:from [^.;\n]{1,50}? )?to\b|(?<!not )\bbetter (?:explained"
    r"|accounted for|described|captured) (?:by|as)\b"
    r"|\bi now (?:consider|think of) (?:(?:it|this) (?:to be )?)?\b"
)
_REMOVED = later(
    r"\bi (?:have |am |hereby )*(?:remov(?:e|ed|ing)|drop(?:ped|ping)?|delet(?:e|ed|ing)|retir(?:e|ed|ing))"
    r" (?:this|the|that|her|his|their) (?:diagnosis|dx)\b"
    r"|\b(?:this|that|the|her|his|their) (?:diagnosis|dx) (?:was|is|has been) (?:removed|dropped|deleted"
    r"|retired)\b"
)
_OVER = later(
    r" (?:(?:has|have|is|are|now|fully|since|completely|finally) )*(?:resolved|remitted|behind"
    r" (?:her|him|them)|in the past)\b|[^.;,\n]{0,40}?\b(?:is|are) no longer"
    r" (?:present|active|warranted|diagnosable|a diagnosis)\b"
)
_NO_LONGER_MEETS = later(r"\bno longer (?:meets|meeting|met) (?:full )?criteria for (?:the |a )?\Z")
_CRITERIA_FOR = ("criteria for ", "criteria for the ", "criteria for a ")
_BEFORE, _BEHIND, _CRITERIA = 80, 110, 40
_SENTENCE_ENDS = later(r"[.!?]\s|\n")
_SEVERITIES = {"0": "mild", "1": "moderate", "2": "severe", "3": "severe"}
_DRINKING = ("use", "alcohol", "cannabis", "opioid")


def is_disputed(reading: Reading, diagnosed: Diagnosed) -> bool:
    """Whether the story disputes what would be billed."""
    plain = reading.plain
    families = {each.lead.family for each in diagnosed.chosen}
    if any(_is_over(plain, finding, families) for finding in reading.findings):
        return True
    codes = [each.code for each in diagnosed.chosen]
    moods = [code for code in codes if code.startswith(("F32", "F33")) and code[4:5] in _SEVERITIES]
    drugs = [code for code in codes if code.startswith("F1") and code[5:6] == "0"]
    contrary = _contrary(codes)
    return (
        any(pattern.search(plain, *part) for part in _told(reading, "episode_told") for pattern in contrary)
        or (
            (moods or drugs)
            and any(_graded_otherwise(plain, *part, moods, drugs) for part in _told(reading, "graded"))
        )
        or any(_named_otherwise(reading, *part, families, codes) for part in _told(reading, "renamed"))
    )


def _told(reading: Reading, hint: str) -> Iterator[tuple[int, int]]:
    """The parts of the story and of what is assessed now that have one of a hint's words."""
    for at in reading.hints.get(hint, ()):
        if reading.layout.at(at) in OF_NOW:
            yield max(0, at - _BEFORE), at + _BEHIND


def _contrary(codes: list[str]) -> list[re.Pattern[str]]:
    """What tells of another episode or pole than one of these codes has."""
    found = []
    if any(code.startswith("F32") and code[4:5] in "012345" for code in codes):
        found.append(_AGAIN)
    if any(code.startswith("F33") for code in codes):
        found.append(_THE_FIRST)
    if "F31.81" in codes:
        found.append(_MANIC)
    if any(code.startswith(("F31.1", "F31.2")) for code in codes):
        found.append(_LOW)
    return found


def _graded_otherwise(plain: str, left: int, right: int, moods: list[str], drugs: list[str]) -> bool:
    """Whether another severity is told than the one code has that could be meant."""
    if (now := _NOW_SO.search(plain, left, right)) is not None:
        told = now[now.lastindex or 0]
        of_use = any(word in now[0] for word in _DRINKING)
        if len(moods) == 1 and not of_use and (not drugs or "depress" in now[0]):
            return _SEVERITIES[moods[0][4]] != told
        if len(drugs) == 1 and not moods and "depress" not in now[0]:
            return (drugs[0][4] == "1") != (told == "mild")
    met = _CRITERIA_MET.search(plain, left, right) if len(drugs) == 1 else None
    return met is not None and (drugs[0][4] == "1") != (int(met["n"]) <= _MOST_OF_MILD)


def _named_otherwise(reading: Reading, left: int, right: int, families: set[str], codes: list[str]) -> bool:
    """Whether the diagnosis is called another one, or taken away."""
    plain = reading.plain
    if (better := _FITS_BETTER.search(plain, left, right)) is not None:
        told = _conditions(reading, _sentence_start(plain, better.start()), better.start())
        if told and _is_another(told[-1], families, codes):
            return True
    if (changed := _CHANGED_TO.search(plain, left, right)) is not None:
        told = _conditions(reading, changed.end(), _sentence_end(plain, changed.end()))
        if told and _is_another(told[0], families, codes):
            return True
    removed = _REMOVED.search(plain, left, right)
    if removed is None:
        return False
    told = _conditions(reading, removed.end(), _sentence_end(plain, removed.end()))
    return not told or told[0].family in families


def _is_another(finding: Finding, families: set[str], codes: list[str]) -> bool:
    return finding.code not in codes and (finding.family not in families or finding.specific)


def _is_over(plain: str, finding: Finding, families: set[str]) -> bool:
    """`PTSD is no longer present`, said in the story of what is billed."""
    return (
        finding.family in families
        and finding.section in OF_NOW
        and finding.concept is not None
        and finding.concept.kind == "dx"
        and finding.doubt not in ("other_person", "conditional")
        and (
            _OVER.match(plain, finding.end) is not None
            or (
                plain.endswith(_CRITERIA_FOR, 0, finding.start)
                and _NO_LONGER_MEETS.search(plain, max(0, finding.start - _CRITERIA), finding.start)
                is not None
            )
        )
    )


def _conditions(reading: Reading, left: int, right: int) -> list[Finding]:
    return [
        finding
        for finding in reading.findings
        if left <= finding.start < right and finding.concept is not None and finding.concept.kind == "dx"
    ]


def _sentence_start(plain: str, at: int) -> int:
    since = max(0, at - _BEFORE)
    return max((end.end() for end in _SENTENCE_ENDS.finditer(plain, since, at)), default=since)


def _sentence_end(plain: str, at: int) -> int:
    end = _SENTENCE_ENDS.search(plain, at, at + _BEHIND)
    return end.start() if end else at + _BEHIND
