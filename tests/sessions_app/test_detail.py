"""Session detail: every field, null where unknown; a rival's session is a 404."""

import re
from datetime import UTC, datetime
from uuid import uuid4

import pytest

from claims.models import Claim
from sessions_app.models import Session, SessionEvent
from tests.cast import NPI, Api, error_of, submission

INSTANT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z")


@pytest.fixture
def ours(api: Api) -> Api:
    return api.onboarded()


def instant(value: datetime) -> str:
    return value.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")


def test_every_field(ours: Api) -> None:
    body = submission(externalSessionId="visit-1")
    session_id = ours.post("/sessions", body).json()["sessionId"]
    session = Session.objects.select_related("provider").get(pk=session_id)
    answer = ours.get(f"/sessions/{session_id}")
    assert answer.status_code == 200
    assert answer.json() == {
        "sessionId": session_id,
        "externalSessionId": "visit-1",
        "status": "processing",
        "dateOfService": body["session"]["dateOfService"],
        "createdAt": instant(session.created_at),
        "updatedAt": instant(session.updated_at),
        "patient": {
            "firstName": "Jane",
            "lastName": "Doe",
            "fullName": "Jane Doe",
            "dateOfBirth": "1990-01-01",
            "memberId": "W123456789",
        },
        "payer": {"payerName": "Aetna", "payerId": "60054", "groupNumber": "GRP001"},
        "provider": {
            "providerId": str(session.provider_id),
            "firstName": "Ana",
            "lastName": "Rivera",
            "fullName": "Ana Rivera",
            "npi": NPI,
            "credentials": "LCSW",
            "specialty": "Clinical social worker",
        },
        "claim": None,
        "message": session.message,
        "patientName": "Jane Doe",
        "events": [{"type": "session.received", "timestamp": instant(session.created_at)}],
        "timeline": [
            {
                "type": "session.received",
                "status": "processing",
                "summary": "Session received with 1 diagnosis code, 55 minutes.",
                "timestamp": instant(session.created_at),
            }
        ],
    }


def test_what_is_unknown_is_null(api: Api) -> None:
    api.onboarded(provider__credentials=None, provider__specialty=None)
    session_id = api.submitted(
        externalSessionId=None, patient__insurance__payerId=None, patient__insurance__groupNumber=None
    )
    shown = api.get(f"/sessions/{session_id}").json()
    assert shown["externalSessionId"] is None
    assert (shown["payer"]["payerId"], shown["payer"]["groupNumber"]) == (None, None)
    assert (shown["provider"]["credentials"], shown["provider"]["specialty"]) == (None, None)


def test_instants_have_microseconds_even_where_there_are_none(ours: Api) -> None:
    session_id = ours.submitted()
    whole = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
    Session.objects.filter(pk=session_id).update(updated_at=whole)
    shown = ours.get(f"/sessions/{session_id}").json()
    assert shown["updatedAt"] == "2026-01-02T03:04:05.000000Z"
    assert INSTANT.fullmatch(shown["createdAt"])


def test_the_claim_is_null_until_it_is_built_then_the_newest_built(ours: Api) -> None:
    session_id = ours.submitted()
    claim = Claim.objects.get(session_id=session_id)
    built = datetime(2026, 1, 2, 3, 4, 5, 678, tzinfo=UTC)
    Claim.objects.filter(pk=claim.pk).update(
        built_at=built,
        last_updated_at=built,
        submitted_at=built,
        status="payer_accepted",
        mode="test",
        patient_control_number="K7QX2M9ZB4TD1",
        payer_control_number="P-1",
    )
    Claim.objects.create(
        partner=ours.partner, session_id=session_id, version=2, window_ends_at=built, frequency="7"
    )
    assert ours.get(f"/sessions/{session_id}").json()["claim"] == {
        "claimId": str(claim.pk),
        "status": "payer_accepted",
        "submittedAt": "2026-01-02T03:04:05.000678Z",
        "lastUpdated": "2026-01-02T03:04:05.000678Z",
        "patientControlNumber": "K7QX2M9ZB4TD1",
        "payerClaimControlNumber": "P-1",
        "submissionMode": "test",
    }


def test_claim_fields_are_null_until_known(ours: Api) -> None:
    session_id = ours.submitted()
    Claim.objects.filter(session_id=session_id).update(built_at=datetime.now(UTC))
    claim = ours.get(f"/sessions/{session_id}").json()["claim"]
    unknown = ("submittedAt", "patientControlNumber", "payerClaimControlNumber", "submissionMode")
    assert {claim[name] for name in unknown} == {None}
    assert len(claim) == 7


def test_history_is_oldest_first_and_null_where_the_status_did_not_change(ours: Api) -> None:
    session_id = ours.submitted()
    for kind, status in (("session.warning", ""), ("claim.submitted", "submitted")):
        SessionEvent.objects.create(
            partner=ours.partner, session_id=session_id, type=kind, status=status, summary=kind
        )
    shown = ours.get(f"/sessions/{session_id}").json()
    assert [event["type"] for event in shown["events"]] == [
        "session.received",
        "session.warning",
        "claim.submitted",
    ]
    assert [entry["status"] for entry in shown["timeline"]] == ["processing", None, "submitted"]


def test_one_named_query(ours: Api, django_assert_num_queries) -> None:
    session_id = ours.submitted()
    with django_assert_num_queries(1) as queries:
        ours.get(f"/sessions/{session_id}")
    assert "FROM sessions_app_session" in queries[0]["sql"]


@pytest.mark.parametrize(
    "identifier",
    [
        "x",
        "0" * 32,
        "01890a5d-ac96-774b-bcce-b302099a805",
        "{01890a5d-ac96-774b-bcce-b302099a8057}",
        "01890a5d-ac96-774b-bcce-b302099a805g",
        "01890a5d-ac96-774b-bcce-b302099a8057%0A",
        "%00",
        "null",
    ],
)
def test_what_is_no_session_id(ours: Api, identifier: str) -> None:
    error_of(ours.get(f"/sessions/{identifier}"), 400)


def test_a_session_id_in_capital_letters(ours: Api) -> None:
    assert ours.get(f"/sessions/{ours.submitted().upper()}").status_code == 200


def test_a_session_that_nobody_has(ours: Api) -> None:
    error_of(ours.get(f"/sessions/{uuid4()}"), 404)


def test_a_rivals_session_is_a_404(ours: Api, rival: Api) -> None:
    error_of(rival.get(f"/sessions/{ours.submitted()}"), 404)
