"""How a request is read before anything is made of it: body, length, type, method, address, query."""

import gzip
import io
from typing import Any

import orjson
import pytest
from django.conf import settings
from django.test import Client

from partners.api import parsing
from tests.cast import NPI, Api, error_of, issues_of, onboarding, submission


def whole(answer: Any) -> str:
    """The one issue of the whole request."""
    issues = issues_of(answer)
    assert list(issues) == [""]
    return issues[""]


@pytest.mark.parametrize(
    "raw",
    [
        b"",
        b"{",
        b"{'a': 1}",
        b'{"a": NaN}',
        b'{"a": Infinity}',
        b'{"a": -Infinity}',
        b'{"a": 01}',
        b'{"a": 1,}',
        b"\xff\xfe",
        b'{"a": "\xc3\x28"}',
        b'\xef\xbb\xbf{"a": 1}',
        b'{"a":1}{"b":2}',
        b"[" * 20_000,
        b"[" * 20_000 + b"]" * 20_000,
        b'{"a":' * 20_000 + b"1" + b"}" * 20_000,
        "{}".encode("utf-16"),
    ],
)
def test_malformed_json(api: Api, raw: bytes) -> None:
    assert whole(api.post("/sessions", raw=raw))
    error_of(api.post("/providers", raw=raw), 400)
    error_of(api.patch(f"/providers/{NPI}", raw=raw), 400)


def test_a_byte_order_mark_is_named(api: Api) -> None:
    told = whole(api.post("/sessions", raw=b'\xef\xbb\xbf{"a": 1}'))
    assert told == "The body begins with a byte order mark; send it without one."


@pytest.mark.parametrize("body", [[], "text", 7, True, None, [{}]])
def test_a_document_that_is_no_object(api: Api, body: Any) -> None:
    raw = orjson.dumps(body)
    assert whole(api.post("/sessions", raw=raw)) == "The body must be a JSON object."
    error_of(api.post("/providers", raw=raw), 400)


@pytest.mark.parametrize("digits", [309, 310, 399, 400, 5000])
def test_a_whole_number_of_many_digits_is_an_issue_of_its_field(api: Api, digits: int) -> None:
    raw = orjson.dumps(submission(session__durationMinutes=12345)).replace(b"12345", b"9" * digits)
    assert "session.durationMinutes" in issues_of(api.post("/sessions", raw=raw))


@pytest.mark.parametrize("number", [b"1e999", b"-1e999"])
def test_a_number_beyond_every_float_is_an_issue_of_its_field(api: Api, number: bytes) -> None:
    raw = orjson.dumps(submission(session__durationMinutes=12345)).replace(b"12345", number)
    assert "session.durationMinutes" in issues_of(api.post("/sessions", raw=raw))


@pytest.mark.parametrize(
    "content_type",
    [
        "text/plain",
        "application/xml",
        "multipart/form-data; boundary=x",
        "application/x-www-form-urlencoded",
        "application/json; charset=latin-1",
        "application/json; charset=utf-16",
        "text/json",
        "json",
        "*/*",
        "application/jsonx",
        "application/problem+json",
    ],
)
def test_another_content_type_or_charset(api: Api, content_type: str) -> None:
    for method, path in (("POST", "/sessions"), ("POST", "/providers"), ("PATCH", f"/providers/{NPI}")):
        error_of(api.call(method, path, {}, content_type=content_type), 415)


def test_a_compressed_body(api: Api) -> None:
    compressed = gzip.compress(orjson.dumps(onboarding()))
    assert "Content-Encoding" in error_of(
        api.post("/providers", raw=compressed, HTTP_CONTENT_ENCODING="gzip"), 415
    )


@pytest.mark.parametrize("coding", ["identity", "Identity", "IDENTITY"])
def test_the_coding_that_leaves_a_body_as_it_is_has_its_name_in_any_case(api: Api, coding: str) -> None:
    assert api.post("/providers", onboarding(), HTTP_CONTENT_ENCODING=coding).status_code == 201


@pytest.mark.parametrize(
    "content_type",
    [
        "",
        "application/json",
        "APPLICATION/JSON",
        "application/json; charset=utf-8",
        'application/json;charset="UTF-8"',
        "application/json; charset=utf8",
    ],
)
def test_content_types_that_are_json_in_utf_8(api: Api, content_type: str) -> None:
    answer = api.post("/providers", onboarding(), content_type=content_type)
    assert answer.status_code == 201


def test_a_body_of_two_mebibytes_is_read(api: Api) -> None:
    padding = settings.MAX_BODY_BYTES - len(orjson.dumps({"padding": ""}))
    issues = issues_of(api.post("/sessions", {"padding": "x" * padding}))
    assert issues["padding"] == "Unknown field."


class Unread(io.BytesIO):
    """A body that must not be read."""

    def read(self, *args: Any) -> bytes:
        raise AssertionError("The body was read.")


@pytest.mark.parametrize("length", [settings.MAX_BODY_BYTES + 1, 10**10, 10**30])
def test_a_longer_body_is_refused_unread(api: Api, length: int) -> None:
    answer = api.post("/sessions", raw=b"{}", CONTENT_LENGTH=str(length), **{"wsgi.input": Unread()})
    error_of(answer, 413)


def test_a_body_without_a_length_is_refused_unread(api: Api) -> None:
    extra = {"CONTENT_LENGTH": "", "HTTP_TRANSFER_ENCODING": "chunked", "wsgi.input": Unread()}
    error_of(api.post("/sessions", raw=b"{}", **extra), 411)


@pytest.mark.parametrize("length", ["-1", "1.5", "x", "١"])
def test_a_length_that_is_no_number(api: Api, length: str) -> None:
    answer = api.post("/sessions", raw=b"{}", CONTENT_LENGTH=length, **{"wsgi.input": Unread()})
    assert "Content-Length" in whole(answer)


def test_a_body_that_ends_early_is_not_taken_for_a_whole_one(api: Api) -> None:
    early = {"CONTENT_LENGTH": "90", "wsgi.input": io.BytesIO(b"{}")}
    assert "ended" in whole(api.post("/sessions", raw=b"{}", **early))


@pytest.mark.parametrize(
    ("path", "allowed"),
    [
        ("/sessions", {"GET", "POST"}),
        ("/sessions/01890a5d-ac96-774b-bcce-b302099a8057", {"GET", "PATCH"}),
        ("/providers", {"POST"}),
        (f"/providers/{NPI}", {"PATCH"}),
        ("/payers/search", {"GET"}),
    ],
)
@pytest.mark.parametrize("method", ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "BREW"])
def test_wrong_method(api: Api, path: str, allowed: set[str], method: str) -> None:
    if method in allowed:
        return
    answer = api.call(method, path)
    error_of(answer, 405)
    error_of(api.call(method, f"{path}?q=aetna"), 405)
    assert set(answer.headers["Allow"].split(", ")) - {"HEAD"} == allowed
    error_of(Api(key=None).call(method, path), 401)


@pytest.mark.parametrize("accept", ["text/html", "application/xml", "image/*", "nonsense", ""])
def test_accept_is_not_looked_at(api: Api, accept: str) -> None:
    answer = api.get("/sessions", HTTP_ACCEPT=accept)
    assert answer.status_code == 200
    assert answer.headers["Content-Type"] == "application/json"


@pytest.mark.parametrize(
    "path", ["/sessions/", "/providers/", "/payers", "/payers/search/", "/nothing", "/sessions/a/b", "/"]
)
def test_addresses_without_an_operation(api: Api, path: str) -> None:
    for method in ("GET", "POST", "PATCH", "DELETE"):
        answer = api.call(method, path)
        assert ("end without a slash" in error_of(answer, 404)) is path.endswith("/")
        assert answer.headers["RateLimit-Limit"]
        error_of(Api(key=None).call(method, path), 401)


@pytest.mark.parametrize("path", ["/api/", "/api/v1", "/api/v2/partner/sessions", "/api/v1/partner"])
def test_addresses_outside_the_interface(path: str) -> None:
    answer = Client().get(path)
    error_of(answer, 404)
    assert answer.headers["X-Request-Id"]
    assert answer.headers["Cache-Control"] == "no-store"


def test_unknown_query_parameters_are_refused_by_name_on_every_operation(api: Api) -> None:
    session_id = api.onboarded().submitted()
    assert issues_of(api.get("/sessions?colour=red")) == {"colour": "Unknown query parameter."}
    assert issues_of(api.get("/sessions?colour=&status=")) == {"colour": "Unknown query parameter."}
    assert "colour" in issues_of(api.post("/sessions?colour=red", submission()))
    assert "colour" in issues_of(api.patch(f"/sessions/{session_id}?colour=red", {}))
    assert "colour" in error_of(api.get(f"/sessions/{session_id}?colour=red"), 400)
    assert "colour" in error_of(api.get("/payers/search?q=aetna&colour=red"), 400)
    assert "colour" in error_of(api.post("/providers?colour=red", onboarding()), 400)
    assert "colour" in error_of(api.patch(f"/providers/{NPI}?colour=red", {}), 400)


def test_repeated_query_parameters_are_refused_by_name(api: Api) -> None:
    assert list(issues_of(api.get("/sessions?limit=1&limit=1&limit=2"))) == ["limit"]
    assert "q: " in error_of(api.get("/payers/search?q=aetna&q=aetna"), 400)


def test_a_hundred_and_one_query_parameters_are_too_many(api: Api) -> None:
    many = "&".join(f"p{number}=1" for number in range(101))
    assert "" in issues_of(api.get(f"/sessions?{many}"))


@pytest.mark.parametrize("value", ["%FF", "%C3%28", "%ED%A0%80"])
def test_query_values_that_are_not_utf_8(api: Api, value: str) -> None:
    assert "patientName" in issues_of(api.get(f"/sessions?patientName={value}"))
    assert "q: " in error_of(api.get(f"/payers/search?q={value}"), 400)


def test_an_unknown_field_name_may_be_anything(api: Api) -> None:
    raw = b'{"\\ud800\\u0000 %s": 1, "\\ud83d\\ude00": 2}'
    issues = issues_of(api.post("/sessions", raw=raw))
    assert issues["😀"] == "Unknown field."
    error_of(api.post("/providers", raw=raw), 400)


def test_an_unknown_field_without_a_name_is_named(api: Api) -> None:
    assert issues_of(api.post("/sessions", {"": 1}))['""'] == "Unknown field."
    assert '"": Unknown field.' in error_of(api.post("/providers", {"": 1}), 400)


def test_of_very_many_unknown_fields_the_number_is_told(api: Api) -> None:
    patient = {f"k{number}": 1 for number in range(60)}
    issues = issues_of(api.post("/sessions", {"patient": patient}))
    assert issues["patient"] == "10 more unknown fields."
    assert sum(message == "Unknown field." for message in issues.values()) == 50


@pytest.mark.parametrize("place", ["²", "٣", "-1", "9" * 40])
def test_an_unknown_field_may_be_named_like_the_path_of_a_code(api: Api, place: str) -> None:
    name = f"session.diagnosisCodes.{place}.code"
    assert issues_of(api.post("/sessions", {name: 1}))[name] == "Unknown field."


def again(body: dict[str, Any], name: str, *, written: str | None = None) -> bytes:
    """The body with the first field of that name told twice."""
    key = f'"{name}":'.encode()
    return orjson.dumps(body).replace(key, f'{written or key.decode()} "Roe", "{name}":'.encode(), 1)


@pytest.mark.parametrize("written", [None, '"lastName" :', '"last\\u004eame":'])
def test_a_field_that_is_given_twice_is_refused_by_path(api: Api, written: str | None) -> None:
    twice = again(submission(), "lastName", written=written)
    assert issues_of(api.post("/sessions", raw=twice)) == {
        "patient.lastName": "This field may be given only once."
    }
    message = error_of(api.post("/providers", raw=again(onboarding(), "lastName", written=written)), 400)
    assert message == "provider.lastName: This field may be given only once."


def test_a_field_given_twice_within_a_code_or_an_update_or_over_a_quote(api: Api) -> None:
    twice = again(submission(), "code")
    assert list(issues_of(api.post("/sessions", raw=twice))) == ["session.diagnosisCodes.0.code"]
    session_id = api.onboarded().submitted()
    twice = b'{"patient": {}, "patient": {}, "x": 1, "x": 2}'
    assert list(issues_of(api.patch(f"/sessions/{session_id}", raw=twice))) == ["patient", "x"]
    hidden = again(submission(patient__address__line2="#" * 4), "city").replace(b"####", b"\\u0022" * 4)
    assert list(issues_of(api.post("/sessions", raw=hidden))) == ["patient.address.city"]


def test_an_unforeseen_fault_is_a_500_whose_log_has_no_patient_in_it(
    api: Api, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(body: bytes) -> None:
        raise ValueError("Jane Doe W123456789")

    monkeypatch.setattr("partners.api.viewset.read_json", fail)
    error_of(api.patch(f"/providers/{NPI}", {}), 500)
    assert [record.error for record in caplog.records] == ["ValueError"]
    assert "Jane" not in caplog.text
    assert "W123" not in caplog.text


def test_request_ids_are_taken_over_or_made(api: Api) -> None:
    assert api.get("/sessions", HTTP_X_REQUEST_ID="abc.DEF_1-2").headers["X-Request-Id"] == "abc.DEF_1-2"
    for odd in ("", "a b", "x" * 65, "é", "a\nb", "<script>"):
        made = api.get("/sessions", HTTP_X_REQUEST_ID=odd).headers["X-Request-Id"]
        assert made != odd
        assert len(made) == 32
    assert api.get("/sessions").headers["X-Request-Id"] != api.get("/sessions").headers["X-Request-Id"]


def test_read_json_keeps_lone_surrogates_for_their_field() -> None:
    assert parsing.read_json(b'"\\ud800"') == "\ud800"
