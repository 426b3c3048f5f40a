"""Hostile text in every field, as the owner and as a rival: kept as text or refused, never run."""

import gzip
import json
import time
from datetime import timedelta
from typing import Any
from urllib.parse import quote

import pytest

from claims.models import Transmission
from partners.api.parsing import Unreadable, read_json
from providers.sample_charges import load_sample_charges
from sessions_app.models import Session
from tests.cast import NPI, REMOVED, Api, onboarding, partner_api, submission
from tests.claims.process import run_until_quiet

pytestmark = pytest.mark.django_db
PAYLOADS = {
    "sql": "x'; UPDATE sessions_app_session SET status='paid'; --",
    "sql identifier": '"; DROP TABLE sessions_app_session; --',
    "like": "%_\\%",
    "formula": '=HYPERLINK("http://evil.example","A1")',
    "formula plus": "+1+cmd|' /C calc'!A0",
    "log": "ok\n2026-01-01 ERROR forged line",
    "header": "x\r\nSet-Cookie: stolen=1",
    "x12": "DOE~CLM*FORGED*9999***11:B:1*Y*A*Y*Y~",
    "x12 element": "DOE*FORGED:X^Y",
    "markup": "<script>alert(1)</script>",
    "template": "{{ 7*7 }}{% debug %}${7*7}",
    "format": "%s%n%x{0}{0.__class__}",
    "path": "../../../../etc/passwd",
    "nul": "a\x00b",
}


def paths(document: dict[str, Any], prefix: str = "") -> list[str]:
    """Every field of a body, `a__b`."""
    found: list[str] = []
    for name, value in document.items():
        found += paths(value, f"{prefix}{name}__") if isinstance(value, dict) else [f"{prefix}{name}"]
    return found


@pytest.fixture
def ours(api: Api) -> Api:
    return api.onboarded()


def decent(answer: Any) -> Any:
    """The answer is JSON of ours, no failure, and made no header from what was sent."""
    assert answer.status_code < 500, answer.content
    assert answer.headers["Content-Type"] == "application/json"
    assert "stolen" not in repr(dict(answer.headers))
    return json.loads(answer.content)


@pytest.mark.parametrize("payload", PAYLOADS.values(), ids=PAYLOADS)
def test_every_field_of_every_body_takes_it_as_text_or_refuses_it(
    ours: Api, rival: Api, payload: str
) -> None:
    before = Session.objects.count()
    standing = ours.submitted()
    for field in paths(submission()):
        decent(ours.post("/sessions", submission(**{field: payload})))
        decent(rival.patch(f"/sessions/{standing}", submission(**{field: payload})))
    decent(ours.post("/sessions", submission(session__noteText=payload)))
    for field in paths(onboarding()):
        decent(ours.post("/providers", onboarding(**{field: payload})))
        decent(rival.patch(f"/providers/{NPI}", onboarding(**{field: payload})))
    assert Session.objects.count() > before
    assert set(Session.objects.values_list("status", flat=True)) == {"processing"}
    assert set(Session.objects.values_list("partner", flat=True)) == {ours.partner.pk}


@pytest.mark.parametrize("payload", PAYLOADS.values(), ids=PAYLOADS)
def test_every_parameter_and_path_takes_it_as_text_or_refuses_it(ours: Api, rival: Api, payload: str) -> None:
    ours.submitted()
    names = [
        "limit",
        "pageToken",
        "status",
        "providerNpi",
        "patientName",
        "dateFrom",
        "dateTo",
        "externalSessionId",
    ]
    for name in [*names, "surprise"]:
        for client in (ours, rival):
            page = decent(client.get("/sessions", {name: payload}))
            assert not page.get("items"), name
    decent(ours.get("/payers/search", {"q": payload}))
    for path in ("/sessions/", "/providers/", "/"):
        decent(ours.get(path + quote(payload, safe="")))
    assert Session.objects.count() == 1


@pytest.mark.parametrize("payload", [PAYLOADS["x12"], PAYLOADS["x12 element"], PAYLOADS["formula"]])
def test_no_text_of_a_partner_becomes_a_segment(release: object, settings: object, payload: str) -> None:
    settings.SANDBOX_SPEED = 1e9
    load_sample_charges()
    client = partner_api("Writer", submission_delay=timedelta()).onboarded()
    for field in (
        "patient__lastName",
        "patient__address__street",
        "patient__insurance__groupNumber",
        "externalSessionId",
    ):
        client.post("/sessions", submission(**{field: payload}))
    client.submitted()
    run_until_quiet()
    contents = [row.content for row in Transmission.objects.all()]
    assert contents
    for content in contents:
        segments = [segment.split("*") for segment in content.split("~")]
        assert all(segment[1] != "FORGED" for segment in segments if len(segment) > 1)
        assert {segment[0] for segment in segments if segment[0]} <= KNOWN_SEGMENTS


KNOWN_SEGMENTS = {
    "ISA",
    "GS",
    "ST",
    "BHT",
    "NM1",
    "PER",
    "HL",
    "PRV",
    "N3",
    "N4",
    "REF",
    "SBR",
    "DMG",
    "CLM",
    "HI",
    "LX",
    "SV1",
    "DTP",
    "AMT",
    "NTE",
    "PWK",
    "CN1",
    "K3",
    "PAT",
    "CUR",
    "SE",
    "GE",
    "IEA",
}


@pytest.mark.parametrize(
    "body",
    [
        b"[" * 200_000 + b"]" * 200_000,
        b'{"a":' * 100_000 + b"1" + b"}" * 100_000,
        b'{"session":{"durationMinutes":1' + b"0" * 100_000 + b"}}",
        b'{"patient":{"firstName":"' + b"\\u0061" * 300_000 + b'"}}',
        b"{" + b",".join(b'"k%d":1' % number for number in range(100_000)) + b"}",
        b'{"session":{"diagnosisCodes":[' + b",".join([b'{"code":"F41.1"}'] * 50_000) + b"]}}",
        b"\xff\xfe" * 500_000,
    ],
    ids=["arrays", "objects", "digits", "escapes", "names", "entries", "no UTF-8"],
)
def test_a_body_made_to_be_slow_is_refused_quickly(ours: Api, body: bytes) -> None:
    started = time.process_time()
    answer = ours.call("POST", "/sessions", raw=body)
    assert 400 <= answer.status_code < 500
    assert len(answer.content) < 100_000
    assert time.process_time() - started < 2


def test_a_compressed_body_is_not_unpacked(ours: Api) -> None:
    bomb = gzip.compress(b" " * 50_000_000)
    answer = ours.call("POST", "/sessions", raw=bomb, headers={"Content-Encoding": "gzip"})
    assert answer.status_code in (400, 415)


@pytest.mark.parametrize("letter", ["\ufdfa", "\ud55c"], ids=["eighteen letters in one", "three in one"])
def test_a_name_that_unicode_spells_out_is_taken_and_found(api: Api, letter: str) -> None:
    ours = api.onboarded()
    name = {"patient__firstName": letter * 35, "patient__lastName": letter * 60}
    session_id = ours.submitted(**name)
    found = ours.get("/sessions", {"patientName": letter}).json()["items"]
    assert [each["sessionId"] for each in found] == [session_id]
    other = ours.submitted()
    answer = ours.patch(f"/sessions/{other}", {"patient": {"lastName": letter * 60}})
    assert answer.status_code == 200


SIZE = 2 * 1024 * 1024
MANY = {
    "names": b"{" + b",".join(b'"k%d":1' % number for number in range(150_000)) + b"}",
    "lists": b"[" + b"[]," * (SIZE // 3 - 1) + b"[]]",
    "nested objects": b'{"a":[' + b'{"b":1},' * (SIZE // 8 - 2) + b"{}]}",
    "texts": b"[" + b'"",' * (SIZE // 3 - 2) + b'""]',
    "a text without end": b'{"a":"' + b'\\"' * (SIZE // 2 - 4),
    "texts without end": b'{"a":"' + b'"\\' * (SIZE // 2 - 4),
}


@pytest.mark.parametrize("body", MANY.values(), ids=MANY)
def test_a_body_of_very_many_parts_is_refused_before_anything_is_made_of_it(
    api: Api, body: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert len(body) <= SIZE
    begun = time.process_time()
    with pytest.raises(Unreadable):
        read_json(body)
    assert time.process_time() - begun < 0.5
    monkeypatch.setattr("partners.api.parsing._object", pytest.fail)
    assert api.post("/sessions", raw=body).status_code == 400


def test_the_longest_note_of_nothing_but_commas_and_brackets_is_read(api: Api) -> None:
    text = '[{,"' * 25_000
    changes = {"session__diagnosisCodes": REMOVED, "session__durationMinutes": REMOVED}
    api.onboarded().submitted(**changes, session__noteText=text)
