"""What a script can rely on: done, not done, or done with something left for a person."""

import os
import subprocess
import sys
import time

import psycopg
import pytest
from django.db import connection, transaction
from django.utils import timezone

from claims.models import SandboxAnswer
from partners.models import Partner
from tests.cast import Api
from tests.claims.test_inbound import remittance, silent_claim
from tests.operations.running import result, run
from tests.operations.test_endings import CHECKOUT, with_this_database

WAITS = (
    "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()"
)


@pytest.mark.django_db(transaction=True)
def test_what_another_wrote_at_the_same_moment_is_told_in_one_line() -> None:
    with transaction.atomic():
        Partner.objects.create(name="Harborlight", slug="harborlight", mode="test")
        second = subprocess.Popen(
            [sys.executable, "manage.py", "create_partner", "Harborlight", "--slug", "harborlight"],
            cwd=CHECKOUT,
            env=with_this_database(),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        with psycopg.connect(**connection.get_connection_params(), autocommit=True) as other:
            while other.execute(WAITS).fetchone() == (0,) and second.poll() is None:
                time.sleep(0.05)
    output, error = second.communicate(timeout=30)
    assert (second.returncode, output) == (1, "")
    [line] = error.splitlines()
    assert line == "Another wrote the same at this moment, so this was not done. Look, and run it again."
    assert Partner.objects.filter(slug="harborlight").count() == 1


@pytest.mark.django_db
@pytest.mark.parametrize("name", ["code_note", "evaluate_coder"])
def test_a_file_that_breaks_off_in_the_middle_is_named(release: object, name: str) -> None:
    said = run(name, "/proc/self/mem")  # it opens, and reading it fails as on a broken disk
    assert (said.code, said.text) == (1, "/proc/self/mem can't be read: Input/output error.")


def test_with_the_database_away_the_doctor_asks_it_once_and_the_broker_all_the_same() -> None:
    ended = subprocess.run(
        [sys.executable, "manage.py", "doctor"],
        cwd=CHECKOUT,
        env={**os.environ, "DATABASE_URL": "postgresql://nobody@127.0.0.1:1/nothing"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ended.returncode == 1
    assert ended.stdout.count("docs/runbook/database-down.md") == 1
    assert "OK    broker " in ended.stdout
    [told] = [line for line in ended.stdout.splitlines() if "not asked" in line]
    assert "migrations, months, clocks, queues, code sets, gateways, unused gateways, keys" in told


@pytest.mark.django_db
def test_a_poll_ends_with_4_where_a_file_was_not_applied_or_an_answer_waits_for_a_person(
    ready_api: Api,
) -> None:
    claim = silent_claim(ready_api)
    result("poll_clearinghouse", "sandbox")
    nobodys = remittance(claim, number="NOBODYS1")
    _lay_down("letter", "Dear Sir")
    assert run("poll_clearinghouse", "sandbox", "--dry-run").code == 0
    said = run("poll_clearinghouse", "sandbox")
    assert (said.code, "answered; 1 file refused, last polled" in said.text) == (4, True)
    _lay_down("nobodys", nobodys)
    said = run("poll_clearinghouse", "sandbox")
    assert (said.code, "1 file applied, 1 answer waits for a person" in said.text) == (4, True)
    _lay_down("paid", remittance(claim, trace="T2"))
    said = result("poll_clearinghouse", "sandbox")
    assert (said.code, said.document[0]["files"][0]["state"]) == (0, "applied")
    assert "answered; no files" in run("poll_clearinghouse", "sandbox").text


def _lay_down(name: str, content: str) -> None:
    SandboxAnswer.objects.create(name=name, content=content, available_at=timezone.now())
