"""Makes .venv from the hashed locks; done again only when a lock changes.

Run by the machine's own Python, so nothing here may need a package or more than Python 3.6's syntax before
the version is checked.
"""

import sys

OLDEST = (3, 11)
if sys.version_info < OLDEST:
    sys.exit(
        "Python {}.{} or newer is needed; `{}` is {}.{}. Say which one: make PYTHON=python3.11 …".format(
            *OLDEST, sys.executable, *sys.version_info[:2]
        )
    )

import fcntl  # noqa: E402  (the version comes first)
import hashlib  # noqa: E402
import os  # noqa: E402
import shutil  # noqa: E402
import subprocess  # noqa: E402
import time  # noqa: E402
from pathlib import Path  # noqa: E402

CHECKOUT = Path(__file__).resolve().parents[2]
ENVIRONMENT = CHECKOUT / ".venv"
PYTHON = ENVIRONMENT / "bin" / "python"
BOOTSTRAP_LOCK = CHECKOUT / "requirements" / "bootstrap.txt"
DEVELOPMENT_LOCK = CHECKOUT / "requirements" / "development.txt"
NEEDED_MEGABYTES = 700
STAMP = ENVIRONMENT / "locks.sha256"


def main() -> None:
    digest = hashlib.sha256(BOOTSTRAP_LOCK.read_bytes() + DEVELOPMENT_LOCK.read_bytes()).hexdigest()
    if installed_digest() == digest:
        return
    with BOOTSTRAP_LOCK.open() as one_at_a_time:
        fcntl.flock(one_at_a_time, fcntl.LOCK_EX)
        if installed_digest() == digest:
            return
        started = time.monotonic()
        print("packages   installing the locked versions into .venv", flush=True)
        make_environment()
        install()
        STAMP.write_text(digest)
        print(f"packages   ready after {time.monotonic() - started:.1f} s", flush=True)


def installed_digest() -> str:
    """Return the digest of the locks that .venv was made from, empty where there is none."""
    try:
        return STAMP.read_text()
    except FileNotFoundError:
        return ""


def make_environment() -> None:
    if PYTHON.exists() and succeeds([str(PYTHON), "-m", "pip", "--version"]):
        return
    shutil.rmtree(ENVIRONMENT, ignore_errors=True)
    made = run([sys.executable, "-m", "venv", str(ENVIRONMENT)])
    if made.returncode != 0:
        shutil.rmtree(ENVIRONMENT, ignore_errors=True)
        if free_megabytes() < NEEDED_MEGABYTES:
            sys.exit(
                f"The disk of {CHECKOUT} has {free_megabytes()} MB free; .venv needs {NEEDED_MEGABYTES} MB."
            )
        sys.exit(
            "Python's venv module does not work here; on Debian and Ubuntu: apt-get install python3-venv"
        )


def install() -> None:
    """Install by uv, which is quick, or by pip where uv can't (it may not trust what pip trusts)."""
    pip = [str(PYTHON), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--require-hashes"]
    both_locks = [str(BOOTSTRAP_LOCK), str(DEVELOPMENT_LOCK)]
    attempt = run([*pip, "-r", both_locks[0]])
    if attempt.returncode == 0:
        uv = str(ENVIRONMENT / "bin" / "uv")
        options = ["--system-certs", "--require-hashes", "--quiet", "--python", str(PYTHON)]
        if run([uv, "pip", "sync", *options, *both_locks]).returncode == 0:
            return
        print("packages   uv could not install them; trying pip, which is slower", flush=True)
        attempt = run([*pip, "-r", both_locks[0], "-r", both_locks[1]])
    if attempt.returncode != 0:
        lines = [line for line in attempt.stderr.splitlines() if line.strip()] or ["no output"]
        reason = next((line for line in lines if line.startswith("ERROR")), lines[-1])
        if free_megabytes() < NEEDED_MEGABYTES:
            sys.exit(
                f"The disk of {CHECKOUT} has {free_megabytes()} MB free; .venv needs {NEEDED_MEGABYTES} MB."
            )
        sys.exit(f"The packages could not be installed; is the network reachable? pip says: {reason}")


def run(command: "list[str]") -> "subprocess.CompletedProcess[str]":
    environment = {**os.environ, "VIRTUAL_ENV": str(ENVIRONMENT)}
    return subprocess.run(command, cwd=CHECKOUT, env=environment, capture_output=True, text=True, check=False)


def succeeds(command: "list[str]") -> bool:
    try:
        return run(command).returncode == 0
    except OSError:  # an environment whose interpreter has gone
        return False


def free_megabytes() -> int:
    return shutil.disk_usage(CHECKOUT).free // 2**20


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        sys.exit("Interrupted; the next run begins the installation anew.")
