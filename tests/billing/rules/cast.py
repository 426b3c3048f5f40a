"""An invented session that every claim rule is content with, and ways to spoil it."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from typing import Any

from billing.rules.facts import (
    Address,
    ClaimFacts,
    Coverage,
    Diagnosis,
    DiagnosisStatus,
    Mode,
    Note,
    NoteOutcome,
    OtherClaim,
    OtherClaimState,
    Patient,
    PayerMatch,
    PayerMatchOutcome,
    PayerProfile,
    PlaceOfService,
    Practice,
    Procedure,
    Provider,
    Session,
)
from billing.rules.rule import Severity

TODAY = datetime.now(UTC).date()
SEEN = TODAY - timedelta(days=3)
NPI, RIVAL_NPI, GROUP_NPI, BAD_NPI = "1234567893", "1999999976", "1999999984", "1234567890"

MARKED = ("Zephyrine", "Quackenbush", "Marker Lane", "Elmtown", "QZX987654321", "GRPMARK77", "1987-06-05")
"""The patient's own values: none of them may stand in a message."""

_BASELINE = ClaimFacts(
    mode=Mode.LIVE,
    today=TODAY,
    patient=Patient(
        "Zephyrine", "Quackenbush", date(1987, 6, 5), "F", Address("99 Marker Lane", "Elmtown", "TX", "78702")
    ),
    coverage=Coverage("QZX987654321", "AETNA", payer_id="60054", group_number="GRPMARK77"),
    provider=Provider("Ana", "Rivera", NPI, taxonomy_code="101YM0800X"),
    practice=Practice(
        "Calm Harbor Counseling LLC",
        "123456789",
        Address("100 Main St", "Austin", "TX", "787011234", line2="Ste 200"),
        npi=GROUP_NPI,
        phone="5125550123",
        contact_name="Billing Office",
    ),
    session=Session(SEEN, minutes=55),
    diagnoses=(Diagnosis("F41.1", DiagnosisStatus.BILLABLE), Diagnosis("Z63.0", DiagnosisStatus.BILLABLE)),
    procedures=(Procedure("90837", charge=Decimal("180.00")),),
    total_charge=Decimal("180.00"),
    payer_match=PayerMatch(PayerMatchOutcome.EXACT, "60054", "Aetna"),
)


def a_claim(**changes: Any) -> ClaimFacts:
    """The content session with changes: a mapping changes fields of a part, anything else replaces it."""
    merged = {
        name: replace(getattr(_BASELINE, name), **change) if isinstance(change, Mapping) else change
        for name, change in changes.items()
    }
    return replace(_BASELINE, **merged)


def lines(*codes: str | Procedure, **changes: Any) -> ClaimFacts:
    """The session with these procedure codes, each priced; without minutes unless they are given."""
    procedures = tuple(
        code if isinstance(code, Procedure) else Procedure(code, charge=Decimal("100.00")) for code in codes
    )
    total = sum((line.charge for line in procedures if line.charge is not None), Decimal(0))
    session = {"minutes": None, **changes.pop("session", {})}
    return a_claim(procedures=procedures, total_charge=total, session=session, **changes)


def line(code: str, *modifiers: str, **changes: Any) -> Procedure:
    """One priced procedure line."""
    return Procedure(code, modifiers, **{"charge": Decimal("100.00"), **changes})


def telehealth(*codes: str | Procedure, **changes: Any) -> ClaimFacts:
    """The session by telehealth."""
    session = {"place_of_service": PlaceOfService.TELEHEALTH, **changes.pop("session", {})}
    return lines(*codes, session=session, **changes)


def diagnosed(*diagnoses: str | Diagnosis) -> ClaimFacts:
    """The session with these diagnoses, billable unless they say otherwise."""
    return a_claim(
        diagnoses=tuple(
            code if isinstance(code, Diagnosis) else Diagnosis(code, DiagnosisStatus.BILLABLE)
            for code in diagnoses
        )
    )


def other(*codes: str, **changes: Any) -> OtherClaim:
    """Another claim of the same patient, therapist and day, sent."""
    values = {"date_of_service": SEEN, "provider_npi": NPI, "state": OtherClaimState.SENT, **changes}
    return OtherClaim(procedure_codes=codes, **values)


def note(outcome: NoteOutcome = NoteOutcome.CODED, **changes: Any) -> Note:
    """A note that was read."""
    return Note(outcome, **changes)


def profile(**changes: Any) -> PayerProfile:
    """What staff keep about the payer."""
    return PayerProfile(**changes)


@dataclass(frozen=True)
class Failing:
    """A session that a rule speaks about, and how."""

    facts: ClaimFacts
    path: str
    severity: Severity = Severity.BLOCK


@dataclass(frozen=True)
class Example:
    """What a rule is content with, and what not."""

    passing: tuple[ClaimFacts, ...]
    failing: tuple[Failing, ...]


def example(
    *, passing: tuple[ClaimFacts, ...] | ClaimFacts, failing: tuple[Failing, ...] | Failing
) -> Example:
    """An example of one session or several each way."""
    return Example(
        passing if isinstance(passing, tuple) else (passing,),
        failing if isinstance(failing, tuple) else (failing,),
    )
