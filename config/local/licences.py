"""`make licences`: the licence of every package that production installs, as docs/licences.md."""

import re
import subprocess
import sys
from pathlib import Path

CHECKOUT = Path(__file__).resolve().parents[2]
LOCK = CHECKOUT / "requirements" / "production.txt"
PAGE = CHECKOUT / "docs" / "licences.md"
HEAD = """# Licences

Every package that production installs (`requirements/production.txt`), with its licence as the package itself
states it. Written by `make licences`.

"""


def main() -> None:
    names = re.findall(r"^([A-Za-z0-9._-]+)(?:\[[^\]]*\])?==", LOCK.read_text(), re.MULTILINE)
    table = subprocess.run(
        [
            str(Path(sys.executable).parent / "pip-licenses"),
            "--format=markdown",
            "--from=mixed",
            "--with-system",
            "--packages",
            *names,
        ],
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    PAGE.write_text(HEAD + re.sub(" +", " ", table.stdout.replace("-" * 3, "-")))


if __name__ == "__main__":
    main()
