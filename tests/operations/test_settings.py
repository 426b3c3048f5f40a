"""Settings: every variable is on the page, and an odd value stops the start with one sentence."""

import ast
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

CHECKOUT = Path(__file__).resolve().parents[2]
READERS = {
    "choice",
    "secret",
    "flag",
    "whole",
    "number",
    "ring",
    "pairs",
    "within",
    "letters",
    "database",
    "broker",
}
PAGE = (CHECKOUT / "docs" / "settings.md").read_text()


def variables() -> set[str]:
    """Every variable that config/settings.py reads, and every one that the Procfile fills in."""
    found = set()
    for node in ast.walk(ast.parse((CHECKOUT / "config" / "settings.py").read_text())):
        if isinstance(node, ast.Call) and node.args and isinstance(node.args[0], ast.Constant):
            called = node.func
            reads = isinstance(called, ast.Name) and called.id in READERS
            asks = (
                isinstance(called, ast.Attribute)
                and isinstance(called.value, ast.Name)
                and called.value.id == "env"
            )
            if reads or asks:
                found.add(str(node.args[0].value))
    return found | set(re.findall(r"\$\{([A-Z_]+)", (CHECKOUT / "Procfile").read_text()))


def test_every_variable_is_on_the_page() -> None:
    assert len(variables()) > 40
    assert {name for name in variables() if f"`{name}`" not in PAGE} == set()


def test_the_page_names_no_variable_that_nobody_reads() -> None:
    first_cells = [line.split("|")[1] for line in PAGE.splitlines() if line.startswith("| `")]
    named = {name for cell in first_cells for name in re.findall(r"`([A-Z_]+)`", cell)}
    assert named - variables() == set()


KEY = "ZGV2ZWxvcG1lbnQtb25seS1maWVsZC1rZXktMzJieXQ="
ODD = [
    ("ENVIRONMENT", "staging"),
    ("DEBUG", "yess"),
    ("PROXY_ADDRESS_HEADER", "Client-Address"),
    ("PROXY_ADDRESS_HEADER", "client_address"),
    ("DATABASE_URL", "sqlite:///file"),
    ("DATABASE_URL", "postgresql://billing:hidden@h:port/db"),
    ("DATABASE_URL", "postgresql://billing:hid/den@h:5432/db"),
    ("DATABASE_URL", "postgresql://billing:hidden@h:5432"),
    ("REDIS_URL", "127.0.0.1:6379/0"),
    ("REDIS_URL", "redis://:hidden@h:port/0"),
    ("REDIS_URL", "redis://:hidden@h:6379/zero"),
    ("LIVE_GATEWAY_BY_PAYER", "60054"),
    ("LIVE_GATEWAY_BY_PAYER", "60054=sftp,=stedi"),
    ("SENTRY_DSN", "hidden"),
    ("FIELD_KEYS", "hidden"),
    ("FIELD_KEYS", "one:hidden"),
    ("FIELD_KEYS", f"one:{KEY},one:{KEY}"),
    ("API_KEY_PEPPERS", "hidden"),
    ("API_KEY_PEPPERS", "one:hidden,one:hidden too"),
    ("ADMIN_PATH", "office"),
    ("ADMIN_PATH", "/office/"),
    ("POLL_SECONDS", "0"),
    ("TASK_TIME_LIMIT", "5"),
    ("TASK_TIME_LIMIT", "3600"),
    ("LEASE_SECONDS", "4320"),
    ("RATE_LIMIT_PER_MINUTE", "many"),
    ("LOG_FORM", "xml"),
    ("NOTE_CODER_THRESHOLD", "97"),
    ("LIVE_GATEWAY", "pigeon"),
]
SECRETS = {
    "SECRET_KEY": "a-long-and-random-text-that-nobody-else-knows-of-at-all",
    "API_KEY_PEPPERS": "one:pepper",
    "FIELD_KEYS": f"one:{KEY}",
}
PROGRAM = """
import json, os, runpy, sys
for change in json.load(sys.stdin):
    kept = dict(os.environ)
    os.environ.update(change)
    try:
        runpy.run_path("config/settings.py")
        print("started")
    except Exception as error:
        print(type(error).__name__, str(error).replace(chr(10), " "))
    os.environ.clear()
    os.environ.update(kept)
"""


@pytest.fixture(scope="module")
def endings() -> list[str]:
    """How the settings end under each change, all tried in one process."""
    changes = [{name: value} for name, value in ODD]
    changes += [{"DATABASE_ROLE": "billing_staff", "DATABASE_POOLER": "true"}]
    changes += [{"ENVIRONMENT": "production"}, {"ENVIRONMENT": "production"} | SECRETS]
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM],
        cwd=CHECKOUT,
        input=json.dumps(changes),
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout.splitlines()


@pytest.mark.parametrize("place", range(len(ODD)), ids=["=".join(each) for each in ODD])
def test_an_odd_value_stops_the_start_in_words(endings: list[str], place: int) -> None:
    assert re.match(f"ImproperlyConfigured {ODD[place][0]}:? ", endings[place])
    assert "hidden" not in endings[place]


def test_a_role_that_a_pooler_would_lose_is_refused(endings: list[str]) -> None:
    assert endings[-3].startswith("ImproperlyConfigured A pooler passes no role on")


def test_production_starts_with_its_secrets_and_not_without(endings: list[str]) -> None:
    assert endings[-2].startswith("ImproperlyConfigured SECRET_KEY")
    assert endings[-1] == "started"


def test_blanks_and_line_breaks_around_secrets_and_addresses_are_none_of_them() -> None:
    program = (
        "from config import settings; print(settings.DATABASES['default']['NAME'], settings.REDIS_URL, "
        "settings.SFTP['host'], settings.SFTP['username'], settings.STEDI_API_KEY, settings.STEDI_CORE_URL)"
    )
    given = {
        "DATABASE_URL": "postgresql://billing@h:5432/billing \n",
        "REDIS_URL": " redis://h:6379/0\n",
        "SFTP_HOST": "sftp.example.com\n",
        "SFTP_USERNAME": " billing\n",
        "STEDI_API_KEY": " key\r\n",
        "STEDI_CORE_URL": "https://core.us.stedi.com/\n",
    }
    done = subprocess.run(
        [sys.executable, "-c", program],
        cwd=CHECKOUT,
        env=os.environ | given,
        capture_output=True,
        text=True,
        check=True,
    )
    words = "billing redis://h:6379/0 sftp.example.com billing key https://core.us.stedi.com\n"
    assert done.stdout == words


def test_production_reads_nothing_of_the_private_servers() -> None:
    program = "import runpy, sys; runpy.run_path('config/settings.py'); print('config.local' in sys.modules)"
    environment = os.environ | {"ENVIRONMENT": "production"} | SECRETS
    done = subprocess.run(
        [sys.executable, "-c", program],
        cwd=CHECKOUT,
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == "False\n"
