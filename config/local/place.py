"""Where a checkout keeps its private servers: folders, their owners and modes."""

import fcntl
import hashlib
import os
import pwd
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

# Everybody may write here, so `make_folder` refuses what somebody else has put in the way.
SHORT_FOLDERS = (Path("/var/tmp"), Path("/tmp"))  # noqa: S108  (ownership is checked)


class LocalServersError(Exception):
    """What is missing or in the way, in one sentence for the person at the terminal."""


@dataclass(frozen=True)
class Account:
    """The unprivileged account that server processes run as when the caller is root."""

    name: str
    uid: int
    gid: int

    @property
    def popen_arguments(self) -> dict[str, Any]:
        return {"user": self.uid, "group": self.gid, "extra_groups": []}

    def can_enter(self, folder: Path) -> bool:
        check = subprocess.run(
            ["/bin/sh", "-c", 'cd -- "$0" && test -w .', str(folder)],
            stderr=subprocess.DEVNULL,
            cwd="/",
            check=False,
            **self.popen_arguments,
        )
        return check.returncode == 0


def server_account() -> Account | None:
    """Return the account to drop to, or None where the caller is not root and servers run as the caller."""
    if os.geteuid() != 0:
        return None
    for name in ("postgres", "nobody"):
        try:
            entry = pwd.getpwnam(name)
        except KeyError:
            continue
        return Account(name=name, uid=entry.pw_uid, gid=entry.pw_gid)
    raise LocalServersError(
        "PostgreSQL refuses to run as root, and there is no account `postgres` or `nobody`."
    )


@dataclass(frozen=True)
class Place:
    """The folders of one purpose (`demo` or `test`) of one checkout.

    Socket paths end at 107 bytes and root's home is closed to other accounts, so the folders lie in a short
    path outside it, named by a hash of the checkout and of the user.
    """

    base: Path
    purpose: str

    @property
    def folder(self) -> Path:
        return self.base / self.purpose

    @property
    def private(self) -> Path:
        """The mode-700 folder of the server account: sockets, and data unless they lie elsewhere."""
        return self.folder / "private"

    @property
    def programs(self) -> Path:
        return self.base / "programs"

    @property
    def state_file(self) -> Path:
        return self.folder / "state.json"

    @property
    def control_socket(self) -> Path:
        return self.folder / "control.sock"

    @property
    def start_lock(self) -> Path:
        return self.folder / "start.lock"

    @property
    def running_lock(self) -> Path:
        return self.folder / "running.lock"

    @property
    def log_folder(self) -> Path:
        return self.folder / "log"


def place_of(checkout: Path, *, purpose: str) -> Place:
    """Return the place of a checkout without touching the disk."""
    identity = f"{checkout.resolve()}\0{os.geteuid()}"
    name = "partner-billing-" + hashlib.sha256(identity.encode()).hexdigest()[:12]
    root = next((folder for folder in SHORT_FOLDERS if os.access(folder, os.W_OK)), SHORT_FOLDERS[-1])
    return Place(base=root / name, purpose=purpose)


def prepare(place: Place, *, account: Account | None) -> None:
    """Create the folders, and refuse those that belong to somebody else."""
    outer_mode = 0o711 if account else 0o700
    for folder in (place.base, place.folder, place.log_folder):
        make_folder(folder, mode=outer_mode)
    make_folder(place.private, mode=0o700, account=account)


def make_folder(folder: Path, *, mode: int, account: Account | None = None) -> None:
    """Create one folder with this mode and owner; an existing one must be a real folder of the same owner."""
    owner = account.uid if account else os.geteuid()
    try:
        folder.mkdir(mode=mode)
    except FileExistsError:
        status = folder.lstat()
        if not folder.is_dir() or folder.is_symlink() or status.st_uid not in (owner, os.geteuid()):
            raise LocalServersError(f"{folder} belongs to somebody else; remove it and try again.") from None
    except OSError as error:
        raise LocalServersError(f"The folder {folder} can't be created: {error.strerror}.") from error
    folder.chmod(mode)
    if account:
        os.chown(folder, account.uid, account.gid)


@contextmanager
def held(lock_file: Path) -> Iterator[None]:
    """Hold an exclusive lock; the kernel lets go of it when the process ends, however it ends."""
    with lock_file.open("a") as handle:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield


def hold_at_once(lock_file: Path) -> IO[str] | None:
    """Take an exclusive lock without waiting and return its handle, or None where another process has it."""
    handle = lock_file.open("a")
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        handle.close()
        return None
    return handle


def is_held(lock_file: Path) -> bool:
    """Say whether a living process holds the lock."""
    try:
        with lock_file.open() as handle:
            fcntl.flock(handle, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except FileNotFoundError:
        return False
    except BlockingIOError:
        return True
    return False
