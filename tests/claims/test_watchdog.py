"""Answers that do not come: a task once they are overdue, which closes itself when one comes."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

import pytest
import time_machine
from django.db import connection
from django.test.utils import CaptureQueriesContext

from claims import actions, lifecycle, watchdog
from claims.models import Claim, ClaimSignal, WorkItem
from claims.signals import Signal
from tests.cast import Api, day_of_service, partner_api
from tests.claims.fold_cast import acknowledgement, inquiry, line, on, remittance
from tests.claims.process import run_until_quiet


@pytest.fixture
def claim(release: object, sample_charges: None, settings: Any) -> Claim:
    """A claim that was sent, and of which nothing has been heard."""
    settings.SANDBOX_SPEED = 1e9
    partner: Api = partner_api("Harborlight", submission_delay=timedelta()).onboarded()
    session_id = UUID(partner.submitted(patient__insurance__memberId="SILENT"))
    run_until_quiet()
    return Claim.objects.get(session=session_id)


def hear(claim: Claim, *signals: Signal) -> None:
    for signal in signals:
        ClaimSignal.objects.create(
            partner=claim.partner,
            claim=claim,
            natural_key=signal.natural_key,
            kind=signal.kind,
            patient_control_number=claim.patient_control_number,
            effective_date=signal.effective_date,
            payload=signal.as_json(),
        )
    lifecycle.settle([claim.session_id])


def at_day(day: int) -> datetime:
    return datetime.combine(on(day), datetime.min.time(), tzinfo=UTC)


def open_reasons(claim: Claim) -> list[str]:
    items = WorkItem.objects.filter(session=claim.session_id, closed_at=None)
    return list(items.values_list("reason", flat=True))


PAID = remittance("1", "120", day=10, batch="EFT1")
REVERSED = remittance("22", "-120", day=20, batch="EFT2")
NO_CORRECTION = "reversed_without_correction"


def test_a_reversal_without_correction_is_a_task_after_thirty_days(claim: Claim) -> None:
    hear(claim, PAID, REVERSED)
    watchdog.watch(now=at_day(49))
    assert NO_CORRECTION not in open_reasons(claim)
    watchdog.watch(now=at_day(50))
    watchdog.watch(now=at_day(51))
    assert open_reasons(claim).count(NO_CORRECTION) == 1


def test_a_line_that_is_reversed_without_correction_is_a_task_too(claim: Claim) -> None:
    paid = remittance("1", "140", day=10, lines=(line(1, "155", "120"), line(2, "25", "20")))
    back = remittance("22", "-20", day=20, batch="EFT2", charge="-25", lines=(line(2, "-25", "-20"),))
    hear(claim, paid, back)
    watchdog.watch(now=at_day(49))
    assert NO_CORRECTION not in open_reasons(claim)
    watchdog.watch(now=at_day(50))
    assert NO_CORRECTION in open_reasons(claim)


def test_the_task_is_closed_when_the_correction_comes(claim: Claim) -> None:
    hear(claim, PAID, REVERSED)
    watchdog.watch(now=at_day(50))
    hear(claim, remittance("1", "90", day=55, batch="EFT3"))
    assert open_reasons(claim) == []


def test_a_claim_that_nobody_acknowledges_is_a_task_after_a_day(claim: Claim) -> None:
    sent = claim.submitted_at
    assert watchdog.watch(now=sent + timedelta(hours=23)) == 0
    assert watchdog.watch(now=sent + timedelta(hours=25)) == 1
    assert open_reasons(claim) == ["no_clearinghouse_answer"]


def test_a_claim_in_a_new_envelope_is_waited_for_anew(claim: Claim) -> None:
    sent = claim.submitted_at
    hear(claim, replace(acknowledgement("R"), effective_date=sent.date()))
    actions.resend(claim.session_id, user=None, reason="The sender's name is mended.")
    with time_machine.travel(sent + timedelta(days=31), tick=True):
        run_until_quiet()
    claim.refresh_from_db()
    assert (claim.times_sent, claim.submitted_at) == (2, sent)
    handed_over = claim.transmissions.get(ordinal=2).transmission.handed_over_at
    assert watchdog.watch(now=handed_over + timedelta(hours=23)) == 0
    assert watchdog.watch(now=handed_over + timedelta(hours=25)) == 1
    assert open_reasons(claim) == ["no_clearinghouse_answer"]


def test_a_claim_that_was_passed_on_to_another_payer_waits_for_its_remittance(claim: Claim) -> None:
    hear(claim, remittance("23", "0", day=10, batch="EFT1"))
    assert watchdog.watch(now=claim.submitted_at + timedelta(days=29)) == 0
    assert watchdog.watch(now=claim.submitted_at + timedelta(days=31)) == 1
    assert open_reasons(claim) == ["no_remittance"]


def test_an_answer_that_lands_while_the_claims_are_looked_through_leaves_no_task(claim: Claim) -> None:
    landed: list[str] = []

    def land(execute: Any, sql: str, *rest: Any) -> Any:
        result = execute(sql, *rest)
        if not landed and "claims_claim" in sql:
            landed.append(sql)
            hear(claim, PAID)
        return result

    with connection.execute_wrapper(land):
        watchdog.watch(now=claim.submitted_at + timedelta(days=31))
    assert landed
    assert open_reasons(claim) == []


def test_the_longest_silence_is_told_however_often_one_looks(claim: Claim) -> None:
    for _ in range(3):
        watchdog.watch(now=claim.submitted_at + timedelta(days=31))
        assert open_reasons(claim) == ["no_remittance"]


def test_a_claim_that_its_payer_calls_settled_waits_for_its_remittance_and_says_what_else_helps(
    claim: Claim,
) -> None:
    hear(claim, inquiry("P1", day=3), inquiry("F0", day=9))
    assert watchdog.watch(now=claim.submitted_at + timedelta(days=31)) == 1
    item = WorkItem.objects.get(session=claim.session_id, closed_at=None)
    assert item.reason == "no_remittance"
    assert item.summary.endswith("where it has decided and sends none, a lead posts what it says.")


def test_a_longer_silence_takes_the_place_of_a_shorter_one(claim: Claim) -> None:
    for days, reason in ((2, "no_clearinghouse_answer"), (8, "no_payer_answer"), (31, "no_remittance")):
        assert watchdog.watch(now=claim.submitted_at + timedelta(days=days)) == 1
        assert open_reasons(claim) == [reason]


def test_many_silent_claims_cost_as_many_statements_as_one(claim: Claim) -> None:
    def statements() -> int:
        WorkItem.objects.all().delete()
        with CaptureQueriesContext(connection) as asked:
            watchdog.watch(now=claim.submitted_at + timedelta(days=31))
        assert WorkItem.objects.count() == Claim.objects.count()
        return len(asked)

    one = statements()
    partner = partner_api("Other", submission_delay=timedelta()).onboarded(provider__npi="1888888884")
    for days_ago in (7, 8, 9):
        partner.submitted(
            patient__insurance__memberId="SILENT",
            providerNpi="1888888884",
            session__dateOfService=day_of_service(days_ago),
        )
    run_until_quiet()
    assert statements() == one
