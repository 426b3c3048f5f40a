"""Production: clean by Django's own deployment checks, and no start with what everybody knows or can read."""

import base64
import os
import secrets
import subprocess
import sys

import pytest
from django.conf import settings
from django.core.checks import run_checks
from django.test import override_settings

from partners.checks import secrets_are_strong
from tests.cast import Api

CHECK = ["manage.py", "check", "--deploy", "--fail-level", "WARNING"]
IMPORT = ["-c", "import config.settings"]
SERVE = ["-c", "import config.wsgi"]
WORK = ["-m", "celery", "--quiet", "-A", "config", "worker", "--concurrency", "1"]


@pytest.fixture(scope="module")
def environment(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Everything that production needs, and nothing of this process's environment but its path."""
    metrics = tmp_path_factory.mktemp("metrics")
    metrics.chmod(0o700)
    return {
        "PATH": os.environ["PATH"],
        "ENVIRONMENT": "production",
        "SECRET_KEY": secrets.token_urlsafe(64),
        "API_KEY_PEPPERS": f"a:{secrets.token_urlsafe(40)}",
        "FIELD_KEYS": f"a:{base64.b64encode(secrets.token_bytes(32)).decode()}",
        "ALLOWED_HOSTS": "billing.example",
        "TRUSTED_PROXIES": "1",
        "PROXY_ADDRESS_HEADER": "Clientaddress",
        "DATABASE_URL": "postgresql://billing@127.0.0.1:1/billing",
        "REDIS_URL": "redis://127.0.0.1:1/0",
        "METRICS_TOKEN": secrets.token_urlsafe(32),
        "METRICS_DIR": str(metrics),
    }


def run(command: list[str], environment: dict[str, str]) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *command],
        cwd=settings.BASE_DIR,
        env=environment,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


def test_the_deployment_check_is_clean(environment: dict[str, str]) -> None:
    finished = run(CHECK, environment)
    assert finished.returncode == 0, finished.stderr
    assert "no issues" in finished.stdout


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"SECRET_KEY": ""}, "SECRET_KEY"),
        ({"SECRET_KEY": settings.SECRET_KEY}, "SECRET_KEY"),
        ({"API_KEY_PEPPERS": settings.API_KEY_PEPPERS}, "API_KEY_PEPPERS"),
        ({"FIELD_KEYS": settings.FIELD_KEYS}, "FIELD_KEYS"),
        ({"FIELD_KEYS_FILE": "/nowhere"}, "FIELD_KEYS_FILE"),
        ({"FIELD_KEYS_FILE": "/dev/zero"}, "FIELD_KEYS_FILE"),
        ({"DEBUG": "true"}, "DEBUG"),
        ({"STAFF_SECOND_FACTOR": "off"}, "STAFF_SECOND_FACTOR"),
    ],
)
def test_it_does_not_start_with_known_secrets_or_open_doors(
    environment: dict[str, str], changes: dict[str, str], words: str
) -> None:
    finished = run(IMPORT, environment | changes)
    assert finished.returncode != 0
    assert words in finished.stderr.splitlines()[-1]


def test_the_web_process_does_not_start_with_what_a_check_refuses(environment: dict[str, str]) -> None:
    changes = {"LIVE_GATEWAY": "stedi", "STEDI_API_KEY": "k", "STEDI_CORE_URL": "http://8.8.8.8"}
    finished = run(SERVE, environment | changes)
    assert finished.returncode != 0
    assert "STEDI_CORE_URL" in finished.stderr


def test_a_worker_does_not_start_with_what_a_check_refuses(environment: dict[str, str]) -> None:
    finished = run(WORK, environment | {"LIVE_GATEWAY": "sftp"})
    assert finished.returncode != 0
    assert "SFTP_HOST, SFTP_HOST_KEY, SFTP_USERNAME must be set" in finished.stderr
    assert "Traceback" not in finished.stderr


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({}, None),
        ({"API_KEY_PEPPERS": "a:short"}, "partners.E002"),
        ({"API_KEY_PEPPERS": "short"}, "partners.E001"),
        ({"FIELD_KEYS": "a:c2hvcnQ="}, "partners.E001"),
        ({"FIELD_KEYS": "a:this is no base64"}, "partners.E001"),
        ({"SECRET_KEY": "short"}, "partners.E003"),
    ],
)
def test_a_weak_secret_is_an_error_in_production_and_is_not_quoted(
    environment: dict[str, str], changes: dict[str, str], expected: str | None
) -> None:
    strong = {name: environment[name] for name in ("SECRET_KEY", "API_KEY_PEPPERS", "FIELD_KEYS")}
    with override_settings(PRODUCTION=True, **(strong | changes)):
        found = secrets_are_strong(None)
    assert [message.id for message in found] == ([expected] if expected else [])
    assert not any(value in message.msg for message in found for value in changes.values())


@pytest.mark.parametrize(
    ("production", "proxies", "header", "expected"),
    [
        (True, 0, "", ["partners.W003"]),
        (True, 1, "", ["partners.W004"]),
        (True, 1, "Clientaddress", []),
        (False, 0, "", []),
        (False, 1, "", []),
    ],
)
def test_production_that_believes_a_caller_is_warned_of(
    production: bool, proxies: int, header: str, expected: list[str]
) -> None:
    with override_settings(PRODUCTION=production, TRUSTED_PROXIES=proxies, PROXY_ADDRESS_HEADER=header):
        found = run_checks(tags=["security"], include_deployment_checks=True)
    assert [message.id for message in found if message.id.startswith("partners.W")] == expected


def test_the_web_process_starts_with_all_that_it_needs(environment: dict[str, str]) -> None:
    finished = run(SERVE, environment)
    assert finished.returncode == 0, finished.stderr


@pytest.mark.django_db
@pytest.mark.parametrize("path", ["/sessions", "/nowhere", "/api/v1/docs", "/api/v1/schema"])
def test_answers_are_kept_nowhere_framed_nowhere_and_sniffed_by_nobody(api: Api, path: str) -> None:
    headers = api.get(path).headers
    assert headers["Cache-Control"] == "no-store"
    assert "frame-ancestors 'none'" in headers["Content-Security-Policy"]
    assert "http" not in headers["Content-Security-Policy"]
    assert headers["X-Content-Type-Options"] == "nosniff"
