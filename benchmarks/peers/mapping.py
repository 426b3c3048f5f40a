"""Mapped rows, of either object-relational mapper, into the interface's shapes."""

from collections.abc import Iterable
from typing import Any


def item_of(session: Any, claims: Iterable[Any], *, member_id: str) -> dict[str, Any]:
    """A mapped session as an item of the list; claims newest first."""
    provider = session.provider
    claim = next((each for each in claims if each.built_at is not None), None)
    return {
        "sessionId": session.id,
        "externalSessionId": session.external_session_id,
        "status": session.status,
        "dateOfService": session.date_of_service,
        "createdAt": session.created_at,
        "updatedAt": session.updated_at,
        "patient": {
            "firstName": session.patient_first_name,
            "lastName": session.patient_last_name,
            "fullName": f"{session.patient_first_name} {session.patient_last_name}",
            "dateOfBirth": session.patient_date_of_birth,
            "memberId": member_id,
        },
        "payer": {
            "payerName": session.payer_name or None,
            "payerId": session.payer_id or None,
            "groupNumber": session.group_number or None,
        },
        "provider": {
            "providerId": provider.id,
            "firstName": provider.first_name,
            "lastName": provider.last_name,
            "fullName": f"{provider.first_name} {provider.last_name}",
            "npi": provider.npi,
            "credentials": provider.credentials or None,
            "specialty": provider.specialty or None,
        },
        "claim": claim
        and {
            "claimId": claim.id,
            "status": claim.status,
            "submittedAt": claim.submitted_at,
            "lastUpdated": claim.last_updated_at,
            "patientControlNumber": claim.patient_control_number,
            "payerClaimControlNumber": claim.payer_control_number or None,
            "submissionMode": claim.mode or None,
        },
    }


def history_of(session: Any, events: Iterable[Any]) -> dict[str, Any]:
    """What the detail has beside the item."""
    events = list(events)
    return {
        "message": session.message,
        "patientName": f"{session.patient_first_name} {session.patient_last_name}",
        "events": [{"type": each.type, "timestamp": each.timestamp} for each in events],
        "timeline": [
            {
                "type": each.type,
                "status": each.status or None,
                "summary": each.summary,
                "timestamp": each.timestamp,
            }
            for each in events
        ],
    }
