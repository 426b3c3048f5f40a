"""The real web server over the test database, for whatever speaks HTTP from outside."""

import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.error import URLError
from urllib.parse import urlsplit, urlunsplit
from urllib.request import urlopen

from django.conf import settings
from django.db import connection

PATIENCE_SECONDS = 40


@contextmanager
def served(log: Path) -> Iterator[str]:
    """The base address of a web process that was started for these tests and ends with them."""
    port = _free_port()
    address = urlsplit(os.environ["DATABASE_URL"])
    database = urlunsplit(address._replace(path=f"/{connection.settings_dict['NAME']}"))
    environment = {**os.environ, "DATABASE_URL": database, "REDIS_URL": settings.REDIS_URL}
    command = [sys.executable, "-m", "granian", "--interface", "wsgi", "--http", "1", "--no-ws"]
    command += ["--host", "127.0.0.1", "--port", str(port), "--workers", "1", "--blocking-threads", "4"]
    with log.open("wb") as output:
        process = subprocess.Popen(
            [*command, "config.wsgi:application"],
            cwd=settings.BASE_DIR,
            env=environment,
            stdout=output,
            stderr=subprocess.STDOUT,
        )
        try:
            base = f"http://127.0.0.1:{port}"
            _wait_for(base, process, log)
            yield base
        finally:
            process.terminate()
            process.wait(timeout=PATIENCE_SECONDS)


def _free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        port: int = listener.getsockname()[1]
        return port


def _wait_for(base: str, process: subprocess.Popen[bytes], log: Path) -> None:
    deadline = time.monotonic() + PATIENCE_SECONDS
    while time.monotonic() < deadline:
        if process.poll() is not None:
            break
        try:
            with urlopen(f"{base}/healthz", timeout=2):
                return
        except (URLError, OSError):
            time.sleep(0.1)
    raise RuntimeError(f"The web server did not start: {log.read_text()[-2000:]}")
