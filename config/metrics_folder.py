"""Where this machine's processes keep their counts, a file each, so that any of them can answer for all.

The library behind it (prometheus_client) decides when it is first imported, so settings prepare the folder.
"""

import hashlib
import os
import re
import shutil
import tempfile
from pathlib import Path

from django.core.exceptions import ImproperlyConfigured

VARIABLE = "PROMETHEUS_MULTIPROC_DIR"
LEAST_FREE = 8 << 20
"""Bytes. The library maps files with holes: where a hole finds no block, its process ends by SIGBUS."""
_FILE = re.compile(r"[a-z_]+_(\d+)\.db")


def default_for(checkout: Path) -> Path:
    """A folder of this account and this installation."""
    name = hashlib.sha256(str(checkout).encode()).hexdigest()[:8]
    return Path(tempfile.gettempdir()) / f"partner-billing-metrics-{os.getuid()}-{name}"


def prepare(folder: Path, *, must_be_ours: bool) -> None:
    """Make the folder; empty it where no process lives that counts in it: then all counts begin at 0.

    Where its file system has no room left, this process counts by itself alone.
    """
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        ours = folder.stat().st_uid == os.getuid()
    except OSError as error:
        raise ImproperlyConfigured(f"METRICS_DIR {folder} can't be made: {error.strerror}.") from error
    if must_be_ours and not ours:
        raise ImproperlyConfigured(f"METRICS_DIR {folder} belongs to another account.")
    files = [(path, int(found[1])) for path in folder.iterdir() if (found := _FILE.fullmatch(path.name))]
    if not any(_lives(process) for _, process in files):
        for path, _ in files:
            path.unlink(missing_ok=True)
    if has_room(folder):
        os.environ[VARIABLE] = str(folder)
    else:
        os.environ.pop(VARIABLE, None)


def has_room(folder: Path) -> bool:
    """Tell whether processes that start now can count there."""
    return shutil.disk_usage(folder).free >= LEAST_FREE


def _lives(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True
