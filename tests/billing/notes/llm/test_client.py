"""A note goes to the endpoint that was checked, and nowhere else."""

import ssl
import threading
import time
from functools import cache

import pytest

from billing.notes.codeset import CodeSet
from billing.notes.llm.client import LlmClient, LlmSettings, LlmUnavailableError
from billing.notes.llm.engine import Engine, code_with
from billing.notes.request import Request
from billing.notes.result import NoteResult
from tests.billing.notes.llm.fake_model import FakeModel, answer, fake_model, redirects, says, uses_tool

NOTE = "A: Generalized anxiety disorder.\nP: Individual session, 45 minutes."
DIALECTS = pytest.mark.parametrize(
    ("provider", "speaks"), [("openai", says(answer())), ("anthropic", uses_tool(answer()))]
)
_authorities = cache(ssl.create_default_context)


@pytest.fixture(autouse=True)
def _authorities_read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each question has a client of its own, which would read them all for a server without TLS."""
    monkeypatch.setattr(ssl, "create_default_context", _authorities)


def asked(model: FakeModel, codes: CodeSet, provider: str, *, host: str = "127.0.0.1") -> NoteResult:
    address = model.address.replace("127.0.0.1", host)
    client = LlmClient(LlmSettings(provider, f"{address}/v1", "fake", "key"))
    request = Request(place="office", duration_minutes=None, codes=codes)
    return code_with(Engine.BOTH, NOTE, request=request, client=client)


@DIALECTS
def test_no_proxy_of_the_environment_reads_along(
    codes: CodeSet, monkeypatch: pytest.MonkeyPatch, provider: str, speaks: object
) -> None:
    with fake_model(speaks) as model, fake_model(speaks) as proxy:
        for name in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "all_proxy"):
            monkeypatch.setenv(name, proxy.address)
        for host in ("127.0.0.1", "localhost"):
            assert asked(model, codes, provider, host=host).engine == "both"
    assert proxy.requests == []
    assert len(model.requests) == 2


@DIALECTS
@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_a_redirect_is_a_refusal(codes: CodeSet, provider: str, speaks: object, status: int) -> None:
    with fake_model(speaks) as elsewhere, fake_model(redirects(status, elsewhere.address)) as model:
        result = asked(model, codes, provider)
    assert elsewhere.requests == []
    assert len(model.requests) == 1
    assert result.llm == {"status": "failed", "why": "refused_request"}
    assert (result.engine, [each.code for each in result.diagnoses]) == ("rules", ["F41.1"])


@pytest.mark.parametrize("provider", ["openai", "anthropic"])
def test_an_answer_that_drips_leaves_no_thread_behind(provider: str) -> None:
    with fake_model(says("x" * 100)) as model:
        model.drips = True
        settings = LlmSettings(provider, model.address, "fake", "key", total_seconds=0.5)
        with pytest.raises(LlmUnavailableError, match="timeout"):
            LlmClient(settings).ask(system="s", question="q", schema={"type": "object"}, shape=dict)
        until = time.monotonic() + 2
        while (left := _asking()) and time.monotonic() < until:
            time.sleep(0.05)
    assert left == []


def _asking() -> list[str]:
    return [each.name for each in threading.enumerate() if each.name.endswith("(run)")]
