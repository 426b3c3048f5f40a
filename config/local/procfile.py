"""Runs the Procfile's own commands, keeps them running and ends them in order."""

import os
import re
import signal
import subprocess
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path

from config.local import processes

RESTART_SECONDS = 2.0


def read_procfile(path: Path) -> dict[str, str]:
    """Return the commands by process name, in the order of the file."""
    lines = (re.fullmatch(r"([a-z]+): *(.+)", line) for line in path.read_text().splitlines())
    return {line[1]: line[2] for line in lines if line}


def shell_command(command: str) -> list[str]:
    """Let a shell fill in variables and then become the command, so that signals reach it."""
    return ["/bin/sh", "-c", f"exec {command}"]


def environment_for(located: dict[str, str], *, checkout: Path) -> dict[str, str]:
    """Return the environment of the service's processes: this one's, the addresses, the programs of .venv."""
    programs = Path(sys.executable).parent
    path = f"{programs}{os.pathsep}{os.environ.get('PATH', os.defpath)}"
    return {**os.environ, **located, "PATH": path, "PYTHONPATH": str(checkout), "PYTHONUNBUFFERED": "1"}


@dataclass
class Running:
    """One process of the Procfile."""

    name: str
    command: str
    process: subprocess.Popen[bytes]
    started: float = field(default_factory=time.monotonic)


class Processes:
    """The processes that serve: started together, restarted when one dies, stopped together."""

    def __init__(self, *, checkout: Path, environment: dict[str, str], log_folder: Path) -> None:
        self.checkout = checkout
        self.environment = environment
        self.log_folder = log_folder
        self.running: list[Running] = []

    def start(self, name: str, command: str) -> None:
        self.log_of(name).unlink(missing_ok=True)
        self.running.append(Running(name=name, command=command, process=self._launch(name, command)))

    def restart_ended(self) -> list[str]:
        """Start again what ended by itself; return a sentence for each."""
        sentences = []
        for running in self.running:
            code = running.process.poll()
            if code is not None and time.monotonic() - running.started > RESTART_SECONDS:
                log = self.log_of(running.name)
                sentences.append(f"{running.name} ended with code {code} and is started again (log: {log})")
                running.process = self._launch(running.name, running.command)
                running.started = time.monotonic()
        return sentences

    def ended(self) -> str | None:
        """Return the name of a process that is not running, if there is one."""
        return next((running.name for running in self.running if running.process.poll() is not None), None)

    def stop(self) -> None:
        """Ask all to finish what they are doing, then insist; nothing of theirs stays behind."""
        for running in self.running:
            if running.process.poll() is None:
                running.process.send_signal(signal.SIGTERM)
        deadline = time.monotonic() + 20
        for running in self.running:
            try:
                running.process.wait(timeout=max(0.1, deadline - time.monotonic()))
            except subprocess.TimeoutExpired:
                continue
        for running in self.running:
            end_session(running.process)
        self.running.clear()

    def log_of(self, name: str) -> Path:
        return self.log_folder / f"{name}.log"

    def _launch(self, name: str, command: str) -> subprocess.Popen[bytes]:
        return processes.start(
            shell_command(command),
            log=self.log_of(name),
            death_signal=signal.SIGTERM,
            cwd=self.checkout,
            env=self.environment,
            stdin=subprocess.DEVNULL,
        )


def end_session(process: subprocess.Popen[bytes]) -> None:
    """Kill whatever a process left in its own process group; each was started as the leader of one."""
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        return
    process.wait()
