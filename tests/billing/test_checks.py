import pytest
from django.core.checks import run_checks

from billing.checks import outside_directory_has_a_key


@pytest.mark.parametrize(
    ("directory", "key", "complaints"),
    [
        ("database", "", []),
        ("stedi", "k", []),
        ("stedi", "", ["billing.E001"]),
        ("stedi", "cut\nin two", ["billing.E001"]),
        ("stedi", "clé", ["billing.E001"]),
    ],
)
def test_an_outside_payer_directory_needs_a_key(settings, directory: str, key: str, complaints: list[str]):
    settings.PAYER_DIRECTORY, settings.STEDI_API_KEY = directory, key
    assert [error.id for error in outside_directory_has_a_key(None)] == complaints


def test_the_check_runs_at_start(settings):
    settings.PAYER_DIRECTORY, settings.STEDI_API_KEY = "stedi", ""
    assert "billing.E001" in {message.id for message in run_checks()}
