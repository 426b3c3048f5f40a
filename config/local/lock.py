"""`make lock`: pins the newest versions that pyproject.toml allows, with hashes and without addresses."""

import subprocess
import sys
from pathlib import Path

CHECKOUT = Path(__file__).resolve().parents[2]
OPTIONS = (
    "--universal",
    "--python-version",
    "3.11",
    "--generate-hashes",
    "--no-emit-index-url",
    "--no-header",
)
LOCKS = {
    "production.txt": ("pyproject.toml",),
    "development.txt": ("pyproject.toml", "--extra", "dev", "--constraint", "requirements/production.txt"),
    "bootstrap.txt": ("-",),
}


def main() -> int:
    for name, sources in LOCKS.items():
        finished = subprocess.run(
            [
                *(str(Path(sys.executable).with_name("uv")), "pip", "compile", "--system-certs", "--quiet"),
                *("--no-annotate", "--upgrade", *OPTIONS, *sources, "-o", f"requirements/{name}"),
            ],
            cwd=CHECKOUT,
            input=b"uv\n",
            stdout=subprocess.DEVNULL,  # the file says the same
            check=False,
        )
        if finished.returncode != 0:
            print(f"requirements/{name} was not renewed; the others are as uv left them.", file=sys.stderr)
            return finished.returncode
    return 0


if __name__ == "__main__":
    sys.exit(main())
