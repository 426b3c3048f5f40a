"""What every peer does as our service does: keys, encryption, code judgement, what a submission writes."""

import hashlib
import hmac
import re
import time
from dataclasses import dataclass
from typing import Any
from uuid import UUID

import orjson

from benchmarks.peers.shapes import Submission
from claims.intake import RECEIVED_MESSAGE
from partners.identifiers import new_id
from partners.keyring import blind_index, encrypt, pepper_ring
from sessions_app.patient_names import bare_member_id, full_name, search_form

KEY_ROW = """
SELECT k.digest, k.pepper_id, k.revoked_at, k.expires_at, p.id, p.mode, p.submission_delay, k.id
FROM partners_apikey k JOIN partners_partner p ON p.id = k.partner_id
WHERE k.prefix = {} AND p.active
"""
BILLABLE = "SELECT code FROM billing_diagnosiscode WHERE billable"
REMEMBERED_SECONDS = 4.0
CODE = ("kind", "position", "code", "description", "modifier")


@dataclass(frozen=True)
class Caller:
    partner_id: UUID
    mode: str
    delay: Any
    key_id: UUID

    @property
    def reading(self) -> dict[str, Any]:
        """Who reads, as our own statements record it."""
        return {"partner": self.partner_id, "reading_key": self.key_id, "reading_request": ""}


_callers: dict[str, tuple[float, Caller]] = {}


def remembered(token: str) -> Caller | None:
    """The caller, if its key was looked up a moment ago."""
    known = _callers.get(token)
    return known[1] if known and known[0] > time.monotonic() else None


def admit(token: str, row: tuple[Any, ...] | None) -> Caller | None:
    """The caller that this row of KEY_ROW admits."""
    if row is None or row[2] is not None:
        return None
    pepper = pepper_ring().secret(row[1])
    if not hmac.compare_digest(hmac.new(pepper, token.encode(), hashlib.sha256).digest(), bytes(row[0])):
        return None
    caller = Caller(row[4], row[5], row[6], row[7])
    _callers[token] = (time.monotonic() + REMEMBERED_SECONDS, caller)
    return caller


def normalized(code: str) -> str:
    bare = code.replace(".", "").upper()
    return bare if len(bare) == 3 else f"{bare[:3]}.{bare[3:]}"


def values_of(body: Submission, caller: Caller) -> dict[str, Any]:
    """Everything that a submission writes, by the names of the RECEIVE statement's parameters."""
    patient, session = body.patient, body.session
    codes = [
        *(
            ("diagnosis", at, normalized(each.code), each.description or "", "")
            for at, each in enumerate(session.diagnosisCodes)
        ),
        *(
            ("procedure", at, each.code.upper(), each.description or "", (each.modifier or "").upper())
            for at, each in enumerate(session.procedureCodes)
        ),
    ]
    member_id = patient.insurance.memberId
    return {
        "session": new_id(),
        "claim": new_id(),
        "partner": caller.partner_id,
        "mode": caller.mode,
        "delay": caller.delay,
        "request_id": "",
        "npi": body.providerNpi,
        "external": body.externalSessionId,
        "message": RECEIVED_MESSAGE,
        "summary": "Session received.",
        "search_name": search_form(full_name(patient.firstName, patient.lastName)),
        "member_id": encrypt(member_id.encode()),
        "member_id_index": blind_index(bare_member_id(member_id)),
        "minutes": None if session.durationMinutes is None else int(session.durationMinutes),
        "note": None if session.noteText is None else encrypt(session.noteText.encode()),
        "patient_first_name": patient.firstName,
        "patient_last_name": patient.lastName,
        "patient_date_of_birth": patient.dateOfBirth,
        "patient_gender": patient.gender,
        "patient_street": patient.address.street,
        "patient_line2": patient.address.line2 or "",
        "patient_city": patient.address.city,
        "patient_state": patient.address.state.upper(),
        "patient_zip": patient.address.zip,
        "payer_name": patient.insurance.payerName,
        "payer_id": patient.insurance.payerId or "",
        "group_number": patient.insurance.groupNumber or "",
        "date_of_service": session.dateOfService,
        "place_of_service": session.placeOfService or "office",
        "codes": orjson.dumps([dict(zip(CODE, code, strict=True)) for code in codes]).decode(),
    }


def positional(statement: str) -> tuple[str, list[str]]:
    """The statement with `$1` for `%(name)s`, and the names in that order."""
    names: list[str] = []

    def number(match: re.Match[str]) -> str:
        if match[1] not in names:
            names.append(match[1])
        return f"${names.index(match[1]) + 1}"

    return re.sub(r"%\((\w+)\)s", number, statement), names


def result_of(session_id: UUID, external: str | None) -> dict[str, Any]:
    return {
        "sessionId": str(session_id),
        "externalSessionId": external,
        "status": "processing",
        "message": f"Session received. Poll GET /api/v1/partner/sessions/{session_id} for its status.",
    }
