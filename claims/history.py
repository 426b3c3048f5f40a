"""What the claim rules may know of other claims: the patient's others, and this one's earlier version."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from django.contrib.postgres.aggregates import ArrayAgg
from django.db import connection
from django.db.models import Exists, F, OuterRef, Q, Subquery

from billing.rules.facts import OriginalState, OtherClaim, OtherClaimState, Version
from billing.rules.rule import Severity
from claims.landing import Work
from claims.models import Claim, Finding, NoteReview, WorkItem
from claims.models.work import STILL_ASKS
from claims.signals import NOT_LEFT, REFUSED, REJECTED, ClaimStatus
from claims.versions import (
    DENIED,
    is_judged,
    is_lost,
    is_paid,
    is_unanswered_beside,
    is_void_kept,
    is_voided,
    versions_of,
    was_judged_by,
)
from sessions_app.member_index import member_indexes
from sessions_app.models import Session, SessionCode

LOOK_BACK = timedelta(days=184)
LOCK_DAYS = """
SELECT pg_advisory_xact_lock(day) FROM (
    SELECT DISTINCT hashtextextended(text, 0) AS day FROM unnest(%s::text[]) AS text ORDER BY day OFFSET 0
) AS days
"""
"""All in one order, whoever takes them."""
SUPERSEDES = Q(frequency=Claim.Frequency.VOID, status=ClaimStatus.VOIDED) | (
    Q(frequency=Claim.Frequency.REPLACEMENT) & ~Q(status__in=(*REJECTED, *NOT_LEFT))
)
UNBILLABLE = ("NOTE-004", "NOTE-005")
"""Rules by which a session is held for good, unless it is corrected: then it is checked anew."""


def last_review(session: str) -> Subquery:
    """The outcome of the last review of a session's note that was not taken back; `session` names its ID."""
    reviews = NoteReview.objects.filter(session=OuterRef(session), undone_at=None)
    return Subquery(reviews.order_by("-id").values("outcome")[:1])


def is_asked(session: str) -> Exists:
    """Whether a session that is held waits for a person: after a correction also one that was set aside."""
    return Exists(WorkItem.objects.filter(STILL_ASKS, session=OuterRef(session)))


def other_claims(works: Sequence[Work]) -> dict[UUID, tuple[OtherClaim, ...]]:
    """By session, the same patient's other claims around its date; one query for all.

    The same patient is the same partner, member ID and birth date.
    """
    sessions = [work.record.session for work in works]
    keyed = (member_indexes(session.member_id) for session in sessions)
    # Rows may stand under any field key, and the last, the oldest, tells the member ID.
    members = {index: indexes[-1] for indexes in keyed for index in indexes}
    days = [session.date_of_service for session in sessions]
    versions = Claim.objects.filter(session=OuterRef("pk"))
    newest = versions.order_by("-version")
    with_payer = (
        versions.exclude(status__in=(*REFUSED, *NOT_LEFT))
        .exclude(frequency=Claim.Frequency.VOID)
        .filter(~Exists(Claim.objects.filter(SUPERSEDES, replaces=OuterRef("pk"))))
    )
    rows = (
        Session.objects.filter(
            partner__in={session.partner_id for session in sessions},
            member_id_index__in=members,
            date_of_service__range=(min(days) - LOOK_BACK, max(days) + LOOK_BACK),
        )
        .annotate(
            claim_status=Subquery(newest.values("status")[:1]),
            claim_step=Subquery(newest.values("step")[:1]),
            is_with_payer=Exists(with_payer),
            is_unbillable=Exists(
                Finding.objects.filter(
                    claim__session=OuterRef("pk"),
                    claim__step=Claim.Step.HELD,
                    rule__in=UNBILLABLE,
                    severity=Severity.BLOCK,
                )
            ),
            review=last_review("pk"),
            is_asked=is_asked("pk"),
            npi=F("provider__npi"),
            practice=F("provider__practice_id"),
            procedures=ArrayAgg("codes__code", filter=Q(codes__kind=SessionCode.Kind.PROCEDURE), default=[]),
        )
        .values(
            "pk",
            "partner_id",
            "member_id_index",
            "patient_date_of_birth",
            "date_of_service",
            "created_at",
            "claim_status",
            "claim_step",
            "is_with_payer",
            "is_unbillable",
            "review",
            "is_asked",
            "npi",
            "practice",
            "procedures",
        )
    )
    by_patient: dict[tuple[object, ...], list[Mapping[str, Any]]] = defaultdict(list)
    for row in rows:
        patient = row["partner_id"], members[bytes(row["member_id_index"])], row["patient_date_of_birth"]
        by_patient[patient].append(row)
    return {work.claim.session_id: _others(work, by_patient) for work in works}


def _others(
    work: Work, by_patient: Mapping[tuple[object, ...], list[Mapping[str, Any]]]
) -> tuple[OtherClaim, ...]:
    session = work.record.session
    patient = session.partner_id, member_indexes(session.member_id)[-1], session.patient_date_of_birth
    return tuple(
        OtherClaim(
            date_of_service=row["date_of_service"],
            provider_npi=row["npi"],
            procedure_codes=tuple(row["procedures"]),
            state=_state(row, session),
            same_practice=row["practice"] == work.record.practice.pk,
        )
        for row in by_patient.get(patient, ())
        if row["pk"] != session.pk and abs(row["date_of_service"] - session.date_of_service) <= LOOK_BACK
    )


def in_turns(works: Iterable[Work]) -> list[list[Work]]:
    """The works so that what came later of a patient's day with a therapist is in a later turn."""
    turns: list[list[Work]] = []
    before: Counter[str] = Counter()
    for work in sorted(works, key=_came):
        place = before[day_of(work)]
        before[day_of(work)] += 1
        if place == len(turns):
            turns.append([])
        turns[place].append(work)
    return turns


def as_waiting(work: Work) -> OtherClaim:
    """How a work looks to one of its day that comes later and is sent with it."""
    return OtherClaim(
        date_of_service=work.record.session.date_of_service,
        provider_npi=work.record.provider.npi,
        procedure_codes=tuple(row.code for row in work.record.procedures),
        state=OtherClaimState.WAITING,
        same_practice=True,
    )


def _came(work: Work) -> tuple[datetime, UUID]:
    return work.record.session.created_at, work.record.session.pk


def day_of(work: Work) -> str:
    """A patient's day with a therapist, as one text."""
    session = work.record.session
    patient = str(session.partner_id), member_indexes(session.member_id)[-1].hex()
    day = str(session.patient_date_of_birth), str(session.date_of_service)
    return "|".join((*patient, *day, work.record.provider.npi))


def awaits_codes(work: Work, others: Sequence[OtherClaim]) -> bool:
    """Tell whether an earlier session of the therapist and day may turn out to bill the same.

    One that came just before this one may still be on its way through the first step.
    """
    return any(other.state is OtherClaimState.UNCODED for other in of_day(work, others))


def lock_days(works: Iterable[Work]) -> None:
    """Hold, to the end of the transaction, the days of these sessions' patients with their therapists."""
    days = {day_of(work) for work in works}
    with connection.cursor() as cursor:
        cursor.execute(LOCK_DAYS, [list(days)])


def of_day(work: Work, others: Sequence[OtherClaim]) -> list[OtherClaim]:
    """The others of the same therapist and day, however they stand."""
    day, npi = work.record.session.date_of_service, work.record.provider.npi
    return [other for other in others if (other.date_of_service, other.provider_npi) == (day, npi)]


def codes_of_day(work: Work, others: Sequence[OtherClaim]) -> frozenset[str]:
    """The procedure codes of the others of the same therapist and day."""
    return frozenset(code for other in of_day(work, others) for code in other.procedure_codes)


def _state(row: Mapping[str, Any], session: Session) -> OtherClaimState:
    """Where the newest version stands; one before it counts as sent until it is voided or replaced."""
    if row["is_with_payer"] or row["claim_step"] == Claim.Step.SEND:
        return OtherClaimState.SENT
    if row["claim_status"] == ClaimStatus.VOIDED:
        return OtherClaimState.VOIDED
    if row["claim_status"] in REFUSED:
        return OtherClaimState.REJECTED
    ended = row["review"] == NoteReview.Outcome.NOT_BILLABLE and not row["is_asked"]
    if row["claim_step"] == Claim.Step.HELD and (row["is_unbillable"] or ended):
        return OtherClaimState.UNBILLABLE
    if (row["created_at"], row["pk"]) > (session.created_at, session.pk):
        return OtherClaimState.LATER
    is_uncoded = row["claim_step"] == Claim.Step.CODE and not row["procedures"]
    return OtherClaimState.UNCODED if is_uncoded else OtherClaimState.WAITING


def version_facts(work: Work, original: Claim | None, *, payer_id: str) -> Version:
    """Which frequency this version has, how far the one before came, and why it comes late if it does.

    `original` is the version before, `payer_id` whose claim this one is to be. Whatever became of that one,
    another that is found with a payer keeps a new claim here, and so does a void that this payer took.
    """
    claim = work.claim
    delayed = next((each.delay_reason_code for each in work.overrides if each.delay_reason_code), None)
    if original is None:
        return Version(frequency=claim.frequency, delay_reason_code=delayed)
    frequency, state = claim.frequency, OriginalState.SENT
    others = versions_of(claim) if claim.version > 2 else ()  # of two versions, `original` is the other
    if others and is_void_kept(claim, original, others, payer_id=payer_id):
        return Version(
            frequency=frequency,
            original=OriginalState.VOIDED,
            payer_control_number=original.payer_control_number or None,
            delay_reason_code=delayed,
        )
    replaces = was_judged_by(original, payer_id=payer_id)
    is_new = frequency == Claim.Frequency.ORIGINAL or not replaces
    if others and is_new and is_unanswered_beside(claim, others):
        frequency = Claim.Frequency.ORIGINAL
    elif replaces:
        state = OriginalState.ADJUDICATED
    elif is_judged(original):
        state = OriginalState.ADJUDICATED_ELSEWHERE
    elif original.status in (*REJECTED, *DENIED) or is_lost(original):
        state = OriginalState.REJECTED
    return Version(
        frequency=frequency,
        original=state,
        original_is_paid=is_paid(original) and not is_voided(original, others),
        payer_control_number=original.payer_control_number or None,
        delay_reason_code=delayed,
    )
