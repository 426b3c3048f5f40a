"""One private Redis (or Valkey): loopback, a random port and password, nothing written to disk."""

import secrets
import signal
import socket
import subprocess
import time
from dataclasses import dataclass, field
from pathlib import Path

from config.local import processes
from config.local.place import Account, LocalServersError

DATABASES = 1024  # one for each concurrent test process


@dataclass
class PrivateRedis:
    """A Redis program and how to run it."""

    program: Path
    folder: Path
    log: Path
    account: Account | None
    password: str = field(default_factory=lambda: secrets.token_urlsafe(24))
    port: int = 0

    @property
    def url(self) -> str:
        return f"redis://:{self.password}@127.0.0.1:{self.port}/0"

    def start(self) -> subprocess.Popen[bytes]:
        """Return the running server once it answers; a second start keeps the address of the first."""
        known_port = self.port
        for _attempt in range(5):
            self.port = known_port or _free_port()  # a free port may be taken a moment later: try another
            process = self._launch()
            deadline = time.monotonic() + 20
            while process.poll() is None and time.monotonic() < deadline:
                if self._answers():
                    return process
                time.sleep(0.02)
            self.stop(process)
        raise LocalServersError(f"Redis did not start: {processes.last_line(self.log)} (log: {self.log}).")

    def stop(self, process: subprocess.Popen[bytes]) -> None:
        processes.stop(process, signal.SIGTERM, seconds_each=5)

    def _launch(self) -> subprocess.Popen[bytes]:
        process = processes.start(
            [str(self.program), "-"],  # the settings come on standard input: a password is no argument
            log=self.log,
            death_signal=signal.SIGKILL,
            stdin=subprocess.PIPE,
            cwd=self.folder,
            **(self.account.popen_arguments if self.account else {}),
        )
        assert process.stdin is not None
        process.stdin.write(
            f'bind 127.0.0.1\nport {self.port}\nrequirepass {self.password}\nsave ""\nappendonly no\n'
            f"databases {DATABASES}\ndaemonize no\n".encode()
        )
        process.stdin.close()
        return process

    def _answers(self) -> bool:
        try:
            with socket.create_connection(("127.0.0.1", self.port), timeout=1) as connection:
                connection.sendall(f"AUTH {self.password}\r\n".encode())
                return connection.recv(16).startswith(b"+OK")
        except OSError:
            return False


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
