"""The partner guide: its examples run, its answers come, its page shows it."""

import json
import re
import subprocess
import threading
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.db import connection
from django.test import Client

from partners.api.parsing import Unreadable, read_json
from providers.sample_charges import load_sample_charges
from tests.cast import partner_api
from tests.claims.process import run_until_quiet
from tests.flows.test_openapi import description

GUIDE = settings.BASE_DIR / "docs" / "partner-guide.md"
PATIENCE_SECONDS = 90


def examples() -> list[tuple[str, Any]]:
    """Each command with the answer that the guide shows for it."""
    blocks = re.findall(r"```(bash|json)\n(.*?)```", GUIDE.read_text(), flags=re.DOTALL)
    assert [kind for kind, _ in blocks] == ["bash", "json"] * (len(blocks) // 2)
    commands = [text for kind, text in blocks if kind == "bash"]
    return list(zip(commands, [json.loads(text) for kind, text in blocks if kind == "json"], strict=True))


def fits(shown: Any, real: Any) -> bool:
    """Same keys and values; "…" stands for any, and a list shows its first entries."""
    if shown == "…":
        return isinstance(real, str) and real != ""
    if isinstance(shown, dict):
        return (
            isinstance(real, dict)
            and shown.keys() == real.keys()
            and all(fits(shown[name], real[name]) for name in shown)
        )
    if isinstance(shown, list):
        return isinstance(real, list) and len(shown) <= len(real) and all(map(fits, shown, real))
    return bool(shown == real)


class Worker(threading.Thread):
    """Does what worker and beat do, until told to stop."""

    def __init__(self) -> None:
        super().__init__(daemon=True)
        self.stopped = threading.Event()
        self.failure: Exception | None = None

    def run(self) -> None:
        try:
            while not self.stopped.wait(0.3):
                run_until_quiet()
        except Exception as error:
            self.failure = error
        finally:
            connection.close()


@pytest.mark.django_db(transaction=True)
def test_every_example_runs_and_answers_as_shown(base: str, tmp_path: Path, settings: Any) -> None:
    settings.SANDBOX_SPEED = 1e9
    load_sample_charges()
    partner_api("An earlier reader").onboarded()
    partner = partner_api("Reader", submission_delay=timedelta())
    script = ["set -eu"]
    for number, (command, _) in enumerate(examples()):
        script.append(f"{{\n{command}\n}} > {tmp_path}/{number}.json")
    worker = Worker()
    worker.start()
    try:
        finished = subprocess.run(
            ["bash", "-c", "\n".join(script)],
            env={"PATH": "/usr/local/bin:/usr/bin:/bin", "BASE": base, "KEY": partner.key},
            capture_output=True,
            text=True,
            timeout=PATIENCE_SECONDS,
            check=False,
        )
    finally:
        worker.stopped.set()
        worker.join()
    assert worker.failure is None
    assert finished.returncode == 0, finished.stderr
    for number, (command, shown) in enumerate(examples()):
        real = json.loads((tmp_path / f"{number}.json").read_text())
        assert fits(shown, real), f"{command}\n{json.dumps(real, indent=1)}"


def test_the_page_shows_the_guide() -> None:
    page = Client().get("/guide").content.decode()
    for heading in re.findall(
        r"^#+ (.+)$", re.sub(r"```.*?```", "", GUIDE.read_text(), flags=re.DOTALL), re.M
    ):
        assert f">{heading}</h" in page
    assert page.count("<pre>") == 2 * len(examples())
    assert "```" not in page
    assert "|---|" not in page


def test_every_rehearsal_is_in_the_guide() -> None:
    from tests.flows.test_main_job import test_the_member_id_rehearses_the_outcome as rehearsed

    cases = rehearsed.pytestmark[0].args[1]
    for member_id, *_ in cases:
        word = re.match("BAD999|[A-Z]+?(?=[0-9]|A3|$)", member_id)
        assert word is not None
        assert f"`{word[0]}`" in GUIDE.read_text()


@pytest.mark.parametrize(
    ("schema", "field"), [("ClaimSummary", "status"), ("Event", "type"), ("TimelineEntry", "type")]
)
def test_every_word_of_an_answer_is_in_the_guide(schema: str, field: str) -> None:
    shape = description()["components"]["schemas"][schema]["properties"][field]
    words = shape.get("enum") or shape["anyOf"][0]["enum"]
    assert [word for word in words if f"| `{word}` | " not in GUIDE.read_text()] == []


def test_the_guide_says_how_many_parts_a_body_may_have() -> None:
    [(kib, most)] = re.findall(r"values in a body of more than (\d+) KiB \| ([\d,]+) \|", GUIDE.read_text())
    longest = 1024 * int(kib)
    parts = int(most.replace(",", ""))

    def body(number: int, length: int) -> bytes:
        return (b"[" + b",".join([b"1"] * (number - 1)) + b"]").ljust(length)

    assert len(read_json(body(parts, longest + 1))) == parts - 1
    assert len(read_json(body(parts + 1, longest))) == parts
    with pytest.raises(Unreadable):
        read_json(body(parts + 2, longest + 1))


def test_the_interfaces_description_begins_with_the_guide() -> None:
    assert GUIDE.read_text() in description()["info"]["description"]
