"""`make test`: every check in turn, each with its time, on private servers; pytest comes last."""

import os
import subprocess
import sys
import time
from pathlib import Path

from config.local import servers
from config.local.place import LocalServersError

CHECKOUT = Path(__file__).resolve().parents[2]
PROGRAMS = Path(sys.executable).parent
CHECKS = {
    "format": ("ruff", "format", "--check", "--quiet", "."),
    "lint": ("ruff", "check", "--quiet", "."),
    "types": ("mypy", "--no-error-summary", "."),
    "imports": ("lint-imports",),
    "releases": ("python", "-m", "config.local.migration_rules"),
    "migrations": ("python", "manage.py", "makemigrations", "--check", "--dry-run"),
}


def main() -> int:
    try:
        lease = servers.start(CHECKOUT, purpose="test")
    except LocalServersError as error:
        sys.exit(str(error))
    with lease:  # pytest takes a lease of its own: its runs share nothing but the servers
        failed = [name for name in CHECKS if not passes(name, located=lease.located)]
        tests = subprocess.run([sys.executable, "-m", "pytest", *sys.argv[1:]], cwd=CHECKOUT, check=False)
    if failed:
        print(f"Failed besides the tests: {', '.join(failed)}.", file=sys.stderr)
    return tests.returncode or (1 if failed else 0)


def passes(name: str, *, located: servers.Located) -> bool:
    """Run one check and print a line about it, and all it said where it failed."""
    program, *arguments = CHECKS[name]
    environment = dict(os.environ)
    environment.setdefault("DATABASE_URL", located.database_url)
    environment.setdefault("REDIS_URL", located.redis_url)
    started = time.monotonic()
    finished = subprocess.run(
        [str(PROGRAMS / program), *arguments],
        cwd=CHECKOUT,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    passed = finished.returncode == 0
    print(f"{name:<11}{'ok' if passed else 'FAILED'} {time.monotonic() - started:.1f} s", flush=True)
    if not passed:
        print(finished.stdout, flush=True)
    return passed


if __name__ == "__main__":
    sys.exit(main())
