"""The fixed cast of the interface tests: our partner, a rival that must see nothing, and what they send.

Every person, practice and member ID is invented.
"""

import re
import threading
from collections import defaultdict
from collections.abc import Iterator
from copy import deepcopy
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any
from urllib.parse import urlencode
from uuid import uuid4

import orjson
import pytest
from django.db.models import Model
from django.http import HttpResponse
from django.test import Client

from billing import codes
from billing.models import CodeSetRelease, DiagnosisCode
from partners import auth
from partners.api import limits
from partners.keys import issue_key
from partners.models import Mode, Partner
from providers.models import Provider
from tests import contract

BASE = "/api/v1/partner"
NPI = "1234567893"
OTHER_NPI = "1999999984"
_of_thread = threading.local()
REMOVED = object()
"""As a value in `changed`: the field is left out."""


@dataclass
class Api:
    """A partner's HTTP client."""

    key: str | None
    partner: Partner | None = None

    def call(
        self, method: str, path: str, body: Any = None, *, raw: bytes | None = None, **extra: Any
    ) -> HttpResponse:
        """Send a JSON body, or raw bytes as they are."""
        headers = {"Authorization": f"Bearer {self.key}", **extra.pop("headers", {})}
        if self.key is None:
            del headers["Authorization"]
        data = raw if raw is not None else b"" if body is None else orjson.dumps(body)
        content_type = extra.pop("content_type", "application/json")
        address = path if path.startswith("/api") else BASE + path
        answer = _client().generic(method, address, data, content_type=content_type, headers=headers, **extra)
        contract.check(method, address, answer)
        return answer

    def get(self, path: str, query: dict[str, Any] | None = None, **extra: Any) -> HttpResponse:
        return self.call("GET", f"{path}?{urlencode(query)}" if query else path, **extra)

    def post(self, path: str, body: Any = None, **extra: Any) -> HttpResponse:
        return self.call("POST", path, body, **extra)

    def patch(self, path: str, body: Any = None, **extra: Any) -> HttpResponse:
        return self.call("PATCH", path, body, **extra)

    def onboarded(self, **changes: Any) -> "Api":
        """This partner, with a therapist of the usual NPI: asked for once, then written as that one was."""
        if self.partner is None or changes or not _first_onboarded:
            answer = self.post("/providers", onboarding(**changes))
            assert answer.status_code == 201, answer.content
            if not changes:
                provider = Provider.objects.select_related("practice").get(pk=answer.json()["providerId"])
                _first_onboarded.append(provider)
        else:
            practice = _written_again(_first_onboarded[0].practice, partner=self.partner)
            _written_again(
                _first_onboarded[0], partner=self.partner, mode=self.partner.mode, practice=practice
            )
        return self

    def submitted(self, **changes: Any) -> str:
        """The id of a session that was taken."""
        answer = self.post("/sessions", submission(**changes))
        assert answer.status_code == 201, answer.content
        return answer.json()["sessionId"]


_first_onboarded: list[Provider] = []


def _written_again(row: Model, **changes: Any) -> Any:
    """A new row with all that this one holds but its id, its times and what is changed."""
    own = {"id", "created_at", "updated_at", *changes}
    kept = {field.name: getattr(row, field.name) for field in row._meta.fields if field.name not in own}
    return type(row)._base_manager.create(**kept, **changes)


def _client() -> Client:
    """The thread's client; making one loads every middleware anew."""
    if not hasattr(_of_thread, "client"):
        _of_thread.client = Client()
    client: Client = _of_thread.client
    return client


def partner_api(name: str, *, mode: Mode = Mode.TEST, **settings: Any) -> Api:
    """A new partner with a key."""
    partner = Partner.objects.create(
        name=name, slug=f"{name.lower()}-{uuid4().hex[:8]}", mode=mode, **settings
    )
    return Api(key=issue_key(partner).text, partner=partner)


def changed(document: dict[str, Any], changes: dict[str, Any]) -> dict[str, Any]:
    """A copy with changes by path, `patient__address__zip=...`; REMOVED leaves the field out."""
    copy = deepcopy(document)
    for path, value in changes.items():
        *parents, name = path.split("__")
        place = copy
        for parent in parents:
            place = place.setdefault(parent, {})
        if value is REMOVED:
            place.pop(name, None)
        else:
            place[name] = value
    return copy


def onboarding(**changes: Any) -> dict[str, Any]:
    """A complete onboarding body."""
    document = {
        "provider": {
            "firstName": "Ana",
            "lastName": "Rivera",
            "npi": NPI,
            "specialty": "Clinical social worker",
            "credentials": "LCSW",
        },
        "practice": {
            "name": "Calm Harbor Counseling",
            "npi": OTHER_NPI,
            "taxId": "123456789",
            "taxonomyCode": "101YM0800X",
            "address": {
                "street": "100 Main St",
                "line2": "Suite 200",
                "city": "Austin",
                "state": "TX",
                "zip": "78701",
            },
            "phone": "5125550123",
            "contactName": "Billing Office",
        },
    }
    return changed(document, changes)


def submission(**changes: Any) -> dict[str, Any]:
    """A complete submission: diagnosis codes and minutes."""
    document = {
        "externalSessionId": f"ext-{uuid4()}",
        "patient": {
            "firstName": "Jane",
            "lastName": "Doe",
            "dateOfBirth": "1990-01-01",
            "gender": "F",
            "address": {
                "street": "1 Elm St",
                "line2": "Unit 4",
                "city": "Austin",
                "state": "TX",
                "zip": "78702",
            },
            "insurance": {
                "memberId": "W123456789",
                "payerName": "Aetna",
                "payerId": "60054",
                "groupNumber": "GRP001",
            },
        },
        "providerNpi": NPI,
        "session": {
            "dateOfService": day_of_service(),
            "placeOfService": "office",
            "durationMinutes": 55,
            "diagnosisCodes": [{"code": "F41.1"}],
        },
    }
    return changed(document, changes)


def day_of_service(days_ago: int = 7) -> str:
    """A recent day, in the form of the interface."""
    return (datetime.now(UTC).date() - timedelta(days=days_ago)).isoformat()


def issues_of(answer: HttpResponse) -> dict[str, str]:
    """Messages by path of a validation body, whose shape is asserted."""
    assert answer.status_code == 400, answer.content
    body = answer.json()
    assert set(body) == {"error", "issues"}
    assert body["error"] == "Validation failed"
    assert body["issues"]
    for issue in body["issues"]:
        assert set(issue) == {"path", "message"}
    return {issue["path"]: issue["message"] for issue in body["issues"]}


def error_of(answer: HttpResponse, status: int) -> str:
    """The text of a general body, whose shape is asserted."""
    assert answer.status_code == status, answer.content
    assert answer.headers["Content-Type"] == "application/json"
    body = answer.json()
    assert set(body) == {"error"}
    assert isinstance(body["error"], str)
    assert body["error"]
    return body["error"]


@pytest.fixture(autouse=True)
def _nothing_remembered() -> Iterator[None]:
    """No key, release or pause of the rate limit outlives a test."""
    auth.forget_callers()
    codes.forget_releases()
    limits.counter_at.cache_clear()
    yield
    auth.forget_callers()
    codes.forget_releases()


@pytest.fixture
def api(db: None) -> Api:
    """Our partner."""
    return partner_api("Ours")


@pytest.fixture
def rival(db: None) -> Api:
    """Another organization of the same mode."""
    return partner_api("Rival")


@pytest.fixture
def release(db: None) -> CodeSetRelease:
    """A small ICD-10-CM release that covers the last and the next year."""
    return small_release()


def small_release() -> CodeSetRelease:
    """What the fixture `release` gives."""
    today = datetime.now(UTC).date()
    made = CodeSetRelease.objects.create(
        name="Test",
        valid_from=today - timedelta(days=365),
        valid_to=today + timedelta(days=365),
        source="invented for a test",
    )
    headings = {"F41": "Other anxiety", "F32": "Depressive episode"}
    billable = {
        "F41.0": "Panic",
        "F41.1": "Generalized anxiety",
        "F41.9": "Anxiety",
        "F32.0": "Mild depressive episode",
        "F32.9": "Depressive episode",
        "Z63.0": "Partner relationship",
        "QA0.8": "Disorders of known genes",
    }
    DiagnosisCode.objects.bulk_create(
        DiagnosisCode(release=made, code=code, title=title, billable=code in billable)
        for code, title in {**headings, **billable}.items()
    )
    codes.forget_releases()
    return made


def as_shown(page: HttpResponse) -> dict[str, list[str]]:
    """What the form of a page sends back of what the page showed."""
    shown: dict[str, list[str]] = defaultdict(list)
    for name, value in re.findall(
        r'type="hidden" name="(initial-\w+)" value="([^"]*)"', page.content.decode()
    ):
        shown[name].append(value)
    return shown
