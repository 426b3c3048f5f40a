"""Which findings are billed: the strongest statements, merged, checked against each other and put in
order."""

from collections.abc import Sequence

import msgspec
from msgspec.structs import replace

from billing.notes.codeset import CodeSet, CodeStatus
from billing.notes.conditions.families import excluded, settle, without_integral_symptoms
from billing.notes.conditions.numbered import main_by_number, written_order
from billing.notes.conditions.placement import FIELD, MENTIONED, STATED
from billing.notes.finding import Finding
from billing.notes.later import later
from billing.notes.result import Reason

MOST_ON_A_CLAIM = 12
_ASSESSMENT = frozenset(("assessment", "problem", "correction"))
_SILENT = frozenset(
    ("plan", "goal", "risk", "objective", "medical", "substance_history", "social_history",
     "service", "other", "time", "participants", "modality", "status")
)  # fmt: skip
_NOT_NOW = ("historical", "negated")
_ABOVE = r"(?:diagnos[ei]s|dx|codes?|one|entry|assessment)s? (?:above|in the (?:assessment|body|note above))"
# An addendum that puts an old entry right by what the note says already.
_ABOVE_STANDS = later(
    rf"\b(?:replaced|superseded|corrected|overridden|put right)\b[^.;\n]{{0,40}}\b{_ABOVE}\b"
    rf"|\b{_ABOVE},? (?:still )?(?:stands?|holds?|is (?:the )?(?:right|correct|current|true)|remains?|applies"
    r"|replaces|supersedes|is (?:the one )?to be (?:billed|used|submitted))\b"
    r"|\bno longer (?:holds?|stands?|applies|fits)\b[^.\n]{0,20}\bsee (?:the |my )?(?:assessment|above)\b"
)


class Diagnosis(msgspec.Struct, frozen=True):
    """One billed condition and all findings that support it, best first."""

    code: str
    findings: tuple[Finding, ...]
    reason: str | None

    @property
    def lead(self) -> Finding:
        """The statement that the code rests on."""
        return self.findings[0]


class Diagnosed(msgspec.Struct, frozen=True):
    """The diagnoses of a note in billing order, what was turned down, and what speaks against billing
    them."""

    chosen: tuple[Diagnosis, ...]
    rejected: tuple[Finding, ...]
    alternatives: tuple[Finding, ...]
    reasons: tuple[str, ...]
    too_many: bool
    led: bool = False
    """Whether the note says by its place in the list which of them comes first."""


def diagnose(
    findings: list[Finding],
    *,
    plain: str,
    numbered: Sequence[int],
    codes: CodeSet,
    corrections: bool,
    undiagnosed: bool,
) -> Diagnosed:
    """Choose, merge and order.

    `corrections` says whether the note speaks of an error being put right, `undiagnosed` whether it says that
    no diagnosis was made; `numbered` is where it speaks of conditions by their number.
    """
    if corrections and _ABOVE_STANDS.search(plain):
        findings = [
            replace(each, doubt="historical") if each.section == "correction" and each.doubt is None else each
            for each in findings
        ]
    firm = [finding for finding in findings if finding.doubt is None]
    if undiagnosed:
        # A circumstance may be given by its code all the same, and what a couple comes for in words.
        firm = [
            f
            for f in firm
            if f.strength == FIELD
            or f.assertive
            or (f.code[:1] == "Z" and (f.by == "both" or (f.family == "partner" and f.strength == STATED)))
        ]
    rejected = [finding for finding in findings if finding.doubt is not None]
    over = {
        f.family for f in rejected if f.section in _ASSESSMENT and f.doubt in _NOT_NOW and f.by == "words"
    }
    if over:
        # What the assessment takes back is not there because the story speaks of it.
        firm = [f for f in firm if f.family not in over or f.strength == FIELD or f.section in _ASSESSMENT]
    reasons: list[str] = []
    alternatives: list[Finding] = []
    stated = _strongest(firm)
    if found := _found_beside_the_file(stated, firm):
        reasons.append(Reason.CONFLICT_CODES)
        alternatives += found
    if undiagnosed and any(finding.code[:1] != "Z" for finding in stated):
        reasons.append(Reason.CONFLICT_CODES)
    if corrections:
        stated, replaced = _apply_corrections(stated, rejected)
        alternatives += replaced
    stated = without_integral_symptoms(stated)
    kept, conflict, set_aside = settle(stated)
    alternatives += set_aside
    if conflict or (not corrections and excluded(kept, firm)):
        reasons.append(Reason.CONFLICT_CODES)
    outdated = _outdated(kept)
    if outdated:
        reasons.append(Reason.CONFLICT_CODES)
        alternatives += outdated
        dropped = set(map(id, outdated))
        kept = [finding for finding in kept if id(finding) not in dropped]
    chosen = _merge(kept)
    if not reasons and not corrections and _contradicted(plain, chosen, rejected):
        reasons.append(Reason.CONFLICT_CODES)
    usable = []
    for diagnosis in chosen:
        lead = diagnosis.lead
        reasons += [
            problem
            for finding in diagnosis.findings
            for problem in finding.problems
            if problem != Reason.LEGACY_ONLY or len(diagnosis.findings) == 1
        ]
        if diagnosis.reason is not None:
            reasons.append(diagnosis.reason)
        if diagnosis.code and codes.status(diagnosis.code) is CodeStatus.BILLABLE:
            usable.append(diagnosis)
        elif not lead.problems:
            reasons.append(Reason.CODE_NOT_BILLABLE)
    led = False
    if len(usable) > 1:
        usable.sort(key=_place)
        usable = as_numbered(usable, plain)
        usable, led = _named_first(usable, plain, numbered=numbered)
        usable, led = _called_first(usable, firm) if not led else (usable, led)
    if not usable:
        uncertain = any(finding.doubt == "uncertain" for finding in rejected)
        reasons.append(Reason.ONLY_UNCERTAIN if uncertain else Reason.NO_STATED_DIAGNOSIS)
    elif all(
        diagnosis.lead.strength == MENTIONED
        or (
            diagnosis.lead.section == "plan"
            and diagnosis.lead.by == "words"
            and not (diagnosis.lead.assertive or diagnosis.lead.entry)
        )
        for diagnosis in usable
    ):
        reasons.append(Reason.NO_STATED_DIAGNOSIS)
    return Diagnosed(
        chosen=tuple(usable[:MOST_ON_A_CLAIM]),
        rejected=tuple(rejected),
        alternatives=tuple(alternatives),
        reasons=tuple(dict.fromkeys(str(reason) for reason in reasons)),
        too_many=len(usable) > MOST_ON_A_CLAIM,
        led=led,
    )


def as_numbered(usable: list[Diagnosis], plain: str) -> list[Diagnosis]:
    """The diagnoses by the numbers of their list, where all bear one and none is called main in words."""
    if any(f.rank != 1 for each in usable for f in each.findings):
        return usable
    order = written_order(plain, [[(f.start, f.end) for f in each.findings] for each in usable])
    return [usable[at] for at in order] if order else usable


def _named_first(
    usable: list[Diagnosis], plain: str, *, numbered: Sequence[int]
) -> tuple[list[Diagnosis], bool]:
    """Put first what the note calls the main one by its number: `the second is the primary diagnosis`."""
    if not numbered:
        return usable, False
    places = [[finding.start for finding in diagnosis.findings] for diagnosis in usable]
    main = main_by_number(plain, numbered, places)
    if main is None:
        return usable, False
    return [usable[main], *usable[:main], *usable[main + 1 :]], True


def _called_first(usable: list[Diagnosis], firm: list[Finding]) -> tuple[list[Diagnosis], bool]:
    """Put first what another place calls the main one: `Dx are BPD and PTSD, chronic. PTSD is primary.`"""
    if any(finding.rank != 1 for each in usable for finding in each.findings):
        return usable, False
    main = {finding.family for finding in firm if finding.rank == 0}
    named = [each for each in usable if each.lead.family in main]
    if len(main) != 1 or len(named) != 1:
        return usable, False
    return [*named, *(each for each in usable if each is not named[0])], True


def _strongest(firm: list[Finding]) -> list[Finding]:
    """Field and assessment statements; without them plain statements; without those bare mentions in
    telling sections."""
    field = [finding for finding in firm if finding.strength == FIELD]
    assessed = [finding for finding in firm if finding.strength == STATED and finding.assertive]
    stated = [
        finding
        for finding in firm
        if finding.strength == STATED
        and not finding.assertive
        and (finding.section != "plan" or finding.by == "both")
    ]
    if any(finding.section == "plan" for finding in stated):
        stated += [f for f in firm if f.section == "plan" and f.entry and f.by == "words"]
        stated.sort(key=lambda finding: finding.start)
    if field or assessed:
        families = {finding.family for finding in field + assessed}
        support = [
            f
            for f in stated
            if (f.by == "both" and f.section not in _SILENT)
            or (f.by == "code" and f.assertive)
            or f.family in families
        ]
        return sorted(field + assessed + support, key=lambda finding: finding.start)
    if stated:
        return stated
    planned = [finding for finding in firm if finding.section == "plan" and finding.strength == STATED]
    told = [finding for finding in firm if finding.section not in _SILENT]
    entries = [finding for finding in planned if finding.entry]
    return entries or told or planned


def _found_beside_the_file(stated: list[Finding], firm: list[Finding]) -> list[Finding]:
    """What the clinician states of the patient where the diagnosis is only carried: `Diagnosis on file: PTSD`
    over `As I see it she has an adjustment disorder`."""
    if not stated or any(finding.section != "on_file" for finding in stated):
        return []
    carried = {finding.family for finding in stated}
    return [
        finding
        for finding in firm
        if finding.strength == STATED
        and finding.family not in carried
        and (finding.concept is None or finding.concept.kind == "dx")
    ]


def _apply_corrections(stated: list[Finding], rejected: list[Finding]) -> tuple[list[Finding], list[Finding]]:
    """A correction replaces what it takes back: the same condition elsewhere, and what stood alone before
    it."""
    taken_back = {finding.code for finding in rejected if finding.doubt in ("negated", "historical")}
    families = {finding.family for finding in rejected if finding.doubt in ("negated", "historical")}
    # `F42.9 was the first that the box offered. Do not bill F42.9.`
    never = {
        f.code for f in rejected if f.doubt == "negated" and f.section == "correction" and f.by == "code"
    }
    new = [f for f in stated if f.section == "correction" and f.code not in never]
    put_right = {f.family for f in rejected if f.doubt == "negated" and f.section == "correction"}
    put_right -= {finding.family for finding in new}
    kept, dropped = [], []
    groups = {finding.concept.group for finding in new if finding.concept}
    old_codes = {finding.code for finding in stated if finding.section != "correction"}
    for finding in stated:
        if finding.section == "correction" and finding.code not in never:
            kept.append(finding)
        elif (
            finding.code in taken_back
            or (finding.family in families and finding.by == "code")
            or finding.family in put_right
        ):
            dropped.append(finding)
        elif new and ((finding.concept and finding.concept.group in groups) or len(old_codes) == 1):
            if finding.code in {other.code for other in new}:
                kept.append(finding)
            else:
                dropped.append(finding)
        else:
            kept.append(finding)
    return kept, dropped


def _merge(kept: list[Finding]) -> list[Diagnosis]:
    """One diagnosis a code, in the order in which the codes appear in the strongest place."""
    by_code: dict[str, list[Finding]] = {}
    for finding in kept:
        by_code.setdefault(finding.code, []).append(finding)
    merged = []
    for code, findings in by_code.items():
        if len(findings) > 1:
            findings.sort(key=lambda f: (-f.strength, f.by == "code", not f.specific, f.start))
        open_reasons = [finding.reason for finding in findings]
        reason = None if None in open_reasons else open_reasons[0]
        merged.append(Diagnosis(code=code, findings=tuple(findings), reason=reason))
    return merged


_HAS_NOT = ("not have ", "n't have ")
_ANY_USE, _FURTHER = "substance_use_unspecified", ("other ", "additional ", "second ", "further ")
# Where a table of conditions stands that no label calls one of diagnoses.
_NO_LIST = ("other", "narrative")


def _contradicted(plain: str, chosen: list[Diagnosis], rejected: list[Finding]) -> bool:
    """Whether the clinician also says, outside the diagnosis field, that a billed condition is not there."""
    denied = [
        finding
        for finding in rejected
        if finding.doubt in ("negated", "historical")
        and finding.by == "words"
        and finding.section in ("assessment", "narrative", "dx", "correction")
    ]
    if not denied:
        return False
    leads = [d.lead for d in chosen if d.lead.concept is not None and d.lead.concept.kind == "dx"]
    if any(
        finding.concept is not None
        and finding.concept.name == _ANY_USE
        and not plain.endswith(_FURTHER, 0, finding.start)
        for finding in denied
    ) and any(lead.code.startswith("F1") for lead in leads):
        return True  # `DX: F10.20` above `No substance use disorder`
    return any(
        finding.concept is lead.concept
        and (finding.section != lead.section or plain.endswith(_HAS_NOT, 0, finding.start))
        and (finding.doubt == "negated" or (finding.section == "assessment" and lead.section in _NO_LIST))
        for lead in leads
        for finding in denied
    )


def _outdated(kept: list[Finding]) -> list[Finding]:
    """What a diagnosis list says against the assessment: another condition of the same group, where the list
    was not written for this visit or shares nothing with the assessment; and all that a list in front says
    where it shares nothing with it."""
    listed = [
        finding
        for finding in kept
        if finding.section in ("dx", "on_file") and finding.rank == 1 and finding.concept is not None
    ]
    on_file = any(finding.section == "on_file" for finding in listed)
    assessed = [finding for finding in kept if finding.section in _ASSESSMENT and finding.concept]
    if not listed or not (assessed or on_file):
        return []
    families = {finding.family for finding in assessed}
    groups = {finding.concept.group for finding in assessed if finding.concept}
    today = [f for f in kept if on_file and f.concept and f.assertive and f.section not in ("dx", "on_file")]
    today_groups = {f.concept.group for f in today if f.concept and f.concept.kind == "dx"}
    today_families = {f.family for f in today}
    apart = not any(finding.family in families for finding in listed)
    since = min((f.start for f in assessed if f.concept and f.concept.kind == "dx"), default=-1)
    return [
        finding
        for finding in listed
        if finding.concept
        and finding.family not in families
        and (
            (finding.concept.group in groups and (apart or finding.section == "on_file"))
            or (apart and finding.concept.kind == "dx" and finding.start < since)
            or (
                finding.section == "on_file"
                and finding.concept.group in today_groups
                and finding.family not in today_families
            )
        )
    ]


def _place(diagnosis: Diagnosis) -> tuple[int, bool, int, bool, int]:
    """Rank that the note gives, conditions before circumstances and symptoms, fields before prose, what was
    written for the visit before what is on file, then order of appearance."""
    ranks = [finding.rank for finding in diagnosis.findings]
    rank = (
        ranks[0]
        if len(ranks) == 1
        else 0
        if 0 in ranks
        else 2
        if 2 in ranks and 1 not in ranks
        else max(set(ranks), key=ranks.count)
    )
    # The assessment states as firmly without a code as with one; a correction stands for what it corrects.
    firmness, at = min(
        (
            -(FIELD + (finding.section == "correction") if finding.assertive else finding.strength),
            finding.start,
        )
        for finding in diagnosis.findings
    )
    accompanies = rank == 1 and diagnosis.code[0] in "RZ"
    on_file = all(finding.section == "on_file" for finding in diagnosis.findings)
    return (rank, accompanies, firmness, on_file, at)
