"""A held session goes through the checks again once what held it is mended elsewhere."""

from datetime import date
from decimal import Decimal
from typing import Any
from uuid import UUID

import pytest
from django.contrib.auth.models import User
from django.db.backends.postgresql.psycopg_any import DateRange

from claims import pipeline
from claims.actions import seen_of
from claims.desk import reviews
from claims.intake import correct_and_resend
from claims.models import Claim, WorkItem
from claims.tasks import watch
from providers.models import ChargeRate, ChargeSchedule
from sessions_app.api.reading import read_correction
from tests.cast import NPI, Api
from tests.claims.process import run_until_quiet

PO_BOX = {"practice": {"address": {"street": "PO Box 12"}}}
MENDED = {"practice": {"address": {"street": "12 Main St"}}}
PATH = "PATCH /api/v1/partner/providers/{npi}"


def shown(partner: Api, session_id: str) -> dict[str, Any]:
    return partner.get(f"/sessions/{session_id}").json()


def submitted(partner: Api, **changes: Any) -> str:
    session_id = partner.submitted(**changes)
    run_until_quiet()
    return session_id


def updates(partner: Api, session_id: str) -> list[str]:
    timeline = shown(partner, session_id)["timeline"]
    return [entry["summary"] for entry in timeline if entry["type"] == "session.updated"]


def test_a_mended_practice_lets_the_sessions_that_it_held_go_on(partner: Api) -> None:
    partner.patch(f"/providers/{NPI}", PO_BOX)
    members = ("PAID1", "PAID2")
    held = [submitted(partner, patient__insurance__memberId=member) for member in members]
    for session_id in held:
        message = shown(partner, session_id)["message"]
        assert message.startswith("Held: practice.address.street: ")
        assert message.endswith(f"Correct the practice or therapist ({PATH}), and the session goes on.")
    assert partner.patch(f"/providers/{NPI}", MENDED).status_code == 200
    for session_id in held:
        assert "checked again" in shown(partner, session_id)["message"]
        assert updates(partner, session_id) == ["Corrected by the partner: practice.address.street."]
    assert not WorkItem.objects.filter(closed_at=None).exists()
    run_until_quiet()
    assert [shown(partner, session_id)["status"] for session_id in held] == ["paid", "paid"]


def test_a_practice_that_is_mended_while_a_session_is_checked_does_not_hold_it(
    partner: Api, monkeypatch: pytest.MonkeyPatch
) -> None:
    partner.patch(f"/providers/{NPI}", PO_BOX)
    session_id = partner.submitted()
    check, mended = pipeline._check_and_build, []

    def mended_meanwhile(runs: Any, *, now: Any) -> Any:
        checked = check(runs, now=now)
        if not mended:
            mended.append(partner.patch(f"/providers/{NPI}", MENDED).status_code)
        return checked

    monkeypatch.setattr(pipeline, "_check_and_build", mended_meanwhile)
    run_until_quiet()
    assert mended == [200]
    assert shown(partner, session_id)["status"] == "paid"


def test_a_corrected_claim_that_the_practice_held_goes_on_too(partner: Api) -> None:
    session_id = UUID(submitted(partner, patient__insurance__memberId="REJECTED"))
    partner.patch(f"/providers/{NPI}", PO_BOX)
    correction, _ = read_correction({"patient": {"insurance": {"memberId": "PAID7"}}})
    correct_and_resend(session_id, correction=correction, user=None, reason="another card")
    run_until_quiet()
    held = Claim.objects.get(session=session_id, version=2)
    assert held.status == "held"
    assert partner.patch(f"/providers/{NPI}", MENDED).status_code == 200
    run_until_quiet()
    held.refresh_from_db()
    assert held.status == "paid"


def test_a_practice_that_is_still_wrong_holds_again(partner: Api) -> None:
    partner.patch(f"/providers/{NPI}", PO_BOX)
    session_id = submitted(partner)
    partner.patch(f"/providers/{NPI}", {"provider": {"credentials": "PhD"}})
    run_until_quiet()
    assert shown(partner, session_id)["message"].startswith("Held: practice.address.street: ")


def test_other_sessions_do_not_notice_a_mended_practice(partner: Api, rival: Api) -> None:
    own_fault = submitted(partner, patient__insurance__memberId="HELD")
    paid = submitted(partner)
    other_practice = {"provider__npi": "1000000004", "practice__address__street": "PO Box 1"}
    partner.onboarded(**other_practice)
    other = submitted(partner, providerNpi="1000000004", patient__insurance__memberId="PAID2")
    before = list(Claim.objects.order_by("pk").values_list("pk", "status", "revision"))
    partner.patch(f"/providers/{NPI}", MENDED)
    assert list(Claim.objects.order_by("pk").values_list("pk", "status", "revision")) == before
    assert [updates(partner, each) for each in (own_fault, paid, other)] == [[], [], []]


def test_a_session_with_faults_of_its_own_too_is_told_both(partner: Api) -> None:
    partner.patch(f"/providers/{NPI}", PO_BOX)
    message = shown(partner, submitted(partner, patient__insurance__memberId="HELD"))["message"]
    assert message.endswith(f"Correct the session, and the practice or therapist ({PATH}); then it goes on.")


def test_an_update_without_a_change_checks_a_held_session_again(partner: Api) -> None:
    codes = [{"code": "H0004"}]
    ChargeRate.objects.filter(procedure_code="H0004").delete()
    session_id = submitted(partner, session__procedureCodes=codes)
    assert shown(partner, session_id)["status"] == "processing"
    own = ChargeSchedule.objects.create(name="Own", scope="partner", partner=partner.partner)
    valid = DateRange(date(2020, 1, 1), None)
    ChargeRate.objects.create(schedule=own, procedure_code="H0004", unit_charge=Decimal(90), valid=valid)
    assert partner.patch(f"/sessions/{session_id}", {}).status_code == 200
    assert "checked again" in shown(partner, session_id)["message"]
    run_until_quiet()
    assert shown(partner, session_id)["status"] == "paid"
    assert updates(partner, session_id) == ["The partner had the session checked again."]


def priced(partner: Api, code: str) -> None:
    own, _ = ChargeSchedule.objects.get_or_create(name="Own", scope="partner", partner=partner.partner)
    valid = DateRange(date(2020, 1, 1), None)
    ChargeRate.objects.create(schedule=own, procedure_code=code, unit_charge=Decimal(90), valid=valid)


def unpriced(partner: Api, *codes: str) -> str:
    ChargeRate.objects.filter(procedure_code__in=codes).delete()
    session_id = submitted(partner, session__procedureCodes=[{"code": each} for each in codes])
    assert "No rate prices" in shown(partner, session_id)["message"]
    return session_id


def test_what_no_rate_priced_goes_on_once_there_is_one(partner: Api) -> None:
    session_id = unpriced(partner, "H0004")
    priced(partner, "H0004")
    watch()
    run_until_quiet()
    assert shown(partner, session_id)["status"] == "paid"
    assert updates(partner, session_id) == ["There is a rate for it now."]


def test_what_is_not_priced_in_full_stays_held(partner: Api) -> None:
    session_id = unpriced(partner, "H0004", "H0005")
    priced(partner, "H0004")
    watch()
    assert updates(partner, session_id) == []


def test_what_a_person_set_aside_is_not_taken_up_for_a_rate(partner: Api) -> None:
    session_id = unpriced(partner, "H0004")
    maya = User.objects.create_user("maya")
    seen = seen_of(Claim.objects.get(session=session_id))
    reviews.set_aside_held(UUID(session_id), reason="not ours", user=maya, seen=seen)
    priced(partner, "H0004")
    watch()
    assert updates(partner, session_id) == []


def test_an_update_without_a_change_leaves_a_session_alone_that_is_not_held(partner: Api) -> None:
    session_id = partner.submitted()
    before = Claim.objects.values().get()
    assert partner.patch(f"/sessions/{session_id}", {}).status_code == 200
    assert Claim.objects.values().get() == before
    assert updates(partner, session_id) == []
