"""The evidence file: exact bytes, differences, hashes that add up, and a record of the export."""

import hashlib
import io
import json
import zipfile
from pathlib import Path
from uuid import UUID

import pytest
from django.core.management import CommandError, call_command
from django.db import connection

from claims.desk.evidence import differences
from claims.intake import correct_and_resend
from claims.models import InboundFile, Transmission
from partners.models import AccessRecord
from sessions_app.submission import Correction
from tests.cast import Api
from tests.claims.admin.staff import ended, harborlight
from tests.claims.process import run_until_quiet
from tests.put_back import once


@pytest.fixture
def partner(db: None, settings: object) -> Api:
    """A test organization whose claims wait for nothing, in a sandbox whose month passes at once."""
    settings.SANDBOX_SPEED = 1e9
    return harborlight()


@pytest.fixture
def session_id(partner: Api) -> str:
    """A session whose claim was denied, corrected by staff and paid."""

    def corrected() -> str:
        made = ended(partner, "DENIED")
        correction = Correction(columns={"member_id": "PAID1", "patient_city": "Dallas"})
        correct_and_resend(made, correction=correction, user=None, reason="Wrong member ID.")
        run_until_quiet()
        return str(made)

    return once(corrected, "denied, corrected, paid")


def export(session_id: str, target: Path) -> dict[str, bytes]:
    call_command("export_evidence", session_id, "--to", str(target), stdout=io.StringIO())
    if target.suffix == ".zip":
        with zipfile.ZipFile(target) as archive:
            return {name: archive.read(name) for name in archive.namelist()}
    return {str(path.relative_to(target)): path.read_bytes() for path in target.rglob("*") if path.is_file()}


def test_it_holds_every_file_sent_and_received_byte_for_byte(session_id: str, tmp_path: Path) -> None:
    files = export(session_id, tmp_path / "evidence")
    sent = [content for path, content in sorted(files.items()) if "/sent/" in path and path.endswith(".x12")]
    assert sent == [row.content.encode() for row in Transmission.objects.order_by("created_at")]
    assert len(sent) == 2
    received = {content for path, content in files.items() if path.startswith("received/")}
    assert received == {bytes(row.content) for row in InboundFile.objects.all()}
    assert len(received) >= 4


def test_the_versions_differences_are_told(session_id: str, tmp_path: Path) -> None:
    files = export(session_id, tmp_path / "evidence.zip")
    told = {
        entry["path"]: (entry["before"], entry["after"])
        for entry in json.loads(files["claims/02/differences.json"])
    }
    assert ("DENIED", "PAID1") in told.values()
    assert any("Dallas".casefold() == str(after).casefold() for _, after in told.values())


def test_the_manifest_lists_every_file_and_its_chain_adds_up(session_id: str, tmp_path: Path) -> None:
    files = export(session_id, tmp_path / "evidence.zip")
    manifest = json.loads(files.pop("manifest.json"))
    chain = b"\0" * 32
    for entry in manifest["files"]:
        digest = hashlib.sha256(files.pop(entry["path"])).digest()
        assert entry["sha256"] == digest.hex()
        chain = hashlib.sha256(chain + entry["path"].encode() + b"\0" + digest).digest()
    assert files == {}
    assert manifest["chain"] == chain.hex()
    assert all(entry.get("asStored", True) for entry in manifest["files"])


def test_timeline_changes_answers_and_ledger_are_there(session_id: str, tmp_path: Path) -> None:
    files = export(session_id, tmp_path / "evidence.zip")
    for path in (
        "timeline.json",
        "changes-session.json",
        "changes-claims.json",
        "answers.json",
        "ledger.json",
    ):
        assert json.loads(files[path]), path


def test_an_answer_is_there_with_its_senders_own_words(partner: Api, tmp_path: Path) -> None:
    files = export(str(ended(partner, "REJECTED")), tmp_path / "evidence")
    words = [entry["words"] for entry in json.loads(files["answers.json"]) if entry["kind"] == "277CA"]
    assert words == [None, "MEMBER ID NOT ON FILE"]


def test_bytes_that_were_changed_are_told(session_id: str, tmp_path: Path) -> None:
    Transmission.objects.update(content="ISA*forged~")
    with pytest.raises(SystemExit) as ended:
        export(session_id, tmp_path / "evidence")
    assert ended.value.code == 4
    manifest = json.loads((tmp_path / "evidence" / "manifest.json").read_text())
    assert [
        entry["asStored"] for entry in manifest["files"] if "/sent/" in entry["path"] and "asStored" in entry
    ] == [
        False,
        False,
    ]


def test_the_export_is_recorded_and_readable_by_its_owner_alone(session_id: str, tmp_path: Path) -> None:
    export(session_id, tmp_path / "evidence.zip")
    record = AccessRecord.objects.filter(detail__startswith="export_evidence").get()
    assert record.session_ids == [UUID(session_id)]
    assert (tmp_path / "evidence.zip").stat().st_mode & 0o077 == 0


def test_whoever_was_sent_in_the_same_file_is_recorded_too(partner: Api, tmp_path: Path) -> None:
    alone = ended(partner, "PAIDALONE")
    together = [partner.submitted(patient__insurance__memberId=f"PAID{number}") for number in range(3)]
    run_until_quiet()
    export(together[1], tmp_path / "evidence")
    recorded = AccessRecord.objects.get(what="export").session_ids
    assert sorted(map(str, recorded)) == sorted(together)
    assert alone not in recorded


def test_a_name_from_outside_stays_in_the_folder(session_id: str, tmp_path: Path) -> None:
    with connection.cursor() as cursor:
        cursor.execute("UPDATE claims_inboundfile SET name = '../../../escaped-' || id")
    files = export(session_id, tmp_path / "evidence")
    assert not any(".." in Path(path).parts for path in files)
    assert not list(tmp_path.parent.glob("escaped*"))


def test_nothing_is_overwritten_and_an_unknown_session_is_told(session_id: str, tmp_path: Path) -> None:
    export(session_id, tmp_path / "evidence.zip")
    with pytest.raises(CommandError, match="there already"):
        export(session_id, tmp_path / "evidence.zip")
    with pytest.raises(CommandError):
        export("00000000-0000-4000-8000-000000000000", tmp_path / "other.zip")


def test_differences_name_paths_of_lists_and_objects() -> None:
    before = {"a": 1, "lines": [{"units": 1}, {"units": 2}], "gone": "x"}
    after = {"a": 1, "lines": [{"units": 3}], "new": "y"}
    assert differences(before, after) == [
        {"path": "lines.0.units", "before": 1, "after": 3},
        {"path": "lines.1", "before": {"units": 2}, "after": None},
        {"path": "gone", "before": "x", "after": None},
        {"path": "new", "before": None, "after": "y"},
    ]
