"""Files taken in by hand: applied once, refused in words, never a crash."""

import os
import re
from pathlib import Path

import pytest

from claims import inbound
from claims.clearinghouse.port import FileKind
from claims.clearinghouse.port import InboundFile as Fetched
from claims.models import ClaimSignal, InboundFile, LedgerEntry, WorkItem
from tests.cast import Api
from tests.claims.process import run_until_quiet
from tests.claims.test_inbound import remittance, silent_claim
from tests.operations.running import result, run

pytestmark = pytest.mark.django_db
SAMPLES = Path(__file__).resolve().parents[3] / "shared" / "data" / "edi"
ENDINGS = {0, 4}


def test_every_sample_is_taken_in_without_a_crash() -> None:
    if not SAMPLES.is_dir():
        pytest.skip("The sample files are not beside the checkout.")
    files = sorted(str(path) for path in SAMPLES.rglob("*.edi"))
    said = result("ingest", *files)
    assert said.code in ENDINGS
    assert {row["state"] for row in said.document} <= {"applied", "partly", "refused", "known"}
    assert len(said.document) == len(files)
    assert not [row for row in said.document if "failed" in str(row["report"].get("sets"))]


def test_the_same_file_twice_counts_once(ready_api: Api, tmp_path: Path) -> None:
    path = _answer_of_sandbox(ready_api, tmp_path)
    before = ClaimSignal.objects.count()
    said = result("ingest", path)
    assert (said.code, said.document[0]["state"]) == (0, "known")
    assert ClaimSignal.objects.count() == before


def test_a_file_that_was_refused_is_told_as_such_and_applied_anew_when_asked(
    ready_api: Api, tmp_path: Path
) -> None:
    claim = silent_claim(ready_api)
    path = tmp_path / "paid.835"
    path.write_text(remittance(claim))
    fetched = Fetched("paid.835", path.read_bytes(), FileKind.X12, "paid.835")
    [file_id] = inbound.store("sandbox", [fetched])
    InboundFile.objects.update(attempts=inbound.MOST_TIMES_TAKEN)
    inbound.apply(file_id)
    for words in ((), ("--dry-run",)):
        said = result("ingest", str(path), *words)
        assert said.code == 4
        assert "broken off again and again" in said.document[0]["did"]
        assert "--again" in said.document[0]["did"]
    assert result("ingest", str(path), "--again", "--dry-run").document[0]["state"] == "would be applied"
    assert WorkItem.objects.filter(inbound_file=file_id, closed_at=None).exists()
    said = result("ingest", str(path), "--again")
    assert (said.code, said.document[0]["state"]) == (0, "applied")
    assert WorkItem.objects.get(inbound_file=file_id).outcome == "The file was applied anew."
    posted = LedgerEntry.objects.count()
    assert posted
    assert result("ingest", str(path), "--again").document[0]["state"] == "known"
    assert LedgerEntry.objects.count() == posted


def test_what_was_posted_of_a_file_is_not_posted_again(ready_api: Api, tmp_path: Path) -> None:
    claim = silent_claim(ready_api)
    path = tmp_path / "cut.835"
    path.write_text(remittance(claim).rpartition("IEA")[0])
    assert result("ingest", str(path)).document[0]["state"] == "partly"
    before = LedgerEntry.objects.count(), ClaimSignal.objects.count()
    said = result("ingest", str(path), "--again")
    assert (said.code, said.document[0]["state"]) == (4, "partly")
    assert before == (LedgerEntry.objects.count(), ClaimSignal.objects.count())
    assert WorkItem.objects.filter(inbound_file__name="cut.835", closed_at=None).count() == 1


def test_what_names_no_claim_still_waits_for_a_person_once_its_file_is_applied_anew(
    ready_api: Api, tmp_path: Path
) -> None:
    claim = silent_claim(ready_api)
    path = tmp_path / "cut.835"
    path.write_text(remittance(claim, number="NOBODYS1").rpartition("IEA")[0])
    result("ingest", str(path))
    result("ingest", str(path), "--again")
    assert WorkItem.objects.filter(queue="unmatched", closed_at=None).count() == 1


def test_a_file_with_an_answer_that_names_no_claim_ends_with_4_until_a_person_has_matched_it(
    ready_api: Api, tmp_path: Path
) -> None:
    claim = silent_claim(ready_api)
    path = tmp_path / "nobodys.835"
    path.write_text(remittance(claim, number="NOBODYS1"))
    said = result("ingest", str(path), "--dry-run")
    assert (said.code, said.document[0]["state"], said.document[0]["waiting"]) == (4, "would be applied", 1)
    assert not WorkItem.objects.filter(queue="unmatched").exists()
    for state in ("applied", "known"):
        said = result("ingest", str(path))
        assert (said.code, said.document[0]["state"], said.document[0]["waiting"]) == (4, state, 1)
        assert "1 waits for a person: manage.py match_remittance." in said.document[0]["did"]
    answer = ClaimSignal.objects.get(claim=None)
    assert run("match_remittance", str(answer.pk), "--claim", str(claim.pk)).code == 0
    said = result("ingest", str(path))
    assert (said.code, said.document[0]["state"], said.document[0]["waiting"]) == (0, "known", 0)


def test_a_dry_run_says_that_and_why_a_file_would_be_refused(tmp_path: Path) -> None:
    path = tmp_path / "letter.txt"
    path.write_text("Dear Sir")
    said = result("ingest", str(path), "--dry-run")
    assert (said.code, said.document[0]["state"]) == (4, "would be refused")
    assert said.document[0]["did"] == result("ingest", str(path)).document[0]["did"]


def test_a_dry_run_says_what_would_become_of_each_file(ready_api: Api, tmp_path: Path) -> None:
    known = _answer_of_sandbox(ready_api, tmp_path)
    fresh = tmp_path / "fresh.edi"
    fresh.write_text(re.sub(r"\*[0-9]{9}(?=\*[01]\*[TP]\*|~$)", "*000009999", Path(known).read_text()))
    assert fresh.read_text() != Path(known).read_text()
    before = ClaimSignal.objects.count(), InboundFile.objects.count(), WorkItem.objects.count()
    said = result("ingest", known, str(fresh), "--dry-run")
    assert [row["state"] for row in said.document] == ["known", "would be applied"]
    assert (said.code, said.document[1]["fileId"]) == (0, None)
    assert before == (ClaimSignal.objects.count(), InboundFile.objects.count(), WorkItem.objects.count())


def test_what_is_no_x12_ends_with_4_and_says_so(tmp_path: Path) -> None:
    path = tmp_path / "letter.txt"
    path.write_text("Dear Sir")
    said = result("ingest", str(path))
    assert (said.code, said.document[0]["state"]) == (4, "refused")


def test_a_name_that_is_too_long_for_one_ends_as_nothing_done() -> None:
    said = result("ingest", "x" * 300)
    assert said.code == 1
    assert said.document[0]["did"] == "It can't be read: File name too long."


@pytest.mark.parametrize("words", [(), ("--dry-run",)])
def test_files_that_can_not_be_opened_end_as_nothing_done(tmp_path: Path, words: tuple[str, ...]) -> None:
    said = result("ingest", str(tmp_path / "none.edi"), *words)
    assert (said.code, said.document[0]["state"]) == (3, "unreadable")
    assert result("ingest", str(tmp_path), *words).code == 1
    letter = tmp_path / "letter.txt"
    letter.write_text("Dear Sir")
    assert result("ingest", str(letter), str(tmp_path / "none.edi"), *words).code == 4


@pytest.mark.parametrize("words", [(), ("--dry-run",)])
def test_what_is_no_ordinary_file_is_not_waited_for(tmp_path: Path, words: tuple[str, ...]) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    for path in (str(pipe), str(tmp_path), "/dev/zero"):
        said = result("ingest", path, *words)
        assert (said.code, said.document[0]["state"]) == (1, "unreadable")
        assert said.document[0]["did"] == "It is no ordinary file: save what it gives as one first."
    assert not InboundFile.objects.exists()


def test_files_of_a_clearinghouse_that_is_not_in_use_are_refused(tmp_path: Path) -> None:
    assert run("ingest", str(tmp_path / "a"), "--gateway", "nowhere").code == 3


def test_files_of_a_clearinghouse_that_is_built_in_come_by_mail_too(tmp_path: Path) -> None:
    path = tmp_path / "letter.txt"
    path.write_text("Dear Sir")
    assert result("ingest", str(path), "--gateway", "sftp").code == 4
    assert InboundFile.objects.get().gateway == "sftp"


def _answer_of_sandbox(api: Api, tmp_path: Path) -> str:
    """One of the sandbox's answers, as a file that was applied already."""
    api.submitted()
    run_until_quiet()
    stored = InboundFile.objects.order_by("pk").first()
    assert stored is not None
    path = tmp_path / "again.edi"
    path.write_bytes(stored.content)
    return str(path)


def test_a_claim_file_is_refused_in_one_sentence(tmp_path: Path) -> None:
    path = tmp_path / "claims.edi"
    sets = "".join(f"ST*837*000{number}*005010X222A1~SE*2*000{number}~" for number in (1, 2))
    path.write_text(
        f"ISA*00*{'':10}*00*{'':10}*ZZ*{'A':15}*ZZ*{'B':15}*300120*1200*^*00501*000000009*0*T*:~"
        f"GS*HC*A*B*20300120*1200*9*X*005010X222A1~{sets}GE*2*9~IEA*1*000000009~"
    )
    said = run("ingest", str(path))
    assert said.code == 4
    assert said.text == (
        "claims.edi: refused. 837 0001, 0002: This is a claim file, and claims only go out from here.\n"
    )


def test_what_was_odd_about_a_file_is_noted(ready_api: Api, tmp_path: Path) -> None:
    text = Path(_answer_of_sandbox(ready_api, tmp_path)).read_text()
    path = tmp_path / "odd.edi"
    path.write_text(re.sub(r"(?<=[~\n])SE\*", "SE*9", text))
    assert "Noted: SE01 does not count" in run("ingest", str(path)).text


def test_a_file_whose_name_is_no_utf_8_is_taken_all_the_same(ready_api: Api, tmp_path: Path) -> None:
    path = tmp_path / "M\udcfcller.835"
    path.write_text(remittance(silent_claim(ready_api)))
    said = result("ingest", str(path))
    assert (said.code, said.document[0]["state"]) == (0, "applied")
    assert InboundFile.objects.latest("id").name == "M?ller.835"
