"""What every file of the project must keep to."""

import os
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

PROJECT = Path(__file__).resolve().parents[2]
NOT_OURS = {"__pycache__", "staticfiles"}
OURS_THOUGH_HIDDEN = {".ci"}
SOFT_CAP, HARD_CAP = 250, 400
# Written in halves: this file is read by the test too.
REGISTRY_HOSTS = (
    "pypi" + ".org",
    "python" + "hosted.org",
    "npm" + "js.org",
    "crates" + ".io",
)
MACHINE_PATH = re.compile(r"(?:^|[^\w.])/(?:work|root|farm|home/\w+|Users/\w+)/", re.MULTILINE)


def project_files() -> Iterator[Path]:
    for folder, folders, names in os.walk(PROJECT):
        folders[:] = [
            name
            for name in folders
            if name not in NOT_OURS and (not name.startswith(".") or name in OURS_THOUGH_HIDDEN)
        ]
        yield from (Path(folder) / name for name in names if not name.endswith((".pyc", ".log")))


def places_with(pattern: re.Pattern[str]) -> list[str]:
    """Where a line of a text file has it; only files that have it somewhere are read line by line."""
    found: list[str] = []
    for path in project_files():
        try:
            text = path.read_text()
        except UnicodeDecodeError:
            continue
        if pattern.search(text):
            lines = enumerate(text.splitlines(), start=1)
            found += [
                f"{path.relative_to(PROJECT)}:{number}" for number, line in lines if pattern.search(line)
            ]
    return found


def test_no_file_names_a_package_registry() -> None:
    assert places_with(re.compile("|".join(map(re.escape, REGISTRY_HOSTS)))) == []


def test_no_file_names_a_path_of_one_machine() -> None:
    assert places_with(MACHINE_PATH) == []


def test_modules_stay_under_the_hard_cap() -> None:
    modules = [
        path
        for path in project_files()
        if path.suffix == ".py" and not {"migrations", "tests", "benchmarks"} & set(path.parts)
    ]
    assert len(modules) > 20
    lengths = {str(path.relative_to(PROJECT)): len(path.read_text().splitlines()) for path in modules}
    assert {name: lines for name, lines in lengths.items() if lines > HARD_CAP} == {}


@pytest.mark.parametrize("banned", ["utils", "helpers", "common", "services"])
def test_no_module_has_a_name_that_says_nothing(banned: str) -> None:
    assert [path for path in project_files() if path.name == f"{banned}.py"] == []


def test_no_lock_of_uv_is_kept() -> None:
    assert not (PROJECT / "uv.lock").exists(), "it carries registry addresses"


def test_every_locked_package_has_a_hash() -> None:
    for lock in (PROJECT / "requirements").glob("*.txt"):
        for entry in re.split(r"\n(?=\S)", lock.read_text().strip()):
            assert "--hash=sha256:" in entry, f"{lock.name}: {entry}"
