"""Retries, pauses, and the circuit breaker."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from pathlib import Path
from time import monotonic

import httpx
import pytest

from billing.circuit import CircuitBreaker
from claims.clearinghouse.port import ClearinghouseError, Outcome
from claims.clearinghouse.stedi import Transport
from tests.claims.clearinghouse.stedi.server import (
    API_KEY,
    SEARCH_PATH,
    Fault,
    StediServer,
    certificate,
)

QUERY = {"query": "a", "pageSize": "10"}
BROKEN = Fault(500, b"{}")


def error_of(transport: Transport, url: str) -> ClearinghouseError:
    with pytest.raises(ClearinghouseError) as failure:
        transport.get(url, QUERY)
    return failure.value


@pytest.fixture
def url(server: StediServer) -> str:
    return server.url + SEARCH_PATH


def test_two_failures_are_got_over(
    server: StediServer, transport_with: Callable[..., Transport], url: str, pauses: list[float]
) -> None:
    server.faults = [BROKEN, Fault(closes=True)]
    assert transport_with().get(url, QUERY).status == 200
    assert len(server.requests) == 3
    assert 0.2 <= pauses[0] <= 0.6 <= pauses[1] <= 1.8


def test_after_three_it_gives_up(
    server: StediServer, transport_with: Callable[..., Transport], url: str
) -> None:
    server.faults = [BROKEN] * 9
    assert error_of(transport_with(), url).code == "server_error"
    assert len(server.requests) == 3


def test_pauses_vary(
    server: StediServer, transport_with: Callable[..., Transport], url: str, pauses: list[float]
) -> None:
    transport = transport_with(circuit=CircuitBreaker(failures=99))
    for _ in range(5):
        server.faults = [BROKEN]
        transport.get(url, QUERY)
    assert len(set(pauses)) > 1


def test_a_short_wait_that_was_asked_for_is_kept(
    server: StediServer, transport_with: Callable[..., Transport], url: str, pauses: list[float]
) -> None:
    server.faults = [Fault(429, b"{}", {"Retry-After": "2"})]
    transport_with().get(url, QUERY)
    assert pauses == [2.0]


def test_a_long_one_is_left_to_the_caller(
    server: StediServer, transport_with: Callable[..., Transport], url: str, pauses: list[float]
) -> None:
    server.faults = [Fault(429, b"{}", {"Retry-After": "30"})]
    error = error_of(transport_with(), url)
    assert (error.outcome, error.retry_after, pauses) == (Outcome.NOT_TAKEN, timedelta(seconds=30), [])


def test_a_wait_may_be_a_date(
    server: StediServer, transport_with: Callable[..., Transport], url: str
) -> None:
    moment = datetime.now(UTC) + timedelta(minutes=10)
    server.faults = [Fault(503, b"{}", {"Retry-After": format_datetime(moment, usegmt=True)})]
    wait = error_of(transport_with(), url).retry_after
    assert wait is not None
    assert timedelta(minutes=9) < wait <= timedelta(minutes=10)


@pytest.mark.parametrize("value", ["soon", "-5", "99999999999999999999", ""])
def test_a_wait_that_cannot_be_read_is_none(
    server: StediServer, transport_with: Callable[..., Transport], url: str, value: str
) -> None:
    server.faults = [Fault(429, b"{}", {"Retry-After": value})] * 3
    assert error_of(transport_with(), url).retry_after is None


def test_nobody_there_is_not_taken(transport_with: Callable[..., Transport]) -> None:
    error = error_of(transport_with(), "http://127.0.0.1:1/")
    assert (error.code, error.outcome) == ("unreachable", Outcome.NOT_TAKEN)


@pytest.mark.parametrize("days", [(-30, -1), (-1, 30)], ids=["expired", "self-signed"])
def test_a_certificate_that_is_not_trusted_is_told_and_nothing_is_sent(
    server: StediServer, tmp_path: Path, days: tuple[int, int]
) -> None:
    server.certificate = certificate(tmp_path, days=days)
    with server.running():
        error = error_of(Transport(API_KEY, allow_private=True), server.url + SEARCH_PATH)
    assert (error.code, error.outcome) == ("certificate_refused", Outcome.NOT_TAKEN)
    assert server.requests == []


@pytest.mark.parametrize(
    "fault", [Fault(200, b" " * 200, drips=True), Fault(trickles=True)], ids=["body", "headers"]
)
def test_an_answer_that_drips_is_not_waited_for(server: StediServer, url: str, fault: Fault) -> None:
    transport = Transport(API_KEY, timeout=httpx.Timeout(0.5), allow_private=True)
    transport.get(url, QUERY)  # the next goes by the same connection
    server.faults = [fault]
    began = monotonic()
    error = error_of(transport, url)
    assert (error.code, error.outcome) == ("timeout", Outcome.UNKNOWN)
    assert monotonic() - began < 5


def test_an_answer_over_tls_that_drips_is_not_waited_for(
    server: StediServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    server.certificate = certificate(tmp_path, days=(-1, 30))
    monkeypatch.setenv("SSL_CERT_FILE", str(server.certificate))
    server.faults = [Fault(trickles=True)]
    with server.running():
        began = monotonic()
        transport = Transport(API_KEY, timeout=httpx.Timeout(0.5), allow_private=True)
        assert error_of(transport, server.url + SEARCH_PATH).code == "timeout"
    assert monotonic() - began < 5


@pytest.mark.parametrize("body", [b"[1, 2", b"<html>Sign in</html>", b"[" * 100_000])
def test_an_answer_that_is_no_json_object_is_raised(
    server: StediServer, transport_with: Callable[..., Transport], url: str, body: bytes
) -> None:
    server.faults = [Fault(200, body)]
    assert error_of(transport_with(), url).code == "unreadable_answer"


def test_the_circuit_opens_after_failures_in_a_row_and_one_call_tries_after_the_rest(
    server: StediServer, transport_with: Callable[..., Transport], url: str
) -> None:
    now = [0.0]
    circuit = CircuitBreaker(failures=3, rest=timedelta(seconds=30), monotonic=lambda: now[0])
    transport = transport_with(circuit=circuit)
    server.faults = [BROKEN] * 3
    error_of(transport, url)
    refused = error_of(transport, url)
    assert (refused.code, refused.outcome) == ("circuit_open", Outcome.NOT_TAKEN)
    assert refused.retry_after == timedelta(seconds=30)
    assert len(server.requests) == 3
    now[0] = 31
    assert transport.get(url, QUERY).status == 200
    assert circuit.wait() is None


def test_while_one_tries_the_others_wait() -> None:
    now = [0.0]
    circuit = CircuitBreaker(failures=1, rest=timedelta(seconds=30), monotonic=lambda: now[0])
    circuit.failed()
    now[0] = 30
    assert circuit.wait() is None
    assert circuit.wait() == timedelta(seconds=30)


def test_a_refused_request_is_no_failure_of_the_other_side(
    server: StediServer, transport_with: Callable[..., Transport], url: str
) -> None:
    circuit = CircuitBreaker(failures=1)
    server.faults = [Fault(404, b"{}")]
    error_of(transport_with(circuit=circuit), url)
    assert circuit.wait() is None


def test_no_proxy_of_the_environment_is_between(
    server: StediServer, url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with StediServer().running() as proxy:
        monkeypatch.setenv("HTTP_PROXY", proxy.url)
        monkeypatch.setenv("ALL_PROXY", proxy.url)
        assert Transport(API_KEY, allow_private=True).get(url, QUERY).status == 200
    assert proxy.requests == []
    assert len(server.requests) == 1
