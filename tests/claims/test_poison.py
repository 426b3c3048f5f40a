"""What can't go on stops by itself, is shown to a person, and keeps nothing else waiting."""

import logging
from datetime import timedelta
from typing import Any
from uuid import UUID

import pytest
from celery.exceptions import SoftTimeLimitExceeded
from django.conf import settings as django_settings
from django.db import DataError, OperationalError, connection
from django.db.models import F
from django.utils import timezone
from structlog.testing import capture_logs

from claims import inbound, pipeline, reading, steps, submission, tasks
from claims.clearinghouse.port import InboundFile as Fetched
from claims.models import Claim, InboundFile, WorkItem
from sessions_app.models import Session
from tests.cast import REMOVED, Api
from tests.claims.process import run_until_quiet
from tests.claims.test_inbound import remittance


class BrokenError(Exception):
    """A fault of ours."""


def submitted(partner: Api, member_id: str) -> UUID:
    return UUID(partner.submitted(patient__insurance__memberId=member_id))


def stored_file() -> InboundFile:
    [file_id] = inbound.store("sftp", [Fetched(name="a.835", content=b"ISA", kind="x12", reference="a")])
    return InboundFile.objects.get(pk=file_id)


def let_it_be_due() -> None:
    Claim.objects.filter(next_step_at__isnull=False).update(
        next_step_at=timezone.now() - timedelta(seconds=1)
    )


def traces(lines: Any, event: str) -> list[tuple[str, str]]:
    """Session and error of these lines; each has the request by which its session came."""
    found = [line for line in lines if line["event"] == event]
    requests = dict(Session.objects.values_list("pk", "request_id"))
    assert all(line["request_id"] == requests[UUID(line["session"])] for line in found)
    return [(line["session"], line["error"]) for line in found]


def breaks_for(session_id: UUID, step: Any) -> Any:
    def broken(work: Any, *arguments: Any, **named: Any) -> Any:
        if work.claim.session_id == session_id:
            raise BrokenError
        return step(work, *arguments, **named)

    return broken


def test_a_claim_that_a_step_trips_over_is_held_at_the_third_try(
    partner: Api, monkeypatch: pytest.MonkeyPatch
) -> None:
    poison, sound = submitted(partner, "PAID1"), submitted(partner, "PAID2")
    monkeypatch.setattr(steps, "check_claim", breaks_for(poison, steps.check_claim))
    for _ in range(3):
        run_until_quiet()
        let_it_be_due()
    assert Claim.objects.get(session=sound).status == "paid"
    assert Claim.objects.get(session=poison).step == Claim.Step.HELD
    item = WorkItem.objects.get(session=poison, closed_at=None)
    assert (item.queue, item.reason) == (WorkItem.Queue.TRANSPORT, "BrokenError")
    message = partner.get(f"/sessions/{poison}").json()["message"]
    assert message.startswith("Held: Something on our side went wrong with this session;")
    assert "Correct the session" not in message


def test_a_claim_that_ends_its_worker_again_and_again_is_held(partner: Api) -> None:
    session_id = submitted(partner, "PAID1")
    Claim.objects.update(attempts=pipeline.MOST_TIMES_TAKEN)  # taken so often, and nothing was heard of it
    pipeline.advance()
    assert Claim.objects.get().step == Claim.Step.HELD
    assert WorkItem.objects.get(session=session_id).reason == "ended its worker"


def test_a_claim_that_is_held_for_a_person_says_since_when(partner: Api) -> None:
    submitted(partner, "PAID1")
    before = timezone.now()
    Claim.objects.update(attempts=pipeline.MOST_TIMES_TAKEN, last_updated_at=before - timedelta(days=2))
    pipeline.advance()
    claim = Claim.objects.get()
    assert (claim.status, claim.last_updated_at >= before) == ("held", True)


@pytest.fixture
def outside(monkeypatch: pytest.MonkeyPatch) -> None:
    """A connection that looks as if it were in no transaction: the test's own is one."""
    shown = {"in_atomic_block": False, "close": int, "cursor": connection.cursor}
    monkeypatch.setattr(pipeline, "connection", type("Connection", (), shown))


@pytest.mark.parametrize("why", ["no time", "no database"])
@pytest.mark.usefixtures("outside")
def test_a_claim_that_another_worker_took_after_a_correction_is_not_given_back(
    partner: Api, monkeypatch: pytest.MonkeyPatch, why: str
) -> None:
    submitted(partner, "PAID1")
    late = submitted(partner, "PAID2")
    taken_until = timezone.now() + timedelta(seconds=20)

    def corrected_and_taken() -> None:
        partner.patch(f"/sessions/{late}", {"patient": {"lastName": "Roe"}})
        Claim.objects.filter(session=late).update(attempts=1, next_step_at=taken_until)

    def away(*_: Any) -> None:
        corrected_and_taken()
        raise OperationalError

    code = steps.code
    if why == "no time":
        monkeypatch.setattr(pipeline, "CODING_SECONDS", -1)
        monkeypatch.setattr(steps, "code", lambda *given: corrected_and_taken() or code(*given))
        pipeline.advance()
    else:
        monkeypatch.setattr(pipeline, "_load", away)
        with pytest.raises(OperationalError):
            pipeline.advance()
    claim = Claim.objects.get(session=late)
    assert (claim.attempts, claim.next_step_at) == (1, taken_until)


def test_the_databases_clock_says_what_is_due_and_late(partner: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    partner.submitted(session__diagnosisCodes=REMOVED, session__noteText="Individual therapy.")
    Claim.objects.update(next_step_at=timezone.now() - timedelta(minutes=30))
    an_hour_slow = timezone.now() - timedelta(hours=1)
    monkeypatch.setattr(timezone, "now", lambda: an_hour_slow)
    monkeypatch.setattr(pipeline.note_model, "in_use", lambda: True)
    assert (pipeline.has_due(), pipeline.has_due_notes(), pipeline.count_late()) == (True, True, 1)


def test_a_claim_that_can_not_even_be_loaded_is_put_aside_and_told(
    partner: Api, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(ids: Any) -> Any:
        raise BrokenError

    session_id = submitted(partner, "PAID1")
    monkeypatch.setattr(pipeline, "_load", broken)
    with capture_logs() as lines:
        pipeline.advance()
    assert traces(lines, "claim could not be run") == [(str(session_id), "BrokenError")]


def test_a_claim_of_which_nothing_was_heard_runs_alone(partner: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    first, second = submitted(partner, "PAID1"), submitted(partner, "PAID2")
    Claim.objects.filter(session=first).update(attempts=1)
    together: list[int] = []
    load = pipeline._load
    monkeypatch.setattr(pipeline, "_load", lambda ids: together.append(len(ids)) or load(ids))
    pipeline.advance()
    assert together == [1, 1]
    assert {claim.step for claim in Claim.objects.filter(session__in=[first, second])} == {Claim.Step.SEND}


def test_only_claims_that_landed_are_told_where_the_database_refuses_one_of_a_batch(
    partner: Api, monkeypatch: pytest.MonkeyPatch
) -> None:
    refused, overtaken, sound = (submitted(partner, member) for member in ("PAID1", "PAID2", "PAID3"))
    land = pipeline.lifecycle.land

    def landed(runs: Any) -> Any:
        sessions = {work.claim.session_id for work, _ in runs}
        if refused in sessions:
            raise DataError
        if overtaken in sessions:
            Claim.objects.filter(session=overtaken).update(revision=F("revision") + 1)
        return land(runs)

    monkeypatch.setattr(pipeline.lifecycle, "land", landed)
    with capture_logs() as lines:
        pipeline.advance()
    assert traces(lines, "step failed") == [(str(refused), "DataError")]
    assert [line["session"] for line in lines if line["event"] == "step"] == [str(sound)]


def test_a_claim_that_lands_starts_to_count_anew(partner: Api) -> None:
    submitted(partner, "PAID1")
    Claim.objects.update(attempts=2)
    pipeline.advance()
    assert Claim.objects.get().attempts == 0


@pytest.mark.parametrize("first", [0, 1], ids=["chosen", "a companion"])
def test_a_claim_that_cannot_be_written_keeps_no_other_waiting(
    partner: Api, monkeypatch: pytest.MonkeyPatch, first: int
) -> None:
    poison, sound = submitted(partner, "PAID1"), submitted(partner, "PAID2")
    pipeline.advance()
    Claim.objects.filter(session=(poison, sound)[first]).update(
        next_step_at=timezone.now() - timedelta(minutes=1)
    )
    number = Claim.objects.get(session=poison).patient_control_number
    write = submission.write_transmission

    def broken(claims: Any) -> Any:
        if any(claim.patient_control_number == number for claim in claims):
            raise BrokenError
        return write(claims)

    monkeypatch.setattr(submission, "write_transmission", broken)
    with capture_logs() as lines:
        for _ in range(4):
            run_until_quiet()
            submission.send("sandbox")
    assert traces(lines, "claim can't be written")[-1] == (str(poison), "BrokenError")
    assert Claim.objects.get(session=sound).status == "paid"
    assert not WorkItem.objects.filter(session=sound).exists()
    assert WorkItem.objects.get(session=poison, closed_at=None).reason == "BrokenError"


def test_a_file_that_breaks_its_reader_is_named_and_ends_in_a_queue(
    db: None, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(*_: Any, **__: Any) -> Any:
        raise BrokenError

    file = stored_file()
    monkeypatch.setattr(reading, "AnswerFile", broken)
    caplog.set_level(logging.INFO)
    inbound.apply(file.pk)
    assert (caplog.records[0].message, caplog.records[0].file) == ("file", file.pk)
    file.refresh_from_db()
    assert file.state == InboundFile.State.REFUSED
    assert "BrokenError" in WorkItem.objects.get(inbound_file=file).summary


def test_a_file_that_ends_its_worker_again_and_again_ends_in_a_queue(db: None) -> None:
    file = stored_file()
    InboundFile.objects.update(attempts=inbound.MOST_TIMES_TAKEN)
    inbound.apply(file.pk)
    file.refresh_from_db()
    assert file.state == InboundFile.State.REFUSED
    assert WorkItem.objects.filter(inbound_file=file, queue=WorkItem.Queue.TRANSPORT).count() == 1


def time_is_over(*_: Any, **__: Any) -> Any:
    raise SoftTimeLimitExceeded


@pytest.mark.parametrize("members", [("PAID1",), ("PAID1", "PAID2")], ids=["alone", "a batch"])
def test_a_task_whose_time_is_over_ends_and_blames_no_claim(
    partner: Api, monkeypatch: pytest.MonkeyPatch, members: tuple[str, ...]
) -> None:
    for member in members:
        submitted(partner, member)
    with monkeypatch.context() as patched, capture_logs() as lines:
        patched.setattr(steps, "check_claim", time_is_over)
        with pytest.raises(SoftTimeLimitExceeded):
            pipeline.advance()
    assert not lines
    let_it_be_due()
    run_until_quiet()
    assert {claim.status for claim in Claim.objects.all()} == {"paid"}


@pytest.mark.parametrize(
    ("module", "name"),
    [(reading, "AnswerFile"), (inbound.posting, "post"), (inbound.posting, "keep_refused")],
)
def test_a_task_whose_time_is_over_ends_and_blames_no_file(
    partner: Api, monkeypatch: pytest.MonkeyPatch, module: Any, name: str
) -> None:
    submitted(partner, "SILENT")
    run_until_quiet()
    text = remittance(Claim.objects.get(), transfer="154.00" if name == "keep_refused" else "")
    [file_id] = inbound.store(
        "sftp", [Fetched(name="a.835", content=text.encode(), kind="x12", reference="a")]
    )
    with monkeypatch.context() as patched:
        patched.setattr(module, name, time_is_over)
        with pytest.raises(SoftTimeLimitExceeded):
            inbound.apply(file_id)
    file = InboundFile.objects.get(pk=file_id)
    assert (file.state, file.attempts, file.report) == (InboundFile.State.RECEIVED, 1, {})
    assert inbound.apply(file_id)["sets"]


def test_a_files_task_may_take_long_and_ends_before_the_broker_hands_it_out_again() -> None:
    comes_again = django_settings.CELERY_BROKER_TRANSPORT_OPTIONS["visibility_timeout"]
    for task in (tasks.apply_file, tasks.apply_waiting):
        assert django_settings.CELERY_TASK_TIME_LIMIT < task.soft_time_limit < task.time_limit < comes_again
