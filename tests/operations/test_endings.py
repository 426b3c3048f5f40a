"""How commands end where something is wrong: in words and with their exit code, never in a traceback."""

import json
import os
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit
from uuid import uuid4

import pytest
from django.db import connection, transaction
from django.utils import timezone

from claims.desk.reviews import ReviewedNote
from claims.management.commands import export_reviews
from partners.models import ApiKey, Partner
from tests.cast import Api
from tests.claims.process import run_until_quiet
from tests.operations.running import run

CHECKOUT = Path(__file__).resolve().parents[2]
WITHOUT_DATABASE = ["stats", "list_api_keys", "keep_months"]
EACH_IN_A_FORK = """
import json, os, runpy, sys, tempfile
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
import django
django.setup()
ended = {}
for name in json.load(sys.stdin):
    with tempfile.TemporaryFile("w+") as output, tempfile.TemporaryFile("w+") as error:
        pid = os.fork()
        if pid == 0:
            os.dup2(output.fileno(), 1)
            os.dup2(error.fileno(), 2)
            sys.argv = ["manage.py", name]
            runpy.run_path("manage.py", run_name="__main__")
            sys.exit()
        status = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
        output.seek(0), error.seek(0)
        ended[name] = [status, output.read(), error.read()]
print(json.dumps(ended))
"""


@pytest.mark.django_db
@pytest.mark.parametrize(
    "words",
    [
        ("--expires-in-days", "0"),
        ("--expires-in-days", "99999999999"),
        ("--name", "x" * 61),
        ("--name", " "),
        ("--from", "nowhere"),
    ],
)
def test_a_key_that_can_not_be_is_wrong_usage(api: Api, words: tuple[str, ...]) -> None:
    assert run("issue_api_key", api.partner.slug, *words).code == 2
    assert ApiKey.objects.count() == 1


@pytest.mark.django_db
def test_a_grace_that_can_not_be_is_wrong_usage(api: Api) -> None:
    assert run("rotate_api_key", api.key[:20], "--grace-hours", "5000").code == 2


@pytest.mark.django_db
def test_a_delay_below_zero_is_refused_in_plain_words() -> None:
    said = run("create_partner", "Late", "--submission-delay", "-1")
    assert (said.code, said.text) == (2, "submission_delay: At least 0 seconds.")
    assert not Partner.objects.exists()


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("words", "empty"),
    [
        (("find_session", ""), "number"),
        (("find_session", " "), "number"),
        (("find_session", "--partner", ""), "partner"),
        (("reprocess", "1", "", "2"), "numbers"),
        (("void_claim", "1", "--reason", " "), "reason"),
        (("void_claim", "", "--reason", " "), "number, reason"),
        (("legal_hold", "1", "--reason", ""), "reason"),
        (("list_api_keys", ""), "partner"),
        (("export_access", "--partner", ""), "partner"),
        (("import_charges", "rates.csv", "--partner", ""), "partner"),
        (("verify_audit", "--head", ""), "head"),
        (("export_evidence", "1", "--to", " "), "to"),
        (("ingest", "one.x12", " "), "files"),
    ],
)
def test_an_empty_argument_is_wrong_usage_and_not_one_left_out(words: tuple[str, ...], empty: str) -> None:
    said = run(*words)
    assert (said.code, said.text) == (2, f"Empty: {empty}. Was a variable of the shell not set?")


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("words", "odd"),
    [
        (("find_session", "M\udcfcller"), "number"),
        (("find_session", "--payer", "M\udcfcller"), "payer"),
        (("reprocess", "1", "\udcfc"), "numbers"),
        (("create_partner", "M\udcfcller"), "name"),
        (("list_api_keys", "\udcfc"), "partner"),
    ],
)
def test_an_argument_that_is_no_utf_8_is_wrong_usage(words: tuple[str, ...], odd: str) -> None:
    said = run(*words)
    assert (said.code, said.text) == (2, f"Not UTF-8: {odd}. Type it anew.")


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("words", "odd"),
    [
        (("create_partner", "Riverside\nTherapy"), "name"),
        (("create_partner", "Riverside\tTherapy"), "name"),
        (("create_partner", "Riverside\x1b[2JTherapy"), "name"),
        (("create_partner", "Riverside\x85Therapy"), "name"),
        (("create_partner", "Riverside\u2028Therapy"), "name"),
        (("create_partner", "Riverside\r"), "name"),
        (("issue_api_key", "riverside", "--name", "night\nly"), "name"),
        (("legal_hold", "1", "--reason", "matter\n12"), "reason"),
        (("reprocess", "1", "2\n3"), "numbers"),
    ],
)
def test_an_argument_of_several_lines_or_with_control_characters_is_wrong_usage(
    words: tuple[str, ...], odd: str
) -> None:
    said = run(*words)
    assert (said.code, said.text) == (2, f"Line breaks or control characters: {odd}. Type it in one line.")
    assert not Partner.objects.exists()


@pytest.mark.django_db
@pytest.mark.parametrize("version", ["0", "9"])
def test_a_claim_version_that_there_is_not_is_named(ready_api: Api, version: str) -> None:
    session_id = ready_api.submitted()
    run_until_quiet()
    said = run("claim_edi", session_id, "--claim-version", version)
    assert (said.code, said.text) == (3, f"There is no version {version}.")


@pytest.mark.django_db
@pytest.mark.parametrize("device", ["/dev/null", "pipe"])
@pytest.mark.parametrize(
    "words",
    [
        ("import_charges",),
        ("import_payers",),
        ("load_ncci",),
        ("load_icd10cm", "--release", "FY2030", "--file"),
        ("load_nppes",),
        ("code_note",),
        ("evaluate_coder",),
    ],
    ids=lambda words: words[0],
)
def test_a_device_or_a_pipe_which_may_have_no_end_is_not_read(
    release: object, tmp_path: Path, words: tuple[str, ...], device: str
) -> None:
    if device == "pipe":
        os.mkfifo(tmp_path / "pipe")
    file = tmp_path / device  # an absolute one stays itself
    said = run(*words, str(file))
    ends = f"{file} can't be read: it is no ordinary file; save what it gives as one first."
    assert (said.code, said.text) == (1, ends)


@pytest.mark.django_db
@pytest.mark.parametrize("day", ['"soon"', "20300101"])
def test_a_notes_day_that_is_none_is_named_by_its_line(release: object, tmp_path: Path, day: str) -> None:
    file = tmp_path / "notes.jsonl"
    file.write_text(f'{{"text": "55 minutes", "date_of_service": {day}}}\n')
    said = run("code_note", str(file))
    assert (said.code, said.text) == (1, 'Line 1: "date_of_service" must be a day, YYYY-MM-DD.')


@pytest.mark.django_db
@pytest.mark.parametrize("name", ["find_session", "export_access"])
def test_days_the_wrong_way_round_are_wrong_usage(api: Api, name: str) -> None:
    said = run(name, "--from", "2031-01-31", "--to", "2031-01-01")
    assert (said.code, said.text) == (2, "--from 2031-01-31 is after --to 2031-01-01.")


@pytest.mark.django_db
def test_a_key_that_has_ended_is_said_to_have(api: Api) -> None:
    ApiKey.objects.update(expires_at=timezone.now() - timedelta(days=3))
    assert "expired since " in run("list_api_keys").text
    ApiKey.objects.update(expires_at=timezone.now() + timedelta(days=3))
    assert "expires 2" in run("list_api_keys").text


@pytest.fixture(scope="module")
def with_the_database_away() -> dict[str, list[Any]]:
    """How each command ends: status, standard output and standard error; all forks of one process."""
    ended = subprocess.run(
        [sys.executable, "-c", EACH_IN_A_FORK],
        cwd=CHECKOUT,
        env={**os.environ, "DATABASE_URL": "postgresql://nobody@127.0.0.1:1/nothing"},
        input=json.dumps(WITHOUT_DATABASE),
        capture_output=True,
        text=True,
        check=True,
    )
    found: dict[str, list[Any]] = json.loads(ended.stdout)
    return found


@pytest.mark.parametrize("name", WITHOUT_DATABASE)
def test_with_the_database_away_one_line_says_where_to_read_on(
    with_the_database_away: dict[str, list[Any]], name: str
) -> None:
    status, output, error = with_the_database_away[name]
    assert (status, output) == (1, "")
    [line] = error.splitlines()
    assert line.startswith("The database doesn't answer.")
    assert line.endswith("docs/runbook/database-down.md.")


def with_this_database(**changes: str) -> dict[str, str]:
    """The environment of a command beside this test."""
    address = urlsplit(os.environ["DATABASE_URL"])._replace(path=f"/{connection.settings_dict['NAME']}")
    return {**os.environ, "DATABASE_URL": address.geturl(), **changes}


def line_of(*words: str, **changes: str) -> str:
    """The one line that a command ends with, having done nothing."""
    ended = subprocess.run(
        [sys.executable, "manage.py", *words],
        cwd=CHECKOUT,
        env=with_this_database(**changes),
        capture_output=True,
        text=True,
        check=False,
    )
    assert (ended.returncode, ended.stdout) == (1, "")
    [line] = ended.stderr.splitlines()
    return line


@pytest.mark.django_db
def test_with_a_database_that_takes_no_writes_one_line_says_so() -> None:
    line = line_of("create_partner", "Harborlight", PGOPTIONS="-c default_transaction_read_only=on")
    assert line.startswith("The database takes no writes.")
    assert line.endswith("docs/runbook/database-down.md.")


@pytest.mark.django_db
def test_with_migrations_to_come_one_line_says_so() -> None:
    line = line_of("stats", PGOPTIONS="-c search_path=pg_catalog")
    assert line.startswith("The tables are not those of this release.")


@pytest.mark.django_db
def test_a_reader_that_leaves_early_ends_a_command_in_silence() -> None:
    with subprocess.Popen(
        [sys.executable, "-u", "manage.py", "stats"],
        cwd=CHECKOUT,
        env=with_this_database(),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as command:
        assert command.stdout
        assert command.stderr
        command.stdout.close()
        assert command.stderr.read() == ""
    assert command.returncode == 128 + signal.SIGPIPE


@pytest.mark.parametrize(
    "words", [("show_session", b"\xe9"), ("create_partner", b"Caf\xe9"), ("ingest", b"Pe\xf1a.835")]
)
def test_an_argument_that_is_not_utf_8_is_wrong_usage(words: tuple[str, bytes]) -> None:
    ended = subprocess.run(
        [sys.executable, "manage.py", *words], cwd=CHECKOUT, capture_output=True, text=True, check=False
    )
    assert (ended.returncode, ended.stdout) == (2, "")
    [line] = ended.stderr.splitlines()
    assert line == "An argument is not UTF-8: write it anew, or give the file another name."


@pytest.mark.django_db
def test_a_full_disk_below_the_output_is_told_in_one_line() -> None:
    with open("/dev/full", "w") as full:
        ended = subprocess.run(
            [sys.executable, "manage.py", "stats"],
            cwd=CHECKOUT,
            env=with_this_database(),
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
    assert (ended.returncode, ended.stderr) == (1, "It can't be written: No space left on device.\n")


@pytest.mark.django_db(transaction=True)
def test_what_the_database_could_not_do_is_told_in_one_line() -> None:
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("LOCK TABLE partners_partner")
        ended = subprocess.run(
            [sys.executable, "manage.py", "create_partner", "Harborlight"],
            cwd=CHECKOUT,
            env=with_this_database(PGOPTIONS="-c lock_timeout=200"),
            capture_output=True,
            text=True,
            check=False,
        )
    assert (ended.returncode, ended.stdout) == (1, "")
    [line] = ended.stderr.splitlines()
    assert line.startswith("The database answers, and could not do this: LockNotAvailable.")
    assert line.endswith("docs/runbook/database-down.md.")


@pytest.mark.django_db
@pytest.mark.parametrize("head", ["nonsense", "ab" * 31])
def test_a_head_that_is_none_is_wrong_usage_and_accuses_nobody(head: str) -> None:
    said = run("verify_audit", "--head", head)
    assert (said.code, said.text) == (2, "--head is 64 digits and letters a to f, as verify_audit prints it.")


@contextmanager
def files_end_after(size: int) -> Iterator[None]:
    """No file of this process grows beyond it, as on a disk that is full."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


@pytest.mark.django_db
def test_evidence_under_a_name_that_no_file_can_have_is_refused(ready_api: Api, tmp_path: Path) -> None:
    session_id, target = ready_api.submitted(), tmp_path / ("x" * 300)
    said = run("export_evidence", session_id, "--to", str(target))
    assert (said.code, said.text) == (1, f"{target} can't be written: File name too long.")


@pytest.mark.django_db
@pytest.mark.parametrize("name", ["evidence", "evidence.zip"])
def test_evidence_that_finds_no_room_leaves_nothing_behind(ready_api: Api, tmp_path: Path, name: str) -> None:
    session_id = ready_api.submitted()
    run_until_quiet()
    with files_end_after(500):
        said = run("export_evidence", session_id, "--to", str(tmp_path / name))
    assert (said.code, said.text) == (1, f"{tmp_path / name} can't be written: File too large.")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.django_db
def test_reviews_that_find_no_room_leave_nothing_behind(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "reviews.jsonl"
    note = ReviewedNote("one", uuid4(), "x" * 10_000, "office", None, [], None, [], [], [])
    monkeypatch.setattr(export_reviews, "reviewed_notes", lambda: iter([note]))
    with files_end_after(500):
        said = run("export_reviews", str(file), "--phi")
    assert (said.code, said.text) == (1, f"{file} can't be written: File too large.")
    assert not file.exists()


@pytest.fixture
def heeds_control_c() -> Iterator[None]:
    """What is started heeds it, also where these tests run as a shell's background job, which ignores it."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("heeds_control_c")
def test_control_c_ends_a_command_in_one_word() -> None:
    with subprocess.Popen(
        [sys.executable, "manage.py", "import_payers", "-"],
        cwd=CHECKOUT,
        stdin=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as command:
        assert command.stdin
        assert command.stderr
        command.stdin.write("\n" * 100_000)  # more than a pipe holds: the command has begun to read it then
        command.stdin.flush()
        time.sleep(0.3)
        command.send_signal(signal.SIGINT)
        assert command.stderr.read() == "Interrupted.\n"
    assert command.returncode == 128 + signal.SIGINT
