"""What `make audit` makes of pip-audit's answer: flaws and silence both fail, and each is said."""

import pytest

from config.local.audit import report

SOUND = {"name": "sound", "version": "1.0", "vulns": []}
FLAWED = {"name": "flawed", "version": "2.0", "vulns": [{"id": "PYSEC-1", "fix_versions": ["2.1"]}]}
UNKNOWN = {"name": "unknown", "skip_reason": "Dependency not found"}


def test_packages_without_flaws_pass(capsys: pytest.CaptureFixture[str]) -> None:
    assert report([SOUND]) == 0
    assert capsys.readouterr().out == "1 packages audited, 0 with known vulnerabilities.\n"


def test_a_flaw_fails_and_names_the_version_that_mends_it(capsys: pytest.CaptureFixture[str]) -> None:
    assert report([SOUND, FLAWED]) == 1
    assert "flawed 2.0: PYSEC-1, mended in 2.1\n" in capsys.readouterr().out


def test_a_package_that_nobody_knows_fails(capsys: pytest.CaptureFixture[str]) -> None:
    assert report([SOUND, UNKNOWN]) == 1
    assert capsys.readouterr().err.startswith("NOT AUDITED: 1 of 2 packages")
