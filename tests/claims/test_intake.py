"""The front door as other code uses it: expected versions, hints, work items, a broker that is away."""

import time
from datetime import date
from uuid import UUID

import pytest
from django.db import connection
from django.test import override_settings

from claims import bell, intake, tasks
from claims.models import Claim, WorkItem
from sessions_app.models import Session
from sessions_app.submission import Correction
from tests.cast import Api, partner_api, submission

JUNE = Correction(columns={"patient_first_name": "June"})


@pytest.fixture
def session(api: Api) -> Session:
    return Session.objects.get(pk=api.onboarded().submitted())


def test_the_expected_version_must_be_the_stored_one(session: Session) -> None:
    intake.correct(session.id, partner_id=session.partner_id, correction=JUNE, expected_version=1)
    with pytest.raises(intake.VersionConflict):
        intake.correct(session.id, partner_id=session.partner_id, correction=JUNE, expected_version=1)
    assert Session.objects.get().version == 2


def test_the_history_says_who_corrected(session: Session) -> None:
    intake.correct(session.id, partner_id=session.partner_id, correction=JUNE, by_staff=True)
    assert session.events.order_by("-id")[0].summary == "Corrected by billing staff: patient.firstName."


def test_an_invalid_correction_leaves_everything_as_it_was(session: Session) -> None:
    late = Correction(columns={"patient_date_of_birth": date(2999, 1, 1)})
    before = list(Session.objects.values()), list(Claim.objects.values())
    with pytest.raises(intake.CorrectionInvalid) as caught:
        intake.correct(session.id, partner_id=session.partner_id, correction=late)
    assert [issue.path for issue in caught.value.issues] == ["patient.dateOfBirth"]
    assert (list(Session.objects.values()), list(Claim.objects.values())) == before


def test_a_correction_closes_what_was_open_about_the_hold(session: Session) -> None:
    Claim.objects.update(step="held", status="held")
    item = WorkItem.objects.create(
        queue="held", partner_id=session.partner_id, session=session, reason="PRV-001", summary="…"
    )
    intake.correct(session.id, partner_id=session.partner_id, correction=JUNE)
    item.refresh_from_db()
    assert item.closed_at is not None


@pytest.mark.django_db(transaction=True)
def test_both_ways_in_ring_after_commit(monkeypatch: pytest.MonkeyPatch) -> None:
    rung: list[bool] = []
    monkeypatch.setattr(bell._bell, "ring", lambda: rung.append(connection.in_atomic_block))
    ours = partner_api("Ours").onboarded()
    session_id = ours.submitted()
    assert rung == [False]
    intake.correct(UUID(session_id), partner_id=ours.partner.pk, correction=JUNE)
    assert rung == [False, False]


@pytest.mark.django_db(transaction=True)
@override_settings(REDIS_URL="redis://127.0.0.1:1/0")
def test_with_the_broker_away_every_post_is_taken_within_a_second(monkeypatch: pytest.MonkeyPatch) -> None:
    from config.celery import app

    ours = partner_api("Ours").onboarded()
    monkeypatch.setattr(tasks, "_broker_rests_until", 0.0)
    # Before the settings are overridden: what it puts back is what it found.
    monkeypatch.setattr(app.conf, "broker_url", "redis://127.0.0.1:1/0")
    # Pools of its own, so that those of the broker that is there stay as they are for the tests behind.
    monkeypatch.setattr(app, "_pool", None)
    monkeypatch.setattr(app.amqp, "_producer_pool", None)
    with override_settings(CELERY_BROKER_URL="redis://127.0.0.1:1/0"):
        for _ in range(3):
            begun = time.monotonic()
            assert ours.post("/sessions", submission()).status_code == 201
            assert time.monotonic() - begun < 1
        until = time.monotonic() + 10
        while not tasks._broker_rests_until and time.monotonic() < until:
            time.sleep(0.02)  # a thread of its own asks the broker
        assert tasks._broker_rests_until
    assert Claim.objects.filter(step="code", next_step_at__isnull=False).count() == 3
