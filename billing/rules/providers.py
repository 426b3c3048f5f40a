"""Rules about who treated and who bills: identifiers, taxonomy, enrollment."""

import re
from collections.abc import Iterator
from dataclasses import replace

from billing.rules.facts import ClaimFacts, EnrollmentStatus, NppesRecord, Table
from billing.rules.npi import npi_is_valid
from billing.rules.rule import (
    HOLDS,
    REPAIRS,
    WARNS,
    Actor,
    Change,
    Complaint,
    Rule,
    hold,
    procedure_path,
    repaired,
    warn,
)
from billing.rules.tables.procedures import NEEDS_PRESCRIBER, name_of
from billing.rules.tables.taxonomies import COMPLETE_GROUPS, GROUPINGS
from billing.rules.taxonomy import infer_taxonomy, is_known_taxonomy, is_prescriber

_INCORPORATED = re.compile(
    r"\b(l\.?l\.?c|p\.?l\.?l\.?c|l\.?l\.?p|inc|incorporated|corp|corporation|p\.?c|p\.?a)\b\.?", re.I
)
_ANEW = (
    "onboard the therapist under the right one, and send the session anew under that, with another "
    "externalSessionId; billing staff end this one."
)
"""A session keeps its NPI and its externalSessionId for good."""
_WRONG_NPI = {
    "provider.npi": "The therapist's NPI fails its check digit, so no payer knows it. Look it up in the NPI "
    f"registry, {_ANEW}",
    "practice.npi": "The practice's NPI fails its check digit, so no payer knows it. Look it up in the NPI "
    "registry and update the practice, or leave it out to bill the therapist as a person.",
}
_NOT_REGISTERED = {
    "provider.npi": "The NPI registry doesn't have the therapist's NPI. Compare it with the registry, "
    f"{_ANEW}",
    "practice.npi": "The NPI registry doesn't have the practice's NPI. Compare it with the registry and "
    "send the right one.",
}
_SWITCHED_OFF = {
    "provider.npi": f"The NPI registry has switched the therapist's NPI off. Have it reactivated, or {_ANEW}",
    "practice.npi": "The NPI registry has switched the practice's NPI off. Have it reactivated, or send the "
    "new one.",
}
_TAXONOMY_FORM = re.compile(r"[0-9A-Z]{9}X")


def _npis(facts: ClaimFacts) -> Iterator[tuple[str, str, NppesRecord | None]]:
    yield "provider.npi", facts.provider.npi, facts.provider.nppes
    if facts.practice.npi is not None:
        yield "practice.npi", facts.practice.npi, facts.practice.nppes


def _taxonomies(facts: ClaimFacts) -> Iterator[tuple[str, str]]:
    if facts.provider.taxonomy_code is not None:
        yield "provider.taxonomyCode", facts.provider.taxonomy_code
    if facts.practice.taxonomy_code not in (None, facts.provider.taxonomy_code):
        yield "practice.taxonomyCode", str(facts.practice.taxonomy_code)


def npi_check_digit(facts: ClaimFacts) -> Iterator[Complaint]:
    """An NPI whose check digit doesn't fit belongs to nobody."""
    for path, npi, _ in _npis(facts):
        if not npi_is_valid(npi):
            yield hold(path, _WRONG_NPI[path])


def tax_id(facts: ClaimFacts) -> Iterator[Complaint]:
    """A claim names the practice's tax ID."""
    number = facts.practice.tax_id
    if not re.fullmatch(r"[0-9]{9}", number):
        yield hold(
            "practice.taxId", "The practice has no tax ID of nine digits. Send its EIN, without dashes."
        )
    elif len(set(number)) == 1:
        yield hold(
            "practice.taxId",
            "The practice's tax ID is one digit nine times, a stand-in. Send its EIN as the IRS issued it.",
        )


def bill_as_person(facts: ClaimFacts) -> tuple[ClaimFacts, tuple[Complaint, ...]]:
    """The same NPI twice means a therapist without an organization."""
    if facts.practice.npi is None or facts.practice.npi != facts.provider.npi:
        return facts, ()
    return replace(facts, practice=replace(facts.practice, npi=None)), (
        repaired(
            "The practice has the therapist's own NPI, so the claim bills the therapist as a person.",
            Change("practice.npi"),
        ),
    )


def incorporated_without_npi(facts: ClaimFacts) -> Iterator[Complaint]:
    """A company bills under an organization NPI of its own."""
    if facts.practice.npi is None and _INCORPORATED.search(facts.practice.name):
        yield warn(
            "practice.npi",
            "The practice's name is a company's, yet the claim bills the therapist as a person. If the "
            "company has an organization NPI, send it: some payers pay only under that.",
            who_acts=Actor.PARTNER,
        )


def taxonomy_exists(facts: ClaimFacts) -> Iterator[Complaint]:
    """A taxonomy code is in the NUCC list."""
    for path, code in _taxonomies(facts):
        if is_known_taxonomy(code):
            continue
        if (
            not _TAXONOMY_FORM.fullmatch(code)
            or code[:2] not in GROUPINGS
            or code.startswith(COMPLETE_GROUPS)
        ):
            yield hold(
                path,
                f"No provider type has the taxonomy code {code}. Send the one that the NPI registry shows "
                "for this NPI, like 101YM0800X (mental health counselor), or leave it out.",
            )
        else:
            yield warn(
                path,
                f"The taxonomy code {code} lies outside behavioural health, so we can't look it up. Compare "
                "it with the NPI registry.",
                who_acts=Actor.PARTNER,
            )


def take_taxonomy_from_words(facts: ClaimFacts) -> tuple[ClaimFacts, tuple[Complaint, ...]]:
    """Specialty and credentials say which taxonomy fits, where none was sent."""
    if facts.provider.taxonomy_code is not None:
        return facts, ()
    code = infer_taxonomy(facts.provider.specialty, facts.provider.credentials)
    if code is None:
        return facts, ()
    return replace(facts, provider=replace(facts.provider, taxonomy_code=code, taxonomy_inferred=True)), ()


def taxonomy_is_stated(facts: ClaimFacts) -> Iterator[Complaint]:
    """A taxonomy that we read out of words may not be the one that the payer has on file."""
    if facts.provider.taxonomy_code is None:
        yield warn(
            "provider.taxonomyCode",
            "Specialty and credentials don't say which taxonomy fits, so the claim goes without one. Some "
            "payers refuse that; send taxonomyCode as the NPI registry shows it.",
            who_acts=Actor.PARTNER,
        )
    elif facts.provider.taxonomy_inferred:
        yield warn(
            "provider.taxonomyCode",
            f"The taxonomy code {facts.provider.taxonomy_code} is read from specialty or credentials. Send "
            "taxonomyCode if the NPI registry shows another.",
            who_acts=Actor.PARTNER,
        )


def npi_is_active(facts: ClaimFacts) -> Iterator[Complaint]:
    """The NPI registry knows the NPI and has not switched it off."""
    for path, _, record in _npis(facts):
        if record is not None and not record.found:
            yield hold(path, _NOT_REGISTERED[path])
        elif record is not None and record.deactivated:
            yield hold(path, _SWITCHED_OFF[path])


def taxonomy_is_registered(facts: ClaimFacts) -> Iterator[Complaint]:
    """Payers compare the claim's taxonomy with the NPI registry."""
    record = facts.provider.nppes
    code = facts.provider.taxonomy_code
    if (
        record is not None
        and record.found
        and code is not None
        and record.taxonomies
        and code not in record.taxonomies
    ):
        yield warn(
            "provider.taxonomyCode",
            f"The NPI registry doesn't list the taxonomy code {code} for this therapist. Send one that it "
            "lists, or have the registry changed.",
            who_acts=Actor.PARTNER,
        )


def claims_enrollment(facts: ClaimFacts) -> Iterator[Complaint]:
    """Some payers take electronic claims only from providers enrolled for them."""
    enrollment = facts.provider.enrollment
    required = facts.profile is not None and facts.profile.enrollment_required
    if required and enrollment is not None and enrollment.claims is not EnrollmentStatus.LIVE:
        yield hold(
            "patient.insurance.payerId",
            "This payer takes electronic claims only after enrollment, and the therapist's isn't complete. "
            "Finish the enrollment and the session goes on.",
            who_acts=Actor.STAFF,
        )


def remittances_expected(facts: ClaimFacts) -> bool:
    """Whether an electronic remittance can come, as far as known."""
    enrollment = facts.provider.enrollment
    needed = facts.profile is None or facts.profile.remittance_enrollment_required
    return enrollment is None or not needed or enrollment.remittances is EnrollmentStatus.LIVE


def remittance_enrollment(facts: ClaimFacts) -> Iterator[Complaint]:
    """Without an enrollment for remittances most payers send none."""
    if not remittances_expected(facts):
        yield warn(
            "patient.insurance.payerId",
            "The therapist isn't enrolled for electronic remittances with this payer, so no payment file "
            "comes and the session stays open. Enroll, or ask the payer how it decided.",
            who_acts=Actor.STAFF,
        )


def prescriber_codes(facts: ClaimFacts) -> Iterator[Complaint]:
    """Medical services are billed by those who prescribe."""
    taxonomy = facts.provider.taxonomy_code
    if taxonomy is None or is_prescriber(taxonomy):
        return
    for position, procedure in enumerate(facts.procedures):
        visit = procedure.code.isdigit() and 99202 <= int(procedure.code) <= 99255
        if procedure.code in NEEDS_PRESCRIBER or visit:
            yield warn(
                procedure_path(position),
                f"{name_of(procedure.code)} is a medical service, and the therapist's taxonomy isn't a "
                "prescriber's. Most payers deny it; check the code or the taxonomy.",
                who_acts=Actor.PARTNER,
            )


RULES = (
    Rule(
        "PRV-001",
        HOLDS,
        "Every NPI has ten digits, begins with 1 or 2, and its check digit fits",
        npi_check_digit,
        warns_in_test_mode=True,
    ),
    Rule("PRV-002", HOLDS, "The practice has a tax ID of nine digits, not one digit repeated", tax_id),
    Rule(
        "PRV-003",
        REPAIRS,
        "A practice with the therapist's own NPI is billed as a person",
        repair=bill_as_person,
    ),
    Rule("PRV-004", WARNS, "A practice that is a company has an organization NPI", incorporated_without_npi),
    Rule("PRV-005", HOLDS + WARNS, "Taxonomy codes are in the NUCC list", taxonomy_exists),
    Rule(
        "PRV-006",
        WARNS,
        "The taxonomy was sent, not read from specialty or credentials",
        taxonomy_is_stated,
        take_taxonomy_from_words,
    ),
    Rule(
        "PRV-007", HOLDS, "The NPI registry has the NPI, and it is active", npi_is_active, needs=Table.NPPES
    ),
    Rule(
        "PRV-008",
        WARNS,
        "The taxonomy is one that the NPI registry lists for the therapist",
        taxonomy_is_registered,
        needs=Table.NPPES,
    ),
    Rule(
        "PRV-009",
        HOLDS,
        "Where the payer asks for enrollment, the therapist's is complete",
        claims_enrollment,
        needs=Table.ENROLLMENT,
    ),
    Rule(
        "PRV-010",
        WARNS,
        "The therapist is enrolled for electronic remittances",
        remittance_enrollment,
        needs=Table.ENROLLMENT,
    ),
    Rule("PRV-011", WARNS, "Medical services are billed by a prescriber", prescriber_codes),
)
