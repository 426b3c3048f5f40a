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
from billing.rules.characters import bare_member_id
from claims.intake import RECEIVED_MESSAGE
from partners.identifiers import new_id
from partners.keyring import blind_index, encrypt, pepper_ring
from sessions_app.patient_names import full_name, search_form

KEY_ROW = """
SELECT k.digest, k.pepper_id, k.revoked_at, k.expires_at, p.id, p.mode, p.submission_delay, k.id
FROM partners_apikey k JOIN partners_partner p ON p.id = k.partner_id
WHERE k.prefix = {} AND p.active
"""
BILLABLE = "SELECT code FROM billing_diagnosiscode WHERE billable"
REMEMBERED_SECONDS = 4.0
ASSUME = "SELECT set_config('role', 'billing_api', true), set_config('app.partner', {}, true)"
"""What makes a transaction the caller's: from here on, row-level security shows it nobody else's rows."""


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


def codes_of(body: Submission) -> list[dict[str, Any]]:
    """Both kinds of codes, each with its place among its kind."""
    session = body.session
    diagnoses = [(normalized(each.code), each.description, None) for each in session.diagnosisCodes]
    procedures = [(each.code.upper(), each.description, each.modifier) for each in session.procedureCodes]
    return [
        {
            "kind": kind,
            "position": position,
            "code": code,
            "description": description or "",
            "modifier": (modifier or "").upper(),
        }
        for kind, sent in (("diagnosis", diagnoses), ("procedure", procedures))
        for position, (code, description, modifier) in enumerate(sent)
    ]


def values_of(body: Submission, caller: Caller) -> dict[str, Any]:
    """What a submission writes, by the names of the RECEIVE statement's parameters; codes apart."""
    patient, session = body.patient, body.session
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
    }


def json_codes(body: Submission) -> dict[str, str]:
    """The codes as the RECEIVE statement takes them."""
    codes = codes_of(body)
    return {
        name: orjson.dumps([code for code in codes if code["kind"] == kind]).decode()
        for name, kind in (("diagnoses", "diagnosis"), ("procedures", "procedure"))
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
