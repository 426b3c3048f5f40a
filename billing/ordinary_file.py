"""Files that operators name: what has no end is not read."""

import errno
from pathlib import Path


def ordinary(path: Path) -> Path:
    """The path, unless it leads to a device or a pipe, which may go on for ever: then OSError."""
    if path.exists() and not path.is_file() and not path.is_dir():
        raise OSError(errno.EINVAL, "it is no ordinary file; save what it gives as one first")
    return path
