"""Note text to codes: the deterministic engine from guard to decision. Pure: no clock, no files after loading, no randomness."""

import re
from dataclasses import replace
from datetime import date

from billing.notes import confidence
from billing.notes.codeset import CodeSet
from billing.notes.diagnoses import Diagnosed, Diagnosis, diagnose
from billing.notes.discrepancies import compare_identity, compare_supplied
from billing.notes.duration import session_length
from billing.notes.explicit import find_codes, find_procedures
from billing.notes.findings import Finding, Reader
from billing.notes.layout import Layout, lay_out
from billing.notes.lexicon import Lexicon, load_lexicon
from billing.notes.procedures import Procedures, procedures_of
from billing.notes.result import (
    Candidate,
    CodedDiagnosis,
    CodedProcedure,
    Discrepancy,
    Evidence,
    KnownIdentity,
    NoteResult,
    Outcome,
    Reason,
    Rejected,
    SuppliedCodes,
    Warning,
)
from billing.notes.service import read_visit
from billing.notes.spelling import correct_fields
from billing.notes.text import TokenStream, join_wrapped_lines, normalise

ENGINE = "rules"
ENGINE_VERSION = "1.0"
LONGEST_NOTE = 100_000
# A note that names more conditions, services and codes than this is a list of something, not a session.
MOST_MENTIONS = 1_500
_HELD = frozenset((Reason.NOT_RENDERED.value, Reason.UNDER_16.value))


def code_note(
    text: str,
    *,
    place: str | None,
    duration_minutes: int | None,
    date_of_service: date | None = None,
    codes: CodeSet,
    supplied: SuppliedCodes | None = None,
    identity: KnownIdentity | None = None,
    threshold: float = 0.97,
) -> NoteResult:
    """Code one note.

    `place` is the request's placeOfService, `duration_minutes` its durationMinutes. With `supplied` codes the note is only
    compared with them. Evidence offsets are code points of `text`. Never raises for any text.
    """
    lexicon = load_lexicon()
    refusal = _guard(text)
    if refusal is not None:
        return _refused(refusal, lexicon, codes)
    plain = normalise(text)
    flat = join_wrapped_lines(plain, text)
    layout = lay_out(plain, flat, lexicon.sections)
    tokens = TokenStream(flat)
    corrected = correct_fields(tokens, layout, lexicon)
    mentions = lexicon.find(tokens)
    written = find_codes(flat, codes, lexicon.legacy)
    if len(mentions.concepts) + len(mentions.services) + len(written) > MOST_MENTIONS:
        return _refused(Reason.TOO_LONG, lexicon, codes)
    reader = Reader(text, flat, tokens, mentions, layout, lexicon, codes, written, corrected)
    findings = reader.findings()
    diagnosed = diagnose(findings, codes=codes, corrections=bool(mentions.corrections) and _corrects(plain))
    visit = read_visit(flat, tokens, mentions, layout)
    length = session_length(flat, layout)
    procedures = procedures_of(
        visit,
        plain=flat,
        layout=layout,
        length=length,
        written=find_procedures(flat),
        place=place,
        duration_minutes=duration_minutes,
    )
    assembly = _Assembly(text, layout, lexicon, codes, threshold)
    result = assembly.result(
        diagnosed,
        procedures,
        typos=bool(corrected),
        private=visit.private,
        older=codes.is_older_than(date_of_service),
    )
    if supplied is None and identity is None:
        return result
    found: list[Discrepancy] = []
    if supplied is not None:
        found += compare_supplied(
            supplied, result=result, findings=findings, diagnosed=diagnosed, procedures=procedures, visit=visit, length=length,
            place=place, duration_minutes=duration_minutes, codes=codes, evidence=assembly.evidence, on=date_of_service,
        )  # fmt: skip
    if identity is not None:
        found += compare_identity(text, plain, layout, identity=identity, on=date_of_service, evidence=assembly.evidence)
    return assembly.with_discrepancies(result, found)


def _guard(text: str) -> Reason | None:
    """Empty, too long, or not English: nothing is read."""
    if not text.strip():
        return Reason.EMPTY
    if len(text) > LONGEST_NOTE:
        return Reason.TOO_LONG
    sample = text[:1500].lower()
    if not sample.isascii():
        letters = sum(map(str.isalpha, sample))
        latin = sum(map(_LATIN.__contains__, sample))
        if letters >= 40 and latin < 0.6 * letters:
            return Reason.LANGUAGE
    words = sample.split()
    if len(words) >= 25:
        foreign = sum(map(_FOREIGN.__contains__, words))
        if foreign > 0.16 * len(words) and foreign > 2 * sum(map(_ENGLISH.__contains__, words)):
            return Reason.LANGUAGE
    return None


_LATIN = frozenset("abcdefghijklmnopqrstuvwxyz")
_ENGLISH = frozenset("the and of to with for was is in on client pt patient session at her his she he this that by not no as from".split())
_FOREIGN = frozenset(
    "el la los las de que y en por con una un para su se del al es le les des et une dans pour est avec sur der die das und ist mit von den zu ein eine nicht paciente"
    " sesion la il per che di non con sono o os as da do em na no com uma".split()
)  # fmt: skip


def _corrects(plain: str) -> bool:
    """Whether the note says that something in it was wrong and is put right."""
    return bool(
        re.search(
            r"in error|by mistake|mistakenly|incorrect|corrected|correction|was wrong|is wrong|should (?:read|be|have been)|addendum|amend|(?:diagnosis|dx|code) (?:was |has been |is )?(?:changed|updated|revised)|changed (?:from|to)|revised to|updated to",
            plain,
        )
    )


def _refused(reason: Reason, lexicon: Lexicon, codes: CodeSet) -> NoteResult:
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


class _Assembly:
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
        self, diagnosed: Diagnosed, procedures: Procedures, *, typos: bool, private: bool, older: bool
    ) -> NoteResult:
        """Tiers to probabilities, probabilities to the outcome."""
        diagnoses = tuple(self._diagnosis(item, rank) for rank, item in enumerate(diagnosed.chosen, start=1))
        chance = confidence.probability("cpt", procedures.tier)
        coded = tuple(
            CodedProcedure(
                code=proposal.code,
                modifier=procedures.modifier,
                confidence=chance,
                evidence=tuple(self.evidence(*span) for span in proposal.spans),
                minutes=procedures.minutes,
                minutes_source=procedures.minutes_source,
                tier=procedures.tier,
            )
            for proposal in procedures.proposals
        )
        warnings = list(procedures.warnings)
        if private:
            warnings.append(Warning.PRIVATE_NOTE)
        if older:
            warnings.append(Warning.CODESET_OLDER_THAN_DOS)
        if typos:
            warnings.append(Warning.TYPO_CORRECTED)
        if diagnosed.too_many:
            warnings.append(Warning.DIAGNOSES_OVER_TWELVE)
        if diagnoses and all(diagnosis.code.startswith("Z") for diagnosis in diagnoses):
            warnings.append(Warning.ONLY_Z_CODE)
        reasons = list(dict.fromkeys([*procedures.reasons, *diagnosed.reasons]))
        lowest = min([d.confidence for d in diagnoses] + [p.confidence for p in coded], default=0.0)
        if not reasons and lowest < self._threshold:
            reasons.append(Reason.LOW_CONFIDENCE.value)
        outcome = Outcome.NEEDS_REVIEW if reasons else Outcome.CODED
        if any(reason in _HELD for reason in reasons):
            outcome = Outcome.NOT_BILLABLE
        return NoteResult(
            outcome=outcome,
            diagnoses=diagnoses,
            procedures=coded,
            rejected=tuple(self._rejected(finding) for finding in diagnosed.rejected),
            candidates=tuple(self._candidates(diagnosed, procedures)),
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
        tier = confidence.tier_of(diagnosis)
        lead = diagnosis.lead
        return CodedDiagnosis(
            code=diagnosis.code,
            rank=rank,
            confidence=confidence.probability("dx", tier),
            tier=tier,
            concept=lead.concept.name if lead.concept else diagnosis.code,
            evidence=tuple(self.evidence(f.start, f.end, f.by) for f in diagnosis.findings[:4]),
        )

    def _rejected(self, finding: Finding) -> Rejected:
        return Rejected(
            concept=finding.concept.name if finding.concept else "",
            code=finding.code or None,
            why=finding.doubt or "",
            evidence=(self.evidence(finding.start, finding.end, finding.by),),
        )

    def _candidates(self, diagnosed: Diagnosed, procedures: Procedures) -> list[Candidate]:
        found: list[Candidate] = []
        seen = {diagnosis.code for diagnosis in diagnosed.chosen}
        pool = [(finding, "set_aside") for finding in diagnosed.alternatives]
        pool += [(f, str(f.doubt)) for f in diagnosed.rejected if f.doubt in ("uncertain", "symptom", "background", "historical")]
        for finding, why in pool:
            if finding.code and finding.code not in seen:
                seen.add(finding.code)
                found.append(
                    Candidate("diagnosis", finding.code, None, 0.3, why, (self.evidence(finding.start, finding.end, finding.by),))
                )
        for diagnosis in diagnosed.chosen:
            if "code_not_billable" in diagnosis.lead.problems and diagnosis.lead.written:
                for child in self._codes.children(diagnosis.lead.written)[:12]:
                    if child not in seen:
                        seen.add(child)
                        found.append(Candidate("diagnosis", child, None, 0.2, "more_specific", ()))
        if procedures.second_choice is not None:
            found.append(Candidate("procedure", procedures.second_choice, procedures.modifier, 0.4, "by_duration", ()))
        for proposal in procedures.suggested:
            spans = tuple(self.evidence(*span) for span in proposal.spans)
            found.append(Candidate("procedure", proposal.code, procedures.modifier, 0.3, "addon_suggested", spans))
        return found
