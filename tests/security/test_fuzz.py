"""The API fuzzed as a rival who asks for the owner's sessions, and as the owner; at length by `make fuzz`.

FUZZ_EXAMPLES says how many cases an operation gets in each phase; `make fuzz` takes thousands.
"""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.conf import settings

from sessions_app.models import Session
from tests.cast import NPI, OTHER_NPI, Api, partner_api
from tests.flows.serving import served

LONG = "FUZZ_EXAMPLES" in os.environ
EXAMPLES = int(os.environ.get("FUZZ_EXAMPLES", "3"))
PATIENCE_SECONDS = 240 + EXAMPLES * 20
MARKS = ("Ownerfirst", "Ownerlast", "OWNERMEMBER1", "ownersession-1")


@pytest.fixture(scope="module")
def base(django_db_setup: None, django_db_blocker, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The base address of a real web server over the test database."""
    with django_db_blocker.unblock(), served(tmp_path_factory.mktemp("web") / "granian.log") as address:
        yield address


@pytest.fixture
def ours(transactional_db: None) -> Api:
    """The owner of a marked session."""
    client = partner_api("Owner", rate_limit=0).onboarded()
    client.session_id = client.submitted(
        patient__firstName=MARKS[0],
        patient__lastName=MARKS[1],
        patient__insurance__memberId=MARKS[2],
        externalSessionId=MARKS[3],
    )
    return client


def fuzz(base: str, client: Api, folder: Path, **environment: str) -> None:
    command = [str(Path(sys.executable).with_name("st"))]
    command += ["--config-file", str(settings.BASE_DIR / "tests" / "flows" / "schemathesis.toml")]
    command += ["run", f"{base}/api/v1/schema", "--header", f"Authorization: Bearer {client.key}"]
    command += ["--checks", "all", "--max-examples", str(EXAMPLES), "--no-color"]
    phases = "coverage,fuzzing,stateful" if LONG else "fuzzing,stateful"
    command += ["--phases", phases, "--request-timeout", "20"]
    finished = subprocess.run(
        command,
        capture_output=True,
        text=True,
        cwd=folder,
        timeout=PATIENCE_SECONDS,
        check=False,
        env={
            **os.environ,
            "SCHEMATHESIS_HOOKS": "tests.security.fuzz_hooks",
            "PYTHONPATH": str(settings.BASE_DIR),
            **environment,
        },
    )
    if LONG:
        print("\n".join(finished.stdout.splitlines()[-25:]))  # noqa: T201 (the counts are what was asked for)
    assert finished.returncode == 0, finished.stdout[-6000:] + finished.stderr[-2000:]


@pytest.mark.timeout(PATIENCE_SECONDS + 60)
def test_a_rival_learns_nothing_of_the_owners_whatever_it_asks(base: str, ours: Api, tmp_path: Path) -> None:
    before = Session.objects.get(pk=ours.session_id)
    rival = partner_api("Rival", rate_limit=0).onboarded(provider__npi=OTHER_NPI)
    secrets = "|".join((*MARKS, str(ours.partner.pk)))
    fuzz(base, rival, tmp_path, FUZZ_SESSIONS=ours.session_id, FUZZ_NPI=NPI, FUZZ_SECRETS=secrets)
    after = Session.objects.get(pk=ours.session_id)
    assert (after.version, after.updated_at) == (before.version, before.updated_at)


@pytest.mark.skipif(
    "FUZZ_EXAMPLES" not in os.environ, reason="tests/flows fuzzes as the owner; long: `make fuzz`"
)
@pytest.mark.timeout(PATIENCE_SECONDS + 60)
def test_the_owner_breaks_nothing(base: str, ours: Api, tmp_path: Path) -> None:
    fuzz(base, ours, tmp_path, FUZZ_SESSIONS=ours.session_id, FUZZ_NPI=NPI)
