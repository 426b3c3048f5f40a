"""The doctor: one line a question, with what to do, and an exit code that tells."""

from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.utils import timezone

from billing.codes import forget_releases
from billing.models import CodeSetRelease
from claims import gateways, heartbeats
from claims.clearinghouse.port import Fetched, FileKept, FileKind, InboundFile
from claims.models import Claim, PollCursor
from claims.support import checks
from partners.keys import issue_key
from partners.models import ApiKey
from tests.cast import Api
from tests.claims.process import run_until_quiet
from tests.operations.running import nothing_can_be_written, redis_takes_no_writes, result

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("no_heartbeats")]


def state_of(name: str) -> dict[str, str]:
    """The doctor's line of that name."""
    lines = {line["check"]: line for line in result("doctor").document}
    return lines[name]


def test_all_in_order_ends_with_0(ready_api: Api) -> None:
    for kind in ("worker", "periodic", "gateways", "beat"):
        heartbeats.beat(kind, "one")
    said = result("doctor")
    assert {line["state"] for line in said.document} == {"ok"}, said.text
    assert said.code == 0


def test_without_worker_and_beat_it_fails_and_says_what_to_start(ready_api: Api) -> None:
    said = result("doctor")
    assert said.code == 1
    assert "Start the process 'worker'" in state_of("worker")["remedy"]
    assert state_of("beat")["state"] == "fail"


@pytest.mark.parametrize("name", ["arraycontains(anyarray,anyarray)", "name_keys(uuid,text,integer)"])
def test_a_search_by_name_without_its_index_is_told_with_the_remedy(ready_api: Api, name: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute(f"ALTER FUNCTION {name} NOT LEAKPROOF")
        line = state_of("name search")
        assert line["state"] == "warn"
        cursor.execute(line["remedy"].removeprefix("As a superuser: "))
    assert "name search" not in {line["check"] for line in result("doctor").document}


def test_a_queue_of_its_own_is_missed_too(ready_api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    heartbeats.beat("gateways", "one")
    assert "notes" not in {line["check"] for line in result("doctor").document}
    monkeypatch.setattr(checks.note_model, "in_use", lambda: True)
    assert "Start the process 'gateways'" in state_of("notes")["remedy"]


def test_a_worker_that_fell_silent_is_named(ready_api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    heartbeats.beat("worker", "fresh")
    monkeypatch.setattr(heartbeats.time, "time", lambda: timezone.now().timestamp() - 300)
    heartbeats.beat("worker", "silent")
    monkeypatch.undo()
    assert state_of("worker")["state"] == "warn"
    assert "silent" in state_of("worker")["words"]


def test_a_database_that_takes_no_writes_fails_and_says_so(ready_api: Api) -> None:
    with nothing_can_be_written():
        line = state_of("database")
    assert line["state"] == "fail"
    assert line["words"] == "Nothing can be written: default_transaction_read_only."
    assert "DATABASE_URL" in line["remedy"]


def test_migrations_to_come_are_no_database_that_does_not_answer(ready_api: Api) -> None:
    with connection.cursor() as cursor:
        cursor.execute("ALTER TABLE claims_pollcursor RENAME TO of_another_release")
    line = state_of("gateways")
    assert (line["state"], line["words"]) == ("fail", "The tables are not those of this release.")
    assert "manage.py migrate" in line["remedy"]


def test_a_question_that_can_t_be_asked_fails_and_the_others_are(
    ready_api: Api, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail() -> None:
        raise ValueError("Jane Doe")

    monkeypatch.setattr(checks.gateways, "gateway_names", fail)
    said = result("doctor")
    assert said.code == 1
    assert "ValueError" in state_of("gateways")["words"]
    assert "Jane" not in said.text
    assert state_of("secrets")["state"] == "ok"


def test_a_release_that_has_ended_warns_while_it_is_used(ready_api: Api) -> None:
    yesterday = timezone.now().date() - timedelta(days=1)
    CodeSetRelease.objects.update(valid_to=yesterday)
    forget_releases()
    assert state_of("code sets")["state"] == "warn"
    assert "load_icd10cm" in state_of("code sets")["remedy"]


def test_without_any_release_it_fails(api: Api) -> None:
    CodeSetRelease.objects.all().delete()
    forget_releases()
    assert state_of("code sets")["state"] == "fail"


def test_a_release_that_ends_soon_without_another_warns(ready_api: Api) -> None:
    CodeSetRelease.objects.update(valid_to=timezone.now().date() + timedelta(days=5))
    forget_releases()
    assert state_of("code sets")["state"] == "warn"


def test_a_claim_that_nobody_takes_fails(ready_api: Api) -> None:
    ready_api.submitted()
    Claim.objects.update(next_step_at=timezone.now() - timedelta(hours=1))
    assert state_of("claims due")["state"] == "fail"
    assert "1 claims are due" in state_of("claims due")["words"]


def test_a_key_that_ends_soon_warns_until_it_has_a_successor(ready_api: Api) -> None:
    ApiKey.objects.update(expires_at=timezone.now() + timedelta(days=3))
    assert "rotate_api_key" in state_of("API keys")["remedy"]
    assert ready_api.partner is not None
    issue_key(ready_api.partner, name="reports")
    assert "rotate_api_key" in state_of("API keys")["remedy"]
    issue_key(ready_api.partner)
    assert "API keys" not in {line["check"] for line in result("doctor").document}


def test_a_pepper_that_only_ended_keys_need_is_not_missed(ready_api: Api) -> None:
    ApiKey.objects.update(pepper_id="gone", expires_at=timezone.now() - timedelta(days=1))
    assert "gone" not in str(result("doctor").document)


def test_a_lost_pepper_fails(ready_api: Api) -> None:
    ApiKey.objects.update(pepper_id="gone")
    assert "gone" in state_of("peppers")["words"]


def test_the_broker_away_is_one_failure_among_other_answers(ready_api: Api, settings: Any) -> None:
    settings.REDIS_URL = "redis://127.0.0.1:1/0"
    lines = {line["check"]: line["state"] for line in result("doctor").document}
    assert lines["broker"] == "fail"
    assert lines["database"] == "ok"


def test_a_broker_that_takes_no_writes_fails_and_says_so(ready_api: Api, settings: Any) -> None:
    with redis_takes_no_writes(settings):
        line = state_of("broker")
    assert (line["state"], line["words"]) == ("fail", "Redis answers and takes no writes.")
    assert "docs/runbook/broker-down.md" in line["remedy"]


def test_a_gateway_that_we_do_not_have_fails_and_both_settings_are_named(
    ready_api: Api, settings: Any
) -> None:
    settings.LIVE_GATEWAY_BY_PAYER = {"60054": "pigeon"}
    line = state_of("gateway pigeon")
    assert line["state"] == "fail"
    assert line["remedy"] == "Set LIVE_GATEWAY or LIVE_GATEWAY_BY_PAYER right."


class Folder:
    """A clearinghouse with three files, of which one can't be read and another stays where it is."""

    name = "sandbox"

    def fetch(self, cursor: str) -> Fetched:
        files = tuple(InboundFile(name, name.encode(), FileKind.X12, name) for name in ("a", "DOE.835"))
        return Fetched(files, cursor, left=("9 bytes can't be read",))

    def acknowledge(self, file: InboundFile) -> None:
        if file.name != "a":
            raise FileKept("7 bytes can't be taken away")


def test_a_file_that_is_left_at_the_clearinghouse_warns_and_the_others_come_in(
    ready_api: Api, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setitem(gateways.BUILDERS, "sandbox", Folder)
    said = result("poll_clearinghouse")
    assert (said.code, len(said.document[0]["files"])) == (4, 2)
    told = "Left there: 9 bytes can't be read; 7 bytes can't be taken away."
    assert said.document[0]["failure"] == told
    dry = result("poll_clearinghouse", "--dry-run")
    assert (dry.code, dry.document[0]["failure"]) == (4, "Left there: 9 bytes can't be read.")
    line = state_of("gateway sandbox")
    assert line["state"] == "warn"
    assert "9 bytes can't be read" in line["words"]
    assert "DOE" not in line["words"]
    assert result("poll_clearinghouse").document[0]["failure"] == told
    assert [each.levelname for each in caplog.records if told in each.getMessage()] == ["ERROR"]


def test_a_poll_that_failed_or_is_long_ago_warns(ready_api: Api) -> None:
    polled = PollCursor.objects.create(pk="sandbox", polled_at=timezone.now(), failure="unauthorized")
    assert "unauthorized" in state_of("gateway sandbox")["words"]
    polled.failure, polled.polled_at = "", timezone.now() - timedelta(hours=1)
    polled.save()
    assert state_of("gateway sandbox")["state"] == "warn"


def test_claims_of_a_clearinghouse_that_is_out_of_use_warn_until_they_are_answered(ready_api: Api) -> None:
    session_id = ready_api.submitted(patient__insurance__memberId="SILENT")
    run_until_quiet()
    Claim.objects.update(gateway="sftp")
    line = state_of("gateway sftp")
    assert (line["state"], "1 claims" in line["words"]) == ("warn", True)
    assert "ingest FILE --gateway sftp" in line["remedy"]
    moves = " ".join(result("explain_session", session_id).document["moves"])
    assert "poll_clearinghouse" not in moves
    assert "ingest FILE --gateway sftp" in moves
    Claim.objects.update(status="paid")
    assert "gateway sftp" not in {line["check"] for line in result("doctor").document}


def test_clocks_apart_fail(ready_api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checks.timezone, "now", lambda real=timezone.now: real() + timedelta(seconds=30))
    assert state_of("clocks")["state"] == "fail"
