"""A passing and a failing session for each rule about people, insurance, addresses and diagnoses."""

from datetime import date, timedelta

from billing.rules.facts import (
    Address,
    Diagnosis,
    DiagnosisStatus,
    Enrollment,
    EnrollmentStatus,
    Mode,
    NppesRecord,
    PayerCandidate,
    PayerClass,
    PayerMatch,
    PayerMatchOutcome,
    Table,
)
from billing.rules.rule import Severity
from tests.billing.rules.cast import (
    BAD_NPI,
    NPI,
    SEEN,
    TODAY,
    Failing,
    a_claim,
    diagnosed,
    example,
    line,
    lines,
    profile,
)

W, R = Severity.WARN, Severity.REPAIR
MEMBER, PAYER = "patient.insurance.memberId", "patient.insurance.payerId"
TAXONOMY, ZIP, DAY = "provider.taxonomyCode", "practice.address.zip", "session.dateOfService"
FIRST_DIAGNOSIS = "session.diagnosisCodes.0.code"
NPPES, ENROLLMENT = frozenset({Table.NPPES}), frozenset({Table.ENROLLMENT})
UNKNOWN_PAYER = PayerMatch(PayerMatchOutcome.UNKNOWN)
TWO_PAYERS = PayerMatch(
    PayerMatchOutcome.CANDIDATES,
    candidates=(PayerCandidate("84980", "BCBS of Texas"), PayerCandidate("00621", "BCBS of Illinois")),
)
OTHERS_NAME = PayerMatch(
    PayerMatchOutcome.EXACT, "60054", "Aetna", candidates=(PayerCandidate("62308", "Cigna"),)
)
ZERO_PAYER = PayerMatch(PayerMatchOutcome.EXACT, "06111", "Oxford")
PRACTICE = a_claim().practice.address
PATIENT = a_claim().patient.address
CHILD = date(SEEN.year - 10, 1, 1)


def _at(address: Address, **changes: str) -> Address:
    values = {"street": address.street, "city": address.city, "state": address.state, "zip": address.zip}
    return Address(**{**values, **changes})


EXAMPLES = {
    "PAT-001": example(
        passing=a_claim(patient={"date_of_birth": SEEN}),
        failing=(
            Failing(a_claim(patient={"date_of_birth": TODAY + timedelta(days=1)}), "patient.dateOfBirth"),
            Failing(a_claim(patient={"date_of_birth": SEEN + timedelta(days=1)}), "patient.dateOfBirth"),
            Failing(a_claim(patient={"date_of_birth": date(TODAY.year - 151, 1, 1)}), "patient.dateOfBirth"),
        ),
    ),
    "PAT-002": example(
        passing=(
            a_claim(),
            a_claim(patient={"last_name": "Smith Jones"}),
            a_claim(patient={"last_name": "Drew"}),
        ),
        failing=(
            Failing(a_claim(patient={"last_name": "Quackenbush Jr."}), "patient.lastName", W),
            Failing(a_claim(patient={"last_name": "Quackenbush, MD"}), "patient.lastName", W),
            Failing(a_claim(patient={"last_name": "Dr. Quackenbush"}), "patient.lastName", W),
        ),
    ),
    "PAT-003": example(
        passing=a_claim(patient={"last_name": "O'Neil-Smith"}),
        failing=(
            Failing(a_claim(patient={"last_name": "Quackenbush 李"}), "patient.lastName", W),
            Failing(a_claim(coverage={"group_number": "群"}), "patient.insurance.groupNumber", W),
            Failing(a_claim(practice={"contact_name": "Бюро Billing"}), "practice.contactName", W),
            Failing(a_claim(patient={"last_name": "Quackenbüsh"}), "patient.lastName", R),
            Failing(a_claim(practice={"name": "Calm*Harbor~"}), "practice.name", R),
        ),
    ),
    "PAT-004": example(
        passing=a_claim(patient={"gender": "M"}),
        failing=Failing(a_claim(patient={"gender": "U"}), "patient.gender", W),
    ),
    "INS-001": example(
        passing=(a_claim(), a_claim(coverage={"member_id": "AB"})),
        failing=(
            Failing(a_claim(coverage={"member_id": "QZX 987-654321"}), MEMBER, R),
            Failing(a_claim(coverage={"member_id": "7"}), MEMBER),
            Failing(a_claim(coverage={"member_id": "7" * 81}), MEMBER),
            Failing(a_claim(coverage={"member_id": "QZX_987#1"}), MEMBER),
        ),
    ),
    "INS-002": example(
        passing=(
            a_claim(profile=profile(member_id_pattern="[A-Z]{3}[0-9]{9}")),
            a_claim(
                coverage={"member_id": "1EG4-TE5-MK73"}, profile=profile(payer_class=PayerClass.MEDICARE)
            ),
            a_claim(profile=profile(payer_class=PayerClass.BLUE)),
        ),
        failing=(
            Failing(a_claim(profile=profile(member_id_pattern="W[0-9]{9}")), MEMBER, W),
            Failing(a_claim(profile=profile(payer_class=PayerClass.MEDICARE)), MEMBER, W),
            Failing(a_claim(profile=profile(member_id_pattern="(")), MEMBER, W),
            Failing(a_claim(profile=profile(member_id_pattern="([A-Z0-9]+)+!")), MEMBER, W),
        ),
    ),
    "INS-003": example(
        passing=a_claim(coverage={"payer_id": "99999"}, payer_match=UNKNOWN_PAYER),
        failing=(
            Failing(a_claim(coverage={"payer_id": None}), PAYER, R),
            Failing(a_claim(coverage={"payer_id": None}, payer_match=TWO_PAYERS), PAYER),
            Failing(a_claim(coverage={"payer_id": None}, payer_match=UNKNOWN_PAYER), PAYER),
        ),
    ),
    "INS-004": example(
        passing=a_claim(profile=profile(supports_professional_claims=True)),
        failing=Failing(a_claim(profile=profile(supports_professional_claims=False)), PAYER),
    ),
    "INS-005": example(
        passing=(a_claim(), a_claim(payer_match=None)),
        failing=(
            Failing(a_claim(payer_match=UNKNOWN_PAYER), PAYER),
            Failing(a_claim(coverage={"payer_id": "Aetna Health", "payer_name": "60054"}), PAYER),
            Failing(a_claim(payer_match=UNKNOWN_PAYER, mode=Mode.TEST), PAYER, W),
            Failing(a_claim(payer_match=OTHERS_NAME), "patient.insurance.payerName", W),
        ),
    ),
    "INS-006": example(
        passing=a_claim(profile=profile(payer_class=PayerClass.BLUE, filing_code="BL")),
        failing=(
            Failing(a_claim(profile=profile(payer_class=PayerClass.BLUE, filing_code="CI")), PAYER, R),
            Failing(a_claim(profile=profile(payer_class=PayerClass.MEDICARE, filing_code="MA")), PAYER, R),
        ),
    ),
    "INS-007": example(
        passing=(
            a_claim(),
            a_claim(coverage={"member_id": "QZX987654321-01"}),
            a_claim(patient={"date_of_birth": CHILD}, profile=profile(payer_class=PayerClass.MEDICAID)),
        ),
        failing=(
            Failing(a_claim(patient={"date_of_birth": CHILD}), MEMBER, W),
            Failing(a_claim(coverage={"member_id": "QZX987654321-02"}), MEMBER, W),
        ),
    ),
    "INS-008": example(
        passing=a_claim(coverage={"payer_id": "06111"}, payer_match=ZERO_PAYER),
        failing=Failing(a_claim(coverage={"payer_id": "6111"}, payer_match=ZERO_PAYER), PAYER, R),
    ),
    "TEST-001": example(
        passing=(a_claim(coverage={"member_id": "HELD1"}), a_claim(mode=Mode.TEST)),
        failing=(
            Failing(a_claim(mode=Mode.TEST, coverage={"member_id": "HELD1"}), MEMBER),
            Failing(a_claim(mode=Mode.TEST, coverage={"member_id": " he-ld 77"}), MEMBER),
        ),
    ),
    "PRV-001": example(
        passing=a_claim(),
        failing=(
            Failing(a_claim(provider={"npi": BAD_NPI}), "provider.npi"),
            Failing(a_claim(practice={"npi": "3123456789"}), "practice.npi"),
            Failing(a_claim(provider={"npi": BAD_NPI}, mode=Mode.TEST), "provider.npi", W),
        ),
    ),
    "PRV-002": example(
        passing=a_claim(),
        failing=(
            Failing(a_claim(practice={"tax_id": ""}), "practice.taxId"),
            Failing(a_claim(practice={"tax_id": "111111111"}), "practice.taxId"),
        ),
    ),
    "PRV-003": example(passing=a_claim(), failing=Failing(a_claim(practice={"npi": NPI}), "practice.npi", R)),
    "PRV-004": example(
        passing=(a_claim(), a_claim(practice={"npi": None, "name": "Ana Rivera Counseling"})),
        failing=(
            Failing(a_claim(practice={"npi": None}), "practice.npi", W),
            Failing(a_claim(practice={"npi": NPI, "name": "Calm Harbor, P.C."}), "practice.npi", W),
        ),
    ),
    "PRV-005": example(
        passing=(
            a_claim(),
            a_claim(provider={"taxonomy_code": None}),
            a_claim(practice={"taxonomy_code": "251S00000X"}),
        ),
        failing=(
            Failing(a_claim(provider={"taxonomy_code": "101YZ9999X"}), TAXONOMY),
            Failing(a_claim(provider={"taxonomy_code": "999999999X"}), TAXONOMY),
            Failing(a_claim(practice={"taxonomy_code": "101YM0800"}), "practice.taxonomyCode"),
            Failing(a_claim(practice={"taxonomy_code": "122300000X"}), "practice.taxonomyCode", W),
        ),
    ),
    "PRV-006": example(
        passing=a_claim(),
        failing=(
            Failing(a_claim(provider={"taxonomy_code": None}), TAXONOMY, W),
            Failing(a_claim(provider={"taxonomy_code": None, "credentials": "LCSW"}), TAXONOMY, W),
            Failing(a_claim(provider={"taxonomy_inferred": True}), TAXONOMY, W),
        ),
    ),
    "PRV-007": example(
        passing=(
            a_claim(provider={"nppes": NppesRecord(found=True)}, tables=NPPES),
            a_claim(provider={"nppes": NppesRecord(found=False)}),
        ),
        failing=(
            Failing(a_claim(provider={"nppes": NppesRecord(found=False)}, tables=NPPES), "provider.npi"),
            Failing(
                a_claim(practice={"nppes": NppesRecord(found=True, deactivated=True)}, tables=NPPES),
                "practice.npi",
            ),
        ),
    ),
    "PRV-008": example(
        passing=a_claim(
            provider={"nppes": NppesRecord(True, taxonomies=frozenset({"101YM0800X"}))}, tables=NPPES
        ),
        failing=Failing(
            a_claim(
                provider={"nppes": NppesRecord(True, taxonomies=frozenset({"103TC0700X"}))}, tables=NPPES
            ),
            TAXONOMY,
            W,
        ),
    ),
    "PRV-009": example(
        passing=(
            a_claim(
                provider={"enrollment": Enrollment(claims=EnrollmentStatus.LIVE)},
                profile=profile(enrollment_required=True),
                tables=ENROLLMENT,
            ),
            a_claim(provider={"enrollment": Enrollment()}, tables=ENROLLMENT),
        ),
        failing=Failing(
            a_claim(
                provider={"enrollment": Enrollment(claims=EnrollmentStatus.PENDING)},
                profile=profile(enrollment_required=True),
                tables=ENROLLMENT,
            ),
            PAYER,
        ),
    ),
    "PRV-010": example(
        passing=a_claim(
            provider={"enrollment": Enrollment(remittances=EnrollmentStatus.LIVE)}, tables=ENROLLMENT
        ),
        failing=Failing(a_claim(provider={"enrollment": Enrollment()}, tables=ENROLLMENT), PAYER, W),
    ),
    "PRV-011": example(
        passing=(a_claim(), lines("90792", provider={"taxonomy_code": "2084P0800X"})),
        failing=(
            Failing(lines("90792"), "session.procedureCodes.0.code", W),
            Failing(lines("99213", "90833"), "session.procedureCodes.1.code", W),
        ),
    ),
    "ADR-001": example(
        passing=tuple(
            a_claim(practice={"address": _at(PRACTICE, street=street)})
            for street in ("12 Boxwood Rd", "4 Mailbox 12 Rd", "12 Po 5 Ln", "7 Caller Ct", "2 Lockboxer St")
        ),
        failing=(
            Failing(
                a_claim(practice={"address": _at(PRACTICE, street="P.O. Box 12")}), "practice.address.street"
            ),
            Failing(
                a_claim(practice={"address": _at(PRACTICE, street="po box 7")}), "practice.address.street"
            ),
            *(
                Failing(a_claim(practice={"address": _at(PRACTICE, street=box)}), "practice.address.street")
                for box in (
                    "POB 7",
                    "PO-Box 12",
                    "P O B 12",
                    "PO BX 9",
                    "Private Mail Box 7",
                    "LOCK-BOX 9",
                    "Caller Box 4",
                    "PO 123",
                    "P.O. 456",
                )
            ),
            Failing(a_claim(practice={"address": _at(PRACTICE, line2="PMB 113")}), "practice.address.line2"),
        ),
    ),
    "ADR-002": example(
        passing=a_claim(),
        failing=(
            Failing(a_claim(practice={"address": _at(PRACTICE, zip="78701")}), ZIP, W),
            Failing(a_claim(practice={"address": _at(PRACTICE, zip="787019999")}), ZIP, W),
            Failing(
                a_claim(practice={"address": _at(PRACTICE, zip="78701"), "zip_plus_four": "787011234"}),
                ZIP,
                R,
            ),
        ),
    ),
    "ADR-003": example(
        passing=(a_claim(), a_claim(patient={"address": _at(PATIENT, state="PR", zip="00901")})),
        failing=(
            Failing(a_claim(practice={"address": _at(PRACTICE, zip="100011234")}), ZIP, W),
            Failing(a_claim(patient={"address": _at(PATIENT, state="CA")}), "patient.address.zip", W),
        ),
    ),
    "ADR-004": example(
        passing=a_claim(practice={"name": "C" * 60}),
        failing=(
            Failing(a_claim(patient={"last_name": "李"}), "patient.lastName"),
            Failing(a_claim(practice={"address": _at(PRACTICE, city="А")}), "practice.address.city"),
            Failing(a_claim(patient={"first_name": "ß" * 30}), "patient.firstName", R),
        ),
    ),
    "ADR-005": example(
        passing=(a_claim(), a_claim(practice={"phone": None})),
        failing=(
            Failing(a_claim(practice={"phone": "1125550123"}), "practice.phone", W),
            Failing(a_claim(practice={"phone": "5120550123"}), "practice.phone", W),
        ),
    ),
    "ADR-006": example(
        passing=a_claim(practice={"address": _at(PRACTICE, state="GU", zip="969131234")}),
        failing=(
            Failing(a_claim(practice={"address": _at(PRACTICE, state="ZZ")}), "practice.address.state"),
            Failing(a_claim(patient={"address": _at(PATIENT, state="ON")}), "patient.address.state"),
        ),
    ),
    "DOS-001": example(
        passing=(a_claim(), a_claim(session={"date_of_service": TODAY + timedelta(days=1)})),
        failing=Failing(a_claim(session={"date_of_service": TODAY + timedelta(days=2)}), DAY),
    ),
    "DOS-002": example(
        passing=a_claim(session={"date_of_service": date(2015, 10, 1)}),
        failing=Failing(a_claim(session={"date_of_service": date(2015, 9, 30)}), DAY),
    ),
    "DOS-003": example(
        passing=a_claim(provider={"onboarded_on": SEEN}),
        failing=Failing(a_claim(provider={"onboarded_on": TODAY}), DAY, W),
    ),
    "TFL-001": example(
        passing=(
            a_claim(profile=profile(timely_filing_days=90)),
            a_claim(profile=profile(timely_filing_days=2)),
        ),
        failing=(
            Failing(a_claim(profile=profile(timely_filing_days=4)), DAY, W),
            Failing(a_claim(profile=profile(timely_filing_days=3)), DAY, W),
        ),
    ),
    "TFL-002": example(
        passing=(
            a_claim(profile=profile(timely_filing_days=3, timely_filing_confirmed=True)),
            a_claim(profile=profile(timely_filing_days=2), version={"delay_reason_code": "7"}),
        ),
        failing=(
            Failing(a_claim(profile=profile(timely_filing_days=2)), DAY, W),
            Failing(a_claim(profile=profile(timely_filing_days=2, timely_filing_confirmed=True)), DAY),
        ),
    ),
    "DX-001": example(
        passing=diagnosed(*(f"F10.{number}" for number in range(10)), "F41.1", "F43.10"),
        failing=(
            Failing(diagnosed(), "session.diagnosisCodes"),
            Failing(diagnosed("F41.1", "F411"), "session.diagnosisCodes.1.code"),
            Failing(
                diagnosed(*(f"F1{number}.10" for number in range(10)), "F41.1", "F42.2", "F43.10"),
                "session.diagnosisCodes",
            ),
        ),
    ),
    "DX-002": example(
        passing=(a_claim(), diagnosed(Diagnosis("F41.1", DiagnosisStatus.NOT_COVERED))),
        failing=(
            Failing(
                diagnosed(Diagnosis("F41", DiagnosisStatus.HEADING, billable_under=("F41.1",))),
                FIRST_DIAGNOSIS,
            ),
            Failing(diagnosed(Diagnosis("F41.7", DiagnosisStatus.UNKNOWN)), FIRST_DIAGNOSIS),
            Failing(diagnosed(Diagnosis("F41.7", DiagnosisStatus.NOT_COVERED, False)), FIRST_DIAGNOSIS),
            Failing(
                diagnosed(Diagnosis("F41.1", DiagnosisStatus.NOT_COVERED, True)), "session.diagnosisCodes", W
            ),
        ),
    ),
    "DX-003": example(
        passing=diagnosed("F41.1", "Z63.0"), failing=Failing(diagnosed("Z63.0", "F41.1"), FIRST_DIAGNOSIS, W)
    ),
    "DX-004": example(
        passing=(a_claim(), diagnosed("F41.1", "F32.9")),
        failing=tuple(
            Failing(diagnosed(code), FIRST_DIAGNOSIS, W)
            for code in ("F32.9", "F41.9", "F42.9", "F43.10", "F43.9", "F50.9")
        ),
    ),
    "DX-005": example(
        passing=diagnosed("F41.1", "Y92.019"),
        failing=(
            Failing(diagnosed("X78.9", "F41.1"), FIRST_DIAGNOSIS, W),
            Failing(diagnosed("F02.80"), FIRST_DIAGNOSIS, W),
        ),
    ),
    "DX-006": example(
        passing=(a_claim(), lines(line("90834", diagnosis_pointers=(1, 2)))),
        failing=(
            Failing(lines(line("90834", diagnosis_pointers=())), "session.procedureCodes.0.code"),
            Failing(lines(line("90834", diagnosis_pointers=(3,))), "session.procedureCodes.0.code"),
        ),
    ),
}
