"""The Makefile's help, the Procfile, and what `make run` says when it can't."""

import os
import re
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest

from config.local.place import LocalServersError
from config.local.procfile import Processes, read_procfile
from config.local.run import hold_port

PROJECT = Path(__file__).resolve().parents[2]
SCREEN_LINES = 24


def run_with(**environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "config.local.run"],
        cwd=PROJECT,
        env={"PATH": "/usr/bin:/bin", **environment},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


def test_help_lists_every_target_in_one_screen() -> None:
    targets = re.findall(r"^([a-z]+):", (PROJECT / "Makefile").read_text(), flags=re.MULTILINE)
    shown = subprocess.run(["make", "help"], cwd=PROJECT, capture_output=True, text=True, check=True).stdout
    assert targets
    assert re.findall(r"^  make (\w+) +\S", shown, flags=re.MULTILINE) == targets
    assert len(shown.splitlines()) <= SCREEN_LINES


def test_the_procfile_names_all_that_production_runs() -> None:
    assert list(read_procfile(PROJECT / "Procfile")) == ["release", "web", "worker", "gateways", "beat"]


def test_a_taken_port_ends_the_run_in_one_sentence() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        finished = run_with(PORT=str(taken.getsockname()[1]))
    assert finished.returncode == 1
    assert finished.stdout == ""
    assert re.fullmatch(r"Port \d+ can't be used .*PORT=8001\n", finished.stderr)


def test_a_port_on_which_another_run_is_about_to_serve_is_refused() -> None:
    port = os.getpid()  # a name only
    with hold_port(port), pytest.raises(LocalServersError, match="is another `make run`'s"):
        hold_port(port)
    hold_port(port).close()


@pytest.mark.parametrize("port", ["eighty", "0", "70000", "-1"])
def test_a_port_that_is_none_ends_the_run_in_one_sentence(port: str) -> None:
    finished = run_with(PORT=port)
    assert finished.returncode == 1
    assert finished.stderr == f"PORT is {port!r}; it must be a number from 1 to 65535.\n"


def test_a_data_folder_that_can_not_be_made_ends_the_run_in_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = str(free.getsockname()[1])
    finished = run_with(PORT=port, DATA_DIR=str(tmp_path / "file" / "data"))
    assert finished.returncode == 1
    assert len(finished.stderr.splitlines()) == 1


def test_a_process_that_dies_is_started_again_and_all_stop_together(tmp_path: Path) -> None:
    serving = Processes(checkout=tmp_path, environment={"PATH": "/usr/bin:/bin"}, log_folder=tmp_path)
    serving.start("web", "sleep 60")
    serving.start("worker", "true")
    deadline = time.monotonic() + 10
    sentences: list[str] = []
    while not sentences and time.monotonic() < deadline:
        sentences = serving.restart_ended()
        time.sleep(0.05)
    assert [sentence.partition(" ")[0] for sentence in sentences] == ["worker"]
    started = [running.process for running in serving.running]
    serving.stop()
    assert all(process.poll() is not None for process in started)


def test_a_port_that_the_last_run_has_left_is_free() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        address = server.getsockname()
        visitor = socket.create_connection(address)
        served, _ = server.accept()
        served.close()  # the side that closes first keeps the address for a minute
        visitor.close()
    finished = run_with(PORT=str(address[1]), DATA_DIR="/dev/null/no-folder")
    assert "DATA_DIR" in finished.stderr
