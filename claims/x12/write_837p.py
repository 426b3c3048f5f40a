"""Writes professional claims as an 837P, guide 005010X222A1, with the loops that a therapy claim uses.

    ST BHT
    1000A submitter          NM1*41 PER
    1000B receiver           NM1*40
    2000A billing provider   HL PRV
      2010AA                 NM1*85 N3 N4 REF*EI PER
      2000B subscriber       HL SBR            the subscriber is the patient
        2010BA               NM1*IL N3 N4 DMG
        2010BB payer         NM1*PR
        2300 claim           CLM REF*F8 HI
          2310B rendering    NM1*82 PRV        a group only
          2400 service line  LX SV1 DTP*472 REF*6R
    SE

Each claim has a transaction set of its own, so that an acknowledgement of the set is one of the claim.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from claims.x12.claim import (
    Address,
    BillingProvider,
    ClaimFormatError,
    Envelope,
    ProfessionalClaim,
    RenderingProvider,
    ServiceLine,
    Subscriber,
)
from claims.x12.writing import (
    amount_text,
    composite_of,
    date_text,
    interchange_of,
    segment_of,
    time_text,
    transaction_set_of,
)

VERSION = "005010X222A1"
HIGHEST_CONTROL_NUMBER = 999_999_999


def write_837p(claims: Iterable[ProfessionalClaim], *, envelope: Envelope) -> str:
    """Write one interchange that holds all the claims, one transaction set each, in the order given.

    The text is ASCII, without line ends. Raises ClaimFormatError where there is no claim, two share a patient
    control number, or the transaction control numbers run out.
    """
    batch = list(claims)
    if not batch:
        raise ClaimFormatError([("claims", "are none")])
    if len({claim.patient_control_number for claim in batch}) < len(batch):
        raise ClaimFormatError([("claims", "share a patient control number")])
    first = envelope.transaction_control_number
    if first + len(batch) - 1 > HIGHEST_CONTROL_NUMBER:
        raise ClaimFormatError([("transaction_control_number", "leaves too few numbers for the batch")])
    submission = _Submission(envelope)
    return interchange_of(
        (submission.transaction_set_of(claim, number) for number, claim in enumerate(batch, start=first)),
        envelope=envelope,
        functional_id="HC",
        version=VERSION,
    )


def batch_reference(envelope: Envelope, transaction_control_number: int) -> str:
    """Give the BHT03 of a transaction set, which a 277CA quotes for the whole set (2200B TRN02)."""
    return f"{envelope.batch_id}-{transaction_control_number:04}"


class _Submission:
    """What all transaction sets of an interchange share, written once."""

    def __init__(self, envelope: Envelope) -> None:
        self.envelope = envelope
        self.purpose = "18" if envelope.is_resend else "00"
        self.created = (date_text(envelope.created_at), time_text(envelope.created_at))
        self.parties = tuple(_party_segments(envelope))

    def transaction_set_of(self, claim: ProfessionalClaim, number: int) -> str:
        reference = batch_reference(self.envelope, number)
        return transaction_set_of(
            "837",
            control_number=number,
            version=VERSION,
            body=[
                segment_of("BHT", "0019", self.purpose, reference, *self.created, "CH"),
                *self.parties,
                *_claim_segments(claim),
            ],
        )


def _party_segments(envelope: Envelope) -> Iterator[str]:
    yield segment_of("NM1", "41", "2", envelope.submitter_name, "", "", "", "", "46", envelope.sender_id)
    yield segment_of("PER", "IC", envelope.submitter_contact_name, "TE", envelope.submitter_phone)
    yield segment_of("NM1", "40", "2", envelope.receiver_name, "", "", "", "", "46", envelope.receiver_id)


def _claim_segments(claim: ProfessionalClaim) -> Iterator[str]:
    yield from _billing_segments(claim.billing_provider)
    yield from _subscriber_segments(claim)
    yield segment_of(
        "CLM",
        claim.patient_control_number,
        amount_text(claim.total_charge),
        "",
        "",
        composite_of(claim.place_of_service_code, "B", claim.frequency),
        "Y",
        "A",
        "Y",
        "Y",
        *([""] * 10),
        claim.delay_reason_code,
    )
    if claim.payer_control_number:
        yield segment_of("REF", "F8", claim.payer_control_number)
    principal, *others = claim.diagnosis_codes
    yield segment_of("HI", f"ABK:{principal}", *(f"ABF:{code}" for code in others))
    if claim.rendering_provider is not None:
        yield from _rendering_segments(claim.rendering_provider)
    service_date = segment_of("DTP", "472", "D8", date_text(claim.date_of_service))
    for number, line in enumerate(claim.service_lines, start=1):
        yield from _line_segments(line, number, service_date)


def _billing_segments(billing: BillingProvider) -> Iterator[str]:
    yield segment_of("HL", "1", "", "20", "1")
    if billing.taxonomy_code:
        yield segment_of("PRV", "BI", "PXC", billing.taxonomy_code)
    if billing.is_group:
        yield segment_of("NM1", "85", "2", billing.organization_name, "", "", "", "", "XX", billing.npi)
    else:
        yield segment_of(
            "NM1", "85", "1", billing.last_name, billing.first_name, "", "", "", "XX", billing.npi
        )
    yield from _address_segments(billing.address)
    yield segment_of("REF", "EI", billing.tax_id)
    if billing.phone:
        yield segment_of("PER", "IC", billing.contact_name, "TE", billing.phone)


def _subscriber_segments(claim: ProfessionalClaim) -> Iterator[str]:
    subscriber: Subscriber = claim.subscriber
    payer = claim.payer
    yield segment_of("HL", "2", "1", "22", "0")
    yield segment_of("SBR", "P", "18", subscriber.group_number, "", "", "", "", "", payer.claim_filing_code)
    yield segment_of(
        "NM1", "IL", "1", subscriber.last_name, subscriber.first_name, "", "", "", "MI", subscriber.member_id
    )
    yield from _address_segments(subscriber.address)
    yield segment_of("DMG", "D8", date_text(subscriber.date_of_birth), subscriber.gender)
    yield segment_of("NM1", "PR", "2", payer.name, "", "", "", "", "PI", payer.payer_id)


def _address_segments(address: Address) -> Iterator[str]:
    yield segment_of("N3", address.street, address.street_line_2)
    yield segment_of("N4", address.city, address.state, address.zip_code)


def _rendering_segments(rendering: RenderingProvider) -> Iterator[str]:
    yield segment_of(
        "NM1", "82", "1", rendering.last_name, rendering.first_name, "", "", "", "XX", rendering.npi
    )
    if rendering.taxonomy_code:
        yield segment_of("PRV", "PE", "PXC", rendering.taxonomy_code)


def _line_segments(line: ServiceLine, number: int, service_date: str) -> Iterator[str]:
    yield segment_of("LX", str(number))
    yield segment_of(
        "SV1",
        composite_of("HC", line.procedure_code, *line.modifiers),
        amount_text(line.charge),
        "UN",
        str(line.units),
        "",
        "",
        composite_of(*map(str, line.diagnosis_pointers)),
    )
    yield service_date
    yield segment_of("REF", "6R", line.control_number)
