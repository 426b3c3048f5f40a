"""The note against the codes that the request names: typed differences, never an override."""

from collections.abc import Callable
from datetime import date

from billing.notes.codeset import CodeSet, CodeStatus, compact, dotted
from billing.notes.conditions.diagnoses import Diagnosed
from billing.notes.conditions.explicit import PSYCHOTHERAPY, SERVICE_OF_PROCEDURE
from billing.notes.decision.procedures import CRISIS_ADDON_FROM, FAMILY_FROM, Procedures
from billing.notes.finding import Finding
from billing.notes.length.duration import SessionLength
from billing.notes.length.span import band, same_band
from billing.notes.result import Discrepancy, Evidence, SuppliedCodes
from billing.notes.visit.service import Visit

_EVIDENCE = Callable[[int, int, str], Evidence]
# Psychotherapy beside a medical visit, and family work, take at least so long.
_WITH_VISIT = frozenset(("90833", "90836", "90838"))
_LEAST_MINUTES = {"90833": 16, "90836": 38, "90838": 53, "90846": FAMILY_FROM, "90847": FAMILY_FROM}
_CONTRADICTING = {"negated", "other_person", "historical", "unticked"}


def compare_supplied(
    supplied: SuppliedCodes,
    *,
    findings: list[Finding],
    diagnosed: Diagnosed,
    procedures: Procedures,
    visit: Visit,
    length: SessionLength | None,
    place: str | None,
    codes: CodeSet,
    evidence: _EVIDENCE,
    on: date | None,
    held: bool,
) -> list[Discrepancy]:
    """Every difference between the note and the supplied codes, worst kinds included whatever else
    differs; `held` is whether the note as a whole tells of a session."""
    found: list[Discrepancy] = []
    if not visit.rendered and visit.no_service is not None:
        cue = visit.no_service
        found.append(
            Discrepancy(
                "service_not_rendered", "block", None, None, (evidence(cue.start, cue.end, "service"),)
            )
        )
    elif not held:
        found.append(Discrepancy("service_not_rendered", "block", None, None, ()))
    found += _diagnoses(
        supplied, findings=findings, diagnosed=diagnosed, codes=codes, evidence=evidence, on=on
    )
    found += _procedures(
        supplied,
        procedures=procedures,
        visit=visit,
        length=length,
        evidence=evidence,
    )
    found += _place(supplied, visit=visit, place=place, evidence=evidence)
    return found


def compare_minutes(
    length: SessionLength | None,
    *,
    duration_minutes: int | None,
    otherwise: tuple[int, int] | None,
    evidence: _EVIDENCE,
) -> list[Discrepancy]:
    """The minutes of the request where the note documents others, or may tell others in passing."""
    if duration_minutes is None:
        return []
    if length is None or not length.differs_from(duration_minutes):
        told, documented = otherwise, None
    else:
        told, documented = (length.start, length.end), str(length.minutes)
    if told is None:
        return []
    spans = (evidence(*told, "time"),)
    return [Discrepancy("duration_field_vs_note", "warn", str(duration_minutes), documented, spans)]


def _diagnoses(
    supplied: SuppliedCodes,
    *,
    findings: list[Finding],
    diagnosed: Diagnosed,
    codes: CodeSet,
    evidence: _EVIDENCE,
    on: date | None,
) -> list[Discrepancy]:
    found: list[Discrepancy] = []
    sent = [dotted(code) for code in supplied.diagnoses]
    chosen = {diagnosis.code: diagnosis for diagnosis in diagnosed.chosen}
    families = {diagnosis.lead.family: diagnosis for diagnosis in diagnosed.chosen}
    family_of = {}
    for finding in findings:
        if finding.concept is not None:
            for code in finding.concept.codes:
                family_of[code] = finding.family
    for code in sent:
        if codes.status(code, on=on) is not CodeStatus.BILLABLE:
            found.append(Discrepancy("dx_invalid", "warn", code, None, ()))
            continue
        if code in chosen:
            continue
        family = family_of.get(code)
        doubted = [
            f for f in findings if f.doubt in _CONTRADICTING and f.family == family and family is not None
        ]
        if family in families:
            documented = families[family]
            lead = documented.lead
            spans: tuple[Evidence, ...] = (evidence(lead.start, lead.end, lead.by),)
            unspecific = _is_less_specific(code, documented.code)
            kind = (
                "dx_less_specific"
                if unspecific
                else "dx_more_specific_than_note"
                if _is_less_specific(documented.code, code)
                else "dx_contradicted"
            )
            found.append(Discrepancy(kind, "info" if unspecific else "warn", code, documented.code, spans))
        elif doubted:
            spans = tuple(evidence(f.start, f.end, str(f.doubt)) for f in doubted[:2])
            found.append(Discrepancy("dx_contradicted", "warn", code, None, spans))
        else:
            found.append(Discrepancy("dx_unsupported", "warn", code, None, ()))
    if sent:
        sent_families = {family_of.get(code) for code in sent}
        for code, diagnosis in chosen.items():
            if code not in sent and diagnosis.lead.family not in sent_families:
                lead = diagnosis.lead
                found.append(
                    Discrepancy("dx_missing", "info", None, code, (evidence(lead.start, lead.end, lead.by),))
                )
        shared = [code for code in sent if code in chosen]
        order = [diagnosis.code for diagnosis in diagnosed.chosen if diagnosis.code in shared]
        if shared != order:
            found.append(Discrepancy("dx_order", "info", ",".join(shared), ",".join(order), ()))
    for left, right in (("F32", "F33"), ("F31", "F32"), ("F31", "F33"), ("F64.0", "F64.2")):
        pair = [code for code in sent if code.startswith((left, right))]
        if any(c.startswith(left) for c in pair) and any(c.startswith(right) for c in pair):
            found.append(Discrepancy("dx_excludes1", "warn", ",".join(pair), None, ()))
    return found


def _is_less_specific(code: str, other: str) -> bool:
    """Whether a code is an unspecified neighbour of the other: same heading, last character 9 or 0 where
    the other says more."""
    one, two = compact(code), compact(other)
    if one[:3] != two[:3] and {one[:3], two[:3]} != {"F32", "F33"}:
        return False
    return (one[-1] in "9A" and two[-1] not in "9A") or (
        one[-1] == "0" and one[:-1] == two[:-1] and one[:3] in ("F43", "F90")
    )


def _procedures(
    supplied: SuppliedCodes,
    *,
    procedures: Procedures,
    visit: Visit,
    length: SessionLength | None,
    evidence: _EVIDENCE,
) -> list[Discrepancy]:
    found: list[Discrepancy] = []
    spans = (evidence(length.start, length.end, "time"),) if length is not None else ()
    documented = procedures.proposals[0].code if procedures.proposals else None
    for sent in supplied.procedures:
        least = _LEAST_MINUTES.get(sent.code)
        of_it = sent.code in _WITH_VISIT or procedures.service in ("family", "couples")
        if least is not None and of_it and length is not None and length.minutes < least:
            told = band(length.minutes) if sent.code in _WITH_VISIT else None
            found.append(Discrepancy("cpt_time_mismatch", "block", sent.code, told, spans))
        service = SERVICE_OF_PROCEDURE.get(sent.code)
        if service is None:
            continue
        noted = "family" if procedures.service == "couples" else procedures.service
        if service != noted and visit.kinds and service in visit.kinds:
            continue  # one of several that the note tells of
        if noted is not None and service != noted and not (noted == "crisis" and service == "individual"):
            cue = visit.cue
            where = (evidence(cue.start, cue.end, "service"),) if cue is not None else ()
            found.append(Discrepancy("cpt_service_mismatch", "warn", sent.code, documented, where))
        elif service == "family" and documented in ("90846", "90847") and documented != sent.code:
            found.append(Discrepancy("cpt_service_mismatch", "warn", sent.code, documented, ()))
        if (
            length is not None
            and sent.code in PSYCHOTHERAPY
            and not same_band(length.minutes, PSYCHOTHERAPY[sent.code][0])
        ):
            claims_more = length.minutes < PSYCHOTHERAPY[sent.code][0]
            found.append(
                Discrepancy(
                    "cpt_time_mismatch",
                    "block" if claims_more else "warn",
                    sent.code,
                    band(length.minutes),
                    spans,
                )
            )
        if length is not None and sent.code == "90840" and length.minutes < CRISIS_ADDON_FROM:
            found.append(Discrepancy("cpt_time_mismatch", "block", sent.code, None, spans))
    return found


def _place(
    supplied: SuppliedCodes, *, visit: Visit, place: str | None, evidence: _EVIDENCE
) -> list[Discrepancy]:
    found: list[Discrepancy] = []
    cue = visit.modality_cue
    if cue is None or visit.modality not in ("audio", "video", "in_person"):
        return found
    spans = (evidence(cue.start, cue.end, "modality"),)
    if visit.modality == "in_person" and place == "telehealth":
        found.append(Discrepancy("pos_vs_note", "warn", place, "office", spans))
    elif visit.modality in ("audio", "video") and place != "telehealth":
        found.append(Discrepancy("pos_vs_note", "warn", place, "telehealth", spans))
    modifiers = {modifier for sent in supplied.procedures for modifier in sent.modifiers}
    if visit.modality == "audio" and supplied.procedures and "93" not in modifiers:
        found.append(Discrepancy("modifier_vs_modality", "warn", "95", "93", spans))
    elif visit.modality == "video" and "93" in modifiers:
        found.append(Discrepancy("modifier_vs_modality", "warn", "93", "95", spans))
    elif visit.modality == "in_person" and modifiers & {"93", "95"}:
        found.append(
            Discrepancy(
                "modifier_vs_modality", "warn", ",".join(sorted(modifiers & {"93", "95"})), None, spans
            )
        )
    return found
