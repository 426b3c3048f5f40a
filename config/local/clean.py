"""`make clean`: forgets what `make run` and the tests of this checkout have stored."""

import os
import shutil
import sys
from pathlib import Path

from config.local.memory import OWN_ENTRIES
from config.local.place import is_held, place_of

CHECKOUT = Path(__file__).resolve().parents[2]
CACHES = (".mypy_cache", ".ruff_cache", ".import_linter_cache", ".hypothesis", ".schemathesis", "staticfiles")


def main() -> None:
    for purpose in ("demo", "test"):
        if is_held(place_of(CHECKOUT, purpose=purpose).running_lock):
            running = "`make run`" if purpose == "demo" else "A test run"
            sys.exit(f"{running} of this checkout is going on; end it first.")
    entries = [place_of(CHECKOUT, purpose="demo").base, *(CHECKOUT / name for name in CACHES)]
    data_folder = os.environ.get("DATA_DIR")
    if data_folder:
        entries += [Path(data_folder) / name for name in OWN_ENTRIES]
    for entry in entries:
        if entry.is_dir():
            shutil.rmtree(entry)
        elif entry.exists():
            entry.unlink()
        else:
            continue
        print(f"removed {entry}")


if __name__ == "__main__":
    main()
