"""The OpenAPI description: complete, closed, offline, and true."""

from concurrent.futures import ThreadPoolExecutor
from functools import cache
from time import sleep
from typing import Any

import pytest
from django.test import Client
from drf_spectacular.generators import SchemaGenerator
from jsonschema import Draft202012Validator, FormatChecker

from claims.signals import ClaimStatus, EventType
from partners.api.description import _made, description
from sessions_app.api.answers import CLAIM_STATUSES, EVENT_TYPES
from tests.cast import NPI, Api, onboarding, submission
from tests.contract import operations

EXPECTED = {
    "onboardProvider": ("post", "/api/v1/partner/providers", {200, 201, 400, 401, 409}),
    "updateProvider": ("patch", "/api/v1/partner/providers/{npi}", {200, 401, 404, 409}),
    "searchPayers": ("get", "/api/v1/partner/payers/search", {200, 400, 401, 500}),
    "listSessions": ("get", "/api/v1/partner/sessions", {200, 400, 401}),
    "submitSession": ("post", "/api/v1/partner/sessions", {201, 400, 401, 404, 409}),
    "getSession": ("get", "/api/v1/partner/sessions/{sessionId}", {200, 400, 401, 404}),
    "updateSession": ("patch", "/api/v1/partner/sessions/{sessionId}", {200, 400, 401, 404, 409}),
}


def described(name: str) -> dict[str, Any]:
    method, path = operations()[name]
    operation: dict[str, Any] = description()["paths"][path][method]
    return operation


def bodies() -> list[tuple[str, dict[str, Any]]]:
    """Every body of every operation: where it stands, and its media type object."""
    found = []
    for name in operations():
        operation = described(name)
        if "requestBody" in operation:
            found.append((name, operation["requestBody"]["content"]["application/json"]))
        for status, answer in operation["responses"].items():
            found.append((f"{name} {status}", answer["content"]["application/json"]))
    return found


def test_exactly_the_seven_operations() -> None:
    assert {name: place for name, (*place, _) in EXPECTED.items()} == {
        name: list(place) for name, place in operations().items()
    }


@pytest.mark.parametrize("name", EXPECTED)
def test_every_status_of_the_document_is_described(name: str) -> None:
    assert EXPECTED[name][2] <= {int(status) for status in described(name)["responses"]}


def test_version_and_security() -> None:
    assert description()["openapi"].startswith("3.1")
    assert description()["info"]["version"] == "1.0.0"
    scheme = description()["components"]["securitySchemes"]["apiKey"]
    assert (scheme["type"], scheme["scheme"]) == ("http", "bearer")
    assert all(described(name)["security"] == [{"apiKey": []}] for name in operations())


def test_every_object_is_closed() -> None:
    for name, schema in description()["components"]["schemas"].items():
        assert schema["type"] == "object", name
        assert schema["additionalProperties"] is False, name


def test_every_schema_is_one_and_every_example_fits_it() -> None:
    for place, media in bodies():
        schema = {**media["schema"], "components": description()["components"]}
        Draft202012Validator.check_schema(schema)
        assert media["examples"], place
        for example in media["examples"].values():
            Draft202012Validator(schema, format_checker=FormatChecker()).validate(example["value"])


def test_limits_are_described() -> None:
    schemas = description()["components"]["schemas"]
    session = schemas["TherapySession"]["properties"]
    assert session["diagnosisCodes"]["maxItems"] == 12
    assert session["procedureCodes"]["maxItems"] == 50
    assert session["noteText"]["maxLength"] == 100_000
    assert session["placeOfService"]["default"] == "office"
    assert "default" not in schemas["TherapySessionUpdate"]["properties"]["placeOfService"]
    minutes = {"type": ["number", "null"], "exclusiveMinimum": 0, "maximum": 1440}
    assert minutes.items() <= session["durationMinutes"].items()
    assert schemas["Submission"]["properties"]["externalSessionId"]["maxLength"] == 255
    lengths = {name: field.get("maxLength") for name, field in schemas["Insurance"]["properties"].items()}
    assert lengths == {"memberId": 50, "payerName": 60, "payerId": 80, "groupNumber": 50}
    limit = next(each for each in described("listSessions")["parameters"] if each["name"] == "limit")
    assert limit["schema"] == {"type": "integer", "minimum": 1, "maximum": 100, "default": 25}


@pytest.mark.parametrize(
    ("field", "words"),
    [
        ("Provider.npi", "individual therapist's"),
        ("Provider.taxonomyCode", "1041C0700X (social worker, clinical)"),
        ("Provider.taxonomyCode", "inferred from `specialty`"),
        ("Practice.name", "legal name"),
        ("Practice.npi", "`provider.npi`"),
        ("Practice.taxId", "EIN"),
        ("Practice.taxonomyCode", "`provider.taxonomyCode`"),
        ("Practice.contactName", "billing contact"),
        ("PracticeAddress.zip", "nine digits"),
        ("Submission.externalSessionId", "unique"),
        ("Submission.providerNpi", "onboarding"),
        ("Insurance.memberId", "card"),
        ("Insurance.payerName", "not a plan's"),
        ("Insurance.payerId", "strongly recommended"),
        ("TherapySession.dateOfService", "Pacific/Guam"),
        ("TherapySession.durationMinutes", "16 to 37 give 90832, 38 to 52 90834, 53 and more 90837"),
        ("TherapySession.diagnosisCodes", "empty list counts as none"),
        ("TherapySession.procedureCodes", "empty list counts as none"),
        ("TherapySessionUpdate.procedureCodes", "empty list counts as none"),
        ("ProcedureCode.modifier", "95"),
        ("DiagnosisCode.code", "held"),
        ("ClaimSummary.claimId", "version"),
        ("ClaimSummary.lastUpdated", "last"),
    ],
)
def test_what_there_is_to_know_of_a_field_stands_beside_it(field: str, words: str) -> None:
    schema, name = field.split(".")
    assert words in description()["components"]["schemas"][schema]["properties"][name]["description"]


def test_words_are_those_of_the_claims_process() -> None:
    assert set(CLAIM_STATUSES) == {status.value for status in ClaimStatus}
    assert set(EVENT_TYPES) == {kind.value for kind in EventType}


def test_served_to_anyone_as_json() -> None:
    answer = Client().get("/api/v1/schema")
    assert answer.status_code == 200
    assert answer.json() == description()


def test_first_callers_at_once_are_served_from_one_making(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[None] = []

    class Slow(SchemaGenerator):
        def get_schema(self, **given: Any) -> Any:
            made.append(None)
            sleep(0.2)
            return {"openapi": "3.1.0"}

    monkeypatch.setattr("partners.api.description.SchemaGenerator", Slow)
    monkeypatch.setattr("partners.api.description._made", cache(_made.__wrapped__))
    with ThreadPoolExecutor(5) as callers:
        answers = list(callers.map(lambda _: Client().get("/api/v1/schema"), range(5)))
    assert [answer.status_code for answer in answers] == [200] * 5
    assert len(made) == 1


def test_the_page_asks_nobody_else() -> None:
    page = Client().get("/api/v1/docs").content.decode()
    assert '"persistAuthorization": false' in page  # a key typed there stays in no browser
    assert "/api/v1/schema" in page
    assert "http://" not in page
    assert "https://" not in page
    assert "/static/drf_spectacular_sidecar/swagger-ui-dist/swagger-ui-bundle.js" in page


def test_every_operation_answers_as_described(api: Api) -> None:
    """Each call is checked against the description by the client itself."""
    api.onboarded()
    session_id = api.submitted()
    api.post("/providers", onboarding())
    api.patch(f"/providers/{NPI}", {"practice": {"phone": None}})
    api.get("/payers/search", {"q": "aetna"})
    api.get("/sessions")
    api.get(f"/sessions/{session_id}")
    api.patch(f"/sessions/{session_id}", {"patient": {"gender": "U"}})
    api.post("/sessions", submission(patient__gender="x"))


@pytest.mark.parametrize("page", ["schema", "docs"])
@pytest.mark.parametrize("method", ["POST", "OPTIONS", "TRACE"])
def test_the_description_can_only_be_read(page: str, method: str) -> None:
    answer = Client().generic(method, f"/api/v1/{page}")
    assert answer.status_code == 405
    assert list(answer.json()) == ["error"]
    assert answer.headers["Allow"] == "GET, HEAD"
