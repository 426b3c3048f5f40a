"""Keys in the back office: issued, rotated, revoked; shown once, kept nowhere."""

import re
import threading
import time
from datetime import timedelta
from decimal import Decimal
from uuid import uuid4

import pytest
from django.contrib.auth.models import Group, User
from django.db import connection, transaction
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from partners.keys import issue_key, recognize_key, revoke_key
from partners.models import ApiKey, Mode, Partner
from tests.cast import as_shown

pytestmark = pytest.mark.django_db


@pytest.fixture
def partner() -> Partner:
    return Partner.objects.create(name="Harborlight", slug=f"harborlight-{uuid4().hex[:6]}", mode=Mode.TEST)


def staff(role: str) -> Client:
    user = User.objects.create_user(f"{role}-{uuid4().hex[:6]}", is_staff=True)
    user.groups.add(Group.objects.get(name=role))
    client = Client()
    client.force_login(user)
    return client


@pytest.fixture
def administrator(settings) -> Client:
    settings.STAFF_SECOND_FACTOR = False
    return staff("administrator")


def shown_key(answer) -> str:
    return answer.content.decode().split('id="new-key">')[1].split("<")[0]


def test_an_issued_key_works_and_is_shown_once(administrator, partner):
    answer = administrator.post(
        reverse("admin:partners_key_new", args=[partner.pk]), {"name": "prod-2", "ends": "90"}
    )
    text = shown_key(answer)
    assert recognize_key(text).partner_id == partner.pk
    assert "no-store" in answer["Cache-Control"]
    page = administrator.get(reverse("admin:partners_partner_change", args=[partner.pk])).content.decode()
    assert text not in page
    assert text[:20] in page
    assert timedelta(days=89) < ApiKey.objects.get().expires_at - timezone.now() < timedelta(days=91)


def test_the_page_of_an_issued_key_that_is_loaded_again_issues_no_other(administrator, partner):
    address = reverse("admin:partners_key_new", args=[partner.pk])
    text = shown_key(administrator.post(address, {"name": "prod-2"}))
    page = administrator.post(address, {"name": "prod-2"}, follow=True).content.decode()
    assert "There is a key prod-2 already" in page
    assert text not in page
    assert recognize_key(text) == ApiKey.objects.get()


def test_the_name_of_a_key_that_ended_is_free(administrator, partner):
    revoke_key(issue_key(partner, name="prod").record)
    issue_key(partner, name="prod", expires_at=timezone.now() - timedelta(days=1))
    answer = administrator.post(reverse("admin:partners_key_new", args=[partner.pk]), {"name": "prod"})
    assert recognize_key(shown_key(answer)).name == "prod"


def test_a_key_is_in_no_log(administrator, partner, caplog, capfd):
    answer = administrator.post(reverse("admin:partners_key_new", args=[partner.pk]), {"name": "x"})
    written = caplog.text + "".join(capfd.readouterr())
    assert shown_key(answer)[20:] not in written


def test_a_rotated_key_goes_on_until_a_stated_day(administrator, partner):
    old = issue_key(partner, name="prod")
    answer = administrator.post(
        reverse("admin:partners_key_rotate", args=[partner.pk, old.record.pk]), {"grace": "7"}
    )
    assert recognize_key(shown_key(answer)).name == "prod"
    assert recognize_key(old.text) is not None
    old.record.refresh_from_db()
    assert timedelta(days=6) < old.record.expires_at - timezone.now() < timedelta(days=8)


def test_a_rotated_key_is_not_rotated_again(administrator, partner):
    old = issue_key(partner)
    address = reverse("admin:partners_key_rotate", args=[partner.pk, old.record.pk])
    administrator.post(address, {"grace": "7"})
    page = administrator.post(address, {"grace": "7"}, follow=True).content.decode()
    assert "successor already" in page
    assert ApiKey.objects.filter(partner=partner).count() == 2


def test_a_revoked_key_is_refused(administrator, partner):
    key = issue_key(partner)
    administrator.post(reverse("admin:partners_key_revoke", args=[partner.pk, key.record.pk]))
    assert recognize_key(key.text) is None


def test_a_key_of_another_partner_is_not_there(administrator, partner):
    other = Partner.objects.create(name="Other", slug="other-partner", mode=Mode.TEST)
    key = issue_key(other)
    for page in ("revoke", "rotate"):
        address = reverse(f"admin:partners_key_{page}", args=[partner.pk, key.record.pk])
        assert administrator.post(address, {"grace": "7"}).status_code == 404
    assert recognize_key(key.text) is not None


@pytest.mark.parametrize("fields", [{"name": ""}, {"name": "x" * 61}, {"name": "x", "ends": "7777"}])
def test_a_key_without_a_proper_name_or_end_is_not_issued(administrator, partner, fields):
    administrator.post(reverse("admin:partners_key_new", args=[partner.pk]), fields)
    assert not ApiKey.objects.exists()


@pytest.mark.parametrize("role", ["billing", "billing lead", "support"])
def test_nobody_else_deals_in_keys(settings, partner, role):
    settings.STAFF_SECOND_FACTOR = False
    client, key = staff(role), issue_key(partner)
    for page, arguments in (("new", []), ("rotate", [key.record.pk]), ("revoke", [key.record.pk])):
        address = reverse(f"admin:partners_key_{page}", args=[partner.pk, *arguments])
        assert client.post(address, {"name": "x", "grace": "7"}).status_code == 403
    page = client.get(reverse("admin:partners_partner_change", args=[partner.pk])).content.decode()
    assert key.record.prefix not in page


def test_a_key_is_dealt_with_by_post_alone(administrator, partner):
    administrator.get(reverse("admin:partners_key_new", args=[partner.pk]))
    assert not ApiKey.objects.filter(partner=partner).exists()


def test_a_partners_mode_is_never_changed(administrator, partner):
    administrator.post(
        reverse("admin:partners_partner_change", args=[partner.pk]),
        {"name": "Renamed", "active": "on", "submission_delay": "00:15:00", "mode": "live"},
    )
    partner.refresh_from_db()
    assert (partner.name, partner.mode) == ("Renamed", "test")


def test_a_partners_correction_window_has_an_end(administrator, partner):
    address = reverse("admin:partners_partner_change", args=[partner.pk])
    fields = {"name": partner.name, "active": "on", "submission_delay": "31 00:00:00"}
    assert "At most 30 days" in administrator.post(address, fields).content.decode()
    partner.refresh_from_db()
    assert partner.submission_delay == timedelta(minutes=15)


@pytest.mark.parametrize(
    ("typed", "kept"),
    [
        ("20", timedelta(minutes=20)),
        (" 0 ", timedelta()),
        ("01:30:00", timedelta(minutes=90)),
        ("1:30", None),
        ("1.5", None),
        ("-5", None),
        ("9" * 30, None),
        ("quarter", None),
    ],
)
def test_a_number_typed_as_a_partners_delay_is_minutes(administrator, partner, typed, kept):
    address = reverse("admin:partners_partner_change", args=[partner.pk])
    answer = administrator.post(address, {"name": partner.name, "active": "on", "submission_delay": typed})
    partner.refresh_from_db()
    assert partner.submission_delay == (timedelta(minutes=15) if kept is None else kept)
    assert ("Type minutes, like 15." in answer.content.decode()) == (kept is None)


@pytest.mark.parametrize(
    ("delay", "typed", "listed"),
    [(timedelta(minutes=15), "15", "15 min"), (timedelta(seconds=10), "00:00:10", "10 s")],
)
def test_a_partners_delay_is_shown_with_its_unit(administrator, partner, delay, typed, listed):
    Partner.objects.filter(pk=partner.pk).update(submission_delay=delay)
    address = reverse("admin:partners_partner_change", args=[partner.pk])
    page = administrator.get(address).content.decode()
    assert re.search(rf'name="submission_delay" value="{typed}"', page)
    assert "in minutes" in page
    assert listed in administrator.get(reverse("admin:partners_partner_changelist")).content.decode()
    assert f'<div class="readonly">{listed}</div>' in staff("billing").get(address).content.decode()


@pytest.mark.parametrize(("typed", "kept"), [("0.99", Decimal("0.990")), ("0.2", None), ("97", None)])
def test_a_partner_has_its_own_threshold_for_codes_from_notes(administrator, partner, typed, kept):
    address = reverse("admin:partners_partner_change", args=[partner.pk])
    administrator.post(
        address,
        {"name": partner.name, "active": "on", "submission_delay": "00:15:00", "coder_threshold": typed},
    )
    partner.refresh_from_db()
    assert partner.coder_threshold == kept


def test_a_page_that_was_open_does_not_undo_what_a_colleague_changed(administrator, partner):
    address = reverse("admin:partners_partner_change", args=[partner.pk])
    shown = as_shown(administrator.get(address))
    Partner.objects.filter(pk=partner.pk).update(active=False, coder_threshold=Decimal("0.9"))
    typed = {"name": partner.name, "active": "on", "submission_delay": "15", "rate_limit": "60"}
    assert administrator.post(address, {**typed, **shown}).status_code == 302
    partner.refresh_from_db()
    assert (partner.active, partner.coder_threshold, partner.rate_limit) == (False, Decimal("0.9"), 60)


WAITS_FOR_US = """
SELECT EXISTS (SELECT FROM pg_locks WHERE NOT granted AND pg_backend_pid() = ANY (pg_blocking_pids(pid)))
"""


def posted_beside(client: Client, address: str, typed: dict[str, object]) -> threading.Thread:
    """A form that somebody sends while this transaction goes on, and that waits for its end by now."""

    def send() -> None:
        client.post(address, typed)
        connection.close()

    sending = threading.Thread(target=send)
    sending.start()
    until = time.monotonic() + 20
    while time.monotonic() < until and sending.is_alive():
        with connection.cursor() as cursor:
            if cursor.execute(WAITS_FOR_US).fetchone() == (True,):
                return sending
        time.sleep(0.01)
    raise AssertionError("It waits for nothing.")


@pytest.mark.django_db(transaction=True)
def test_what_a_colleague_saves_at_the_same_moment_stays(administrator, partner):
    address = reverse("admin:partners_partner_change", args=[partner.pk])
    typed = as_shown(administrator.get(address))
    typed |= {"name": partner.name, "active": "on", "submission_delay": "15", "rate_limit": "60"}
    with transaction.atomic():
        Partner.objects.filter(pk=partner.pk).update(active=False)
        sending = posted_beside(administrator, address, typed)
    sending.join(20)
    partner.refresh_from_db()
    assert (partner.active, partner.rate_limit) == (False, 60)


@pytest.mark.django_db(transaction=True)
def test_a_password_that_is_changed_while_the_persons_page_is_saved_stays(administrator):
    person = User.objects.create_user("maya", is_staff=True, password="the old one")
    address = reverse("admin:auth_user_change", args=[person.pk])
    typed = as_shown(administrator.get(address))
    typed |= {"username": "maya", "last_name": "Ortiz", "is_active": "on", "is_staff": "on"}
    with transaction.atomic():
        changed = User.objects.select_for_update().get(pk=person.pk)
        changed.set_password("the new one")
        changed.save()
        sending = posted_beside(administrator, address, typed)
    sending.join(20)
    person.refresh_from_db()
    assert (person.last_name, person.check_password("the new one")) == ("Ortiz", True)


def test_nobody_deletes_a_partner(administrator, partner):
    assert administrator.post(reverse("admin:partners_partner_delete", args=[partner.pk])).status_code == 403


def test_revoking_says_when_and_from_where_a_key_was_used(administrator, partner):
    key = issue_key(partner)
    api = Client(headers={"Authorization": f"Bearer {key.text}"})
    for address in ("192.0.2.7", "192.0.2.7", "2001:db8::1"):
        assert api.get("/api/v1/partner/sessions", REMOTE_ADDR=address).status_code == 200
    page = administrator.get(reverse("admin:partners_partner_change", args=[partner.pk])).content.decode()
    assert "lately from 2 addresses." in page
    assert "192.0.2.7" in page


def test_an_address_that_a_key_does_not_reach_from_is_not_told(administrator, partner):
    key = issue_key(partner, allowed_networks=["192.0.2.0/24"])
    api = Client(headers={"Authorization": f"Bearer {key.text}"})
    assert api.get("/api/v1/partner/sessions", REMOTE_ADDR="198.51.100.1").status_code == 401
    assert not key.record.addresses.exists()
