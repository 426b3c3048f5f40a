"""The pipeline's steps: each looks at what is there and says what should be written; none writes."""

import json
import secrets
import string
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta

from billing.rules import written_claim
from billing.rules.catalogue import place_told
from billing.rules.cpt import procedure_for_minutes, units_for_minutes
from billing.rules.facts import Format, OtherClaim
from billing.rules.procedures import noted_minutes
from billing.rules.providers import remittances_expected
from billing.rules.registry import CheckResult, check
from billing.rules.registry import Finding as RuleFinding
from billing.rules.rule import Actor
from claims import drafting, gateways, history
from claims.fold.entries import TimelineEntry
from claims.fold.messages import message_for
from claims.fold.words import dollars
from claims.landing import Built, Item, Landing, Work
from claims.models import Claim, ClaimLine, Finding, WorkItem
from claims.note_step import code_from_note, note_facts
from claims.signals import ClaimStatus, EventType
from claims.versions import answered_by, payer_meant
from claims.x12.claim import (
    ClaimFormatError,
    ClaimFrequency,
    ProfessionalClaim,
    line_control_number,
)
from claims.x12.invariants import ORIGINAL_MEDICARE
from partners.models import Mode
from providers.models import ChargeRate
from providers.zones import day_begins, zone_of
from sessions_app.facts import facts_of
from sessions_app.lookups import Lookups, SessionRecord
from sessions_app.models import PlaceOfService, SessionCode

PROCEDURE = SessionCode.Kind.PROCEDURE
SENT = SessionCode.Source.SENT
TELEHEALTH_MODIFIER = "95"
CONTROL_NUMBER_ALPHABET = string.ascii_uppercase + string.digits


def code(work: Work, landing: Landing) -> SessionRecord:
    """Find the codes: as sent, else from minutes, else from the note; then the telehealth modifier."""
    session = work.record.session
    sent = [row for row in work.record.codes if row.source in (SENT, SessionCode.Source.STAFF)]
    taken = code_from_note(work, sent=sent, landing=landing)
    procedures_known = any(row.kind == PROCEDURE for row in (*sent, *taken))
    if not procedures_known and session.duration_minutes is not None:
        taken += _derived(work, landing)
    telehealth = session.place_of_service == PlaceOfService.TELEHEALTH
    counted = _count_units(work, sent, landing)
    for row in (*sent, *taken):
        if row.kind == PROCEDURE:
            modified = _settle_modifier(row, telehealth=telehealth)
            if (modified or row in counted) and row.pk:
                landing.settled.append(row)
    landing.taken_codes = taken
    return replace(work.record, codes=[*sent, *taken])


def _derived(work: Work, landing: Landing) -> list[SessionCode]:
    session = work.record.session
    found = procedure_for_minutes(session.duration_minutes or 0)
    if found is None:
        return []
    landing.entries.append(
        TimelineEntry(
            EventType.CODES_DERIVED,
            f"Procedure code {found} follows from {session.duration_minutes} minutes.",
        )
    )
    return [
        SessionCode(
            partner_id=session.partner_id,
            session=session,
            kind=PROCEDURE,
            position=0,
            code=found,
            source=SessionCode.Source.DERIVED,
        )
    ]


def _count_units(work: Work, sent: Sequence[SessionCode], landing: Landing) -> list[SessionCode]:
    """Give sent codes that count time the units of the minutes, of the note's where these are fewer.

    Returns the codes whose units changed.
    """
    minutes = work.record.session.duration_minutes
    if minutes is None:
        return []
    documented = noted_minutes(note_facts(work, landing))
    minutes = minutes if documented is None else min(minutes, documented)
    procedures = [row for row in sent if row.kind == PROCEDURE]
    units = units_for_minutes([row.code for row in procedures], minutes)
    counted = [
        row for row in procedures if row.source == SENT and row.units == 1 and units.get(row.code, 0) > 1
    ]
    for row in counted:
        row.units = units[row.code]
        words = f"{row.units} units of {row.code} follow from {minutes} minutes."
        landing.entries.append(TimelineEntry(EventType.CODES_DERIVED, words))
    return counted


def _settle_modifier(row: SessionCode, *, telehealth: bool) -> bool:
    """Add 95 to a bare telehealth line, take an added one back elsewhere; say whether it changed."""
    if telehealth and not row.modifier:
        row.modifier, row.modifier_added = TELEHEALTH_MODIFIER, True
        return True
    if not telehealth and row.modifier_added:
        row.modifier, row.modifier_added = "", False
        return True
    return False


def check_claim(
    work: Work,
    record: SessionRecord,
    *,
    lookups: Lookups,
    others: tuple[OtherClaim, ...],
    landing: Landing,
    now: datetime,
) -> CheckResult:
    """Check the session against every claim rule; what stops it lands as a hold, the rest on the timeline."""
    payer_id = payer_meant(record.session, lookups.payer_match)
    landing.answers = answered_by(work.claim, payer_id=payer_id)
    facts = facts_of(
        record,
        lookups=lookups,
        today=now.astimezone(zone_of(record.practice.state)).date(),
        other_claims=others,
        note=note_facts(work, landing),
        version=history.version_facts(work, landing.answers, payer_id=payer_id),
    )
    result = check(facts, overrides=frozenset(override.rule for override in work.overrides))
    landing.charge = result.repaired.total_charge
    profile = facts.profile
    if profile and profile.timely_filing_days:
        landing.file_by = record.session.date_of_service + timedelta(days=profile.timely_filing_days)
    known = {(row.rule, row.path, row.message) for row in work.claim.findings.all()}
    landing.findings = [_row(found, work) for found in result.findings]
    new = [found for found in result.findings if (found.rule_id, found.path, found.message) not in known]
    # Several lines may have the same fault; it is told once.
    landing.entries += dict.fromkeys(
        TimelineEntry(EventType.SESSION_WARNING, f"{found.message} ({found.rule_id})")
        for found in new
        if found in result.warnings
    )
    if result.blocking:
        hold(work, landing, findings=result.blocking, queue=_queue_of(result))
    elif new or work.claim.step in (Claim.Step.CODE, Claim.Step.CHECK):
        landing.entries.append(TimelineEntry(EventType.SESSION_VALIDATED, _validated(result)))
    return result


def hold(work: Work, landing: Landing, *, findings: tuple[RuleFinding, ...], queue: WorkItem.Queue) -> None:
    """Stop for a person: the message names each problem with its field, the timeline says the same."""
    landing.step, landing.status, landing.next_step_at = Claim.Step.HELD, ClaimStatus.HELD, None
    landing.built = None
    findings = tuple(sorted(findings, key=lambda found: place_told(found.rule_id)))
    sentences = [f"{found.path}: {found.message}" if found.path else found.message for found in findings]
    landing.message = message_for(
        work.session_status,
        ClaimStatus.HELD,
        findings=sentences,
        for_partner=[
            sentence
            for sentence, found in zip(sentences, findings, strict=True)
            if found.who_acts is not Actor.STAFF
        ],
    )
    landing.entries.append(
        TimelineEntry(
            EventType.SESSION_HELD,
            " ".join(
                f"{sentence} ({found.rule_id})" for sentence, found in zip(sentences, findings, strict=True)
            ),
            work.session_status,
        )
    )
    landing.item = Item(queue=queue, reason=findings[0].rule_id, summary=findings[0].message)


def wait_until(work: Work) -> datetime:
    """When the claim may leave: after its correction window, and once its date of service has begun there."""
    begins = day_begins(work.record.session.date_of_service, state=work.record.practice.state)
    return max(work.claim.window_ends_at, begins)


def build(work: Work, lookups: Lookups, result: CheckResult, *, landing: Landing) -> None:
    """Freeze everything that the 837P needs."""
    partner = work.record.partner
    gateway = gateways.name_for(partner.mode, payer_id=result.repaired.coverage.payer_id or "")
    if gateway is None:
        hold(work, landing, findings=(drafting.NO_GATEWAY,), queue=WorkItem.Queue.TRANSPORT)
        return
    number = _patient_control_number(work.claim)
    try:
        draft = drafting.draft_claim(result.repaired, patient_control_number=number)
    except ClaimFormatError as error:
        hold(work, landing, findings=drafting.findings_of(error), queue=WorkItem.Queue.HELD)
        return
    written = check(
        replace(
            result.repaired,
            format=Format(
                patient_control_number=draft.patient_control_number,
                line_control_numbers=tuple(line.control_number for line in draft.service_lines),
            ),
        ),
        rules=written_claim.RULES,
    )
    if written.blocking:
        hold(work, landing, findings=written.blocking, queue=WorkItem.Queue.HELD)
        return
    rates = [price.rate if price else None for price in lookups.prices]
    _freeze(
        work,
        draft,
        rates=rates,
        gateway=gateway,
        expects_remittances=remittances_expected(result.repaired),
        landing=landing,
    )


def build_void(work: Work, *, landing: Landing) -> None:
    """Freeze the claim that asks for an earlier one to be taken back: the same claim, frequency 8."""
    original = work.claim.replaces
    assert original is not None, "a void takes back an earlier version"
    number = _patient_control_number(work.claim)
    earlier = ProfessionalClaim.from_json(original.draft())
    medicare = earlier.payer.claim_filing_code == ORIGINAL_MEDICARE
    try:
        draft = replace(
            earlier,
            patient_control_number=number,
            frequency=ClaimFrequency.VOID,
            payer_control_number="" if medicare else original.payer_control_number,
            service_lines=tuple(
                replace(line, control_number=line_control_number(number, position))
                for position, line in enumerate(earlier.service_lines, 1)
            ),
        )
    except ClaimFormatError as error:
        hold(work, landing, findings=drafting.findings_of(error), queue=WorkItem.Queue.HELD)
        return
    rates = [line.rate for line in original.lines.order_by("number").select_related("rate")]
    _freeze(
        work,
        draft,
        rates=rates,
        gateway=original.gateway,
        expects_remittances=original.remittances_expected,
        landing=landing,
    )


def _freeze(
    work: Work,
    draft: ProfessionalClaim,
    *,
    rates: Sequence[ChargeRate | None],
    gateway: str,
    expects_remittances: bool,
    landing: Landing,
) -> None:
    number, lines = draft.patient_control_number, len(draft.service_lines)
    landing.built = Built(
        patient_control_number=number,
        frequency=draft.frequency,
        replaces=landing.answers.pk if landing.answers else None,
        snapshot=json.dumps(draft.as_json()),
        lines=[
            ClaimLine(
                claim=work.claim,
                partner=work.record.partner,
                number=position,
                procedure_code=line.procedure_code,
                modifiers=list(line.modifiers),
                units=line.units,
                charge=line.charge,
                rate=rate,
                line_control_number=line.control_number,
            )
            for position, (line, rate) in enumerate(zip(draft.service_lines, rates, strict=True), 1)
        ],
        total_charge=draft.total_charge,
        mode="production" if work.record.partner.mode == Mode.LIVE else "test",
        gateway=gateway,
        remittances_expected=expects_remittances,
    )
    what = f"{dollars(draft.total_charge)} for {lines} service line{'s' if lines > 1 else ''}"
    landing.entries.append(TimelineEntry(EventType.CLAIM_CREATED, f"Claim {number} is built: {what}."))
    landing.step, landing.status = Claim.Step.SEND, ClaimStatus.QUEUED
    landing.message = message_for(work.session_status, ClaimStatus.QUEUED)


def _patient_control_number(claim: Claim) -> str:
    """A number for this content: a new one wherever the old one may have been seen outside."""
    if claim.patient_control_number and not claim.times_sent:
        return claim.patient_control_number
    stem = "".join(secrets.choice(CONTROL_NUMBER_ALPHABET) for _ in range(13))
    return stem + CONTROL_NUMBER_ALPHABET[claim.version % len(CONTROL_NUMBER_ALPHABET)]


def _row(found: RuleFinding, work: Work) -> Finding:
    return Finding(
        partner_id=work.claim.partner_id,
        claim=work.claim,
        rule=found.rule_id,
        severity=found.severity,
        path=found.path,
        message=found.message,
        detail={"about_another": True} if found.about_another else {},
    )


def _queue_of(result: CheckResult) -> WorkItem.Queue:
    note_is_open = any(found.rule_id == "NOTE-002" for found in result.blocking)
    return WorkItem.Queue.NOTES if note_is_open else WorkItem.Queue.HELD


def _validated(result: CheckResult) -> str:
    if not result.warnings:
        return "Every claim rule passed."
    count = len(result.warnings)
    return f"Every claim rule passed, {count} with a warning." if count > 1 else "Passed, with one warning."
