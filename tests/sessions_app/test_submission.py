"""Submission: three ways in, what is written, all issues at once, the combination rule, 404 and 409."""

from datetime import UTC, date, datetime, timedelta
from typing import Any
from uuid import UUID

import pytest
import time_machine

from claims.models import Claim
from sessions_app.models import Session, SessionCode, SessionEvent, SessionNote
from tests.cast import NPI, Api, changed, error_of, issues_of, submission

pytestmark = pytest.mark.usefixtures("release")
COMBINATION = "session.noteText"
KINDS = SessionCode.Kind


@pytest.fixture
def ours(api: Api) -> Api:
    return api.onboarded()


def bare(**changes: Any) -> dict[str, Any]:
    """A submission whose session has a date and nothing else, then changed."""
    body = submission()
    body["session"] = {"dateOfService": body["session"]["dateOfService"]}
    return changed(body, changes)


CODES = [{"code": "F41.1", "description": "Anxiety"}]
PROCEDURES = [{"code": "90837", "description": "Therapy", "modifier": "95"}]


def test_the_result(ours: Api) -> None:
    answer = ours.post("/sessions", submission(externalSessionId="visit-1"))
    body = answer.json()
    assert answer.status_code == 201
    assert set(body) == {"sessionId", "externalSessionId", "status", "message"}
    assert UUID(body["sessionId"]).version == 7
    assert body["externalSessionId"] == "visit-1"
    assert body["status"] == "processing"
    assert f"GET /api/v1/partner/sessions/{body['sessionId']}" in body["message"]


@pytest.mark.parametrize(
    "body",
    [
        bare(session__diagnosisCodes=CODES, session__durationMinutes=50),
        bare(session__diagnosisCodes=CODES, session__procedureCodes=PROCEDURES),
        bare(session__noteText="S: …"),
        bare(session__noteText="S: …", session__durationMinutes=50),
        bare(session__noteText="S: …", session__diagnosisCodes=CODES),
        bare(session__noteText="S: …", session__procedureCodes=PROCEDURES),
        bare(session__noteText="S: …", session__diagnosisCodes=CODES, session__procedureCodes=PROCEDURES),
        bare(session__noteText="S: …", session__diagnosisCodes=[], session__procedureCodes=[]),
        bare(session__diagnosisCodes=CODES, session__procedureCodes=PROCEDURES, session__durationMinutes=5),
        bare(session__diagnosisCodes=CODES, session__durationMinutes=5),
    ],
)
def test_accepted_combinations(ours: Api, body: dict[str, Any]) -> None:
    assert ours.post("/sessions", body).status_code == 201


@pytest.mark.parametrize(
    "body",
    [
        bare(),
        bare(session__durationMinutes=50),
        bare(session__diagnosisCodes=CODES),
        bare(session__procedureCodes=PROCEDURES),
        bare(session__procedureCodes=PROCEDURES, session__durationMinutes=50),
        bare(session__diagnosisCodes=[], session__durationMinutes=50),
        bare(session__diagnosisCodes=CODES, session__procedureCodes=[]),
        bare(session__diagnosisCodes=None, session__durationMinutes=50),
        bare(session__diagnosisCodes=CODES, session__durationMinutes=None),
        bare(session__noteText=""),
        bare(session__noteText=" \n\t "),
        bare(session__noteText=None),
    ],
)
def test_no_accepted_combination_is_an_issue_of_the_whole_request(ours: Api, body: dict[str, Any]) -> None:
    issues = issues_of(ours.post("/sessions", body))
    assert list(issues) == [""]
    assert COMBINATION in issues[""]


@pytest.mark.parametrize("wrong", [{}, 0, False, {"code": "F41.1"}])
def test_codes_of_a_wrong_kind_are_the_only_issue(ours: Api, wrong: Any) -> None:
    body = bare(session__diagnosisCodes=wrong, session__durationMinutes=50)
    assert list(issues_of(ours.post("/sessions", body))) == ["session.diagnosisCodes"]


@pytest.mark.parametrize("wrong", [{}, 0, False, []])
def test_a_note_of_a_wrong_kind_is_the_only_issue(ours: Api, wrong: Any) -> None:
    assert list(issues_of(ours.post("/sessions", bare(session__noteText=wrong)))) == ["session.noteText"]


def test_everything_is_stored(ours: Api) -> None:
    session_id = ours.submitted(
        externalSessionId="visit-1",
        session__placeOfService="telehealth",
        session__diagnosisCodes=[
            {"code": "f411", "description": " Worry ", "modifier": "95"},
            {"code": "Z63.0"},
        ],
        session__procedureCodes=[{"code": "90837", "modifier": "gt"}, {"code": "90785"}],
        session__noteText="S: seen\r\nO: calm\rA: fine ",
    )
    session = Session.objects.get(pk=session_id)
    assert session.external_session_id == "visit-1"
    assert session.provider.npi == NPI
    assert (session.patient_first_name, session.patient_last_name) == ("Jane", "Doe")
    assert session.patient_search_name == "jane doe"
    assert session.patient_date_of_birth == date(1990, 1, 1)
    assert session.patient_gender == "F"
    assert (session.patient_street, session.patient_line2) == ("1 Elm St", "Unit 4")
    assert (session.patient_city, session.patient_state, session.patient_zip) == ("Austin", "TX", "78702")
    assert (session.member_id, session.payer_name, session.payer_id) == ("W123456789", "Aetna", "60054")
    assert session.group_number == "GRP001"
    assert (session.place_of_service, session.duration_minutes) == ("telehealth", 55)
    assert (session.status, session.version) == ("processing", 1)
    assert SessionNote.objects.get(session=session).text == "S: seen\nO: calm\nA: fine"
    codes = SessionCode.objects.filter(session=session).order_by("kind", "position")
    assert [
        (row.kind, row.position, row.code, row.description, row.modifier, row.source) for row in codes
    ] == [
        (KINDS.DIAGNOSIS, 0, "F41.1", "Worry", "", "sent"),
        (KINDS.DIAGNOSIS, 1, "Z63.0", "", "", "sent"),
        (KINDS.PROCEDURE, 0, "90837", "", "GT", "sent"),
        (KINDS.PROCEDURE, 1, "90785", "", "", "sent"),
    ]


def test_the_claims_process_begins_in_the_same_statement(ours: Api) -> None:
    session = Session.objects.get(pk=ours.submitted())
    claim = Claim.objects.get(session=session)
    assert (claim.version, claim.frequency, claim.step, claim.status) == (1, "1", "code", "queued")
    assert claim.next_step_at == session.created_at == claim.created_at
    assert claim.window_ends_at - claim.created_at == timedelta(minutes=15)
    event = SessionEvent.objects.get(session=session)
    assert (event.type, event.status) == ("session.received", "processing")


def test_a_submission_is_one_statement(ours: Api, django_assert_num_queries) -> None:
    ours.submitted()
    body = submission()
    with django_assert_num_queries(1) as queries:
        assert ours.post("/sessions", body).status_code == 201
    assert "INSERT INTO sessions_app_session " in queries[0]["sql"]


def test_what_identifies_the_patient_is_not_stored_in_clear(ours: Api) -> None:
    from django.db import connection

    session_id = ours.submitted(session__noteText="very private words")
    with connection.cursor() as cursor:
        cursor.execute("SELECT member_id FROM sessions_app_session WHERE id = %s", [session_id])
        assert b"W123456789" not in bytes(cursor.fetchone()[0])
        cursor.execute("SELECT text FROM sessions_app_sessionnote WHERE session_id = %s", [session_id])
        assert b"private" not in bytes(cursor.fetchone()[0])


def test_all_issues_at_once_in_the_order_of_the_fields(ours: Api) -> None:
    body = {
        "session": {
            "procedureCodes": [{"code": "1"}],
            "diagnosisCodes": [{"code": "F41.1"}, {"code": "??"}, {}, None],
            "durationMinutes": "x",
            "dateOfService": "x",
            "authNumber": 1,
        },
        "providerNpi": "x",
        "patient": {"lastName": "", "gender": "x", "address": {"zip": "1"}, "insurance": []},
        "extra": 1,
    }
    assert list(issues_of(ours.post("/sessions", body))) == [
        "patient.firstName",
        "patient.lastName",
        "patient.dateOfBirth",
        "patient.gender",
        "patient.address.street",
        "patient.address.city",
        "patient.address.state",
        "patient.address.zip",
        "patient.insurance",
        "providerNpi",
        "session.dateOfService",
        "session.durationMinutes",
        "session.diagnosisCodes.1.code",
        "session.diagnosisCodes.2.code",
        "session.diagnosisCodes.3",
        "session.procedureCodes.0.code",
        "session.authNumber",
        "extra",
    ]


def test_an_empty_object_names_what_is_required_and_the_combination(ours: Api) -> None:
    assert list(issues_of(ours.post("/sessions", {}))) == ["patient", "providerNpi", "session", ""]


def test_the_patient_is_born_before_the_service(ours: Api) -> None:
    served = submission()["session"]["dateOfService"]
    after = (date.fromisoformat(served) + timedelta(days=1)).isoformat()
    assert list(issues_of(ours.post("/sessions", submission(patient__dateOfBirth=after)))) == [
        "patient.dateOfBirth"
    ]
    assert ours.post("/sessions", submission(patient__dateOfBirth=served)).status_code == 201


@pytest.mark.parametrize(("moment", "allowed"), [("13:59:59", False), ("14:00:01", True)])
def test_a_day_begins_in_guam(ours: Api, moment: str, allowed: bool) -> None:
    today = datetime.now(UTC).date()
    tomorrow = (today + timedelta(days=1)).isoformat()
    with time_machine.travel(f"{today.isoformat()}T{moment}+00:00", tick=False):
        answer = ours.post("/sessions", submission(session__dateOfService=tomorrow))
    if allowed:
        assert answer.status_code == 201
    else:
        assert list(issues_of(answer)) == ["session.dateOfService"]


def test_an_npi_that_is_not_onboarded_is_a_404(ours: Api) -> None:
    error_of(ours.post("/sessions", submission(providerNpi="1999999984")), 404)
    assert not Session.objects.exists()


def test_an_npi_of_another_partner_is_a_404(ours: Api, rival: Api) -> None:
    error_of(rival.post("/sessions", submission()), 404)


def test_issues_come_before_the_404(api: Api) -> None:
    issues_of(api.post("/sessions", submission(patient__gender="x")))


def test_a_used_external_session_id_is_a_409_with_the_session(ours: Api) -> None:
    first = ours.submitted(externalSessionId="visit-1")
    answer = ours.post("/sessions", submission(externalSessionId=" visit-1 "))
    assert answer.status_code == 409
    assert set(answer.json()) == {"error", "sessionId"}
    assert answer.json()["sessionId"] == first
    assert Session.objects.count() == 1


def test_the_404_comes_before_the_409(ours: Api) -> None:
    ours.submitted(externalSessionId="visit-1")
    body = submission(externalSessionId="visit-1", providerNpi="1999999984")
    error_of(ours.post("/sessions", body), 404)


def test_partners_have_external_session_ids_of_their_own(ours: Api, rival: Api) -> None:
    rival.onboarded(provider__npi="1999999984")
    ours.submitted(externalSessionId="visit-1")
    assert rival.submitted(externalSessionId="visit-1", providerNpi="1999999984")


def test_without_an_external_session_id_nothing_is_a_duplicate(ours: Api) -> None:
    assert ours.submitted(externalSessionId=None) != ours.submitted(externalSessionId=None)


def test_the_row_says_which_request_made_it(ours: Api) -> None:
    ours.post("/sessions", submission(), HTTP_X_REQUEST_ID="ask-us-about.this")
    assert Session.objects.get().request_id == "ask-us-about.this"


def test_no_patient_is_named_in_the_logs(ours: Api, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("DEBUG")
    session_id = ours.submitted(session__noteText="tells of a brother")
    ours.post("/sessions", submission(patient__gender="x"))
    ours.get("/sessions", {"patientName": "Jane"})
    ours.patch(f"/sessions/{session_id}", {"patient": {"firstName": "June"}})
    logged = "".join(
        record.getMessage() for record in caplog.records if not record.name.startswith("django.db")
    )
    for private in ("Jane", "June", "Doe", "W123456789", "1990-01-01", "brother"):
        assert private not in logged
