"""Interchanges on their way out: written once, under control numbers that nobody ever gets again."""

from collections.abc import Sequence
from datetime import datetime
from hashlib import sha256
from typing import Any

from django.conf import settings
from django.db import connection
from django.utils import timezone

from billing.rules.facts import Format
from billing.rules.written_claim import envelope_complaints
from claims.models import Claim, Transmission, TransmittedClaim
from claims.x12.claim import Envelope, ProfessionalClaim, Usage
from claims.x12.problems import ProblemCode
from claims.x12.segments import X12File
from claims.x12.write_837p import write_837p

NEXT_NUMBERS = """
SELECT nextval('claims_interchange_control_number'), nextval('claims_group_control_number'),
       (SELECT max(nextval('claims_transaction_control_number')) FROM generate_series(1, %s)),
       statement_timestamp()
"""


BROKEN = frozenset(
    {
        ProblemCode.COUNT_MISMATCH,
        ProblemCode.CONTROL_NUMBER_MISMATCH,
        ProblemCode.TRUNCATED,
        ProblemCode.STRAY_SEGMENT,
        ProblemCode.UNREADABLE,
        ProblemCode.NO_ENVELOPE,
    }
)


class EnvelopeBroken(Exception):
    """What was written doesn't add up (FMT-002); nothing of it may leave."""


def open_transmission(claim: Claim) -> Transmission | None:
    """The interchange that this claim, as it is built, last went into, unless certainly nobody took it."""
    return Transmission.objects.filter(
        claims__claim=claim,
        claims__ordinal=claim.times_sent,
        created_at__gte=claim.built_at,
        given_up_at=None,
    ).first()


def begin_attempt(transmission: Transmission) -> bool:
    """Note that it is tried; True where it was before and may be there, so that asking comes first."""
    if transmission.first_attempt_at is not None:
        return True
    transmission.first_attempt_at = timezone.now()
    transmission.save(update_fields=["first_attempt_at"])
    return False


def claims_inside(transmission: Transmission) -> list[Claim]:
    """The claims of an interchange that was tried before, locked and in its order."""
    claims = Claim.objects.filter(transmissions__transmission=transmission).order_by("session_id", "version")
    in_order = sorted(transmission.claims.all(), key=lambda sent: int(sent.transaction_control_number))
    by_id = {claim.pk: claim for claim in claims.select_for_update(of=("self",))}
    return [by_id[sent.claim_id] for sent in in_order]


def _was_written(claim: Claim) -> bool:
    """Tell whether an interchange with this content was written before; a correction has other content."""
    return claim.times_sent > 0 and (
        Transmission.objects.filter(claims__claim=claim, created_at__gte=claim.built_at).exists()
    )


def envelope_of(**numbers: Any) -> Envelope:
    """The envelope of a file of ours, with its usage, time and numbers."""
    return Envelope(
        sender_id=settings.SUBMITTER["id"],
        receiver_id=settings.RECEIVER["id"],
        submitter_name=settings.SUBMITTER["name"],
        submitter_contact_name=settings.SUBMITTER["contact"],
        submitter_phone=settings.SUBMITTER["phone"],
        receiver_name=settings.RECEIVER["name"],
        **numbers,
    )


def write_transmission(claims: Sequence[Claim]) -> Transmission:
    """Write one interchange with all these claims of one partner, each in a transaction set of its own."""
    # The database's clock tells when: which content an interchange carries goes by when that was built.
    interchange, group, first_set, now = _next_control_numbers(len(claims))
    first = claims[0]
    content = write_837p(
        [ProfessionalClaim.from_json(claim.draft()) for claim in claims],
        envelope=envelope_of(
            usage=usage_of(first),
            interchange_control_number=interchange,
            group_control_number=group,
            batch_id=f"B{interchange:09d}",
            created_at=now,
            transaction_control_number=first_set,
            is_resend=_was_written(first),
        ),
    )
    if any(envelope_complaints(Format(counts_match=_counts_match(content, sets=len(claims))))):
        raise EnvelopeBroken
    transmission = Transmission.objects.create(
        partner_id=first.partner_id,
        gateway=first.gateway,
        interchange_control_number=interchange,
        group_control_number=group,
        file_name=f"837P_{now:%Y%m%d}_{interchange:09d}.x12",
        content=content,
        sha256=sha256(content.encode()).digest(),
        first_attempt_at=now,
        created_at=now,
    )
    TransmittedClaim.objects.bulk_create(
        TransmittedClaim(
            partner_id=claim.partner_id,
            transmission=transmission,
            claim=claim,
            transaction_control_number=str(first_set + position),
            ordinal=claim.times_sent + 1,
        )
        for position, claim in enumerate(claims)
    )
    return transmission


def _counts_match(content: str, *, sets: int) -> bool:
    """Read an interchange back as its receiver does, envelopes and trailers."""
    file = X12File(content.encode())
    found = list(file)
    problems = [*file.problems, *(problem for each in found for problem in each.problems)]
    return len(found) == sets and not any(problem.code in BROKEN for problem in problems)


def usage_of(claim: Claim) -> Usage:
    """Production for a live organization's claim, test for any other."""
    return Usage.PRODUCTION if claim.mode == "production" else Usage.TEST


def _next_control_numbers(sets: int) -> tuple[int, int, int, datetime]:
    """ISA13, GS06, the first ST02 of a run, and the instant: no number twice, even where one rolls back."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(837)")
        cursor.execute(NEXT_NUMBERS, [sets])
        interchange, group, last_set, now = cursor.fetchone()
    return interchange, group, last_set - sets + 1, now
