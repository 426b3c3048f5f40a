"""Rows into the shapes of the interface: every field present, null when unknown."""

from typing import Any

import orjson

from partners.keyring import decrypt
from sessions_app.patient_names import full_name

Row = tuple[Any, ...]
ITEM_COLUMNS = 26


def list_item(row: Row) -> dict[str, Any]:
    """A session as an item of the list, from the columns of `statements.COLUMNS`."""
    (
        session_id,
        external_session_id,
        status,
        date_of_service,
        created_at,
        updated_at,
        patient_first_name,
        patient_last_name,
        patient_date_of_birth,
        member_id,
        payer_name,
        payer_id,
        group_number,
        provider_id,
        provider_first_name,
        provider_last_name,
        npi,
        credentials,
        specialty,
        *claim,
    ) = row[:ITEM_COLUMNS]
    return {
        "sessionId": session_id,
        "externalSessionId": external_session_id,
        "status": status,
        "dateOfService": date_of_service,
        "createdAt": created_at,
        "updatedAt": updated_at,
        "patient": {
            "firstName": patient_first_name,
            "lastName": patient_last_name,
            "fullName": full_name(patient_first_name, patient_last_name),
            "dateOfBirth": patient_date_of_birth,
            "memberId": decrypt(member_id).decode(),
        },
        "payer": {
            "payerName": payer_name or None,
            "payerId": payer_id or None,
            "groupNumber": group_number or None,
        },
        "provider": {
            "providerId": provider_id,
            "firstName": provider_first_name,
            "lastName": provider_last_name,
            "fullName": full_name(provider_first_name, provider_last_name),
            "npi": npi,
            "credentials": credentials or None,
            "specialty": specialty or None,
        },
        "claim": _claim(*claim) if claim[0] else None,
    }


def detail(row: Row) -> dict[str, Any]:
    """One session with its message and history, from the columns of `statements.detail`."""
    shape = list_item(row)
    message, events = row[ITEM_COLUMNS:]
    history = orjson.loads(events) if events else []
    shape["message"] = message
    shape["patientName"] = shape["patient"]["fullName"]
    shape["events"] = [{"type": kind, "timestamp": instant} for kind, _, _, instant in history]
    shape["timeline"] = [
        {"type": kind, "status": status or None, "summary": summary, "timestamp": instant}
        for kind, status, summary, instant in history
    ]
    return shape


def _claim(
    claim_id: str,
    status: str,
    submitted_at: str | None,
    last_updated: str,
    patient_control_number: str | None,
    payer_control_number: str,
    mode: str,
) -> dict[str, str | None]:
    return {
        "claimId": claim_id,
        "status": status,
        "submittedAt": submitted_at,
        "lastUpdated": last_updated,
        "patientControlNumber": patient_control_number or None,
        "payerClaimControlNumber": payer_control_number or None,
        "submissionMode": mode or None,
    }
