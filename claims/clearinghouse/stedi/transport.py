"""Speaks HTTP to Stedi: timeouts, a few quick retries, a circuit breaker, errors sorted by what they mean."""

from __future__ import annotations

import json
import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime
from random import SystemRandom
from time import monotonic, sleep
from typing import Any

import httpx

from billing.circuit import CircuitBreaker
from billing.hasty_client import hasty_client
from claims.clearinghouse.address import GatewayAddressError, check_gateway_address
from claims.clearinghouse.port import ClearinghouseError, Outcome, unsettled

logger = logging.getLogger(__name__)

TIMEOUT = httpx.Timeout(connect=5, write=20, read=45, pool=5)
ATTEMPTS = 3
LONGEST_PAUSE = timedelta(seconds=3)
PAUSES = (0.4, 1.2)
# No further attempt begins after this long, so that a call ends before the lease of whoever makes it.
PATIENCE = timedelta(seconds=60)

_SERVER_ERROR = 500
_CODES = {
    400: "bad_request",
    401: "unauthorized",
    403: "forbidden",
    404: "not_found",
    409: "in_flight",
    422: "key_reused",
    429: "too_many_requests",
}
_UNTRUSTED = "CERTIFICATE_VERIFY_FAILED"
_NOTHING_WAS_SENT = (httpx.ConnectError, httpx.ConnectTimeout, httpx.PoolTimeout, httpx.UnsupportedProtocol)


@dataclass(frozen=True, slots=True)
class Answer:
    """What came back: `body` is None where it is no JSON object."""

    status: int
    text: str
    body: dict[str, Any] | None
    retry_after: timedelta | None


class Transport:
    """One key's way to Stedi, shared by the threads of a process."""

    def __init__(
        self,
        api_key: str,
        *,
        timeout: httpx.Timeout = TIMEOUT,
        client: httpx.Client | None = None,
        circuit: CircuitBreaker | None = None,
        pause: Callable[[float], None] = sleep,
        allow_private: bool = False,
    ) -> None:
        """`allow_private` lets development and tests talk to a server of their own."""
        # With a transport of its own no proxy of the environment, which would look up the checked name anew.
        self._client = client or hasty_client(timeout=timeout, transport=httpx.HTTPTransport())
        self._circuit = circuit or CircuitBreaker()
        self._authorization = {"Authorization": api_key}
        self._pause = pause
        self._allow_private = allow_private
        self._random = SystemRandom()

    def post(self, url: str, body: Mapping[str, Any], *, key: str) -> Answer:
        """Send a body under an idempotency key; what judges the claim is returned, the rest raised."""
        headers = {"Idempotency-Key": key, "Content-Type": "application/json"}
        content = json.dumps(body).encode()
        return self._request("POST", url, is_answer=_judges_the_claim, headers=headers, content=content)

    def get(self, url: str, params: Mapping[str, str] | None = None) -> Answer:
        """Ask for something; whatever is no 2xx with JSON is raised."""
        answer = self._request("GET", url, is_answer=_is_success, params=params)
        if answer.body is None:
            raise ClearinghouseError("unreadable_answer", outcome=Outcome.NOT_TAKEN)
        return answer

    def _request(
        self, method: str, url: str, *, is_answer: Callable[[Answer], bool], **request: Any
    ) -> Answer:
        began, may_be_taken = monotonic(), False
        for attempt in range(ATTEMPTS):
            error = self._circuit_error()
            if error is None:
                try:
                    answer = self._once(method, url, **request)
                except ClearinghouseError as failure:
                    error = failure
                else:
                    if is_answer(answer):
                        return answer
                    error = error_of(answer.status, retry_after=answer.retry_after)
            may_be_taken = may_be_taken or error.outcome is Outcome.UNKNOWN
            pause = self._pause_before_next(error, attempt)
            if pause is None or monotonic() - began > PATIENCE.total_seconds():
                # What an earlier attempt left open, a later one that did not get through can't settle.
                raise unsettled(error) if may_be_taken else error
            logger.info("stedi: %s, trying again", error.code)
            self._pause(pause)
        raise AssertionError("the last attempt returns or raises")

    def _once(self, method: str, url: str, **request: Any) -> Answer:
        self._check_address(url)
        headers = self._authorization | request.get("headers", {})
        try:
            response = self._client.request(method, url, **request | {"headers": headers})
        except _NOTHING_WAS_SENT as error:
            self._circuit.failed()
            code = "certificate_refused" if _UNTRUSTED in str(error) else "unreachable"
            raise ClearinghouseError(code, outcome=Outcome.NOT_TAKEN) from None
        except httpx.TimeoutException:
            self._circuit.failed()
            raise ClearinghouseError("timeout", outcome=Outcome.UNKNOWN) from None
        except httpx.HTTPError:
            self._circuit.failed()
            raise ClearinghouseError("connection_broken", outcome=Outcome.UNKNOWN) from None
        if response.status_code >= _SERVER_ERROR:
            self._circuit.failed()
        else:
            self._circuit.succeeded()
        return _read(response)

    def _check_address(self, url: str) -> None:
        try:
            check_gateway_address(url, allow_private=self._allow_private)
        except GatewayAddressError:
            raise ClearinghouseError("address_refused", outcome=Outcome.PERMANENT) from None
        except OSError:
            raise ClearinghouseError("unreachable", outcome=Outcome.NOT_TAKEN) from None

    def _circuit_error(self) -> ClearinghouseError | None:
        wait = self._circuit.wait()
        if wait is None:
            return None
        return ClearinghouseError("circuit_open", outcome=Outcome.NOT_TAKEN, retry_after=wait)

    def _pause_before_next(self, error: ClearinghouseError, attempt: int) -> float | None:
        """Say how long to wait before another attempt; None where that is not for here and now.

        A timeout has already cost its time, and a longer wait is the caller's to plan.
        """
        quick = error.code in (
            "unreachable",
            "connection_broken",
            "server_error",
            "in_flight",
            "too_many_requests",
        )
        if not quick or attempt + 1 >= ATTEMPTS:
            return None
        if error.retry_after is not None:
            return error.retry_after.total_seconds() if error.retry_after <= LONGEST_PAUSE else None
        return PAUSES[attempt] * self._random.uniform(0.5, 1.5)


def _is_success(answer: Answer) -> bool:
    return 200 <= answer.status < 300


def _judges_the_claim(answer: Answer) -> bool:
    return _is_success(answer) or answer.status == 400 or bool(answer.body and answer.body.get("errors"))


def error_of(status: int, *, retry_after: timedelta | None = None) -> ClearinghouseError:
    """Say what an HTTP status means for what was sent."""
    if status >= _SERVER_ERROR:
        return ClearinghouseError("server_error", outcome=Outcome.UNKNOWN, retry_after=retry_after)
    code = _CODES.get(status, "unexpected_status")
    match status:
        case 409:
            # An earlier attempt under this key is still being worked on.
            outcome = Outcome.UNKNOWN
        case 429:
            outcome = Outcome.NOT_TAKEN
        case _:
            outcome = Outcome.PERMANENT
    return ClearinghouseError(code, outcome=outcome, retry_after=retry_after)


def _read(response: httpx.Response) -> Answer:
    try:
        body = json.loads(response.content)
    except (ValueError, RecursionError):
        body = None
    return Answer(
        status=response.status_code,
        text=response.content.decode("utf-8", "replace"),
        body=body if isinstance(body, dict) else None,
        retry_after=_retry_after(response.headers.get("Retry-After", "")),
    )


def _retry_after(text: str) -> timedelta | None:
    """Read seconds, or an HTTP date."""
    if text.isascii() and text.isdigit() and len(text) < 7:
        return timedelta(seconds=int(text))
    try:
        moment = parsedate_to_datetime(text)
    except ValueError:
        return None
    return max(moment.astimezone(UTC) - datetime.now(UTC), timedelta(0))
