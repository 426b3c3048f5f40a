"""The code set of the official tabular list, packed once a session into a temporary file."""

import fcntl
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from billing.notes.coder import code_note
from billing.notes.codeset import CodeSet, read_codeset, write_codeset
from billing.notes.result import NoteResult

RELEASE = "FY2026-April"


@pytest.fixture(scope="session")
def codeset_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The tabular list of the package `simple-icd-10-cm` in the compact form, made by one process for all."""
    target = tmp_path_factory.getbasetemp().parent / "codeset-for-tests.bin"
    with target.with_suffix(".lock").open("w") as one_at_a_time:
        fcntl.flock(one_at_a_time, fcntl.LOCK_EX)
        if not target.exists():
            import simple_icd_10_cm as tabular

            rows = [
                (code, tabular.is_leaf(code), tabular.get_description(code))
                for code in tabular.get_all_codes(True)
                if "-" not in code and len(code) >= 3 and not code.isdigit()
            ]
            draft = target.with_suffix(".draft")
            write_codeset(draft, CodeSet.from_rows(rows, release=RELEASE))
            draft.replace(target)
    return target


@pytest.fixture(scope="session")
def codes(codeset_file: Path) -> CodeSet:
    """The code set, unpacked."""
    return read_codeset(codeset_file)


@pytest.fixture(scope="session")
def code(codes: CodeSet) -> Callable[..., NoteResult]:
    """Code a note with the request's place and minutes left to the test."""

    def run(
        text: str, *, place: str | None = "office", minutes: int | None = None, **more: Any
    ) -> NoteResult:
        return code_note(text, place=place, duration_minutes=minutes, codes=codes, **more)

    return run


@pytest.fixture(scope="session")
def development_notes() -> list[dict[str, Any]]:
    """The development set that lies beside the project."""
    path = Path(__file__).resolve().parents[4] / "shared" / "data" / "notes_dev.jsonl"
    if not path.exists():
        pytest.skip("the development notes are not beside the project")
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def written_notes(name: str) -> list[dict[str, Any]]:
    """One file of the notes written for this project."""
    path = Path(__file__).parent / "written" / f"{name}.jsonl"
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
