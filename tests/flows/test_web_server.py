"""What only the real web server shows: long lines, bodies without a length, bodies that are too long."""

import http.client
import json
import socket
from urllib.parse import quote, urlsplit

import pytest
from django.db import connection

from tests.cast import Api, partner_api

pytestmark = pytest.mark.django_db(transaction=True)
SESSIONS = "/api/v1/partner/sessions"


@pytest.fixture
def client() -> Api:
    return partner_api("Caller")


def ask(
    base: str, client: Api, method: str, path: str, body: bytes | None = None, **headers: str
) -> tuple[int, object]:
    """Status and JSON body."""
    caller = http.client.HTTPConnection(urlsplit(base).netloc, timeout=20)
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    caller.request(method, path, body, {"Authorization": f"Bearer {client.key}", **named})
    answer = caller.getresponse()
    content = json.loads(answer.read())
    caller.close()
    return answer.status, content


@pytest.mark.parametrize("text", ["a" * 5000, "é" * 5000, "% _" * 1600])
def test_a_query_of_five_thousand_characters_comes_through(base: str, client: Api, text: str) -> None:
    status, content = ask(base, client, "GET", f"/api/v1/partner/payers/search?q={quote(text)}")
    assert (status, list(content)) == (200, ["payers"])


def test_a_body_in_chunks_is_refused(base: str, client: Api) -> None:
    caller = http.client.HTTPConnection(urlsplit(base).netloc, timeout=20)
    headers = {"Authorization": f"Bearer {client.key}", "Content-Type": "application/json"}
    caller.request("POST", SESSIONS, iter([b"{", b"}"]), headers, encode_chunked=True)
    answer = caller.getresponse()
    assert answer.status == 411
    assert list(json.loads(answer.read())) == ["error"]


def test_a_body_that_is_too_long_is_refused_before_it_is_sent(base: str, client: Api) -> None:
    address = urlsplit(base)
    head = f"POST {SESSIONS} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {client.key}\r\n"
    head += "Content-Type: application/json\r\nContent-Length: 1000000000\r\n\r\n"
    with socket.create_connection((address.hostname, address.port), timeout=20) as caller:
        caller.sendall(head.encode() + b"{")
        assert caller.recv(65536).startswith(b"HTTP/1.1 413 ")


@pytest.mark.parametrize(
    ("method", "key", "content_type", "status"),
    [
        ("POST", "none", "application/json", 401),
        ("POST", None, "text/plain", 415),
        ("PUT", None, "application/json", 405),
        ("GET", None, "application/json", 200),
    ],
)
def test_an_answer_that_leaves_the_body_unread_says_that_its_connection_ends(
    base: str, client: Api, method: str, key: str | None, content_type: str, status: int
) -> None:
    caller = http.client.HTTPConnection(urlsplit(base).netloc, timeout=20)
    headers = {"Authorization": f"Bearer {key or client.key}", "Content-Type": content_type}
    caller.request(method, SESSIONS, b"{%s}" % (b" " * 10_000), headers)
    answer = caller.getresponse()
    assert answer.status == status
    answer.read()
    assert answer.headers["Connection"] == "close"
    caller.request("GET", SESSIONS, headers={"Authorization": f"Bearer {client.key}"})
    assert caller.getresponse().status == 200


def test_an_answer_to_a_body_that_was_read_leaves_the_connection_open(base: str, client: Api) -> None:
    caller = http.client.HTTPConnection(urlsplit(base).netloc, timeout=20)
    headers = {"Authorization": f"Bearer {client.key}", "Content-Type": "application/json"}
    for _ in range(2):
        caller.request("POST", SESSIONS, b"{%s}" % (b" " * 10_000), headers)
        answer = caller.getresponse()
        assert (answer.status, answer.headers["Connection"]) == (400, None)
        answer.read()


def test_a_post_without_body_or_content_type(base: str, client: Api) -> None:
    status, content = ask(base, client, "POST", SESSIONS, Content_Length="0")
    assert status == 400
    assert [issue["path"] for issue in content["issues"]] == [""]


def test_escaped_addresses(base: str, client: Api) -> None:
    for path in ("%00", "%ff", "%2e%2e%2f", "a%20b"):
        status, content = ask(base, client, "GET", f"{SESSIONS}/{path}")
        assert status in (400, 404)
        assert list(content) == ["error"]


def test_a_connection_that_was_cut_while_it_rested_is_no_matter(base: str, client: Api) -> None:
    assert ask(base, client, "GET", SESSIONS)[0] == 200
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity "
            "WHERE datname = current_database() AND pid <> pg_backend_pid()"
        )
    assert [ask(base, client, "GET", SESSIONS)[0] for _ in range(10)] == [200] * 10
