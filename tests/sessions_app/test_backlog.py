"""With more waiting than the service can take in, new sessions are asked to come later."""

import threading
from typing import Any

import pytest

from claims import backlog
from claims.models import Claim
from sessions_app.models import Session
from tests.cast import Api, partner_api, submission


@pytest.fixture(autouse=True)
def _forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(backlog, "_full", frozenset())
    monkeypatch.setattr(backlog, "_bell", threading.Event())
    backlog._bell.ring = backlog._bell.set


def test_a_full_backlog_answers_503_with_a_time_to_come_back(api: Api, settings: Any) -> None:
    api.onboarded()
    settings.BACKLOG_LIMIT = 2
    for number in range(3):
        api.submitted(patient__insurance__memberId=f"W12345678{number}")
    assert backlog.look()
    refused = api.post("/sessions", submission(externalSessionId="later"))
    assert refused.status_code == 503
    assert int(refused.headers["Retry-After"]) > 0
    assert not Session.objects.filter(external_session_id="later").exists()
    Claim.objects.all().update(next_step_at=None)
    assert not backlog.look()
    assert api.post("/sessions", submission(externalSessionId="later")).status_code == 201


def test_other_requests_go_on_meanwhile(api: Api, settings: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    session_id = api.onboarded().submitted()
    monkeypatch.setattr(backlog, "_full", frozenset({api.partner.pk}))
    assert api.get(f"/sessions/{session_id}").status_code == 200


def test_no_limit_means_never(api: Api, settings: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    settings.BACKLOG_LIMIT = 0
    monkeypatch.setattr(backlog, "_full", frozenset({api.partner.pk}))
    assert not backlog.is_full(api.partner.pk)


def test_one_partners_backlog_shuts_no_other_out(api: Api, settings: Any) -> None:
    rival = partner_api("Rival").onboarded(provider__npi="1245319599")
    api.onboarded()
    settings.BACKLOG_LIMIT = 2
    for number in range(3):
        api.submitted(patient__insurance__memberId=f"W12345678{number}")
    rival.submitted(providerNpi="1245319599")
    assert backlog.look() == {api.partner.pk}
    assert api.post("/sessions", submission()).status_code == 503
    assert rival.post("/sessions", submission(providerNpi="1245319599")).status_code == 201
