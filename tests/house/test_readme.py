"""What the README and the development page name is there."""

import re
from pathlib import Path

import pytest
from django.core.management import get_commands

PROJECT = Path(__file__).resolve().parents[2]
PAGES = (PROJECT / "README.md", PROJECT / "docs" / "development.md")
each_page = pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem.lower())
READ_BY = [
    PROJECT / "Procfile",
    PROJECT / "config" / "settings.py",
    *(PROJECT / "config" / "local").glob("*.py"),
    PROJECT / "tests" / "faults" / "test_faults.py",
]
# Names in capitals that are no variables of ours.
OTHER_CAPITALS = {"KEY", "READY", "SESSION_ID", "CLEARINGHOUSE"}


@each_page
def test_links_lead_somewhere(page: Path) -> None:
    links = re.findall(r"\]\((?!http)([^)#]+)", page.read_text())
    assert [link for link in links if not (page.parent / link).exists()] == []


@each_page
def test_make_targets_exist(page: Path) -> None:
    targets = set(re.findall(r"^([a-z]+):", (PROJECT / "Makefile").read_text(), flags=re.MULTILINE))
    named = set(re.findall(r"(?:`|^ {4})make ([a-z]+)", page.read_text(), flags=re.MULTILINE))
    assert named
    assert named <= targets


@each_page
def test_management_commands_exist(page: Path) -> None:
    assert set(re.findall(r"manage\.py ([a-z_0-9]+)", page.read_text())) <= get_commands().keys()


@each_page
def test_variables_are_read_somewhere(page: Path) -> None:
    known = "".join(path.read_text() for path in READ_BY)
    named = set(re.findall(r"`([A-Z][A-Z_]+)\b", page.read_text()))
    assert len(named) > 5
    assert {name for name in named - OTHER_CAPITALS if name not in known} == set()
