"""From checked and repaired facts to the claim that is sent."""

import re
from collections.abc import Sequence

from billing.rules import facts as rules
from billing.rules.rule import Actor, Finding, Severity
from claims.clearinghouse.port import EditError
from claims.x12.characters import cut_to, to_basic_text
from claims.x12.claim import (
    Address,
    BillingProvider,
    ClaimFormatError,
    ClaimFrequency,
    Payer,
    ProfessionalClaim,
    RenderingProvider,
    ServiceLine,
    Subscriber,
    line_control_number,
)
from claims.x12.invariants import ORIGINAL_MEDICARE

MOST_POINTERS = 4
UNKNOWN_FILING_CODE = "ZZ"
_EDIT_CODE = re.compile(r"[A-Z0-9]{1,12}", re.IGNORECASE)
NO_GATEWAY = Finding(
    rule_id="GTW-001",
    severity=Severity.BLOCK,
    path="",
    message="No clearinghouse is set up for live claims of this payer. Once there is one, the claim goes.",
    who_acts=Actor.STAFF,
)
PATHS = {
    "subscriber.address": "patient.address",
    "subscriber.member_id": "patient.insurance.memberId",
    "subscriber.group_number": "patient.insurance.groupNumber",
    "subscriber.last_name": "patient.lastName",
    "subscriber.first_name": "patient.firstName",
    "subscriber.date_of_birth": "patient.dateOfBirth",
    "payer.name": "patient.insurance.payerName",
    "payer.payer_id": "patient.insurance.payerId",
    "billing_provider.npi": "practice.npi",
    "billing_provider.tax_id": "practice.taxId",
    "billing_provider.taxonomy_code": "practice.taxonomyCode",
    "billing_provider.organization_name": "practice.name",
    "billing_provider.last_name": "provider.lastName",
    "billing_provider.first_name": "provider.firstName",
    "billing_provider.contact_name": "practice.contactName",
    "billing_provider.phone": "practice.phone",
    "billing_provider.address": "practice.address",
    "billing_provider": "practice",
    "rendering_provider.npi": "provider.npi",
    "rendering_provider.taxonomy_code": "provider.taxonomyCode",
    "rendering_provider.last_name": "provider.lastName",
    "rendering_provider.first_name": "provider.firstName",
    "rendering_provider": "provider",
    "diagnosis_codes": "session.diagnosisCodes",
    "claim_information.health_care_code_information": "session.diagnosisCodes",
    "service_lines": "session.procedureCodes",
    "claim_information.service_lines": "session.procedureCodes",
}


def draft_claim(facts: rules.ClaimFacts, *, patient_control_number: str) -> ProfessionalClaim:
    """The claim that these facts make; ClaimFormatError names what an 837P can't carry."""
    coverage = facts.coverage
    return ProfessionalClaim(
        patient_control_number=patient_control_number,
        frequency=ClaimFrequency(facts.version.frequency),
        place_of_service_code=facts.session.place_of_service_code or "11",
        date_of_service=facts.session.date_of_service,
        billing_provider=_billing_provider(facts),
        rendering_provider=_rendering_provider(facts),
        subscriber=Subscriber(
            member_id=to_basic_text(coverage.member_id),
            last_name=cut_to(to_basic_text(facts.patient.last_name), 60),
            first_name=cut_to(to_basic_text(facts.patient.first_name), 35),
            date_of_birth=facts.patient.date_of_birth,
            gender=facts.patient.gender,
            address=_address(facts.patient.address),
            group_number=to_basic_text(coverage.group_number or ""),
        ),
        payer=Payer(
            name=cut_to(to_basic_text(_payer_name(facts)), 60),
            payer_id=to_basic_text(coverage.payer_id or ""),
            claim_filing_code=coverage.filing_code or UNKNOWN_FILING_CODE,
        ),
        diagnosis_codes=tuple(diagnosis.code.replace(".", "") for diagnosis in facts.diagnoses),
        service_lines=tuple(
            _service_line(procedure, number, patient_control_number, diagnoses=len(facts.diagnoses))
            for number, procedure in enumerate(facts.procedures, 1)
        ),
        payer_control_number=_payer_control_number(facts),
        delay_reason_code=facts.version.delay_reason_code or "",
    )


def findings_of(error: ClaimFormatError) -> tuple[Finding, ...]:
    """What the writer refuses, as findings with the field paths that partners know."""
    return tuple(
        Finding(
            rule_id="FMT-003",
            severity=Severity.BLOCK,
            path=partner_path(path),
            message=f"The claim can't be written: {_in_words(path)} {words}.",
            who_acts=Actor.PARTNER if partner_path(path) else Actor.STAFF,
        )
        for path, words in error.faults
    )


def _in_words(path: str) -> str:
    """A claim's field without our writer's spelling: subscriber, last name."""
    return f"its {path.replace('_', ' ').replace('.', ', ')}" if path else "it"


def partner_path(location: str) -> str:
    """The partner's field that a claim's field comes from, in our writer's words or a clearinghouse's."""
    for prefix, path in PATHS.items():
        if location.replace("_", "").lower().startswith(prefix.replace("_", "")):
            return path
    return ""


def sentence_of(error: EditError) -> str:
    """What a clearinghouse says of a claim, at the partner's field."""
    path = partner_path(error.location)
    return f"{path}: {error.text}" if path else error.text


def edit_of(errors: Sequence[EditError]) -> str:
    """Which edit a claim failed first: its code and the partner's field, without a word about the claim."""
    first = next(iter(errors), EditError("", ""))
    code = f"edit {first.code}" if _EDIT_CODE.fullmatch(first.code) else "edit"
    return ", ".join(filter(None, (code, partner_path(first.location))))


def _payer_control_number(facts: rules.ClaimFacts) -> str:
    """REF*F8 of a replacement, as the payer wrote it; Original Medicare takes none."""
    version = facts.version
    refers = version.frequency != ClaimFrequency.ORIGINAL and facts.coverage.filing_code != ORIGINAL_MEDICARE
    return version.payer_control_number or "" if refers else ""


def _payer_name(facts: rules.ClaimFacts) -> str:
    match = facts.payer_match
    return (match.payer_name if match else None) or facts.coverage.payer_name


def _billing_provider(facts: rules.ClaimFacts) -> BillingProvider:
    practice, provider = facts.practice, facts.provider
    phone = practice.phone or ""
    group = practice.npi is not None
    return BillingProvider(
        npi=practice.npi or provider.npi,
        tax_id=practice.tax_id,
        address=_address(practice.address),
        organization_name=cut_to(to_basic_text(practice.name), 60) if group else "",
        last_name="" if group else cut_to(to_basic_text(provider.last_name), 60),
        first_name="" if group else cut_to(to_basic_text(provider.first_name), 35),
        taxonomy_code=practice.taxonomy_code or provider.taxonomy_code or "",
        contact_name=cut_to(to_basic_text(practice.contact_name or practice.name), 60) if phone else "",
        phone=phone,
    )


def _rendering_provider(facts: rules.ClaimFacts) -> RenderingProvider | None:
    if facts.practice.npi is None:
        return None
    return RenderingProvider(
        npi=facts.provider.npi,
        last_name=cut_to(to_basic_text(facts.provider.last_name), 60),
        first_name=cut_to(to_basic_text(facts.provider.first_name), 35),
        taxonomy_code=facts.provider.taxonomy_code or "",
    )


def _address(address: rules.Address) -> Address:
    return Address(
        street=cut_to(to_basic_text(address.street), 55),
        street_line_2=cut_to(to_basic_text(address.line2 or ""), 55),
        city=cut_to(to_basic_text(address.city), 30),
        state=address.state,
        zip_code=address.zip,
    )


def _service_line(
    procedure: rules.Procedure, number: int, patient_control_number: str, *, diagnoses: int
) -> ServiceLine:
    if procedure.charge is None:
        raise ClaimFormatError([(f"service_lines[{number - 1}].charge", "is missing")])
    return ServiceLine(
        procedure_code=procedure.code,
        charge=procedure.charge,
        control_number=line_control_number(patient_control_number, number),
        diagnosis_pointers=procedure.diagnosis_pointers or tuple(range(1, min(MOST_POINTERS, diagnoses) + 1)),
        modifiers=procedure.modifiers,
        units=procedure.units,
    )
