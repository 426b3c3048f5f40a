"""Natural keys: what makes two arrivals of the same statement one signal."""

from collections.abc import Iterable
from datetime import date
from decimal import Decimal
from hashlib import sha256

from claims.signals import SignalKind, StatusCode

LONGEST = 400


def acknowledgement_key(*, group: str, transaction_set: str, verdict: str) -> str:
    """Build the natural key of a 999: our GS06 and ST02, and IK501; two that differ in it are two answers."""
    return _key("999", group, transaction_set, verdict)


def interchange_key(*, interchange: str, verdict: str) -> str:
    """Build the natural key of a TA1: our ISA13, and TA104."""
    return _key("TA1", interchange, verdict)


def claim_acknowledgement_key(
    *,
    kind: SignalKind,
    source_id: str,
    trace: str,
    patient_control_number: str,
    status_date: date,
    statuses: Iterable[StatusCode],
) -> str:
    """Build the natural key of a 277CA or a 277: source id, TRN, PCN, STC date, STC codes."""
    codes = sorted(str(status) for status in statuses)
    return _key(kind, source_id, trace, patient_control_number, status_date.isoformat(), *codes)


def remittance_key(
    *,
    payer_id: str,
    trace: str,
    originator: str,
    patient_control_number: str,
    payer_control_number: str,
    claim_status_code: str,
    paid: Decimal,
    occurrence: int,
) -> str:
    """Build the key of an 835 claim: payer, TRN02, TRN03, CLP01, CLP07, CLP02, CLP04, occurrence from 1."""
    return _key(
        "835",
        payer_id,
        trace,
        originator,
        patient_control_number,
        payer_control_number,
        claim_status_code,
        f"{paid:.2f}",
        str(occurrence),
    )


def provider_adjustment_key(
    *,
    payer_id: str,
    trace: str,
    originator: str,
    provider: str,
    reason: str,
    reference: str,
    amount: Decimal,
    occurrence: int,
) -> str:
    """Build the key of a PLB adjustment: payer, TRN02, TRN03, PLB01, PLB03-1 and -2, amount, occurrence."""
    return _key(
        "PLB", payer_id, trace, originator, provider, reason, reference, f"{amount:.2f}", str(occurrence)
    )


def key_of_day(natural_key: str, day: date) -> str:
    """Build the key of what is stated anew on another day under a natural key that is known."""
    return _fit(f"{natural_key}|{day.isoformat()}")


def _key(*parts: str) -> str:
    return _fit("|".join(part.replace("\\", "\\\\").replace("|", "\\|") for part in parts))


def _fit(key: str) -> str:
    """A key that is too long ends with the digest of it all, so that two stay two."""
    if len(key) <= LONGEST:
        return key
    digest = sha256(key.encode()).hexdigest()
    return key[: LONGEST - len(digest)] + digest
