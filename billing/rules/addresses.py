"""Rules about the practice's and the patient's address, names' lengths and the phone number."""

import re
from collections.abc import Iterator
from dataclasses import replace

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
from billing.rules.tables.states import is_state, zip_is_in_state

_BOX = re.compile(
    r"""
      \bp[\s.]*o[\s.-]*(box|bx|drawer)\b
    | \bpost\s+office\s+(box|bx|drawer)\b
    | \bprivate\s+mail\s?box\b
    | \bp[\s.]*o[\s.]*b[\s.]*\#?\s*\d
    | \bp[\s.]*m[\s.]*b[\s.]*\#?\s*\d
    | ^\s*p\.?\s?o\.?\s*\#?\s*\d
    | \block[\s-]?box\b
    | \bcaller\s+box\b
    | ^\s*box\s+\d
    """,
    re.IGNORECASE | re.VERBOSE,
)
_ZIP = re.compile(r"[0-9]{5}([0-9]{4})?")
_PHONE = re.compile(r"[2-9][0-9]{2}[2-9][0-9]{6}")

_STREET, _CITY, _ORGANIZATION, _LAST, _FIRST = 55, 30, 60, 60, 35


def _addresses(facts: ClaimFacts) -> Iterator[tuple[str, str, Address]]:
    yield "practice.address", "practice's", facts.practice.address
    yield "patient.address", "patient's", facts.patient.address


def street_not_box(facts: ClaimFacts) -> Iterator[Complaint]:
    """The billing address is a place, not a mailbox."""
    address = facts.practice.address
    for part, text in (("street", address.street), ("line2", address.line2)):
        if text and _BOX.search(text):
            yield hold(
                f"practice.address.{part}",
                "The practice's address is a mailbox, and a claim must name a place. Send the street where "
                "it works.",
            )


def complete_zip(facts: ClaimFacts) -> tuple[ClaimFacts, tuple[Complaint, ...]]:
    """A billing ZIP has nine digits on the claim: looked up, else the five with four zeros."""
    address = facts.practice.address
    if not re.fullmatch(r"[0-9]{5}", address.zip):
        return facts, ()
    looked_up = facts.practice.zip_plus_four
    if looked_up and re.fullmatch(r"[0-9]{9}", looked_up) and looked_up.startswith(address.zip):
        complaint = repaired(
            "The practice's ZIP has nine digits on the claim; the last four are looked up.",
            Change("practice.address.zip", looked_up),
        )
        completed = looked_up
    else:
        completed = f"{address.zip}0000"
        complaint = Complaint(
            "practice.address.zip",
            "The practice's ZIP has five digits and a claim carries nine, so the claim says 0000 for the "
            "rest. Send all nine, like 78701-1234.",
            Actor.PARTNER,
            Severity.WARN,
            (Change("practice.address.zip", completed),),
        )
    practice = replace(facts.practice, address=replace(address, zip=completed))
    return replace(facts, practice=practice), (complaint,)


def zip_form(facts: ClaimFacts) -> Iterator[Complaint]:
    """Four nines are a stand-in that clearinghouses refuse."""
    if facts.practice.address.zip[5:] == "9999":
        yield warn(
            "practice.address.zip",
            "The practice's ZIP ends in 9999, a stand-in that some clearinghouses refuse. Send the real four "
            "digits or only the first five.",
            who_acts=Actor.PARTNER,
        )


def zip_fits_state(facts: ClaimFacts) -> Iterator[Complaint]:
    """A ZIP lies in its state."""
    for path, whose, address in _addresses(facts):
        state = address.state.upper()
        if is_state(state) and _ZIP.fullmatch(address.zip) and not zip_is_in_state(address.zip, state=state):
            yield warn(
                f"{path}.zip",
                f"The {whose} ZIP lies in another state than the address says. Compare both with the "
                "address.",
                who_acts=Actor.PARTNER,
            )


def state_exists(facts: ClaimFacts) -> Iterator[Complaint]:
    """A state is one of the United States, a territory, or military post."""
    for path, whose, address in _addresses(facts):
        if not is_state(address.state.upper()):
            yield hold(
                f"{path}.state",
                f"The {whose} state is no US state or territory. Send its two letters, like TX.",
            )


def phone_can_be_called(facts: ClaimFacts) -> tuple[ClaimFacts, tuple[Complaint, ...]]:
    """A phone number that can't exist is left out with its contact."""
    phone = facts.practice.phone
    if phone is None or _PHONE.fullmatch(phone):
        return facts, ()
    return replace(facts, practice=replace(facts.practice, phone=None)), (
        Complaint(
            "practice.phone",
            "No US phone number begins like the practice's, so the claim leaves out the contact. Send ten "
            "digits, area code first, like 5125550123.",
            Actor.PARTNER,
            Severity.WARN,
            (Change("practice.phone"),),
        ),
    )


def cut_to_length(facts: ClaimFacts) -> tuple[ClaimFacts, tuple[Complaint, ...]]:
    """What is longer than its field on the claim is cut, and the log says so."""
    changes: list[Change] = []

    def cut(path: str, text: str, longest: int) -> str:
        if len(text) <= longest:
            return text
        changes.append(Change(path))
        return text[:longest].rstrip()

    def cut_address(path: str, address: Address) -> Address:
        return replace(
            address,
            street=cut(f"{path}.street", address.street, _STREET),
            line2=cut(f"{path}.line2", address.line2, _STREET) if address.line2 else address.line2,
            city=cut(f"{path}.city", address.city, _CITY),
        )

    patient = replace(
        facts.patient,
        last_name=cut("patient.lastName", facts.patient.last_name, _LAST),
        first_name=cut("patient.firstName", facts.patient.first_name, _FIRST),
        address=cut_address("patient.address", facts.patient.address),
    )
    provider = replace(
        facts.provider,
        last_name=cut("provider.lastName", facts.provider.last_name, _LAST),
        first_name=cut("provider.firstName", facts.provider.first_name, _FIRST),
    )
    practice = replace(
        facts.practice,
        name=cut("practice.name", facts.practice.name, _ORGANIZATION),
        address=cut_address("practice.address", facts.practice.address),
    )
    if not changes:
        return facts, ()
    complaints = tuple(
        repaired("The text is longer than its field on the claim and is cut there.", change)
        for change in changes
    )
    return replace(facts, patient=patient, provider=provider, practice=practice), complaints


def texts_are_there(facts: ClaimFacts) -> Iterator[Complaint]:
    """Names, streets and cities still say something in the characters of a claim."""
    for path, name, text in (
        ("patient.lastName", "patient's last name", facts.patient.last_name),
        ("patient.firstName", "patient's first name", facts.patient.first_name),
        ("provider.lastName", "therapist's last name", facts.provider.last_name),
        ("provider.firstName", "therapist's first name", facts.provider.first_name),
        ("practice.name", "practice's name", facts.practice.name),
        ("practice.address.street", "practice's street", facts.practice.address.street),
        ("patient.address.street", "patient's street", facts.patient.address.street),
    ):
        if not re.search(r"[A-Za-z0-9]", text):
            ours = path.startswith("provider.")
            how = "Tell billing staff how the registry spells it." if ours else "Spell it in them."
            yield hold(path, f"The {name} has no Latin letters, and a claim carries no others. {how}")
    for path, whose, address in _addresses(facts):
        if len(re.findall(r"[A-Za-z]", address.city)) < 2:
            yield hold(
                f"{path}.city",
                f"The {whose} city needs at least two Latin letters. Send it spelled out, like Austin.",
            )


RULES = (
    Rule("ADR-001", HOLDS, "The practice's address is a street, not a mailbox", street_not_box),
    Rule(
        "ADR-002", REPAIRS + WARNS, "The practice's ZIP has nine digits, never 9999", zip_form, complete_zip
    ),
    Rule("ADR-003", WARNS, "A ZIP lies in its state", zip_fits_state),
    Rule(
        "ADR-004",
        HOLDS + REPAIRS,
        "Names and addresses fit their fields on the claim",
        texts_are_there,
        cut_to_length,
    ),
    Rule("ADR-005", WARNS, "The practice's phone number can exist", repair=phone_can_be_called),
    Rule("ADR-006", HOLDS, "States are US states or territories", state_exists),
)
