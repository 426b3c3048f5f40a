"""One session with everything that belongs to it, as a document; patient data only where it is asked for."""

from collections.abc import Collection
from datetime import datetime
from typing import Any

from claims.models import Claim, ClaimSignal, Finding, Transmission, TransmittedClaim, WorkItem
from claims.signals import EventType
from sessions_app.models import Session, SessionCode, SessionEvent


def picture_of(session: Session, *, patient: bool) -> dict[str, Any]:
    """The session, its codes, claims, answers, open work and history.

    Texts that may quote a patient (message, summaries, diagnoses, words of answers) come with `patient` only.
    """
    codes = SessionCode.objects.filter(session=session).order_by("kind", "position")
    items = WorkItem.objects.filter(session=session).order_by("id")
    events = list(SessionEvent.objects.filter(session=session).order_by("id"))
    receipts = {event.timestamp for event in events if event.type == EventType.CLAIM_SUBMITTED}
    document: dict[str, Any] = {
        "sessionId": str(session.pk),
        "externalSessionId": session.external_session_id,
        "partner": session.partner.slug,
        "mode": session.partner.mode,
        "status": session.status,
        "providerNpi": session.provider.npi,
        "payer": {"name": session.payer_name, "id": session.payer_id},
        "dateOfService": session.date_of_service.isoformat(),
        "placeOfService": session.place_of_service,
        "durationMinutes": session.duration_minutes,
        "version": session.version,
        "requestId": session.request_id,
        "createdAt": session.created_at.isoformat(),
        "updatedAt": session.updated_at.isoformat(),
        "codes": [_code(code, patient=patient) for code in codes],
        "claims": [
            _claim(claim, receipts=receipts, patient=patient)
            for claim in Claim.objects.filter(session=session).order_by("version")
        ],
        "workItems": [_item(item, patient=patient) for item in items],
        "events": [_event(event, patient=patient) for event in events],
    }
    if patient:
        document["message"] = session.message
        document["patient"] = {
            "firstName": session.patient_first_name,
            "lastName": session.patient_last_name,
            "dateOfBirth": session.patient_date_of_birth.isoformat(),
            "gender": session.patient_gender,
            "memberId": session.member_id,
            "groupNumber": session.group_number,
            "address": ", ".join(
                part
                for part in (
                    session.patient_street,
                    session.patient_line2,
                    session.patient_city,
                    f"{session.patient_state} {session.patient_zip}",
                )
                if part
            ),
        }
    return document


def lines_of(picture: dict[str, Any]) -> list[str]:
    """The same for a terminal."""
    lines = [
        f"session {picture['sessionId']}  {picture['status']}",
        f"  partner {picture['partner']} ({picture['mode']}), its ID {picture['externalSessionId'] or '-'}",
        f"  payer {picture['payer']['name']} {picture['payer']['id']}, provider NPI {picture['providerNpi']}",
        f"  date of service {picture['dateOfService']}, {picture['placeOfService']}, "
        f"{picture['durationMinutes'] or '-'} minutes",
        f"  request {picture['requestId'] or '-'}, received {picture['createdAt']}",
    ]
    if "patient" in picture:
        lines += [f"  {name}: {value}" for name, value in picture["patient"].items()]
        lines.append(f"  message: {picture['message']}")
    for code in picture["codes"]:
        modifier = f"-{code['modifier']}" if code["modifier"] else ""
        lines.append(f"  {code['kind']} {code['code']}{modifier} ({code['source']})")
    for claim in picture["claims"]:
        lines.append(
            f"  claim {claim['version']} (frequency {claim['frequency']}): {claim['status']}, step "
            f"{claim['step']}, next {claim['nextStepAt']}, number {claim['patientControlNumber']}, "
            f"ID {claim['claimId']}"
        )
        lines += [
            f"    finding {found['rule']} {found['severity']} {found['path']}" for found in claim["findings"]
        ]
        lines += [
            f"    {sent['outcome']} {sent['file']} at {sent['givenUpAt'] or sent['handedOverAt'] or '-'}"
            for sent in claim["transmissions"]
        ]
        for signal in claim["signals"]:
            lines.append(f"    answer {signal['kind']} of {signal['effectiveDate']}, file {signal['file']}")
            lines += [
                f'      in its own words: "{words}"' for words in (signal.get("words") or "").splitlines()
            ]
    for item in picture["workItems"]:
        lines.append(f"  work item {item['queue']}: {item['reason']}, {item['closedAt'] or 'open'}")
    for event in picture["events"]:
        lines.append(f"  {event['timestamp']} {event['type']} {event.get('summary', '')}".rstrip())
    return lines


def _code(code: SessionCode, *, patient: bool) -> dict[str, Any]:
    hidden = code.kind == SessionCode.Kind.DIAGNOSIS and not patient
    return {
        "kind": code.kind,
        "code": "(needs --phi)" if hidden else code.code,
        "modifier": code.modifier,
        "source": code.source,
    }


def _claim(claim: Claim, *, receipts: Collection[datetime], patient: bool) -> dict[str, Any]:
    findings = Finding.objects.filter(claim=claim).order_by("id")
    transmissions = (
        TransmittedClaim.objects.filter(claim=claim).select_related("transmission").order_by("ordinal")
    )
    signals = ClaimSignal.objects.filter(claim=claim, typed__undone_at=None).order_by("id")
    return {
        "claimId": str(claim.pk),
        "version": claim.version,
        "frequency": claim.frequency,
        "status": claim.status,
        "statusChangedAt": claim.status_changed_at.isoformat(),
        "step": claim.step,
        "nextStepAt": _instant(claim.next_step_at),
        "windowEndsAt": claim.window_ends_at.isoformat(),
        "attempts": claim.attempts,
        "timesSent": claim.times_sent,
        "leaseUntil": _instant(claim.lease_until),
        "gateway": claim.gateway,
        "patientControlNumber": claim.patient_control_number,
        "payerControlNumber": claim.payer_control_number,
        "totalCharge": _money(claim.total_charge),
        "paid": _money(claim.paid),
        "patientOwes": _money(claim.patient_owes),
        "fileBy": claim.file_by.isoformat() if claim.file_by else None,
        "submittedAt": _instant(claim.submitted_at),
        "findings": [{"rule": row.rule, "severity": row.severity, "path": row.path} for row in findings],
        "transmissions": [
            {
                "file": sent.transmission.file_name,
                "outcome": _outcome(sent.transmission, receipts),
                "interchange": sent.transmission.interchange_control_number,
                "reference": sent.transmission.reference,
                "handedOverAt": _instant(sent.transmission.handed_over_at),
                "givenUpAt": _instant(sent.transmission.given_up_at),
            }
            for sent in transmissions
        ],
        "signals": [_signal(signal, patient=patient) for signal in signals],
    }


def _outcome(sent: Transmission, receipts: Collection[datetime]) -> str:
    """What came of handing it over; one refused together with others has no receipt in the history either."""
    if sent.given_up_at is not None:
        return "given up"
    if sent.handed_over_at is None:
        return "not known to be taken" if sent.first_attempt_at else "not handed over"
    # Without an answer of the door's own it is the payer's that has proven it to be there.
    was_taken = sent.answer is None or sent.handed_over_at in receipts
    return "taken" if was_taken else "refused"


def _signal(signal: ClaimSignal, *, patient: bool) -> dict[str, Any]:
    document: dict[str, Any] = {
        "id": signal.pk,
        "kind": signal.kind,
        "effectiveDate": signal.effective_date.isoformat() if signal.effective_date else None,
        "file": signal.inbound_file_id,
        "repeats": signal.repeats,
    }
    return document | ({"words": signal.words} if patient else {})


def _item(item: WorkItem, *, patient: bool) -> dict[str, Any]:
    document: dict[str, Any] = {
        "queue": item.queue,
        "reason": item.reason,
        "openedAt": item.opened_at.isoformat(),
        "closedAt": _instant(item.closed_at),
    }
    return document | ({"summary": item.summary} if patient else {})


def _event(event: SessionEvent, *, patient: bool) -> dict[str, Any]:
    document = {"timestamp": event.timestamp.isoformat(), "type": event.type, "status": event.status or None}
    return document | ({"summary": event.summary} if patient else {})


def _instant(value: Any) -> str | None:
    return None if value is None else value.isoformat()


def _money(value: Any) -> str | None:
    return None if value is None else str(value)
