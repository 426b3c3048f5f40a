"""Rules about the patient."""

import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import date

from billing.rules.characters import basic_text, loses_letters
from billing.rules.facts import Address, ClaimFacts
from billing.rules.rule import (
    HOLDS,
    REPAIRS,
    WARNS,
    Actor,
    Change,
    Complaint,
    Rule,
    Severity,
    hold,
    repaired,
    warn,
)

_OLDEST = 150
_SUFFIX_OR_TITLE = re.compile(
    r"[\s,]+(jr|sr|ii|iii|iv|md|phd|esq|dds|rn|dr)\.?$|^(mr|mrs|ms|miss|dr|prof|rev)\.?\s", re.IGNORECASE
)

_IN_LATIN = "Send it in Latin letters, as the insurance card or registry has it."
_NOT_UPDATED = "A therapist's name can't be updated; tell billing staff how the registry spells it."


def years_between(earlier: date, later: date) -> int:
    """Whole years that have passed, as a person counts an age."""
    return later.year - earlier.year - ((later.month, later.day) < (earlier.month, earlier.day))


def birth_date(facts: ClaimFacts) -> Iterator[Complaint]:
    """Someone is born before being treated, and not impossibly long before."""
    born = facts.patient.date_of_birth
    path = "patient.dateOfBirth"
    if born > facts.today:
        yield hold(path, "The birth date lies in the future. Send the one on the insurance card or record.")
    elif born > facts.session.date_of_service:
        yield hold(path, "The birth date lies after the date of service. Compare both with the record.")
    elif years_between(born, facts.today) >= _OLDEST:
        yield hold(path, f"The birth date makes the patient {_OLDEST} or older. Compare it with the record.")


def bare_last_name(facts: ClaimFacts) -> Iterator[Complaint]:
    """Payers look members up by last name alone."""
    if _SUFFIX_OR_TITLE.search(facts.patient.last_name.strip()):
        yield warn(
            "patient.lastName",
            "The last name carries a suffix or title, like Jr or MD. Payers often don't find the member "
            "then; send the name as the insurance card has it.",
            who_acts=Actor.PARTNER,
        )


def spell_in_basic_characters(facts: ClaimFacts) -> tuple[ClaimFacts, tuple[Complaint, ...]]:
    """Accents come off, signs that a claim can't carry become blanks, and lost letters are told."""
    changes: list[Change] = []
    incomplete: set[str] = set()

    def basic(path: str, text: str, *, required: bool = True) -> str:
        plain = basic_text(text)
        if plain != " ".join(text.split()):
            changes.append(Change(path))
        if loses_letters(text) and (plain or not required):  # without one, ADR-004 holds
            incomplete.add(path)
        return plain

    def basic_or_none(path: str, text: str | None) -> str | None:
        return basic(path, text, required=False) or None if text else text

    def basic_address(path: str, address: Address) -> Address:
        return replace(
            address,
            street=basic(f"{path}.street", address.street),
            line2=basic_or_none(f"{path}.line2", address.line2),
            city=basic(f"{path}.city", address.city),
        )

    patient = replace(
        facts.patient,
        first_name=basic("patient.firstName", facts.patient.first_name),
        last_name=basic("patient.lastName", facts.patient.last_name),
        address=basic_address("patient.address", facts.patient.address),
    )
    coverage = replace(
        facts.coverage,
        payer_name=basic("patient.insurance.payerName", facts.coverage.payer_name),
        group_number=basic_or_none("patient.insurance.groupNumber", facts.coverage.group_number),
    )
    provider = replace(
        facts.provider,
        first_name=basic("provider.firstName", facts.provider.first_name),
        last_name=basic("provider.lastName", facts.provider.last_name),
    )
    practice = replace(
        facts.practice,
        name=basic("practice.name", facts.practice.name),
        contact_name=basic_or_none("practice.contactName", facts.practice.contact_name),
        address=basic_address("practice.address", facts.practice.address),
    )
    if facts.payer_match and facts.payer_match.payer_name:  # the claim has that one
        incomplete.discard("patient.insurance.payerName")
    respelled = replace(facts, patient=patient, coverage=coverage, provider=provider, practice=practice)
    return respelled, tuple(
        _letters_lost(each) if each.path in incomplete else _spelled(each) for each in changes
    )


def _spelled(change: Change) -> Complaint:
    return repaired("The claim spells this in plain Latin letters, without accents and rare signs.", change)


def _letters_lost(change: Change) -> Complaint:
    what_helps = _NOT_UPDATED if change.path.startswith("provider.") else _IN_LATIN
    return Complaint(
        change.path,
        f"The claim leaves out letters of another script in {change.path}, so it says less than was sent. "
        f"{what_helps}",
        Actor.PARTNER,
        Severity.WARN,
        (change,),
    )


def stated_gender(facts: ClaimFacts) -> Iterator[Complaint]:
    """A few payers take only M or F."""
    if facts.patient.gender == "U":
        yield warn(
            "patient.gender",
            "The gender is U, and some payers refuse that. If the payer's record says M or F, send that.",
            who_acts=Actor.PARTNER,
        )


RULES = (
    Rule(
        "PAT-001", HOLDS, "The birth date is before the date of service and under 150 years ago", birth_date
    ),
    Rule("PAT-002", WARNS, "The last name carries no suffix or title", bare_last_name),
    Rule(
        "PAT-003",
        REPAIRS + WARNS,
        "Texts are in characters that a claim can carry",
        repair=spell_in_basic_characters,
    ),
    Rule("PAT-004", WARNS, "The gender is M or F", stated_gender),
)
