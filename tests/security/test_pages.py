"""What the security pages name exists."""

import re
from pathlib import Path

import pytest
from django.conf import settings
from django.core.management import get_commands

ROOT = Path(settings.BASE_DIR)
PAGES = ("SECURITY.md", "docs/threat-model.md", "docs/hipaa.md")


@pytest.mark.parametrize("page", PAGES)
def test_every_file_and_link_is_there(page: str) -> None:
    text = (ROOT / page).read_text()
    files = re.findall(r"`([a-z_]+(?:/[a-z_0-9]+)+\.py)`", text)
    links = re.findall(r"\]\(([^)#]+)\)", text)
    missing = [name for name in files if not (ROOT / name).is_file()]
    missing += [name for name in links if not ((ROOT / page).parent / name).exists()]
    assert missing == []
    assert files or links or page == "docs/threat-model.md"


@pytest.mark.parametrize("page", PAGES)
def test_every_command_and_make_target_is_there(page: str) -> None:
    text = (ROOT / page).read_text()
    assert set(re.findall(r"manage\.py (\w+)", text)) <= set(get_commands())
    targets = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(), flags=re.MULTILINE))
    assert set(re.findall(r"`make ([a-z]+)`", text)) <= targets


def test_every_package_of_production_has_a_licence_listed() -> None:
    """After a change of the lock: `make licences`; packages of other platforms are left out."""
    lock = (ROOT / "requirements" / "production.txt").read_text()
    locked = re.findall(r"^([A-Za-z0-9._-]+)(?:\[[^\]]*\])?==[^; ]+ *\\?$", lock, re.MULTILINE)
    listed = re.findall(
        r"^\| ([A-Za-z0-9._-]+) \|", (ROOT / "docs" / "licences.md").read_text(), re.MULTILINE
    )
    assert {_plain(name) for name in locked} - {_plain(name) for name in listed} == set()
    assert len(locked) > 40


def _plain(name: str) -> str:
    return name.lower().replace("_", "-")
