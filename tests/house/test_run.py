"""`make run` from nothing to READY, twice, in a copy of the project, and what stays behind: nothing."""

import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from config.local.place import place_of

PROJECT = Path(__file__).resolve().parents[2]
LEFT_OUT = shutil.ignore_patterns(".*", "tests", "staticfiles")


@dataclass
class Run:
    """One run of the service in the copy, and all that it printed until it was ready."""

    process: subprocess.Popen[str]
    output: str

    @property
    def keys(self) -> list[str]:
        return re.findall(r"bk_test_\w+(?=  )", self.output)


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    folder = tmp_path_factory.mktemp("project") / "copy"
    shutil.copytree(PROJECT, folder, ignore=LEFT_OUT)
    yield folder
    shutil.rmtree(place_of(folder, purpose="demo").base, ignore_errors=True)


def start(copy: Path) -> Run:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    process = subprocess.Popen(
        [sys.executable, "-m", "config.local.run"],
        cwd=copy,
        env={"PATH": os.environ["PATH"], "HOME": str(copy), "PORT": str(port)},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    assert process.stdout is not None
    lines: list[str] = []
    for line in process.stdout:
        lines.append(line)
        if line.startswith("READY"):
            break
    return Run(process=process, output="".join(lines))


def processes_of(copy: Path) -> list[str]:
    """Command lines of living processes that work in the copy or in its servers' folders."""
    folders = (str(copy), str(place_of(copy, purpose="demo").base))
    found = []
    for entry in Path("/proc").iterdir():
        try:
            if entry.name.isdigit() and os.readlink(entry / "cwd").startswith(folders):
                found.append((entry / "cmdline").read_text().replace("\0", " "))
        except OSError:
            continue  # it has ended meanwhile, or is somebody else's
    return found


def wait_until_gone(copy: Path) -> list[str]:
    deadline = time.monotonic() + 30
    while processes_of(copy) and time.monotonic() < deadline:
        time.sleep(0.2)
    return processes_of(copy)


@pytest.mark.timeout(600)
def test_a_newcomer_sees_the_main_job_and_nothing_stays_behind(copy: Path) -> None:
    first = start(copy)
    try:
        assert re.search(
            r"^READY base=http://127\.0\.0\.1:\d+ seconds=\d+\.\d$", first.output, re.MULTILINE
        ), first.output
        assert len(re.findall(r"#\d  claim\.paid +paid ", first.output)) >= 2
        assert re.search(r"#\d  claim\.denied +denied ", first.output)
        assert first.output.count("default correction window") == 2
        assert first.output.count("locks at once") >= 1
        assert len(set(first.keys)) == 3
        assert "201" in submit_as_printed(first.output)
        assert partner_made_in_another_terminal(copy)["mode"] == "test"
    finally:
        first.process.terminate()
        rest, _nothing = first.process.communicate(timeout=60)
    assert first.process.returncode == 0, rest
    assert processes_of(copy) == []

    second = start(copy)
    try:
        assert second.keys == first.keys
        assert "already_exists" in second.output
    finally:
        second.process.send_signal(signal.SIGKILL)
        second.process.communicate(timeout=60)
    assert wait_until_gone(copy) == []


def submit_as_printed(output: str) -> str:
    """Paste the printed line into a shell and return the status of the answer."""
    if shutil.which("curl") is None:
        pytest.skip("curl is not installed")
    line = next(line for line in output.splitlines() if line.startswith("curl "))
    pasted = subprocess.run(
        ["/bin/sh", "-c", f"{line} -o /dev/null -w '%{{http_code}}'"],
        capture_output=True,
        text=True,
        check=True,
    )
    return pasted.stdout


def partner_made_in_another_terminal(copy: Path) -> dict[str, str]:
    """Run a management command with an empty environment, as from a second terminal."""
    made = subprocess.run(
        [sys.executable, "manage.py", "create_partner", "Second Terminal", "--json"],
        cwd=copy,
        env={},
        capture_output=True,
        text=True,
        check=True,
    )
    answer: dict[str, str] = json.loads(made.stdout)
    return answer
