"""Who did what to the set-up, as triggers wrote it down."""

import re
from urllib.parse import urlencode
from uuid import uuid4

import pytest
from django.contrib.auth.models import Group, User
from django.db import DatabaseError, connection
from django.urls import reverse

from billing.models import Payer
from claims.admin.set_up_changes import KINDS
from claims.models import SetUpChange
from partners.keys import issue_key
from partners.models import Partner
from providers.models import ChargeRate, Enrollment, Practice
from tests.cast import Api
from tests.claims.admin.staff import Desk, ended


@pytest.fixture
def administrator(db: None, settings: object) -> Desk:
    settings.STAFF_SECOND_FACTOR = False
    return Desk("administrator")


def told(desk: Desk) -> str:
    page = desk.get("desk:audit", query="?kind=changes").content.decode()
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", page))


def test_every_table_of_the_set_up_is_watched(db: None) -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT tgrelid::regclass::text FROM pg_trigger WHERE tgname = 'set_up_is_recorded'")
        assert {table for (table,) in cursor.fetchall()} == set(KINDS) - {
            "otp_totp_totpdevice"
        }  # a former one


def test_a_key_that_is_issued_is_told_without_its_secret(partner: Api, administrator: Desk) -> None:
    address = reverse("admin:partners_key_new", args=[partner.partner.pk])
    administrator.client.post(address, {"name": "prod-2", "ends": ""})
    change = SetUpChange.objects.get(table_name="partners_apikey")
    assert (change.user, change.what, change.name) == (administrator.user, "I", "prod-2")
    assert change.became["digest"] == "…"
    assert f"Maya {administrator.user.username} added API key prod-2" in told(administrator)


def test_a_change_is_told_before_and_after(partner: Api, administrator: Desk) -> None:
    address = reverse("admin:partners_partner_change", args=[partner.partner.pk])
    form = {"name": "Harborlight", "active": "on", "submission_delay": "00:10:00", "rate_limit": "120"}
    assert administrator.client.post(address, form).status_code == 302
    text = told(administrator)
    assert "changed partner Harborlight" in text
    assert "rate limit: none 120" in text


def test_what_nobody_at_the_desk_changed_is_told_so(partner: Api, administrator: Desk) -> None:
    Partner.objects.filter(pk=partner.partner.pk).update(rate_limit=7)
    assert "not at the desk changed partner Harborlight rate limit: none 7" in told(administrator)


def test_what_comes_through_the_interface_or_a_command_is_added_silently(partner: Api) -> None:
    issue_key(partner.partner, name="by command")
    assert not SetUpChange.objects.exclude(table_name="auth_user_groups").exists()


def test_a_role_that_is_given_is_told(partner: Api, administrator: Desk) -> None:
    colleague = User.objects.create_user("tess", is_staff=True)
    form = {"username": "tess", "is_active": "on", "is_staff": "on"}
    form["groups"] = Group.objects.get(name="billing").pk
    address = reverse("admin:auth_user_change", args=[colleague.pk])
    assert administrator.client.post(address, form).status_code == 302
    assert "added role billing of tess" in told(administrator)


def test_what_was_added_or_removed_is_told_with_what_it_says(partner: Api, settings: object) -> None:
    settings.STAFF_SECOND_FACTOR = False
    lead, payer = Desk("billing lead"), Payer.objects.get(payer_id="60054")
    npi = Practice.objects.get().npi
    form = {"partner": partner.partner.pk, "npi": npi, "payer": payer.pk, "note": ""}
    lead.client.post(
        reverse("admin:providers_enrollment_add"), {**form, "claims": "live", "remittances": "pending"}
    )
    said = told(lead)
    assert f"added enrollment {npi}" in said
    assert "payer: Aetna" in said
    assert "partner: Harborlight" in said
    assert "remittances: pending" in said
    Enrollment.objects.all().delete()
    assert re.search(rf"removed enrollment {npi} .*payer: Aetna .*added enrollment", told(lead))


def test_a_rate_is_told_with_its_amount_payer_and_days(partner: Api, administrator: Desk) -> None:
    rate = ChargeRate.objects.filter(procedure_code="90837").first()
    ChargeRate.objects.filter(pk=rate.pk).update(payer_id="60054", valid=("2026-01-01", "2027-01-01"))
    rate.delete()
    said = told(administrator)
    assert "removed charge rate 90837" in said
    for words in ("unit charge: 180.00", "payer: 60054", "valid: from 2026-01-01 until before 2027-01-01"):
        assert words in said


def test_many_of_a_kind_are_one_line(partner: Api, administrator: Desk) -> None:
    for number in range(5):
        issue_key(partner.partner, name=f"key {number}")
    partner.partner.api_keys.update(name="renamed")
    assert "changed 6 API keys" in told(administrator)


def test_nobody_edits_what_happened(partner: Api) -> None:
    Partner.objects.filter(pk=partner.partner.pk).update(rate_limit=7)
    with pytest.raises(DatabaseError, match="never changed"):
        SetUpChange.objects.all().delete()


def test_who_saw_a_session_is_found_by_its_number(
    partner: Api, billing: Desk, lead: Desk, administrator: Desk
) -> None:
    session_id, other = ended(partner, "PAID1"), ended(partner, "PAID2")
    billing.page(session_id)
    lead.page(other)
    page = administrator.get("desk:audit", query=f"?session={session_id}").content.decode()
    assert billing.user.username in page
    assert lead.user.username not in page
    assert str(other) not in page


def test_where_the_whole_record_of_a_session_is_stands_with_its_views(
    partner: Api, administrator: Desk
) -> None:
    session_id = ended(partner, "PAID1")
    page = administrator.get("desk:audit", query=f"?session={session_id}").content.decode()
    assert f"manage.py export_access --session {session_id}" in page
    assert "export_access" not in administrator.get("desk:audit").content.decode()


@pytest.mark.parametrize(
    ("asked", "words"),
    [("hl-1", "is no session ID"), (uuid4(), "Nothing fits."), ("a\x00", "is no session ID")],
)
def test_who_saw_what_is_not_there_is_said_with_what_to_do(
    partner: Api, administrator: Desk, asked: object, words: str
) -> None:
    page = administrator.get("desk:audit", query="?" + urlencode({"session": asked})).content.decode()
    assert words in page


def test_people_of_one_name_are_told_apart(partner: Api, billing: Desk, administrator: Desk) -> None:
    billing.page(ended(partner, "PAID1"))
    page = administrator.get("desk:audit").content.decode()
    assert f"person={billing.user.username}" in page
