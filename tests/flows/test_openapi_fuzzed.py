"""Schemathesis against the real web server: every check that it has, nothing found."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.cast import onboarding, partner_api

EXAMPLES = 4
PATIENCE_SECONDS = 240


@pytest.mark.timeout(PATIENCE_SECONDS + 40)
@pytest.mark.django_db(transaction=True)
def test_schemathesis_finds_nothing(base: str, tmp_path: Path) -> None:
    client = partner_api("Fuzzed", rate_limit=0)
    client.onboarded(provider__npi=onboarding()["provider"]["npi"])
    command = [str(Path(sys.executable).with_name("st"))]
    command += ["--config-file", str(Path(__file__).with_name("schemathesis.toml"))]
    command += ["run", f"{base}/api/v1/schema", "--header", f"Authorization: Bearer {client.key}"]
    command += ["--checks", "all", "--max-examples", str(EXAMPLES), "--seed", "1", "--no-color"]
    finished = subprocess.run(
        command, capture_output=True, text=True, cwd=tmp_path, timeout=PATIENCE_SECONDS, check=False
    )
    assert finished.returncode == 0, finished.stdout[-6000:]
    assert "7 tested" in finished.stdout or "Tested: 7" in finished.stdout
