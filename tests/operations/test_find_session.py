"""`find_session`: what fits, that there is more, and what can't be asked for."""

from datetime import date
from uuid import UUID

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


NUMBERS = {
    "session": lambda claim: str(claim.session_id),
    "partner's": lambda claim: claim.session.external_session_id,
    "ours": lambda claim: f" {claim.patient_control_number.lower()} ",
    "payer's": lambda claim: claim.payer_control_number,
    "request": lambda claim: claim.session.request_id,
}


@pytest.mark.parametrize("kind", list(NUMBERS))
@pytest.mark.parametrize("external", ["hl-88213", "6f1c2f0e-62a5-4c1c-9f5b-6c8f3a1f7d10"])
def test_every_number_finds_its_session(ready_api: Api, kind: str, external: str) -> None:
    ready_api.submitted(patient__insurance__memberId="PAID2")
    session_id = ready_api.submitted(externalSessionId=external)
    run_until_quiet()
    number = NUMBERS[kind](Claim.objects.get(session=session_id))
    [row] = result("find_session", number).document
    assert row["sessionId"] == session_id
    assert finding.one_session(number).pk == UUID(session_id)


def test_a_sessions_own_id_goes_before_what_a_partner_names_so(ready_api: Api) -> None:
    first = ready_api.submitted()
    ready_api.submitted(externalSessionId=first)
    assert finding.one_session(first).pk == UUID(first)


def test_the_newest_come_first(ready_api: Api) -> None:
    sent = [ready_api.submitted(patient__insurance__memberId=f"PAID{number}") for number in range(3)]
    assert [row["sessionId"] for row in result("find_session").document] == sent[::-1]


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
