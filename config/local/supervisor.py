"""The process that owns a checkout's private servers and ends them when nobody needs them any more.

Everybody who needs the servers keeps one connection to its control socket open. The kernel closes that
connection when its process ends, killed or not, and with the last one the servers stop.
"""

import argparse
import fcntl
import json
import os
import selectors
import shutil
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path
from types import FrameType

from config.local.broker import PrivateRedis
from config.local.place import Account, LocalServersError, Place, prepare, server_account
from config.local.postgres import PrivatePostgres
from config.local.programs import find_postgres, find_redis

DATABASE = "billing"
FIRST_OWNER_SECONDS = 30
NEEDED_BYTES = 300 * 1024 * 1024


class Supervisor:
    """Starts both servers, hands their addresses out, and stops them after the last owner has gone."""

    def __init__(self, place: Place, *, data_folder: Path | None) -> None:
        self.place = place
        self.data_folder = data_folder
        self.owners: dict[socket.socket, int] = {}
        self.running: list[tuple[PrivatePostgres | PrivateRedis, subprocess.Popen[bytes]]] = []
        self.stopping = False

    def run(self) -> int:
        """Serve until the last owner leaves; the exit code says whether the servers ever ran."""
        signal.signal(signal.SIGTERM, self._ask_to_stop)
        signal.signal(signal.SIGINT, self._ask_to_stop)
        self.place.control_socket.unlink(missing_ok=True)
        with socket.socket(socket.AF_UNIX) as listener:
            listener.bind(str(self.place.control_socket))
            listener.listen(64)
            try:
                state = self._start_servers()
            except (LocalServersError, OSError) as error:
                self._stop_servers()
                self._refuse_all(listener, reason=str(error))
                return 1
            self._write_state(state)
            self._serve(listener, state)
        self.place.control_socket.unlink(missing_ok=True)
        self.place.state_file.unlink(missing_ok=True)
        self._stop_servers()
        for owner in self.owners:
            _send(owner, {"stopped": True})
            owner.close()
        return 0

    def _ask_to_stop(self, _number: int, _frame: FrameType | None) -> None:
        self.stopping = True

    def _start_servers(self) -> dict[str, str]:
        account = server_account()
        prepare(self.place, account=account)
        data = self._data_folder(account)
        free = shutil.disk_usage(data.parent).free
        if free < NEEDED_BYTES:
            raise LocalServersError(
                f"{data.parent} has {free // 2**20} MB free; PostgreSQL needs about 300 MB."
            )
        for log in ("postgresql.log", "redis.log"):
            (self.place.log_folder / log).unlink(missing_ok=True)
        redis = PrivateRedis(
            program=find_redis(self.place, account=account),
            folder=self.place.private,
            log=self.place.log_folder / "redis.log",
            account=account,
        )
        self.running.append((redis, redis.start()))
        postgres = PrivatePostgres(
            programs=find_postgres(self.place, account=account),
            data=data,
            socket_folder=self.place.private,
            log=self.place.log_folder / "postgresql.log",
            account=account,
            database=DATABASE,
            discardable=self.place.purpose == "test",
        )
        self.running.append((postgres, postgres.start()))
        return {"database_url": postgres.url, "redis_url": redis.url, "data": str(data)}

    def _data_folder(self, account: Account | None) -> Path:
        """Return where PostgreSQL's data go: the folder asked for, unless its account can't get in there."""
        if self.data_folder is None:
            return self.place.private / "postgresql"
        parent = self.data_folder / "servers"
        parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        if account:
            os.chown(parent, account.uid, account.gid)
            if not account.can_enter(parent):
                parent.rmdir()
                return self.place.private / "postgresql"
        return parent / "postgresql"

    def _write_state(self, state: dict[str, str]) -> None:
        handle = os.open(self.place.state_file, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(handle, "w") as file:
            json.dump(state, file)

    def _serve(self, listener: socket.socket, state: dict[str, str]) -> None:
        first_owner_deadline = time.monotonic() + FIRST_OWNER_SECONDS
        with selectors.DefaultSelector() as selector:
            selector.register(listener, selectors.EVENT_READ)
            while not self.stopping:
                for key, _events in selector.select(timeout=0.5):
                    if key.fileobj is listener:
                        selector.register(self._welcome(listener, state), selectors.EVENT_READ)
                        continue
                    assert isinstance(key.fileobj, socket.socket)
                    selector.unregister(key.fileobj)
                    if len(self.owners) == 1:
                        return  # its connection closes after the servers have stopped
                    self._dismiss(key.fileobj)
                if not self.owners and time.monotonic() > first_owner_deadline:
                    return
                try:
                    self._restart_ended()
                except LocalServersError as error:
                    print(error, file=sys.stderr, flush=True)
                    return  # the owners see their connection end, and say so

    def _restart_ended(self) -> None:
        """Bring a server that was killed back at its old address; its owners ride the gap out."""
        for position, (server, process) in enumerate(self.running):
            if process.poll() is not None:
                print(
                    f"{server.log.stem} ended with {process.returncode}; restarting",
                    file=sys.stderr,
                    flush=True,
                )
                self.running[position] = (server, server.start())

    def _welcome(self, listener: socket.socket, state: dict[str, str]) -> socket.socket:
        owner, _address = listener.accept()
        slot = next(number for number in range(len(self.owners) + 1) if number not in self.owners.values())
        self.owners[owner] = slot
        _send(owner, {**state, "slot": slot})
        return owner

    def _dismiss(self, owner: socket.socket) -> None:
        del self.owners[owner]
        owner.close()

    def _refuse_all(self, listener: socket.socket, *, reason: str) -> None:
        """Tell whoever started this, and all who wait by then, why there are no servers; the log keeps it."""
        print(reason, file=sys.stderr, flush=True)
        listener.settimeout(2)
        try:
            while True:
                owner, _address = listener.accept()
                with owner:
                    _send(owner, {"error": reason})
                listener.setblocking(False)
        except (TimeoutError, BlockingIOError):
            self.place.control_socket.unlink(missing_ok=True)

    def _stop_servers(self) -> None:
        for server, process in reversed(self.running):
            server.stop(process)


def _send(owner: socket.socket, message: dict[str, object]) -> None:
    try:
        owner.sendall(json.dumps(message).encode() + b"\n")
    except OSError:
        return  # it has gone already; the selector reports that


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--base", type=Path, required=True)
    parser.add_argument("--purpose", required=True)
    parser.add_argument("--data", type=Path)
    arguments = parser.parse_args()
    place = Place(base=arguments.base, purpose=arguments.purpose)
    with place.running_lock.open("a") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # waits for a predecessor that is still stopping
        return Supervisor(place, data_folder=arguments.data).run()


if __name__ == "__main__":
    sys.exit(main())
