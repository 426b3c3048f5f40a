"""The runbook: every command in it exists and takes the arguments that it is given there."""

import re
import shlex
from pathlib import Path

import pytest
from django.core.management import get_commands, load_command_class

CHECKOUT = Path(__file__).resolve().parents[2]
PAGES = sorted((CHECKOUT / "docs" / "runbook").glob("*.md"))
FENCED = re.compile(r"^manage\.py (.+)$", re.MULTILINE)
INLINE = re.compile(r"`manage\.py ([^`]+)`")
LINK = re.compile(r"\]\(([a-z0-9-]+\.md)\)")
OTHER = re.compile(r"`(docs/[a-z0-9./-]+)`")


def commands(page: Path) -> list[str]:
    text = page.read_text()
    found = FENCED.findall(text) + INLINE.findall(text.replace("\n", " "))
    return [" ".join(each.split()) for each in found]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_commands_can_be_run_as_they_stand(page: Path) -> None:
    for line in commands(page):
        name, *arguments = shlex.split(line)
        if arguments == ["--help"]:
            continue
        command = load_command_class(get_commands()[name], name)
        parser = command.create_parser("manage.py", name)
        parser.parse_args(arguments)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_pages_point_to_what_is_there(page: Path) -> None:
    text = page.read_text()
    assert [name for name in LINK.findall(text) if not (page.parent / name).is_file()] == []
    assert [name for name in OTHER.findall(text) if not (CHECKOUT / name).exists()] == []


def test_the_index_lists_every_page() -> None:
    listed = set(LINK.findall((CHECKOUT / "docs" / "runbook" / "README.md").read_text()))
    assert listed == {page.name for page in PAGES} - {"README.md"}


def test_what_may_have_left_is_held_before_anything_is_asked_or_started() -> None:
    page = CHECKOUT / "docs" / "runbook" / "restore.md"
    named = [line.split()[0] for line in commands(page)]
    assert named.index("after_restore") < named.index("poll_clearinghouse")
    for text in (page.read_text(), (CHECKOUT / "docs" / "backup.md").read_text()):
        assert "Start web" not in text.split("after_restore`")[0]
