"""`make audit`: known vulnerabilities in the locked versions, and whether anybody could be asked."""

import json
import subprocess
import sys
from pathlib import Path

CHECKOUT = Path(__file__).resolve().parents[2]
LOCK = "requirements/production.txt"


def main() -> int:
    """Return 0 when every package was asked about and none is known to be vulnerable, 1 otherwise."""
    asked = subprocess.run(
        [
            str(Path(sys.executable).with_name("pip-audit")),
            *("--require-hashes", "--disable-pip", "--format=json", "--progress-spinner=off", "-r", LOCK),
        ],
        cwd=CHECKOUT,
        capture_output=True,
        text=True,
        check=False,
    )
    try:
        packages = json.loads(asked.stdout)["dependencies"]
    except ValueError:
        reason = (asked.stderr.strip().splitlines() or ["pip-audit said nothing"])[-1]
        print(f"NOT AUDITED: no answer about any package ({reason}).", file=sys.stderr)
        return 1
    return report(packages)


def report(packages: list[dict]) -> int:
    """Print the findings of pip-audit's JSON, a line each, and a last line with the counts."""
    vulnerable = [package for package in packages if package.get("vulns")]
    for package in vulnerable:
        for flaw in package["vulns"]:
            mended = ", ".join(flaw["fix_versions"]) or "no version yet"
            print(f"{package['name']} {package['version']}: {flaw['id']}, mended in {mended}")
    unknown = [package for package in packages if "skip_reason" in package]
    if unknown:
        print(
            f"NOT AUDITED: {len(unknown)} of {len(packages)} packages: nothing is known of them where it "
            "asks. Without the network, or behind a mirror without vulnerability data, this proves nothing.",
            file=sys.stderr,
        )
    print(f"{len(packages) - len(unknown)} packages audited, {len(vulnerable)} with known vulnerabilities.")
    return 1 if vulnerable or unknown else 0


if __name__ == "__main__":
    sys.exit(main())
