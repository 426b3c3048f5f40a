"""`make test`: every check, each with its time, on private servers; the slow ones run beside pytest."""

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
    "migrations": ("python", "-m", "config.local.migration_rules"),
}
SLOW = ("types", "migrations")


def main() -> int:
    try:
        lease = servers.start(CHECKOUT, purpose="test")
    except LocalServersError as error:
        sys.exit(str(error))
    with lease:  # pytest takes a lease of its own: its runs share nothing but the servers
        beside = {name: start(name, located=lease.located) for name in SLOW}
        in_turn = [name for name in CHECKS if name not in SLOW]
        failed = [name for name in in_turn if not passes(name, start(name, located=lease.located))]
        tests = subprocess.run([sys.executable, "-m", "pytest", *sys.argv[1:]], cwd=CHECKOUT, check=False)
        failed += [name for name, check in beside.items() if not passes(name, check)]
    if failed:
        print(f"Failed besides the tests: {', '.join(failed)}.", file=sys.stderr)
    return tests.returncode or (1 if failed else 0)


def start(name: str, *, located: servers.Located) -> subprocess.Popen[str]:
    """Let one check begin."""
    program, *arguments = CHECKS[name]
    environment = dict(os.environ)
    environment.setdefault("DATABASE_URL", located.database_url)
    environment.setdefault("REDIS_URL", located.redis_url)
    return subprocess.Popen(
        [str(PROGRAMS / program), *arguments],
        cwd=CHECKOUT,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )


def passes(name: str, check: subprocess.Popen[str]) -> bool:
    """Wait for a check and print a line about it, and all it said where it failed."""
    waited = time.monotonic()
    said, _ = check.communicate()
    passed = check.returncode == 0
    took = " beside the tests" if name in SLOW else f" {time.monotonic() - waited:.1f} s"
    print(f"{name:<11}{'ok' if passed else 'FAILED'}{took}", flush=True)
    if not passed:
        print(said, flush=True)
    return passed


if __name__ == "__main__":
    sys.exit(main())
