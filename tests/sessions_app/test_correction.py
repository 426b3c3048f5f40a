"""Session update: what is supplied changes, what results must hold, and a claim on its way is left alone."""

import json
from datetime import UTC, date, datetime, timedelta
from typing import Any
from uuid import uuid4

import pytest

from claims.models import Claim
from partners.keyring import blind_index
from sessions_app.models import Session, SessionCode, SessionEvent
from tests.cast import REMOVED, Api, day_of_service, error_of, issues_of, submission

pytestmark = pytest.mark.usefixtures("release")


@pytest.fixture
def ours(api: Api) -> Api:
    return api.onboarded()


@pytest.fixture
def session_id(ours: Api) -> str:
    return ours.submitted()


def codes_of(session_id: str, kind: str) -> list[tuple[str, str, str]]:
    rows = SessionCode.objects.filter(session_id=session_id, kind=kind).order_by("position")
    return [(row.code, row.modifier, row.source) for row in rows]


def test_the_result(ours: Api, session_id: str) -> None:
    answer = ours.patch(f"/sessions/{session_id}", {"patient": {"firstName": "June"}})
    assert answer.status_code == 200
    assert set(answer.json()) == {"sessionId", "status", "message"}
    assert answer.json()["sessionId"] == session_id
    assert answer.json()["status"] == "updated"
    shown = ours.get(f"/sessions/{session_id}").json()
    assert (shown["status"], shown["patientName"]) == ("processing", "June Doe")


def test_an_empty_update_says_that_nothing_changed(ours: Api, session_id: str) -> None:
    before = ours.get(f"/sessions/{session_id}").json()
    answer = ours.patch(f"/sessions/{session_id}", {})
    assert answer.status_code == 200
    assert answer.json()["message"].startswith("No field was sent, so nothing changed;")
    assert ours.get(f"/sessions/{session_id}").json() == before


@pytest.mark.parametrize(
    ("change", "column", "value"),
    [
        ({"patient": {"firstName": " June "}}, "patient_first_name", "June"),
        ({"patient": {"lastName": "Roe"}}, "patient_last_name", "Roe"),
        ({"patient": {"dateOfBirth": "1980-02-29"}}, "patient_date_of_birth", date(1980, 2, 29)),
        ({"patient": {"gender": "U"}}, "patient_gender", "U"),
        ({"patient": {"address": {"street": "2 Oak"}}}, "patient_street", "2 Oak"),
        ({"patient": {"address": {"line2": None}}}, "patient_line2", ""),
        ({"patient": {"address": {"line2": " "}}}, "patient_line2", ""),
        ({"patient": {"address": {"city": "Waco"}}}, "patient_city", "Waco"),
        ({"patient": {"address": {"state": "ok"}}}, "patient_state", "OK"),
        ({"patient": {"address": {"zip": "73301"}}}, "patient_zip", "73301"),
        ({"patient": {"insurance": {"memberId": "X1"}}}, "member_id", "X1"),
        ({"patient": {"insurance": {"payerName": "Cigna"}}}, "payer_name", "Cigna"),
        ({"patient": {"insurance": {"payerId": None}}}, "payer_id", ""),
        ({"patient": {"insurance": {"payerId": "62308"}}}, "payer_id", "62308"),
        ({"patient": {"insurance": {"groupNumber": ""}}}, "group_number", ""),
        (
            {"session": {"dateOfService": day_of_service(9)}},
            "date_of_service",
            date.fromisoformat(day_of_service(9)),
        ),
        ({"session": {"placeOfService": "telehealth"}}, "place_of_service", "telehealth"),
    ],
)
def test_only_the_supplied_field_changes(
    ours: Api, session_id: str, change: dict[str, Any], column: str, value: Any
) -> None:
    before = Session.objects.values().get()
    assert ours.patch(f"/sessions/{session_id}", change).status_code == 200
    after = Session.objects.values().get()
    own = {"version", "updated_at", "message", "patient_search_name", "member_id_index"}
    assert {name for name in before if before[name] != after[name]} - own == {column}
    assert after[column] == value
    assert after["version"] == 2
    assert after["updated_at"] > before["updated_at"]
    assert codes_of(session_id, "diagnosis") == [("F41.1", "", "sent")]


@pytest.mark.parametrize("place", [None, ""])
def test_no_place_of_service_is_the_office(ours: Api, place: str | None) -> None:
    session_id = ours.submitted(session__placeOfService="telehealth")
    ours.patch(f"/sessions/{session_id}", {"session": {"placeOfService": place}})
    assert Session.objects.get().place_of_service == "office"


def test_what_is_searched_by_follows(ours: Api, session_id: str) -> None:
    ours.patch(
        f"/sessions/{session_id}", {"patient": {"lastName": "Ñandú", "insurance": {"memberId": "a-1 b"}}}
    )
    session = Session.objects.get()
    assert session.patient_search_name == "jane nandu"
    assert bytes(session.member_id_index) == blind_index("A1B")


@pytest.mark.parametrize(
    "body",
    [{}, {"patient": {}}, {"session": {}}, {"patient": {"address": {}, "insurance": {}}}],
)
def test_nothing_supplied_changes_nothing(ours: Api, session_id: str, body: dict[str, Any]) -> None:
    before = list(Session.objects.values()), list(Claim.objects.values())
    assert ours.patch(f"/sessions/{session_id}", body).status_code == 200
    assert (list(Session.objects.values()), list(Claim.objects.values())) == before
    assert SessionEvent.objects.count() == 1


def test_a_supplied_array_replaces_all_codes_of_its_kind(ours: Api) -> None:
    session_id = ours.submitted(
        session__diagnosisCodes=[{"code": "F41.1"}, {"code": "Z63.0"}],
        session__procedureCodes=[{"code": "90837"}, {"code": "90785"}],
    )
    change = {"session": {"diagnosisCodes": [{"code": "f329", "description": "x"}]}}
    assert ours.patch(f"/sessions/{session_id}", change).status_code == 200
    assert codes_of(session_id, "diagnosis") == [("F32.9", "", "sent")]
    assert codes_of(session_id, "procedure") == [("90837", "", "sent"), ("90785", "", "sent")]


def test_supplied_procedure_codes_replace_derived_ones(ours: Api, session_id: str) -> None:
    SessionCode.objects.create(
        partner=ours.partner,
        session_id=session_id,
        kind="procedure",
        position=0,
        code="90837",
        source="derived",
    )
    change = {"session": {"procedureCodes": [{"code": "90834", "modifier": "gt"}]}}
    ours.patch(f"/sessions/{session_id}", change)
    assert codes_of(session_id, "procedure") == [("90834", "GT", "sent")]


@pytest.mark.parametrize("empty", [[], None])
def test_an_empty_array_takes_the_sent_codes_away(ours: Api, empty: Any) -> None:
    session_id = ours.submitted(session__procedureCodes=[{"code": "90837"}])
    assert ours.patch(f"/sessions/{session_id}", {"session": {"procedureCodes": empty}}).status_code == 200
    assert codes_of(session_id, "procedure") == []


def test_the_claim_starts_again_and_the_window_with_it(ours: Api, session_id: str) -> None:
    long_ago = datetime(2026, 1, 1, tzinfo=UTC)
    Claim.objects.update(
        step="held",
        status="held",
        next_step_at=None,
        window_ends_at=long_ago,
        attempts=3,
        snapshot="{}",
        built_at=long_ago,
        total_charge=180,
        patient_control_number="K7QX2M9ZB4TD1",
    )
    revision = Claim.objects.get().revision
    ours.patch(f"/sessions/{session_id}", {"patient": {"firstName": "June"}})
    claim = Claim.objects.get()
    assert (claim.step, claim.status, claim.attempts) == ("code", "queued", 0)
    assert (claim.snapshot, claim.built_at, claim.total_charge) == (None, None, None)
    assert claim.patient_control_number == "K7QX2M9ZB4TD1"
    assert claim.revision == revision + 1
    assert claim.window_ends_at - claim.next_step_at == timedelta(minutes=15)


def test_the_history_names_fields_and_never_values(ours: Api, session_id: str) -> None:
    change = {
        "session": {"diagnosisCodes": [{"code": "F32.9"}], "placeOfService": "telehealth"},
        "patient": {"insurance": {"memberId": "SECRET-1"}, "firstName": "June"},
    }
    ours.patch(f"/sessions/{session_id}", change)
    entry = ours.get(f"/sessions/{session_id}").json()["timeline"][-1]
    assert (entry["type"], entry["status"]) == ("session.updated", "processing")
    assert (
        "patient.firstName, patient.insurance.memberId, session.placeOfService, session.diagnosisCodes"
        in entry["summary"]
    )
    for value in ("SECRET", "June", "F32", "telehealth"):
        assert value not in entry["summary"]


FIXED = [
    ({"externalSessionId": "x"}, "externalSessionId", ""),
    ({"providerNpi": "1999999984"}, "providerNpi", " Onboard the therapist under the right NPI"),
    (
        {"session": {"durationMinutes": 50}},
        "session.durationMinutes",
        " Send the procedureCodes that are true.",
    ),
    ({"session": {"durationMinutes": None}}, "session.durationMinutes", " Send the procedureCodes"),
    ({"session": {"noteText": "x"}}, "session.noteText", " Send the diagnosisCodes and procedureCodes"),
]


@pytest.mark.parametrize(("body", "path", "instead"), FIXED)
def test_fields_that_an_update_may_not_touch_say_what_helps(
    ours: Api, session_id: str, body: dict[str, Any], path: str, instead: str
) -> None:
    issues = issues_of(ours.patch(f"/sessions/{session_id}", body))
    assert list(issues) == [path]
    assert issues[path].startswith(f"This field can't be updated.{instead}")


@pytest.mark.parametrize(
    ("body", "wrong"),
    [
        ({"patient": None}, "null"),
        ({"session": None}, "null"),
        ({"patient": {"address": None}}, "null"),
        ({"patient": {"lastName": None}}, "null"),
        ({"patient": {"lastName": " "}}, "empty"),
        ({"session": {"dateOfService": ""}}, "empty"),
    ],
)
def test_what_can_not_be_cleared_may_be_left_out(
    ours: Api, session_id: str, body: dict[str, Any], wrong: str
) -> None:
    (message,) = issues_of(ours.patch(f"/sessions/{session_id}", body)).values()
    assert message == f"This can't be {wrong}; leave it out to keep what is stored."


FAULTS = [
    ("patient", None),
    ("patient", []),
    ("patient__address", None),
    ("patient__insurance", None),
    ("session", None),
    ("session", "x"),
    *(
        (f"patient__{name}", value)
        for name in ("firstName", "lastName", "address__street", "address__city", "insurance__memberId")
        for value in (None, "", "  ", 1, "a\0", "\ud800", "x" * 61)
    ),
    *(("patient__insurance__payerName", value) for value in (None, "", "x" * 61)),
    *(("patient__gender", value) for value in (None, "", "f")),
    *(("patient__dateOfBirth", value) for value in (None, "", "1899-12-31", "x")),
    *(("patient__address__state", value) for value in (None, "", "TEX")),
    *(("patient__address__zip", value) for value in (None, "", "78702-1234")),
    *(("session__dateOfService", value) for value in (None, "", "2999-01-01", "x")),
    *(("session__placeOfService", value) for value in ("home", 1)),
    *(("session__diagnosisCodes", value) for value in ("x", {}, 1)),
    ("session__colour", "red"),
    ("patient__ssn", "1"),
    ("colour", "red"),
    ("patient__authNumber", "1"),
    ("session__authorizedSessions", 1),
    ("subscriber", {}),
    ("policyHolder", {}),
]


@pytest.mark.parametrize(("path", "value"), FAULTS)
def test_faults_are_named_by_path(ours: Api, session_id: str, path: str, value: Any) -> None:
    before = Session.objects.values().get()
    *parents, name = path.split("__")
    body: Any = {name: value}
    for parent in reversed(parents):
        body = {parent: body}
    answer = ours.patch(f"/sessions/{session_id}", raw=json.dumps(body).encode())
    assert list(issues_of(answer)) == [path.replace("__", ".")]
    assert Session.objects.values().get() == before


@pytest.mark.parametrize(
    ("entries", "path"),
    [
        ([{"code": "F41.7"}], "session.diagnosisCodes.0.code"),
        ([{"code": "F41"}], "session.diagnosisCodes.0.code"),
        ([{"code": "F41.1"}, {"code": "f411"}], "session.diagnosisCodes.1.code"),
        ([{"code": "F41.1"}, {}], "session.diagnosisCodes.1.code"),
        ([{"code": "F41.1"}, 7], "session.diagnosisCodes.1"),
    ],
)
def test_faults_of_codes(ours: Api, session_id: str, entries: list[Any], path: str) -> None:
    answer = ours.patch(f"/sessions/{session_id}", {"session": {"diagnosisCodes": entries}})
    assert list(issues_of(answer)) == [path]
    assert codes_of(session_id, "diagnosis") == [("F41.1", "", "sent")]


def test_what_remains_must_be_an_accepted_combination(ours: Api) -> None:
    session_id = ours.submitted()
    refused = issues_of(ours.patch(f"/sessions/{session_id}", {"session": {"diagnosisCodes": []}}))
    assert list(refused) == [""]
    assert refused[""].startswith("session.diagnosisCodes can't be emptied")
    coded = ours.submitted(session__durationMinutes=REMOVED, session__procedureCodes=[{"code": "90837"}])
    assert list(issues_of(ours.patch(f"/sessions/{coded}", {"session": {"procedureCodes": []}}))) == [""]


def test_a_note_carries_a_session_without_codes(ours: Api) -> None:
    session_id = ours.submitted(session__noteText="S: …")
    change = {"session": {"diagnosisCodes": [], "procedureCodes": []}}
    assert ours.patch(f"/sessions/{session_id}", change).status_code == 200


def test_derived_codes_do_not_count_as_sent(ours: Api) -> None:
    session_id = ours.submitted(
        session__durationMinutes=REMOVED, session__noteText="S: …", session__diagnosisCodes=[]
    )
    SessionCode.objects.create(
        partner=ours.partner, session_id=session_id, kind="diagnosis", position=0, code="F41.7", source="note"
    )
    change = {"session": {"placeOfService": "telehealth"}}
    assert ours.patch(f"/sessions/{session_id}", change).status_code == 200


def test_stored_and_supplied_are_judged_together(ours: Api, session_id: str) -> None:
    born_later = day_of_service(1)
    answer = ours.patch(f"/sessions/{session_id}", {"patient": {"dateOfBirth": born_later}})
    assert list(issues_of(answer)) == ["patient.dateOfBirth"]
    answer = ours.patch(f"/sessions/{session_id}", {"session": {"dateOfService": "1989-12-31"}})
    assert issues_of(answer) == {"session.dateOfService": "Must not be before the date of birth."}


def test_a_new_date_judges_the_stored_codes_again(ours: Api, release: Any) -> None:
    before = (release.valid_from - timedelta(days=5)).isoformat()
    session_id = ours.submitted(session__dateOfService=before, session__diagnosisCodes=[{"code": "F41.7"}])
    answer = ours.patch(f"/sessions/{session_id}", {"session": {"dateOfService": day_of_service()}})
    assert list(issues_of(answer)) == ["session.diagnosisCodes.0.code"]


@pytest.mark.parametrize(
    ("step", "status"),
    [
        ("send", "dispatching"),
        ("send", "dispatch_unknown"),
        ("follow", "sent"),
        ("follow", "payer_rejected"),
        ("done", "paid"),
        ("done", "denied"),
    ],
)
def test_once_transmission_began_the_session_is_locked(
    ours: Api, session_id: str, step: str, status: str
) -> None:
    Claim.objects.update(step=step, status=status)
    before = Session.objects.values().get()
    error_of(ours.patch(f"/sessions/{session_id}", {"patient": {"firstName": "June"}}), 409)
    error_of(ours.patch(f"/sessions/{session_id}", {}), 409)
    assert Session.objects.values().get() == before


@pytest.mark.parametrize("step", ["code", "check", "window", "build", "send", "held"])
def test_until_then_it_is_open(ours: Api, session_id: str, step: str) -> None:
    Claim.objects.update(step=step, status="held" if step == "held" else "queued")
    assert ours.patch(f"/sessions/{session_id}", {"patient": {"firstName": "June"}}).status_code == 200


def test_what_the_body_shows_comes_before_404_and_409(ours: Api, session_id: str) -> None:
    odd = {"patient": {"gender": "x"}}
    issues_of(ours.patch(f"/sessions/{uuid4()}", odd))
    wrong = {"session": {"dateOfService": day_of_service(), "diagnosisCodes": [{"code": "F41.7"}]}}
    issues_of(ours.patch(f"/sessions/{uuid4()}", wrong))
    Claim.objects.update(step="follow", status="sent")
    issues_of(ours.patch(f"/sessions/{session_id}", odd))


def test_409_comes_before_what_only_shows_once_merged(ours: Api, session_id: str) -> None:
    Claim.objects.update(step="follow", status="sent")
    error_of(ours.patch(f"/sessions/{session_id}", {"session": {"diagnosisCodes": []}}), 409)


def test_what_is_no_session_id_comes_before_the_body(ours: Api) -> None:
    error_of(ours.patch("/sessions/x", {"patient": {"gender": "x"}}), 400)


def test_a_session_that_nobody_has(ours: Api) -> None:
    error_of(ours.patch(f"/sessions/{uuid4()}", {}), 404)


def test_a_rivals_session_is_a_404(ours: Api, rival: Api, session_id: str) -> None:
    error_of(rival.patch(f"/sessions/{session_id}", {"patient": {"firstName": "June"}}), 404)
    assert Session.objects.get().patient_first_name == "Jane"


def test_a_correction_of_everything_at_once(ours: Api, session_id: str) -> None:
    whole = submission(patient__firstName="June", patient__insurance__memberId="N1")
    change = {
        "patient": whole["patient"],
        "session": {
            "dateOfService": day_of_service(3),
            "placeOfService": "telehealth",
            "diagnosisCodes": [{"code": "Z63.0"}],
            "procedureCodes": [{"code": "90834"}],
        },
    }
    assert ours.patch(f"/sessions/{session_id}", change).status_code == 200
    session = Session.objects.get()
    assert (session.patient_first_name, session.member_id) == ("June", "N1")
    assert codes_of(session_id, "procedure") == [("90834", "", "sent")]
