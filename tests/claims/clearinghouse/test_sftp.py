"""The SFTP gateway against a real server."""

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from itertools import count
from pathlib import Path

import asyncssh
import pytest

from claims.clearinghouse import sftp
from claims.clearinghouse.port import (
    ClearinghouseError,
    FileKept,
    FileKind,
    NotFound,
    Outcome,
    Receipt,
    Unknown,
)
from claims.clearinghouse.sftp import SftpClearinghouse, SftpSettings
from claims.clearinghouse.sftp_session import private_key_of
from tests.claims.clearinghouse.cast import claim_of, submission_of
from tests.claims.clearinghouse.sftp_server import PASSWORD, SftpServer

INTERCHANGE = submission_of(claim_of()).x12.encode().rstrip()


@pytest.fixture
def server(tmp_path: Path) -> Iterator[SftpServer]:
    with SftpServer(tmp_path).running() as server:
        yield server


@pytest.fixture
def settings(server: SftpServer) -> SftpSettings:
    return server.settings


@pytest.fixture
def gateway(settings: SftpSettings) -> Iterator[SftpClearinghouse]:
    gateway = SftpClearinghouse(settings)
    yield gateway
    gateway.close()


def test_a_file_arrives_whole_under_its_name(server: SftpServer, gateway: SftpClearinghouse) -> None:
    submission = submission_of(claim_of(), claim_of())
    assert gateway.submit(submission) == Receipt(reference=submission.file_name, mode="test")
    assert server.uploaded() == [submission.file_name]
    assert (server.root / "upload" / submission.file_name).read_text() == submission.x12


def test_a_file_that_was_picked_up_is_not_sent_again(server: SftpServer, gateway: SftpClearinghouse) -> None:
    submission = submission_of(claim_of())
    gateway.submit(submission)
    server.pick_up()
    gateway.submit(submission)
    assert [path.parent.name for path in server.delivered()] == ["processed"]


def test_before_the_rename_nothing_is_handed_over(server: SftpServer, gateway: SftpClearinghouse) -> None:
    server.faults.append("hang up before")
    submission = submission_of(claim_of())
    with pytest.raises(ClearinghouseError) as failure:
        gateway.submit(submission)
    assert failure.value.outcome is Outcome.UNKNOWN
    assert gateway.find(submission) == NotFound()
    gateway.submit(submission)
    assert server.uploaded() == [submission.file_name]


def test_after_the_rename_it_is_found(server: SftpServer, gateway: SftpClearinghouse) -> None:
    server.faults.append("hang up after")
    submission = submission_of(claim_of())
    with pytest.raises(ClearinghouseError) as failure:
        gateway.submit(submission)
    assert failure.value.outcome is Outcome.UNKNOWN
    server.pick_up()
    assert gateway.find(submission) == Receipt(reference=submission.file_name, mode="test")


def test_without_a_folder_of_processed_files_an_absent_name_proves_nothing(
    server: SftpServer, settings: SftpSettings
) -> None:
    gateway = SftpClearinghouse(replace(settings, processed_directory=""))
    assert not gateway.capabilities.can_find
    assert gateway.find(submission_of(claim_of())) == Unknown()
    gateway.close()


def test_while_the_temporary_file_is_there_nothing_was_handed_over(
    server: SftpServer, settings: SftpSettings
) -> None:
    gateway = SftpClearinghouse(replace(settings, processed_directory=""))
    submission = submission_of(claim_of())
    (server.root / "upload" / f".{submission.file_name}.part").write_text("half of")
    assert gateway.find(submission) == NotFound()
    gateway.close()


@pytest.mark.parametrize(("moment", "code"), [("open", "server_failure"), ("write", "upload_incomplete")])
def test_a_server_without_room_is_told_and_nothing_is_handed_over(
    server: SftpServer, gateway: SftpClearinghouse, moment: str, code: str
) -> None:
    server.full_at = moment
    submission = submission_of(claim_of())
    with pytest.raises(ClearinghouseError) as failure:
        gateway.submit(submission)
    assert (failure.value.code, failure.value.outcome) == (code, Outcome.NOT_TAKEN)
    assert server.delivered() == []
    server.full_at = ""
    gateway.submit(submission)
    assert server.uploaded() == [submission.file_name]


def test_a_refused_rename_is_permanent(server: SftpServer, gateway: SftpClearinghouse) -> None:
    server.faults.append("refuse")
    with pytest.raises(ClearinghouseError) as failure:
        gateway.submit(submission_of(claim_of()))
    assert (failure.value.code, failure.value.outcome) == ("forbidden", Outcome.PERMANENT)


def test_another_host_key_ends_the_call_before_the_login(server: SftpServer, settings: SftpSettings) -> None:
    other = asyncssh.generate_private_key("ssh-ed25519").export_public_key().decode().strip()
    gateway = SftpClearinghouse(replace(settings, host_key=other))
    with pytest.raises(ClearinghouseError) as failure:
        gateway.submit(submission_of(claim_of()))
    assert (failure.value.code, failure.value.outcome) == ("host_key_mismatch", Outcome.PERMANENT)
    assert server.logins == 0


def test_a_host_key_of_another_kind_is_a_mismatch_too(server: SftpServer, settings: SftpSettings) -> None:
    other = asyncssh.generate_private_key("ecdsa-sha2-nistp256").export_public_key().decode().strip()
    with pytest.raises(ClearinghouseError, match="host_key_mismatch"):
        SftpClearinghouse(replace(settings, host_key=other)).fetch("")


@pytest.mark.parametrize("line", ["", "nonsense", "ssh-ed25519 AAAA", "ssh-ed25519 cut-off"])
def test_an_unreadable_host_key_is_permanent(settings: SftpSettings, line: str) -> None:
    with pytest.raises(ClearinghouseError) as failure:
        SftpClearinghouse(replace(settings, host_key=line)).fetch("")
    assert failure.value.outcome is Outcome.PERMANENT


def test_a_wrong_password_is_permanent(settings: SftpSettings) -> None:
    with pytest.raises(ClearinghouseError) as failure:
        SftpClearinghouse(replace(settings, password="guess")).fetch("")
    assert (failure.value.code, failure.value.outcome) == ("unauthorized", Outcome.PERMANENT)


def test_a_private_key_serves_as_well(server: SftpServer, settings: SftpSettings) -> None:
    gateway = SftpClearinghouse(replace(settings, password="", private_key=server.client_key_pem))
    assert gateway.fetch("").files == ()
    gateway.close()


def test_an_unreadable_private_key_is_permanent(settings: SftpSettings) -> None:
    with pytest.raises(ClearinghouseError, match="private_key_unreadable"):
        SftpClearinghouse(replace(settings, private_key="nonsense")).fetch("")


@pytest.mark.parametrize(("kind", "form"), [("ssh-rsa", "pkcs1-pem"), ("ssh-ed25519", "openssh")])
def test_a_private_key_with_a_wrong_letter_ends_in_no_other_error(kind: str, form: str) -> None:
    pem = asyncssh.generate_private_key(kind).export_private_key(form).decode()
    begin, end = pem.index("\n") + 1, pem.rindex("\n-----")
    for place in range(begin, end, (end - begin) // 40):
        spoiled = pem[:place] + ("A" if pem[place] != "A" else "B") + pem[place + 1 :]
        with suppress(ClearinghouseError):
            private_key_of(spoiled)


def test_a_missing_folder_is_permanent(settings: SftpSettings) -> None:
    with pytest.raises(ClearinghouseError) as failure:
        SftpClearinghouse(replace(settings, download_directory="/nowhere")).fetch("")
    assert (failure.value.code, failure.value.outcome) == ("no_such_directory", Outcome.PERMANENT)


def test_nobody_there_is_not_taken(settings: SftpSettings) -> None:
    with pytest.raises(ClearinghouseError) as failure:
        SftpClearinghouse(replace(settings, port=1)).submit(submission_of(claim_of()))
    assert failure.value.outcome is Outcome.NOT_TAKEN


def test_a_private_address_is_refused_outside_development(settings: SftpSettings) -> None:
    with pytest.raises(ClearinghouseError) as failure:
        SftpClearinghouse(replace(settings, allow_private=False)).fetch("")
    assert (failure.value.code, failure.value.outcome) == ("address_refused", Outcome.PERMANENT)


def test_answers_come_oldest_first_and_leave_once_stored(
    server: SftpServer, gateway: SftpClearinghouse
) -> None:
    server.put("b.999", b"newer", age=10)
    server.put("a.835", b"newest")
    server.put("c.277", b"oldest", age=20)
    fetched = gateway.fetch("")
    assert [(file.name, file.content, file.kind) for file in fetched.files] == [
        ("c.277", b"oldest", FileKind.X12),
        ("b.999", b"newer", FileKind.X12),
        ("a.835", b"newest", FileKind.X12),
    ]
    gateway.acknowledge(fetched.files[0])
    gateway.acknowledge(fetched.files[0])
    assert [file.name for file in gateway.fetch(fetched.next_cursor).files] == ["b.999", "a.835"]


def test_stored_files_are_archived_where_there_is_an_archive(
    server: SftpServer, settings: SftpSettings
) -> None:
    gateway = SftpClearinghouse(replace(settings, archive_directory="/archive"))
    for content in (b"first", b"second of that name"):
        server.put("same.835", content)
        gateway.acknowledge(gateway.fetch("").files[0])
    gateway.close()
    contents = sorted(path.read_bytes() for path in (server.root / "archive").iterdir())
    assert contents == [b"first", b"second of that name"]


def test_a_file_replaced_under_its_name_is_not_thrown_away(
    server: SftpServer, gateway: SftpClearinghouse
) -> None:
    server.put("report.277", b"read")
    (file,) = gateway.fetch("").files
    server.put("report.277", b"came since")
    gateway.acknowledge(file)
    assert [file.content for file in gateway.fetch("").files] == [b"came since"]


def test_folders_hidden_and_unfinished_files_are_left_alone(
    server: SftpServer, gateway: SftpClearinghouse
) -> None:
    for name in (".hidden", "half.835.part", "half.tmp"):
        server.put(name, b"x")
    (server.root / "download" / "folder").mkdir()
    (server.root / "download" / "link").symlink_to(server.root / "upload")
    assert gateway.fetch("").files == ()


@pytest.mark.parametrize(
    "begun", [b"", b"IS", INTERCHANGE[:300], INTERCHANGE[:-1], INTERCHANGE + INTERCHANGE[:200]]
)
def test_a_file_that_is_still_being_written_is_left_until_it_is_whole(
    server: SftpServer, settings: SftpSettings, begun: bytes
) -> None:
    now = [1000.0]
    gateway = SftpClearinghouse(settings, monotonic=lambda: now[0])
    server.put("half.835", begun, age=60)
    server.put("whole.835", INTERCHANGE, age=30)
    assert [file.name for file in gateway.fetch("").files] == ["whole.835"]
    now[0] += sftp.UNFINISHED_SECONDS / 2
    assert [file.name for file in gateway.fetch("").files] == ["whole.835"]
    server.put("half.835", INTERCHANGE + b"\r\n\x1a", age=60)
    assert [file.name for file in gateway.fetch("").files] == ["half.835", "whole.835"]
    gateway.close()


def test_a_file_that_stays_cut_off_is_fetched_all_the_same(
    server: SftpServer, settings: SftpSettings
) -> None:
    now = [1000.0]
    gateway = SftpClearinghouse(settings, monotonic=lambda: now[0])
    server.put("cut.835", INTERCHANGE[:300], age=60)
    assert gateway.fetch("").files == ()
    now[0] += sftp.UNFINISHED_SECONDS
    assert [file.content for file in gateway.fetch("").files] == [INTERCHANGE[:300]]
    gateway.close()


def test_many_files_come_in_several_fetches(server: SftpServer, gateway: SftpClearinghouse) -> None:
    for number in range(130):
        server.put(f"{number:03}.999", b"x", age=1000 - number)
    first = gateway.fetch("")
    for file in first.files:
        gateway.acknowledge(file)
    rest = gateway.fetch(first.next_cursor)
    assert (len(first.files), first.more, len(rest.files), rest.more) == (100, True, 30, False)


def test_files_that_take_long_are_handed_over_a_few_at_a_time(
    server: SftpServer, settings: SftpSettings
) -> None:
    now = count(1000.0, sftp.LONGEST_FETCH * 0.3)
    gateway = SftpClearinghouse(settings, monotonic=lambda: next(now))
    for number in range(5):
        server.put(f"{number}.999", b"x", age=1000 - number)
    came, more = [], True
    while more:
        fetched = gateway.fetch("")
        for file in fetched.files:
            gateway.acknowledge(file)
        came.append([file.name for file in fetched.files])
        more = fetched.more
    assert len(came) > 1
    assert [name for names in came for name in names] == [f"{number}.999" for number in range(5)]
    gateway.close()


def test_a_file_that_can_not_be_read_keeps_no_other_back(
    server: SftpServer, gateway: SftpClearinghouse
) -> None:
    server.put("a.999", b"x", age=30)
    server.put("DOE JANE.835", b"unreadable", age=20)
    server.put("c.999", b"y", age=10)
    server.unreadable.add("DOE JANE.835")
    fetched = gateway.fetch("")
    assert [file.name for file in fetched.files] == ["a.999", "c.999"]
    [left] = fetched.left
    assert left.startswith("10 bytes of 2")
    assert left.endswith("can't be read")
    assert "JANE" not in left
    assert server.logins == 1
    server.unreadable.clear()
    assert "DOE JANE.835" in [file.name for file in gateway.fetch("").files]


def test_files_that_can_not_be_taken_away_keep_no_other_back(
    server: SftpServer, settings: SftpSettings
) -> None:
    now = [0.0]
    gateway = SftpClearinghouse(settings, monotonic=lambda: now[0])
    for number in range(120):
        server.put(f"{number:03}.999", b"x", age=1000 - number)
        server.immovable.add(f"{number:03}.999")
    first = gateway.fetch("")
    for file in first.files:
        with pytest.raises(FileKept, match="can't be taken away"):
            gateway.acknowledge(file)
    rest = gateway.fetch(first.next_cursor)
    assert (len(first.files), first.more, len(rest.files), rest.more) == (100, True, 20, False)
    assert len(rest.left) == 100
    server.immovable.clear()
    now[0] = 3601
    again = gateway.fetch("")
    assert len(again.files) == 100
    gateway.acknowledge(again.files[0])
    assert len(gateway.fetch("").left) == 99
    gateway.close()


def test_a_file_whose_archive_is_not_there_is_told(server: SftpServer, settings: SftpSettings) -> None:
    gateway = SftpClearinghouse(replace(settings, archive_directory="/nowhere"))
    server.put("a.835", b"x")
    [file] = gateway.fetch("").files
    with pytest.raises(FileKept):
        gateway.acknowledge(file)
    gateway.close()


def test_a_file_whose_name_is_not_utf_8_keeps_no_other_back(
    server: SftpServer, gateway: SftpClearinghouse
) -> None:
    server.put("PE\udcd1A.835", b"late")
    server.put("other.835", b"other")
    fetched = gateway.fetch("")
    assert [file.content for file in fetched.files] == [b"other"]
    (left,) = fetched.left
    assert left.startswith("4 bytes of ")
    assert left.endswith(" has a name that is not UTF-8")


def test_a_file_that_is_too_large_is_told(
    server: SftpServer, gateway: SftpClearinghouse, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sftp, "LARGEST_FILE", 3)
    server.put("large.835", b"xxxx")
    fetched = gateway.fetch("")
    assert (fetched.files, fetched.more) == ((), False)
    assert fetched.left[0].endswith("is larger than 3 bytes")


def test_calls_in_a_row_share_a_session_until_it_rested(server: SftpServer, settings: SftpSettings) -> None:
    now = [0.0]
    gateway = SftpClearinghouse(settings, monotonic=lambda: now[0])
    gateway.fetch("")
    gateway.fetch("")
    assert server.logins == 1
    now[0] = 31
    gateway.fetch("")
    assert server.logins == 2
    gateway.close()


def test_the_settings_do_not_show_their_secrets(settings: SftpSettings) -> None:
    shown = repr(replace(settings, private_key="-----BEGIN"))
    assert PASSWORD not in shown
    assert "BEGIN" not in shown
