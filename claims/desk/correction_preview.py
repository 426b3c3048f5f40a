"""What a correction by staff would do: the real rules, charges and writer, run on values in memory.

Nothing here writes. What is saved afterwards goes through `claims.intake`, as every correction does.
"""

import hashlib
from collections.abc import Sequence
from copy import copy
from dataclasses import dataclass, field, replace
from datetime import date, datetime
from decimal import Decimal
from enum import StrEnum
from itertools import chain
from typing import Any
from uuid import UUID

import orjson
from django.utils import timezone

from billing.rules.facts import OtherClaim
from billing.rules.rule import Finding, Severity
from claims import drafting, history, lifecycle, pipeline, steps, work_queue
from claims.actions import COMPARE_FIRST
from claims.desk.as_sent import PLACEHOLDER_NUMBER, as_sent, unchanged_since
from claims.desk.claim_text import SegmentChange, changes_between, claim_segments
from claims.desk.findings_compared import Compared, compare, identity
from claims.intake import outline_of
from claims.landing import Landing, Work
from claims.models import Claim
from claims.models import Finding as FindingRow
from claims.settlement import payer_of
from claims.signals import ClaimStatus
from claims.versions import (
    JUDGED_THERE,
    ON_ITS_WAY,
    UNANSWERED,
    UNNAMED,
    VOIDED_THERE,
    ActionRefusedError,
    NextVersion,
    is_judged,
    is_lost,
    is_paid,
    next_version,
    voidable,
    why_not_again,
)
from claims.x12.claim import ClaimFormatError, ProfessionalClaim
from partners.issues import Issue
from providers.zones import day_begins
from sessions_app.corrected import corrected_codes
from sessions_app.lookups import Lookups, SessionRecord, look_up
from sessions_app.member_index import member_index
from sessions_app.models import Session, SessionCode
from sessions_app.submission import Correction, issues_across

ELSEWHERE = (VOIDED_THERE, UNNAMED)
"""Why a claim can be corrected only to another payer."""


class Way(StrEnum):
    """What saving does with the claim."""

    CORRECT = "correct"
    """It hasn't left: it is coded and checked again."""
    RESEND = "resend"
    """It was refused or judged: a new version goes out."""
    LOCKED = "locked"


@dataclass(frozen=True, slots=True)
class Standing:
    """What may be done about a session's newest claim now, and why not more."""

    way: Way
    version: int
    frequency: str
    why: str
    earlier: Claim | None = None
    """The version that a new one would answer or replace."""


@dataclass(frozen=True, slots=True)
class Drawn:
    """One run of the pipeline in memory."""

    findings: Sequence[Finding]
    ran: int
    charge: Decimal | None
    file_by: date | None
    claim: ProfessionalClaim | None = field(repr=False)

    @property
    def problems(self) -> list[Finding]:
        """What holds or warns."""
        return [each for each in self.findings if each.severity in (Severity.BLOCK, Severity.WARN)]

    @property
    def holding(self) -> list[Finding]:
        """What would hold the session."""
        return [each for each in self.findings if each.severity is Severity.BLOCK]

    @property
    def warnings(self) -> list[Finding]:
        """What the claim would leave with."""
        return [each for each in self.findings if each.severity is Severity.WARN]


@dataclass(frozen=True, slots=True)
class Preview:
    """The session as it is and as it would be. `issues` are the interface's own, and then nothing else is."""

    standing: Standing
    session_version: int
    correction: Correction = field(repr=False)
    issues: Sequence[Issue] = ()
    before: Drawn | None = None
    after: Drawn | None = None
    compared: Compared = field(default_factory=Compared)
    changes: Sequence[SegmentChange] = field(default=(), repr=False)
    charge_was: Decimal | None = None
    """What the claim was sent with; where it wasn't, what it would cost as it is."""
    leaves_at: datetime | None = None
    is_set_aside: bool = False
    unchanged_since: str = ""
    """How it was refused, where it would go out again as it was sent."""
    digest: str = ""

    @property
    def is_late(self) -> bool:
        """Tell whether the payer's time to file is over when it could leave; what is held, today."""
        last = self.after.file_by if self.after else None
        return last is not None and last < timezone.localdate(self.leaves_at)

    @property
    def can_be_saved(self) -> bool:
        """Tell whether the button may work."""
        return bool(self.digest) and not self.issues and self.standing.way is not Way.LOCKED


def newest_work(session_id: UUID) -> Work | None:
    """The newest version of a session's claim with the rows that its steps read; None without a session."""
    versions = Claim.objects.filter(session_id=session_id).order_by("-version")
    claim = pipeline.with_rows(versions).first()
    return pipeline.work_of(claim) if claim else None


def newest_works(session_ids: Sequence[UUID]) -> dict[UUID, Work]:
    """The same for many sessions, in a number of statements that doesn't grow with them."""
    newest = Claim.objects.filter(session_id__in=session_ids).order_by("session_id", "-version")
    claims = Claim.objects.filter(pk__in=newest.distinct("session_id").values("pk"))
    with_rows = pipeline.with_rows(claims).prefetch_related("signals")
    return {claim.session_id: pipeline.work_of(claim) for claim in with_rows}


def standing_of(claim: Claim, *, restored: bool, session: Session | None = None) -> Standing:
    """Whether a correction changes this claim, sends a new version, or must wait, and why.

    `session` is the claim's as it would be corrected.
    """
    if restored:
        return Standing(Way.LOCKED, claim.version, claim.frequency, COMPARE_FIRST)
    if lifecycle.is_open(claim):
        return Standing(Way.CORRECT, claim.version, claim.frequency, "It hasn't left yet.")
    again = "Nothing is wrong with what the session says: our file was refused. Send it again as it is."
    is_unread = claim.status == ClaimStatus.TRANSPORT_REJECTED
    if is_unread and (why := why_not_again(claim) or again) != JUDGED_THERE:
        return Standing(Way.LOCKED, claim.version, claim.frequency, why)
    try:
        planned = next_version(claim, session=session)
    except ActionRefusedError as refused:
        why = str(refused) if str(refused) in (UNANSWERED, *ELSEWHERE) else _why_locked(claim)
        return Standing(Way.LOCKED, claim.version, claim.frequency, why)
    earlier = planned.earlier
    judged = f"{payer_of(earlier)} judged version {earlier.version}"
    if planned.frequency != Claim.Frequency.ORIGINAL:
        why = f"{judged}, so this one takes its place."
    elif not is_judged(earlier):
        why = f"Not a replacement: nobody judged version {earlier.version}."
    else:
        why = f"Not a replacement: {judged}, and this one goes to another payer."
        if is_paid(earlier):
            why += f" What was paid stands: once this one is answered, void version {earlier.version} too."
    return Standing(Way.RESEND, claim.version + 1, planned.frequency, why, earlier)


def preview(work: Work, correction: Correction, issues: Sequence[Issue], *, now: datetime) -> Preview:
    """Run rules, charges and writer on the session as it is and with the correction."""
    session = work.record.session
    restored = work_queue.is_restored(work.claim)
    standing = standing_of(work.claim, restored=restored, session=_corrected(session, correction))
    found = list(issues)
    if not found:
        has_note = work.note is not None and work.note.text is not None
        found = issues_across(outline_of(session, correction, codes=work.record.codes, has_note=has_note))
    if found:
        return Preview(standing, session.version, correction, issues=found)
    asis = copied(work, Correction(), claim=work.claim)
    changed = copied(work, correction, claim=_next_claim(work.claim, standing, now=now))
    before, after = _draw([asis, changed], now=now)
    sent = as_sent(work.claim) or before.claim
    result = Preview(
        standing=standing,
        session_version=session.version,
        correction=correction,
        before=before,
        after=after,
        compared=compare(before.problems, after.problems, last_check=_last_check(work.claim)),
        changes=changes_between(claim_segments(sent), claim_segments(after.claim)),
        charge_was=sent.total_charge if sent else before.charge,
        leaves_at=None if after.holding else _leaves_at(changed, standing, now=now),
        is_set_aside=work_queue.is_set_aside(work.claim),
        unchanged_since="" if correction.paths else unchanged_since(work.claim, after.claim),
    )
    return replace(result, digest=_digest(result, work.claim))


def _last_check(claim: Claim) -> list[tuple[str, str]] | None:
    """Which rules said something when it was last checked, and where; None where it wasn't yet."""
    if claim.step == Claim.Step.CODE:
        return None
    return [(row.rule, row.path) for row in claim.findings.all()]


def can_be_written(session_id: UUID) -> bool:
    """Whether the session, coded as it is, makes a claim at all in spite of the rules that hold it."""
    work = newest_work(session_id)
    if work is None:
        return False
    work = copied(work, Correction(), claim=work.claim)
    (known,) = _other_claims([work])
    (lookups,) = look_up([work.record], beside=[history.codes_of_day(work, known)])
    return drawn(work, work.record, Landing(), lookups, known, now=timezone.now()).claim is not None


def _next_claim(claim: Claim, standing: Standing, *, now: datetime) -> Claim:
    """The claim that the correction would go out as; a new version only in memory."""
    if standing.way is not Way.RESEND or standing.earlier is None:
        return claim
    return opened(claim, NextVersion(Claim.Frequency(standing.frequency), standing.earlier), now=now)


def opened(claim: Claim, planned: NextVersion, *, now: datetime) -> Claim:
    version = Claim(
        partner_id=claim.partner_id,
        session=claim.session,
        version=claim.version + 1,
        frequency=planned.frequency,
        replaces=planned.earlier,
        step=Claim.Step.CODE,
        window_ends_at=now,
    )
    version._prefetched_objects_cache = {"findings": FindingRow.objects.none()}  # type: ignore[attr-defined]
    return version


def copied(work: Work, correction: Correction, *, claim: Claim) -> Work:
    """The work with the correction on copies of its rows: the steps may change them, the originals stay."""
    session = _corrected(work.record.session, correction)
    session.member_id_index = member_index(session.member_id)
    replaced = corrected_codes(session, correction, known=work.record.codes, source=SessionCode.Source.STAFF)
    codes = [copy(row) for row in work.record.codes if row.kind not in replaced]
    codes += chain.from_iterable(replaced.values())
    record = replace(work.record, session=session, codes=codes)
    overrides = [] if correction.paths else work.overrides
    return Work(claim=claim, record=record, note=work.note, overrides=overrides)


def _corrected(session: Session, correction: Correction) -> Session:
    changed = copy(session)
    for column, value in correction.columns.items():
        setattr(changed, column, value)
    return changed


def _draw(works: Sequence[Work], *, now: datetime) -> list[Drawn]:
    """Code, price, check and draft each work; one look-up for all of them."""
    landings = [Landing() for _ in works]
    records = [steps.code(work, landing) for work, landing in zip(works, landings, strict=True)]
    others = _other_claims(works)
    beside = [history.codes_of_day(work, known) for work, known in zip(works, others, strict=True)]
    return [
        drawn(work, record, landing, lookups, known, now=now)
        for work, landing, record, lookups, known in zip(
            works, landings, records, look_up(records, beside=beside), others, strict=True
        )
    ]


def drawn(
    work: Work,
    record: SessionRecord,
    landing: Landing,
    lookups: Lookups,
    known: tuple[OtherClaim, ...],
    *,
    now: datetime,
) -> Drawn:
    result = steps.check_claim(work, record, lookups=lookups, others=known, landing=landing, now=now)
    try:
        claim = drafting.draft_claim(result.repaired, patient_control_number=PLACEHOLDER_NUMBER)
    except ClaimFormatError as error:
        findings = result.findings if result.blocking else (*result.findings, *drafting.findings_of(error))
        return Drawn(findings, result.ran, result.repaired.total_charge, landing.file_by, None)
    return Drawn(result.findings, result.ran, claim.total_charge, landing.file_by, claim)


def _other_claims(works: Sequence[Work]) -> list[tuple[OtherClaim, ...]]:
    """The patient's other claims for each work; asked once where patient and date are the same."""
    known: dict[tuple[object, ...], tuple[OtherClaim, ...]] = {}
    for work in works:
        if (key := _patient_and_day(work)) not in known:
            known[key] = history.other_claims([work])[work.claim.session_id]
    return [known[_patient_and_day(work)] for work in works]


def _patient_and_day(work: Work) -> tuple[object, ...]:
    session = work.record.session
    return bytes(session.member_id_index), session.patient_date_of_birth, session.date_of_service


def _leaves_at(work: Work, standing: Standing, *, now: datetime) -> datetime:
    record = work.record
    ready = now if standing.way is Way.RESEND else now + record.partner.submission_delay
    return max(ready, day_begins(record.session.date_of_service, state=record.practice.state))


def _why_locked(claim: Claim) -> str:
    match claim.status:
        case ClaimStatus.DISPATCHING:
            since = timezone.localtime(claim.status_changed_at)
            return f"Already on its way since {since:%H:%M}. You can correct it when an answer is in."
        case ClaimStatus.DISPATCH_UNKNOWN:
            return (
                "We handed it over and got no receipt. We are asking before sending again; it can't be "
                "changed until we know."
            )
        case ClaimStatus.VOIDED:
            return "It is voided: nothing will be paid for it any more."
    is_void = claim.frequency == Claim.Frequency.VOID
    if is_void and claim.status in ON_ITS_WAY and not is_lost(claim):
        return "A void is with the payer. You can correct the claim when it is answered."
    or_void = ", or void it." if voidable(claim) else "."
    if or_void == "." and not is_void and claim.status in ON_ITS_WAY:
        or_void = ". It can be voided once the payer has given its number."
    is_there = is_void or claim.status not in ON_ITS_WAY - {ClaimStatus.PAYER_ACCEPTED}
    where = "with" if is_there else "on its way to"
    return f"It is {where} the payer. You can correct it when an answer is in{or_void}"


def _digest(result: Preview, claim: Claim) -> str:
    """What the button stands for: change one of these, and the button no longer counts."""
    correction = result.correction
    said: dict[str, Any] = {
        "claim": [str(claim.pk), claim.version, claim.step, claim.status, result.session_version],
        "standing": [result.standing.way, result.standing.frequency, result.is_set_aside],
        "columns": {name: str(value) for name, value in sorted(correction.columns.items())},
        "diagnoses": _codes(correction.diagnosis_codes),
        "procedures": _codes(correction.procedure_codes),
        "findings": [identity(each) for each in result.after.findings] if result.after else [],
        "charge": str(result.after.charge) if result.after else "",
        "changes": [[each.segment, each.before, each.after] for each in result.changes],
    }
    return hashlib.sha256(orjson.dumps(said)).hexdigest()


def _codes(codes: Sequence[Any] | None) -> list[list[str]] | None:
    return None if codes is None else [[code.code, code.modifier] for code in codes]
