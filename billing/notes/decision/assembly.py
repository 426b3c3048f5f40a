"""The result of one note: tiers to probabilities, probabilities to the outcome, findings to evidence."""

from collections.abc import Sequence

from msgspec.structs import replace

from billing.notes.codeset import CodeSet
from billing.notes.conditions.diagnoses import Diagnosed, Diagnosis
from billing.notes.conditions.explicit import PSYCHOTHERAPY
from billing.notes.decision import confidence
from billing.notes.decision.procedures import Procedures
from billing.notes.finding import Finding
from billing.notes.lexicon import Lexicon
from billing.notes.page.layout import Layout
from billing.notes.result import (
    Candidate,
    CodedDiagnosis,
    CodedProcedure,
    Discrepancy,
    Evidence,
    NoteResult,
    NoteWarning,
    Outcome,
    Reason,
    Rejected,
)

ENGINE = "rules"
ENGINE_VERSION = "1.0"
_HELD = frozenset((Reason.NOT_RENDERED.value, Reason.UNDER_16.value))


def refused(reason: Reason, lexicon: Lexicon, codes: CodeSet) -> NoteResult:
    return NoteResult(
        outcome=Outcome.NEEDS_REVIEW,
        diagnoses=(),
        procedures=(),
        rejected=(),
        candidates=(),
        discrepancies=(),
        reasons=(reason.value,),
        warnings=(),
        confidence=0.0,
        engine=ENGINE,
        engine_version=ENGINE_VERSION,
        lexicon_sha=lexicon.sha,
        code_set_release=codes.release,
    )


class Assembly:
    """Builds the result of one note from what the stages found."""

    def __init__(self, text: str, layout: Layout, lexicon: Lexicon, codes: CodeSet, threshold: float) -> None:
        self._text = text
        self._layout = layout
        self._lexicon = lexicon
        self._codes = codes
        self._threshold = threshold

    def evidence(self, start: int, end: int, kind: str) -> Evidence:
        """A stretch of the note as evidence."""
        return Evidence(start, end, self._text[start:end], self._layout.at(start), kind)

    def result(
        self,
        diagnosed: Diagnosed,
        procedures: Procedures,
        *,
        unclear: tuple[str, ...],
        asks_diagnoses: bool,
        asks_procedures: bool,
        typos: bool,
        private: bool,
        older: bool,
    ) -> NoteResult:
        """Tiers to probabilities, probabilities of the kinds that are asked for to the outcome."""
        diagnoses = tuple(self._diagnosis(item, rank) for rank, item in enumerate(diagnosed.chosen, start=1))
        coded = tuple(
            CodedProcedure(
                code=proposal.code,
                modifier=procedures.modifier,
                confidence=confidence.probability("cpt", procedures.tier, proposal.code),
                evidence=tuple(self.evidence(*span) for span in proposal.spans),
                minutes=procedures.minutes,
                minutes_source=procedures.minutes_source,
                tier=procedures.tier,
                units=proposal.units,
            )
            for proposal in procedures.proposals
        )
        warnings = list(procedures.warnings)
        if private:
            warnings.append(NoteWarning.PRIVATE_NOTE)
        if older:
            warnings.append(NoteWarning.CODESET_OLDER_THAN_DOS)
        if typos:
            warnings.append(NoteWarning.TYPO_CORRECTED)
        if diagnosed.too_many:
            warnings.append(NoteWarning.DIAGNOSES_OVER_TWELVE)
        if diagnoses and all(diagnosis.code.startswith("Z") for diagnosis in diagnoses):
            warnings.append(NoteWarning.ONLY_Z_CODE)
        reasons = list(dict.fromkeys([*procedures.reasons, *diagnosed.reasons]))
        reasons = reasons or list(unclear)
        asked = [each.confidence for each in diagnoses if asks_diagnoses]
        asked += [each.confidence for each in coded if asks_procedures]
        lowest = min(asked, default=0.0)
        if not reasons and lowest < self._threshold:
            reasons.append(Reason.LOW_CONFIDENCE.value)
        outcome = Outcome.NEEDS_REVIEW if reasons else Outcome.CODED
        # Beside a length that is under dispute another may be billed.
        disputed = Reason.TIME_CONFLICT.value in reasons and Reason.NOT_RENDERED.value not in reasons
        if not _HELD.isdisjoint(reasons) and not disputed:
            outcome = Outcome.NOT_BILLABLE
        return NoteResult(
            outcome=outcome,
            diagnoses=diagnoses,
            procedures=coded,
            rejected=tuple(self._rejected(finding) for finding in diagnosed.rejected),
            candidates=(*self._candidates(diagnosed, procedures), *_of_other_lengths(coded, reasons)),
            discrepancies=(),
            reasons=tuple(str(reason) for reason in reasons),
            warnings=tuple(dict.fromkeys(str(warning) for warning in warnings)),
            confidence=lowest,
            engine=ENGINE,
            engine_version=ENGINE_VERSION,
            lexicon_sha=self._lexicon.sha,
            code_set_release=self._codes.release,
        )

    @staticmethod
    def with_discrepancies(result: NoteResult, found: list[Discrepancy]) -> NoteResult:
        """The same result with what differs from the request."""
        return replace(result, discrepancies=tuple(found))

    def _diagnosis(self, diagnosis: Diagnosis, rank: int) -> CodedDiagnosis:
        kind = confidence.kind_of(diagnosis)
        lead = diagnosis.lead
        return CodedDiagnosis(
            code=diagnosis.code,
            rank=rank,
            confidence=confidence.probability(*kind),
            tier=kind[1],
            concept=lead.concept.name if lead.concept else diagnosis.code,
            evidence=tuple(self._found(finding) for finding in diagnosis.findings[:4]),
        )

    def _rejected(self, finding: Finding) -> Rejected:
        return Rejected(
            concept=finding.concept.name if finding.concept else "",
            code=finding.code or None,
            why=finding.doubt or "",
            evidence=(self._found(finding),),
        )

    def _found(self, finding: Finding) -> Evidence:
        start, end = finding.start, finding.end
        return Evidence(start, end, self._text[start:end], finding.section, finding.by)

    def _candidates(self, diagnosed: Diagnosed, procedures: Procedures) -> list[Candidate]:
        found: list[Candidate] = []
        seen = {diagnosis.code for diagnosis in diagnosed.chosen}
        pool = [(finding, "set_aside") for finding in diagnosed.alternatives]
        pool += [
            (f, str(f.doubt))
            for f in diagnosed.rejected
            if f.doubt in ("uncertain", "symptom", "background", "historical")
        ]
        for finding, why in pool:
            if finding.code and finding.code not in seen:
                seen.add(finding.code)
                found.append(
                    Candidate(
                        "diagnosis",
                        finding.code,
                        None,
                        0.3,
                        why,
                        (self.evidence(finding.start, finding.end, finding.by),),
                    )
                )
        for diagnosis in diagnosed.chosen:
            if Reason.CODE_NOT_BILLABLE in diagnosis.lead.problems and diagnosis.lead.written:
                for child in self._codes.children(diagnosis.lead.written)[:12]:
                    if child not in seen:
                        seen.add(child)
                        found.append(Candidate("diagnosis", child, None, 0.2, "more_specific", ()))
        if procedures.second_choice is not None:
            found.append(
                Candidate("procedure", procedures.second_choice, procedures.modifier, 0.4, "by_duration", ())
            )
        for proposal in procedures.documented:
            spans = tuple(self.evidence(*span) for span in proposal.spans)
            found.append(
                Candidate(
                    "procedure",
                    proposal.code,
                    procedures.modifier,
                    0.4,
                    "by_note_minutes",
                    spans,
                    proposal.minutes,
                    proposal.units,
                )
            )
        for proposal in procedures.suggested:
            spans = tuple(self.evidence(*span) for span in proposal.spans)
            found.append(
                Candidate("procedure", proposal.code, procedures.modifier, 0.3, "addon_suggested", spans)
            )
        return found


def _of_other_lengths(coded: Sequence[CodedProcedure], reasons: Sequence[str]) -> list[Candidate]:
    """The codes of the other lengths, where the note may tell one of them."""
    if Reason.LENGTH_UNCLEAR.value not in reasons:
        return []
    billed, modifier = coded[0].code, coded[0].modifier
    return [
        Candidate("procedure", code, modifier, 0.3, "other_length", ())
        for code in PSYCHOTHERAPY
        if code != billed
    ]
