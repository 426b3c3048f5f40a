"""Speaks to the model: OpenAI-compatible or Anthropic endpoints through their SDKs, with limits and a
breaker.

The SDKs are an optional extra and are imported when the first question is asked.
"""

import importlib
import ipaddress
import re
import ssl
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import timedelta
from functools import lru_cache
from typing import TYPE_CHECKING, Any, TypeVar
from urllib.parse import urlsplit

import msgspec

from billing.circuit import CircuitBreaker
from billing.notes.request import Allowance

if TYPE_CHECKING:
    import httpx2

Shape = TypeVar("Shape")
CONNECT_SECONDS = 3.0
TOTAL_SECONDS = 20.0
REST = timedelta(minutes=1)
"""How long nothing is asked after failures in a row."""
MOST_TOKENS = 3_000
CHARACTERS_A_TOKEN = 4
_FENCED = re.compile(r"\{.*\}", re.DOTALL)


class LlmUnavailableError(Exception):
    """The model gave no usable answer; `why` is a stable code and never holds a word of the note."""

    def __init__(self, why: str) -> None:
        super().__init__(why)
        self.why = why


class LlmConfigurationError(ValueError):
    """The operator's settings do not allow notes to be sent."""


@dataclass(frozen=True, slots=True)
class LlmSettings:
    """One endpoint. `baa_signed` is the operator's word that a business associate agreement covers it."""

    provider: str
    endpoint: str
    model: str
    api_key: str = field(repr=False)
    baa_signed: bool = False
    connect_seconds: float = CONNECT_SECONDS
    total_seconds: float = TOTAL_SECONDS

    def check(self) -> None:
        """Raise LlmConfigurationError unless notes may be sent there: TLS and a BAA, or the machine
        itself."""
        if self.provider not in ("openai", "anthropic"):
            raise LlmConfigurationError("the provider is openai or anthropic")
        address = urlsplit(self.endpoint)
        if not address.hostname or address.scheme not in ("http", "https"):
            raise LlmConfigurationError("the endpoint is no address")
        if _is_loopback(address.hostname):
            return
        if address.scheme != "https":
            raise LlmConfigurationError("notes are sent over TLS only")
        if not self.baa_signed:
            raise LlmConfigurationError("notes are sent only where a business associate agreement is signed")


def _is_loopback(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


class LlmClient:
    """Asks one question and gives the answer in the wanted shape, or raises LlmUnavailableError."""

    def __init__(self, settings: LlmSettings, *, breaker: CircuitBreaker | None = None) -> None:
        settings.check()
        self.settings = settings
        self.breaker = breaker or CircuitBreaker(rest=REST)
        # What the endpoint is known not to support: found out once, by its refusal.
        self._form = 0
        self._plain_sampling = False

    def ask(
        self,
        *,
        system: str,
        question: str,
        schema: dict[str, Any],
        shape: type[Shape],
        allowance: Allowance | None = None,
    ) -> Shape:
        """One question, one retry on a temporary failure or an invalid answer."""
        try:
            for package in (self.settings.provider, "httpx2"):
                importlib.import_module(package)
        except ImportError:
            raise LlmUnavailableError("sdk_missing") from None
        if self.breaker.wait() is not None:
            raise LlmUnavailableError("circuit_open")
        tokens = MOST_TOKENS + (
            (len(system) + len(question) + len(msgspec.json.encode(schema))) // CHARACTERS_A_TOKEN
        )
        deadline = time.monotonic() + self.settings.total_seconds
        why = "failed"
        for _ in range(2):
            left = deadline - time.monotonic()
            if left <= 0:
                why = "timeout"
                break
            if allowance is not None:
                allowance(tokens)
            try:
                text = self._send(system, question, schema, left)
                answer = _decode(text, shape)
            except LlmUnavailableError as failure:
                why = failure.why
                if why not in ("invalid_json", "rate_limited", "server_error"):
                    break
                continue
            self.breaker.succeeded()
            return answer
        self.breaker.failed()
        raise LlmUnavailableError(why)

    def _send(self, system: str, question: str, schema: dict[str, Any], seconds: float) -> str:
        send = self._send_anthropic if self.settings.provider == "anthropic" else self._send_openai
        with _connection() as connection:  # closed when time is up, so that a thread that still reads ends
            return _within(seconds, lambda: send(connection, system, question, schema, seconds))

    def _send_openai(
        self, connection: "httpx2.Client", system: str, question: str, schema: dict[str, Any], seconds: float
    ) -> str:
        import openai

        client = openai.OpenAI(
            api_key=self.settings.api_key,
            base_url=self.settings.endpoint,
            http_client=connection,
            max_retries=0,
            timeout=openai.Timeout(seconds, connect=self.settings.connect_seconds),
        )
        forms: list[dict[str, Any]] = [
            {
                "response_format": {
                    "type": "json_schema",
                    "json_schema": {"name": "answer", "strict": True, "schema": schema},
                }
            },
            {"response_format": {"type": "json_object"}},
            {},
        ]
        while True:
            more: dict[str, Any] = {} if self._plain_sampling else {"temperature": 0, "seed": 7}
            try:
                reply = client.chat.completions.create(
                    model=self.settings.model,
                    messages=[{"role": "system", "content": system}, {"role": "user", "content": question}],
                    max_tokens=MOST_TOKENS,
                    **forms[self._form],
                    **more,
                )
            except openai.BadRequestError as error:
                if "temperature" in str(error) or "seed" in str(error):
                    if self._plain_sampling:
                        raise LlmUnavailableError("bad_request") from None
                    self._plain_sampling = True
                elif self._form < len(forms) - 1:
                    self._form += 1
                else:
                    raise LlmUnavailableError("bad_request") from None
                continue
            except openai.APITimeoutError:
                raise LlmUnavailableError("timeout") from None
            except openai.RateLimitError:
                raise LlmUnavailableError("rate_limited") from None
            except openai.APIStatusError as error:
                raise LlmUnavailableError(
                    "server_error" if error.status_code >= 500 else "refused_request"
                ) from None
            except openai.OpenAIError:
                raise LlmUnavailableError("connection") from None
            except ValueError:
                raise LlmUnavailableError("invalid_json") from None
            choice = reply.choices[0] if reply.choices else None
            if choice is None or getattr(choice.message, "refusal", None):
                raise LlmUnavailableError("refused")
            if choice.finish_reason == "length":
                raise LlmUnavailableError("truncated")
            return choice.message.content or ""

    def _send_anthropic(
        self, connection: "httpx2.Client", system: str, question: str, schema: dict[str, Any], seconds: float
    ) -> str:
        import anthropic

        client = anthropic.Anthropic(
            api_key=self.settings.api_key,
            base_url=self.settings.endpoint,
            http_client=connection,
            max_retries=0,
            timeout=anthropic.Timeout(seconds, connect=self.settings.connect_seconds),
        )
        try:
            reply = client.messages.create(
                model=self.settings.model,
                max_tokens=MOST_TOKENS,
                system=system,
                messages=[{"role": "user", "content": question}],
                tools=[
                    {
                        "name": "answer",
                        "description": "Report what the clauses state.",
                        "input_schema": schema,
                    }
                ],
                tool_choice={"type": "tool", "name": "answer"},
            )
        except anthropic.APITimeoutError:
            raise LlmUnavailableError("timeout") from None
        except anthropic.RateLimitError:
            raise LlmUnavailableError("rate_limited") from None
        except anthropic.APIStatusError as error:
            raise LlmUnavailableError(
                "server_error" if error.status_code >= 500 else "refused_request"
            ) from None
        except anthropic.AnthropicError:
            raise LlmUnavailableError("connection") from None
        except ValueError:
            raise LlmUnavailableError("invalid_json") from None
        if reply.stop_reason == "max_tokens":
            raise LlmUnavailableError("truncated")
        for block in reply.content or ():
            if block.type == "tool_use":
                return msgspec.json.encode(block.input).decode()
        raise LlmUnavailableError("refused")


def _connection() -> "httpx2.Client":
    """A way to the endpoint that was checked and nowhere else: redirects are refusals, and with a transport
    of its own it takes no proxy of the environment, whose certificates count all the same."""
    import httpx2

    return httpx2.Client(transport=httpx2.HTTPTransport(verify=_trusted()), follow_redirects=False)


@lru_cache(maxsize=1)
def _trusted() -> ssl.SSLContext:
    """The certificates that are trusted, read once: that takes 40 ms of processor time."""
    import httpx2

    return httpx2.create_ssl_context()


def _within(seconds: float, call: Callable[[], str]) -> str:
    """The answer of a call, or LlmUnavailableError when it has not arrived whole in that time, however
    slowly it drips."""
    outcome: list[str] = []
    failure: list[BaseException] = []

    def run() -> None:
        try:
            outcome.append(call())
        except BaseException as error:
            failure.append(error)

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    thread.join(seconds)
    if failure:
        raise failure[0]
    if not outcome:
        raise LlmUnavailableError("timeout")
    return outcome[0]


def _decode(text: str, shape: type[Shape]) -> Shape:
    """The answer in its shape; a model without a JSON mode may have wrapped it in words."""
    found = _FENCED.search(text)
    if found is None:
        raise LlmUnavailableError("invalid_json")
    try:
        return msgspec.json.decode(found[0], type=shape)
    except msgspec.MsgspecError:
        raise LlmUnavailableError("invalid_json") from None
