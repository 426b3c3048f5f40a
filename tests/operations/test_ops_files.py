"""Dashboard and alert rules: every metric they name exists, every page they point to is there."""

import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest
import yaml
from django.test import Client
from prometheus_client.parser import text_string_to_metric_families

from claims import gauges, meters
from config import request_log

CHECKOUT = Path(__file__).resolve().parents[2]
OPS = CHECKOUT / "docs" / "ops"
SUFFIX = re.compile(r"_(total|bucket|sum|count|created)$")
NAME = re.compile(r"\bbilling_[a-z0-9_]+")


@pytest.fixture
def known(db: None) -> set[str]:
    """The names of all metrics, counted and read."""
    gauges.waiting.kept_until = 0.0
    read = {family.name for family in gauges.waiting.collect()}
    counted = {
        each._name
        for module in (meters, request_log)
        for each in vars(module).values()
        if hasattr(each, "_labelnames")
    }
    return read | counted


def expressions() -> list[str]:
    rules = yaml.safe_load((OPS / "alerts.yml").read_text())
    board = json.loads((OPS / "dashboard.json").read_text())
    alerts = [rule["expr"] for group in rules["groups"] for rule in group["rules"]]
    return alerts + [target["expr"] for panel in board["panels"] for target in panel["targets"]]


def test_every_metric_named_exists(known: set[str]) -> None:
    named = {name for expression in expressions() for name in NAME.findall(expression)}
    assert {name for name in named if SUFFIX.sub("", name) not in known} == set()


def test_every_metric_is_on_the_dashboard_or_in_a_rule(known: set[str]) -> None:
    named = {SUFFIX.sub("", name) for expression in expressions() for name in NAME.findall(expression)}
    assert known - named == set()


def test_every_rule_points_to_a_page_that_is_there() -> None:
    rules = yaml.safe_load((OPS / "alerts.yml").read_text())
    for rule in rules["groups"][0]["rules"]:
        assert (CHECKOUT / rule["annotations"]["runbook"]).is_file(), rule["alert"]


@pytest.mark.django_db
def test_what_is_served_can_be_parsed() -> None:
    text = Client().get("/metrics").content.decode()
    assert {family.name for family in text_string_to_metric_families(text)} >= {"billing_database_up"}


@pytest.mark.parametrize("words", [("check", "rules", "alerts.yml"), ("test", "rules", "alerts_test.yml")])
def test_promtool_has_nothing_to_say(words: tuple[str, ...]) -> None:
    promtool = shutil.which("promtool")
    if promtool is None:
        pytest.skip("promtool is not on this machine.")
    done = subprocess.run([promtool, *words], cwd=OPS, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr + done.stdout
