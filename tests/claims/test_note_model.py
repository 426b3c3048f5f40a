"""A language model that reads notes: on its own queue, outside transactions, within caps, never needed."""

import logging
import threading
import time
from collections.abc import Iterator
from datetime import timedelta
from html import unescape
from typing import Any
from uuid import UUID

import orjson
import pytest
from celery.exceptions import SoftTimeLimitExceeded
from django.core.checks import run_checks
from django.db import connection
from structlog.testing import capture_logs

from claims import note_model, pipeline, tasks
from claims.desk.review_words import WHY_CANDIDATE
from claims.models import Claim
from partners.counting import Counter
from sessions_app.models import Session, SessionNote
from tests.billing.notes.llm.fake_model import (
    FakeModel,
    answer,
    clause_of,
    dawdles,
    fails,
    fake_model,
    finding,
    says,
    uses_tool,
)
from tests.cast import REMOVED, Api, partner_api
from tests.claims.admin.staff import Desk, item_of
from tests.claims.process import run_until_quiet

NOTE = (
    "S: Marguerite Quillfeather of 12 Brackwater Lane says her sister has bipolar disorder.\n"
    "A: Generalized anxiety disorder.\n"
    "P: Weekly. Individual session, 45 minutes."
)
WORDS = "Generalized anxiety disorder"


@pytest.fixture
def partner(release: object, sample_charges: None, settings: Any) -> Api:
    settings.SANDBOX_SPEED = 1e9
    return partner_api("Harborlight", submission_delay=timedelta()).onboarded()


@pytest.fixture(autouse=True)
def _own_client() -> Iterator[None]:
    """No failure of one test opens the circuit of another."""
    note_model._client_of.cache_clear()
    yield
    note_model._client_of.cache_clear()


def honest(request: dict[str, Any]) -> Any:
    said = finding("generalized_anxiety_disorder", WORDS, clause_of(request, WORDS))
    return says(answer(said))(request)


def nothing(request: dict[str, Any]) -> Any:
    return says(answer())(request)


def choose(settings: Any, model: FakeModel | None, engine: str = "llm", /, **more: Any) -> None:
    """Let this engine read notes."""
    settings.CODER_ENGINE = engine
    settings.CODER_LLM = settings.CODER_LLM | {"model": "fake", "api_key": "key"} | more
    if model is not None:
        settings.CODER_LLM["endpoint"] = f"{model.address}/v1"


def noted(partner: Api, text: str = NOTE, *, member_id: str = "W123456789") -> UUID:
    """A session that has only its note to be coded by."""
    return UUID(
        partner.submitted(
            patient__insurance__memberId=member_id,
            session__diagnosisCodes=REMOVED,
            session__durationMinutes=REMOVED,
            session__noteText=text,
            patient__address__street="12 Brackwater Lane",
        )
    )


def coding_of(session_id: UUID) -> dict[str, Any]:
    return orjson.loads(SessionNote.objects.get(session_id=session_id).coding)


def test_the_model_reads_and_the_claim_is_paid(partner: Api, settings: Any) -> None:
    with fake_model(honest) as model:
        choose(settings, model)
        session_id = noted(partner)
        assert pipeline.advance_note()
    coding = coding_of(session_id)
    assert (coding["engine"], coding["llm"]["status"]) == ("llm", "answered")
    run_until_quiet()
    assert partner.get(f"/sessions/{session_id}").json()["status"] == "paid"


def test_the_other_dialect(partner: Api, settings: Any) -> None:
    def reply(request: dict[str, Any]) -> Any:
        said = finding("generalized_anxiety_disorder", WORDS, clause_of(request, WORDS))
        return uses_tool(answer(said))(request)

    with fake_model(reply) as model:
        choose(settings, model, dialect="anthropic", endpoint=model.address)
        settings.CODER_LLM["endpoint"] = model.address
        session_id = noted(partner)
        pipeline.advance_note()
    assert coding_of(session_id)["engine"] == "llm"


def test_two_readings_that_differ_wait_for_a_person(partner: Api, settings: Any) -> None:
    with fake_model(nothing) as model:
        choose(settings, model, "both")
        session_id = noted(partner)
        pipeline.advance_note()
    assert "llm_disagrees" in coding_of(session_id)["reasons"]
    assert Claim.objects.get(session=session_id).step == Claim.Step.HELD


@pytest.mark.parametrize("behaviour", [fails(500), fails(401), says("{"), says("no", refusal="no")])
def test_a_failing_model_leaves_the_rules_result(partner: Api, settings: Any, behaviour: Any) -> None:
    with fake_model(behaviour) as model:
        choose(settings, model)
        session_id = noted(partner)
        pipeline.advance_note()
    coding = coding_of(session_id)
    assert (coding["engine"], coding["llm"]["status"]) == ("rules", "failed")
    assert [each["code"] for each in coding["diagnoses"]] == ["F41.1"]
    assert Claim.objects.get(session=session_id).step == Claim.Step.SEND


def test_what_nobody_thought_of_leaves_the_rules_result_and_a_line_in_the_log(
    partner: Api, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*arguments: Any, **named: Any) -> None:
        raise KeyError("surprise")

    monkeypatch.setattr("billing.notes.llm.engine.verify", broken)
    with fake_model(honest) as model, capture_logs() as lines:
        choose(settings, model)
        session_id = noted(partner)
        pipeline.advance_note()
    assert coding_of(session_id)["llm"] == {"status": "failed", "why": "unexpected"}
    assert coding_of(session_id)["engine"] == "rules"
    assert [line["error"] for line in lines if line["event"] == "note model failed"] == ["KeyError"]
    assert "surprise" not in str(lines)


def test_a_task_out_of_time_ends_and_does_not_fall_back(
    partner: Api, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    def late(*arguments: Any, **named: Any) -> None:
        raise SoftTimeLimitExceeded

    monkeypatch.setattr("billing.notes.llm.engine.verify", late)
    with fake_model(honest) as model:
        choose(settings, model)
        session_id = noted(partner)
        with pytest.raises(SoftTimeLimitExceeded):
            pipeline.advance_note()
    assert not SessionNote.objects.get(session_id=session_id).coding


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"endpoint": ""}, "CODER_LLM_ENDPOINT must name"),
        ({"endpoint": "http://127.0.0.1:9/v1", "model": ""}, "CODER_LLM_MODEL must name"),
        (
            {"endpoint": "http://127.0.0.1:9/v1", "api_key": "cut\nin two"},
            "CODER_LLM_API_KEY has a character",
        ),
        ({"endpoint": "http://127.0.0.1:9/v1", "api_key": "clé"}, "CODER_LLM_API_KEY has a character"),
        ({"endpoint": "https://models.example/v1"}, "business associate agreement"),
        ({"endpoint": "http://models.example/v1", "baa_signed": True}, "TLS only"),
    ],
)
def test_without_permission_no_note_leaves_and_the_check_says_so(
    partner: Api, settings: Any, changes: dict[str, Any], words: str
) -> None:
    choose(settings, None, "both", **changes)
    (error,) = [each for each in run_checks() if each.id == "claims.E007"]
    assert words in error.msg
    session_id = noted(partner)
    pipeline.advance()
    coding = coding_of(session_id)
    assert coding["engine"] == "rules"
    assert "llm" not in coding


@pytest.mark.parametrize("endpoint", ["https://models.example/v1", "http://[::1]:9/v1"])
def test_an_agreement_or_loopback_allows_a_model(settings: Any, endpoint: str) -> None:
    choose(settings, None, endpoint=endpoint, baa_signed=endpoint.startswith("https"))
    assert note_model.problem() is None
    assert note_model.in_use()


def test_what_would_release_many_asks_no_model_and_counts_what_it_read(partner: Api, settings: Any) -> None:
    settings.STAFF_SECOND_FACTOR = False
    with fake_model(honest) as model:
        choose(settings, model)
        session_id = noted(partner, member_id="HELDB")
        pipeline.advance_note()
        run_until_quiet()
        asked = len(model.requests)
        Session.objects.filter(pk=session_id).update(member_id="PAIDB")
        preview = Desk("billing").post("desk:bulk", "held", deed="release", item=[item_of(session_id).pk])
    [line] = preview.context["lines"]
    assert line.words.startswith("Will go on: nothing holds it any more.")
    assert len(model.requests) == asked


def test_the_rules_ask_no_model(partner: Api, settings: Any) -> None:
    with fake_model(honest) as model:
        choose(settings, model, "rules")
        noted(partner)
        pipeline.advance()
    assert model.requests == []


def test_a_slow_model_keeps_no_batch_waiting(partner: Api, settings: Any) -> None:
    with fake_model(dawdles(30)) as model:
        choose(settings, model)
        with_note, without = noted(partner), UUID(partner.submitted(patient__insurance__memberId="PAID2"))
        begin = time.monotonic()
        pipeline.advance()
        assert time.monotonic() - begin < 10
        assert model.requests == []
    steps = dict(Claim.objects.values_list("session_id", "step"))
    assert steps == {with_note: Claim.Step.CODE, without: Claim.Step.SEND}
    assert pipeline.has_due_notes()


def test_the_advancing_task_hints_at_the_notes_queue(
    partner: Api, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    hinted: list[str] = []
    monkeypatch.setattr(tasks, "hint", lambda task, *arguments: hinted.append(task.name))
    with fake_model(honest) as model:
        choose(settings, model)
        noted(partner)
        tasks.advance()
        assert "claims.advance_note" in hinted
        hinted.clear()
        tasks.advance_note()
        assert "claims.send" in hinted
        tasks.advance_note()
    assert len(model.requests) == 1
    assert not pipeline.has_due_notes()


def test_notes_are_taken_one_at_a_time(partner: Api, settings: Any) -> None:
    with fake_model(honest) as model:
        choose(settings, model)
        noted(partner)
        noted(partner)
        assert [len(pipeline.advance_note()) for _ in range(3)] == [1, 1, 0]


def test_above_its_requests_a_partner_has_the_rules(partner: Api, settings: Any) -> None:
    with fake_model(honest) as model:
        choose(settings, model, requests_per_minute=1)
        sessions = [noted(partner), noted(partner)]
        while pipeline.advance_note():
            pass
    codings = [coding_of(session_id)["llm"] for session_id in sessions]
    assert {each.get("why") for each in codings} == {None, "requests_capped"}
    assert len(model.requests) == 1


def test_above_its_tokens_a_partner_has_the_rules(partner: Api, settings: Any) -> None:
    with fake_model(honest) as model:
        choose(settings, model, tokens_per_day=1_000)
        session_id = noted(partner)
        pipeline.advance_note()
    assert coding_of(session_id)["llm"]["why"] == "tokens_capped"
    assert model.requests == []


def test_a_cap_that_cannot_be_counted_counts_as_reached(
    partner: Api, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Counter, "count", lambda *arguments, **named: None)
    with fake_model(honest) as model:
        choose(settings, model)
        session_id = noted(partner)
        pipeline.advance_note()
    assert coding_of(session_id)["llm"]["why"] == "not_counted"
    assert model.requests == []


def test_nothing_of_the_note_is_logged_and_nobody_is_named(
    partner: Api, settings: Any, caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]
) -> None:
    caplog.set_level(logging.DEBUG)
    with fake_model(honest) as model:
        choose(settings, model)
        noted(partner)
        pipeline.advance_note()
    logged = caplog.text + "".join(capfd.readouterr())
    assert WORDS.lower() not in logged.lower()
    assert "rackwater" not in logged
    sent = str(model.requests)
    assert WORDS in sent
    assert "rackwater" not in sent
    assert "uillfeather" not in sent


@pytest.mark.django_db(transaction=True)
def test_no_transaction_is_open_while_the_model_is_asked(partner: Api, settings: Any) -> None:
    states: list[list[str]] = []

    def watching(request: dict[str, Any]) -> Any:
        assert threading.current_thread() is not threading.main_thread()
        try:
            with connection.cursor() as cursor:
                cursor.execute(
                    "SELECT state FROM pg_stat_activity WHERE datname = current_database() "
                    "AND pid <> pg_backend_pid() AND state LIKE '%transaction%'"
                )
                states.append([row[0] for row in cursor.fetchall()])
        finally:
            connection.close()
        return honest(request)

    with fake_model(watching) as model:
        choose(settings, model)
        session_id = noted(partner)
        pipeline.advance_note()
    assert states == [[]]
    assert coding_of(session_id)["engine"] == "llm"


def test_what_two_readings_differ_on_is_what_the_desk_asks(partner: Api, settings: Any) -> None:
    settings.STAFF_SECOND_FACTOR = False
    with fake_model(nothing) as model:
        choose(settings, model, "both")
        session_id = noted(partner)
        pipeline.advance_note()
    page = Desk("billing").get("desk:review", item_of(session_id).pk).content.decode()
    assert 'name="diagnosis" value="F41.1"' in page
    assert 'name="procedure"' not in page


def test_the_desk_says_in_words_which_codes_only_the_model_read(partner: Api, settings: Any) -> None:
    def more(request: dict[str, Any]) -> Any:
        both = (("generalized_anxiety_disorder", WORDS), ("panic_disorder", "panic disorder"))
        said = [finding(concept, words, clause_of(request, words)) for concept, words in both]
        return says(answer(*said))(request)

    settings.STAFF_SECOND_FACTOR = False
    with fake_model(more) as model:
        choose(settings, model, "both")
        session_id = noted(partner, f"S: We talked about panic disorder.\n{NOTE}")
        pipeline.advance_note()
    assert [each["why"] for each in coding_of(session_id)["candidates"]] == ["llm"]
    page = Desk("billing").get("desk:review", item_of(session_id).pk).content.decode()
    assert unescape(page).count(WHY_CANDIDATE["llm"]) == 1
