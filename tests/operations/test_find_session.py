"""`find_session`: what fits, that there is more, and what can't be asked for."""

from datetime import date

import pytest
from django.core.management import load_command_class

from claims import pipeline
from claims.models import Claim
from claims.support import finding
from tests.cast import Api
from tests.claims.process import run_until_quiet
from tests.operations.running import result, run

pytestmark = pytest.mark.django_db


def test_that_there_are_more_is_said(ready_api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("one", "two"):
        ready_api.submitted(externalSessionId=name)
    assert "of more" not in run("find_session").text
    monkeypatch.setattr(finding, "MOST_FOUND", 1)
    said = run("find_session")
    assert said.text.splitlines()[-1].startswith("The newest 200 of more; narrow by")
    assert len(result("find_session").document) == 1


def test_each_claims_number_and_deadline_are_shown(ready_api: Api) -> None:
    ready_api.submitted()
    run_until_quiet()
    Claim.objects.update(file_by=date(2030, 1, 31))
    number = Claim.objects.get().patient_control_number
    [row] = result("find_session").document
    assert (row["patientControlNumber"], row["fileBy"]) == (number, "2030-01-31")


@pytest.mark.parametrize("words", [("find_session", "--rule"), ("reprocess", "--held-by")])
def test_a_rule_that_there_is_not_is_wrong_usage(api: Api, words: tuple[str, ...]) -> None:
    said = run(*words, "SUB-005")
    assert (said.code, said.text) == (2, "There is no rule 'SUB-005'; docs/claim-rules.md lists them.")


def test_what_a_restore_holds_is_found(ready_api: Api) -> None:
    session_id = ready_api.submitted()
    assert run("find_session", "--rule", "restored").code == 3
    pipeline.advance()
    run("after_restore")
    [row] = result("find_session", "--rule", "restored").document
    assert row["sessionId"] == session_id
    assert str(Claim.objects.get().pk) in run("show_session", session_id).text


def test_a_day_is_asked_for_as_it_is_written(api: Api) -> None:
    said = run("find_session", "--from", "yesterday")
    assert said.code != 0
    assert "'yesterday' is no day; write YYYY-MM-DD." in said.text


def test_the_example_in_help_can_be_asked(api: Api) -> None:
    command = load_command_class("claims", "find_session")
    rule = command.example.split("--rule ")[1]
    assert rule in finding.HOLDING
