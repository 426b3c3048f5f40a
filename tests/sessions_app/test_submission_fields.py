"""Submission field by field: what is accepted and how it is stored, and what is refused by path."""

import json
from datetime import date, timedelta
from typing import Any

import pytest

from partners.api.fields import last_day_begun
from sessions_app.models import Session, SessionNote
from tests.cast import REMOVED, Api, issues_of, submission

pytestmark = pytest.mark.usefixtures("release")


@pytest.fixture
def ours(api: Api) -> Api:
    return api.onboarded()


@pytest.mark.parametrize(
    ("path", "value", "column", "stored"),
    [
        ("externalSessionId", REMOVED, "external_session_id", None),
        ("externalSessionId", None, "external_session_id", None),
        ("externalSessionId", "  ", "external_session_id", None),
        ("externalSessionId", " x ", "external_session_id", "x"),
        ("externalSessionId", "é" * 255, "external_session_id", "é" * 255),
        ("patient__firstName", " Zoë ", "patient_first_name", "Zoë"),
        ("patient__firstName", "x" * 35, "patient_first_name", "x" * 35),
        ("patient__lastName", "😀" * 60, "patient_last_name", "😀" * 60),
        ("patient__dateOfBirth", "1900-01-01", "patient_date_of_birth", date(1900, 1, 1)),
        ("patient__gender", "U", "patient_gender", "U"),
        ("patient__address__line2", None, "patient_line2", ""),
        ("patient__address__state", "tX", "patient_state", "TX"),
        ("patient__address__state", "zz", "patient_state", "ZZ"),
        ("patient__insurance__memberId", " W 1-2 ", "member_id", "W 1-2"),
        ("patient__insurance__payerId", None, "payer_id", ""),
        ("patient__insurance__payerId", "00123", "payer_id", "00123"),
        ("patient__insurance__groupNumber", "", "group_number", ""),
        ("session__placeOfService", REMOVED, "place_of_service", "office"),
        ("session__placeOfService", None, "place_of_service", "office"),
        ("session__placeOfService", "", "place_of_service", "office"),
        ("session__placeOfService", "telehealth", "place_of_service", "telehealth"),
        ("session__durationMinutes", 37.9, "duration_minutes", 37),
        ("session__durationMinutes", 45.0, "duration_minutes", 45),
        ("session__durationMinutes", 0.5, "duration_minutes", 0),
        ("session__durationMinutes", 1, "duration_minutes", 1),
        ("session__durationMinutes", 1440, "duration_minutes", 1440),
    ],
)
def test_accepted_values(ours: Api, path: str, value: Any, column: str, stored: Any) -> None:
    session_id = ours.submitted(**{path: value})
    assert getattr(Session.objects.get(pk=session_id), column) == stored


REQUIRED_TEXTS = {
    "patient__firstName": 35,
    "patient__lastName": 60,
    "patient__address__street": 55,
    "patient__address__city": 30,
    "patient__insurance__memberId": 50,
    "patient__insurance__payerName": 60,
}
OPTIONAL_TEXTS = {
    "externalSessionId": 255,
    "patient__address__line2": 55,
    "patient__insurance__payerId": 80,
    "patient__insurance__groupNumber": 50,
    "session__noteText": 100_000,
}
OBJECTS = ["patient", "patient__address", "patient__insurance", "session"]
FAULTS = [
    *((path, value) for path in OBJECTS for value in (REMOVED, None, "x", 1, [], True)),
    *(
        (path, value)
        for path, longest in REQUIRED_TEXTS.items()
        for value in (
            REMOVED,
            None,
            "",
            "  ",
            1,
            False,
            {},
            "a\0",
            "a\nb",
            "\ta",
            "a\x1f",
            "\ud800",
            "x" * (longest + 1),
        )
    ),
    *((path, "x" * (longest + 1)) for path, longest in OPTIONAL_TEXTS.items()),
    *((path, value) for path in OPTIONAL_TEXTS for value in (1, True, [], {}, "a\0b", "a\x0bb", "\udfff")),
    *(("patient__dateOfBirth", value) for value in (REMOVED, None, "", 19900101, "1899-12-31", "2100-01-01")),
    *(
        ("session__dateOfService", value)
        for value in (
            REMOVED,
            None,
            "",
            "2026-1-2",
            "02/01/2026",
            "20260102",
            "2026-02-30",
            "2026-01-02T00:00:00Z",
        )
    ),
    *(
        ("session__dateOfService", value)
        for value in (" 2026-01-02", "2026-01-02\n", "٢٠٢٦-٠١-٠٢", "0000-01-01")
    ),
    ("session__dateOfService", (last_day_begun() + timedelta(days=2)).isoformat()),
    *(("patient__gender", value) for value in (REMOVED, None, "", "f", "X", "Female", " F", 1)),
    *(
        ("patient__address__state", value)
        for value in (REMOVED, None, "", "T", "TEX", "T1", " TX", "TX\n", "ßß")
    ),
    *(
        ("patient__address__zip", value)
        for value in (REMOVED, None, "", "7870", "787021", "78702-1234", "787021234", 78702, "7870a", "٧٨٧٠٢")
    ),
    *(
        ("providerNpi", value)
        for value in (REMOVED, None, "", 1234567893, "123", "12345678933", "123456789a")
    ),
    *(("session__placeOfService", value) for value in ("home", "Office", " office", 11, [])),
    *(("session__durationMinutes", value) for value in (0, -1, -0.0, 1440.5, 1441, "50", "", True, [], {})),
    *(
        ("session__diagnosisCodes", value)
        for value in ("F41.1", {}, 1, True, [{"code": f"F{n}.1"} for n in range(10, 23)])
    ),
    *(
        ("session__procedureCodes", value)
        for value in ("90837", {}, 1, [{"code": f"{n}"} for n in range(90000, 90051)])
    ),
]


@pytest.mark.parametrize(("path", "value"), FAULTS)
def test_faults_are_named_by_path(ours: Api, path: str, value: Any) -> None:
    raw = json.dumps(submission(**{path: value})).encode()
    assert path.replace("__", ".") in issues_of(ours.post("/sessions", raw=raw))
    assert not Session.objects.exists()


UNKNOWN = ["authorization", "session__diagnosisCode", "patient__ssn", "patient__address__country"]
UNKNOWN += ["patient__insurance__planName", "session__units", "PATIENT", "session__ noteText"]


@pytest.mark.parametrize("path", UNKNOWN)
def test_unknown_fields_are_refused_by_path(ours: Api, path: str) -> None:
    issues = issues_of(ours.post("/sessions", submission(**{path: None})))
    assert issues == {path.replace("__", "."): "Unknown field."}


@pytest.mark.parametrize("name", ["authNumber", "authorizedSessions", "subscriber", "policyHolder"])
@pytest.mark.parametrize(
    "place", ["", "patient__", "patient__insurance__", "patient__address__", "session__"]
)
def test_fields_that_are_not_accepted_say_why(ours: Api, name: str, place: str) -> None:
    path = place + name
    issues = issues_of(ours.post("/sessions", submission(**{path: "x"})))
    assert list(issues) == [path.replace("__", ".")]
    assert issues[path.replace("__", ".")].startswith("Not accepted: ")


def test_fields_that_are_not_accepted_within_a_code(ours: Api) -> None:
    body = submission(session__diagnosisCodes=[{"code": "F41.1", "authNumber": "1"}])
    assert list(issues_of(ours.post("/sessions", body))) == ["session.diagnosisCodes.0.authNumber"]


def test_line_breaks_tabs_and_form_feeds_are_welcome_in_a_note(ours: Api) -> None:
    session_id = ours.submitted(session__noteText="a\tb\nc\x0cd")
    assert SessionNote.objects.get(session_id=session_id).text == "a\tb\nc\x0cd"


@pytest.mark.parametrize(
    ("path", "text"), [("session.noteText", "a\ud800"), ("patient.firstName", "a\udfff")]
)
def test_a_lone_surrogate_is_named_as_one(ours: Api, path: str, text: str) -> None:
    body = submission(**{path.replace(".", "__"): text})
    assert "lone surrogates" in issues_of(ours.post("/sessions", raw=json.dumps(body).encode()))[path]


def test_the_longest_note(ours: Api) -> None:
    assert ours.post("/sessions", submission(session__noteText=" " + "ä" * 100_000 + "\n")).status_code == 201
