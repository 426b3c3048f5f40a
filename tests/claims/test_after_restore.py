"""After restoring an older backup: what may have left since does not leave again by itself."""

from datetime import timedelta
from typing import Any

import pytest
from django.core.management import call_command
from django.db import connection

from claims import actions, pipeline
from claims.models import Claim, Transmission, WorkItem
from tests.cast import Api, partner_api
from tests.claims.process import run_until_quiet


@pytest.fixture
def partner(release: object, sample_charges: None, settings: Any) -> Api:
    settings.SANDBOX_SPEED = 1e9
    return partner_api("Harborlight", submission_delay=timedelta()).onboarded()


def test_claims_that_had_not_left_wait_for_a_person_and_then_go_on(partner: Api) -> None:
    session_id = partner.submitted()
    pipeline.advance()
    call_command("after_restore")
    run_until_quiet()
    assert not Transmission.objects.exists()
    assert WorkItem.objects.get(closed_at=None).reason == "restored"
    actions.release(Claim.objects.get().session_id, user=None, reason="the clearinghouse has no such claim")
    run_until_quiet()
    assert partner.get(f"/sessions/{session_id}").json()["status"] == "paid"


def test_control_numbers_go_on_where_nobody_has_been(partner: Api) -> None:
    partner.submitted()
    run_until_quiet()
    call_command("after_restore")
    partner.submitted(patient__insurance__memberId="W987654321")
    run_until_quiet()
    with connection.cursor() as cursor:
        cursor.execute("SELECT last_value FROM claims_group_control_number")
        assert cursor.fetchone()[0] > 100_000


def test_nothing_changes_in_a_dry_run(partner: Api) -> None:
    partner.submitted()
    call_command("after_restore", "--dry-run")
    assert not WorkItem.objects.exists()
