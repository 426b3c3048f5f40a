"""A passing and a failing session for each rule about charges, duplicates, versions, format and note."""

from datetime import timedelta
from decimal import Decimal

from billing.rules.facts import (
    CodeSource,
    Discrepancy,
    DiscrepancySeverity,
    NoteOutcome,
    OriginalState,
    OtherClaimState,
    PayerClass,
)
from billing.rules.rule import Severity
from tests.billing.rules.cast import (
    RIVAL_NPI,
    SEEN,
    Failing,
    a_claim,
    example,
    line,
    lines,
    note,
    other,
    profile,
    telehealth,
)

W, R = Severity.WARN, Severity.REPAIR
CODES, NOTE, DAY = "session.procedureCodes", "session.noteText", "session.dateOfService"
FIRST = "session.procedureCodes.0.code"
MODIFIER = "session.procedureCodes.0.modifier"
A_MONTH = timedelta(days=30)


def differing(kind: str, severity: DiscrepancySeverity = DiscrepancySeverity.BLOCK) -> Discrepancy:
    return Discrepancy(kind, severity)


ANOTHER_SERVICE = note(NoteOutcome.NEEDS_REVIEW, reasons=("service_conflict",))
REVIEW = note(NoteOutcome.NEEDS_REVIEW, reasons=("severity_missing",))

EXAMPLES = {
    "CHG-001": example(
        passing=lines("90834", "90785"),
        failing=(
            Failing(lines(line("90834", charge=None)), FIRST),
            Failing(lines(line("90834", charge=Decimal("0.00"))), FIRST),
            Failing(a_claim(total_charge=Decimal("180.01")), CODES),
        ),
    ),
    "CHG-002": example(
        passing=lines(line("90834", last_allowed=Decimal("100.00"))),
        failing=Failing(lines(line("90834", last_allowed=Decimal("100.01"))), FIRST, W),
    ),
    "CHG-003": example(
        passing=lines(line("90834", schedule_median=Decimal("10.00"))),
        failing=Failing(lines(line("90834", schedule_median=Decimal("9.99"))), FIRST, W),
    ),
    "DUP-001": example(
        passing=(
            lines("90834", other_claims=(other("90834", date_of_service=SEEN - A_MONTH),)),
            lines("90834", other_claims=(other("90834", state=OtherClaimState.VOIDED),)),
            lines("90834", other_claims=(other("90834", provider_npi=RIVAL_NPI),)),
            lines("90834", other_claims=(other("90834"),), version={"frequency": "8"}),
        ),
        failing=(
            Failing(lines("90834", other_claims=(other("90834"),)), FIRST),
            Failing(lines("90834", other_claims=(other("90834"),), version={"frequency": "7"}), FIRST),
            Failing(lines("90834", other_claims=(other("90834", state=OtherClaimState.WAITING),)), FIRST),
        ),
    ),
    "DUP-002": example(
        passing=(
            lines("90834", other_claims=(other("90791"),)),
            lines("90834", other_claims=(other("90834", provider_npi=RIVAL_NPI, same_practice=False),)),
        ),
        failing=Failing(lines("90834", other_claims=(other("90853", provider_npi=RIVAL_NPI),)), DAY, W),
    ),
    "DUP-003": example(
        passing=(
            lines("H0004", line("H0004", "95")),
            telehealth(line("H0004", "95", "59"), line("H0004", "95")),
        ),
        failing=(
            Failing(lines("H0004", "H0004"), "session.procedureCodes.1.code"),
            Failing(
                lines(line("H0004", "59", "95"), line("H0004", "95", "59")),
                "session.procedureCodes.1.code",
            ),
        ),
    ),
    "FRQ-001": example(
        passing=(
            a_claim(version={"frequency": "7", "payer_control_number": "2611190044713"}),
            a_claim(version={"frequency": "8"}, profile=profile(payer_class=PayerClass.MEDICARE)),
        ),
        failing=(
            Failing(a_claim(version={"frequency": "7"}), "claim.frequency"),
            Failing(a_claim(version={"frequency": "6"}), "claim.frequency"),
            Failing(a_claim(version={"original": OriginalState.VOIDED}), "claim.frequency"),
        ),
    ),
    "FRQ-002": example(
        passing=(
            a_claim(version={"frequency": "1", "original": OriginalState.REJECTED}),
            a_claim(version={"frequency": "1", "original": OriginalState.ADJUDICATED_ELSEWHERE}),
        ),
        failing=(
            Failing(
                a_claim(version={"frequency": "7", "original": OriginalState.ADJUDICATED_ELSEWHERE}),
                "claim.frequency",
                R,
            ),
            Failing(
                a_claim(version={"original": OriginalState.ADJUDICATED_ELSEWHERE, "original_is_paid": True}),
                "claim.frequency",
                W,
            ),
            Failing(
                a_claim(version={"frequency": "7", "original": OriginalState.REJECTED}), "claim.frequency", R
            ),
            Failing(a_claim(version={"original": OriginalState.ADJUDICATED}), "claim.frequency", R),
        ),
    ),
    "FMT-001": example(
        passing=a_claim(format={"patient_control_number": "K7QX2M9ZB4TD1"}),
        failing=(
            Failing(
                a_claim(format={"patient_control_number": "K7QX2M9ZB4TD123"}), "claim.patientControlNumber"
            ),
            Failing(a_claim(format={"patient_control_number": "k7"}), "claim.patientControlNumber"),
            Failing(a_claim(format={"line_control_numbers": ("L" * 31,)}), "claim"),
        ),
    ),
    "FMT-002": example(
        passing=a_claim(format={"counts_match": True}),
        failing=Failing(a_claim(format={"counts_match": False}), "claim"),
    ),
    "FMT-003": example(
        passing=a_claim(),
        failing=(
            Failing(a_claim(format={"writer_complaints": ("a line has no service date",)}), "claim"),
            Failing(a_claim(coverage={"payer_id": None}, payer_match=None), "patient.insurance.payerId"),
        ),
    ),
    "FMT-004": example(
        passing=a_claim(format={"service_facility": a_claim().patient.address}),
        failing=Failing(
            a_claim(format={"service_facility": a_claim().practice.address}), "claim.serviceFacility", R
        ),
    ),
    "NOTE-001": example(
        passing=(
            a_claim(note=note()),
            a_claim(note=note(discrepancies=(differing("dx_order", DiscrepancySeverity.INFO),))),
            a_claim(note=note(discrepancies=(differing("dos_vs_note"),))),
        ),
        failing=(
            Failing(
                a_claim(note=note(discrepancies=(differing("pos_vs_note", DiscrepancySeverity.WARN),))),
                "session.placeOfService",
                W,
            ),
            Failing(
                a_claim(note=note(discrepancies=(Discrepancy("dx_unsupported", supplied="Z63.0"),))),
                "session.diagnosisCodes.1.code",
                W,
            ),
            Failing(
                a_claim(note=note(discrepancies=(differing("dx_contradicted"),))), "session.diagnosisCodes", W
            ),
            Failing(
                telehealth(
                    "90834", note=note(discrepancies=(Discrepancy("modifier_vs_modality", supplied="95"),))
                ),
                MODIFIER,
                W,
            ),
        ),
    ),
    "NOTE-002": example(
        passing=(
            a_claim(note=REVIEW),
            lines(line("90834", source=CodeSource.DERIVED), note=REVIEW),
            lines(
                line("90834", source=CodeSource.DERIVED),
                note=note(NoteOutcome.NEEDS_REVIEW, reasons=("language",)),
            ),
            lines(
                line("90834", source=CodeSource.NOTE),
                note=note(NoteOutcome.NEEDS_REVIEW, confirmed_by_staff=True),
            ),
        ),
        failing=(
            Failing(a_claim(note=note(codes_without_evidence=("F41.1",))), NOTE),
            Failing(lines(line("90834", source=CodeSource.DERIVED), note=ANOTHER_SERVICE), NOTE),
            Failing(lines(line("90834", source=CodeSource.NOTE), note=note(NoteOutcome.NEEDS_REVIEW)), NOTE),
            Failing(lines(note=note(NoteOutcome.NEEDS_REVIEW, reasons=("language",))), NOTE),
            Failing(lines(note=REVIEW), NOTE),
            Failing(
                lines(
                    line("90834", source=CodeSource.DERIVED),
                    note=note(NoteOutcome.NEEDS_REVIEW, reasons=("held_unclear",)),
                ),
                NOTE,
            ),
            Failing(
                a_claim(diagnoses=(), note=note(NoteOutcome.NEEDS_REVIEW, reasons=("new_reason",))), NOTE
            ),
            Failing(a_claim(diagnoses=(), note=REVIEW), NOTE),
        ),
    ),
    "NOTE-003": example(
        passing=a_claim(note=note()), failing=Failing(a_claim(note=note(kept_separately=True)), NOTE, W)
    ),
    "NOTE-004": example(
        passing=(a_claim(note=note()), a_claim(note=note(NoteOutcome.NOT_BILLABLE, confirmed_by_staff=True))),
        failing=(
            Failing(a_claim(note=note(NoteOutcome.NOT_BILLABLE, reasons=("not_rendered",))), NOTE),
            Failing(a_claim(note=note(discrepancies=(differing("service_not_rendered"),))), NOTE),
            Failing(lines(note=note(NoteOutcome.NOT_BILLABLE)), NOTE),
        ),
    ),
    "NOTE-005": example(
        passing=a_claim(note=note(discrepancies=(differing("dos_vs_note", DiscrepancySeverity.WARN),))),
        failing=(
            Failing(a_claim(note=note(discrepancies=(differing("identity_vs_note"),))), NOTE),
            Failing(a_claim(note=note(discrepancies=(differing("dos_vs_note"),))), DAY),
        ),
    ),
}
