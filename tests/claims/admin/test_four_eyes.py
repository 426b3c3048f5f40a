"""No administrator alone can sign in as somebody who sees patients: another one has to make them active."""

import pytest
from django.contrib.auth.models import Group, User
from django.core.management import call_command
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse

from claims.models import SetUpChange
from partners.models import Mode, Partner
from tests.cast import as_shown
from tests.claims.admin.staff import Desk
from tests.claims.admin.test_roles import changed_by

pytestmark = pytest.mark.django_db
PASSWORD = "quiet-harbor-2030"
WORDS = "another administrator has made them active"


@pytest.fixture
def one(settings) -> Desk:
    settings.STAFF_SECOND_FACTOR = False
    return Desk("administrator")


@pytest.fixture
def other(one: Desk) -> Desk:
    return Desk("administrator")


def added_by(desk: Desk) -> User:
    fields = {"username": "mo", "password1": PASSWORD, "password2": PASSWORD, "usable_password": "true"}
    assert desk.post("admin:auth_user_add", **fields).status_code == 302
    return User.objects.get(username="mo")


def is_active(person: User) -> bool:
    return User.objects.get(pk=person.pk).is_active


def password_given_by(desk: Desk, person: User) -> HttpResponse:
    address = reverse("admin:auth_user_password_change", args=[person.pk])
    fields = {"password1": PASSWORD, "password2": PASSWORD, "usable_password": "true"}
    return desk.client.post(address, fields, follow=True)


def test_whoever_is_added_waits_for_another_administrator(one: Desk, other: Desk) -> None:
    person = added_by(one)
    changed_by(one, person, "billing")
    assert not is_active(person)
    changed_by(one, person, "billing")
    assert not is_active(person)
    assert 'name="is_active"' not in one.get("admin:auth_user_change", person.pk).content.decode()
    changed_by(other, person, "billing")
    assert is_active(person)


def test_a_page_that_was_open_brings_nobody_back_whom_a_colleague_made_inactive(one: Desk) -> None:
    person = Desk("billing").user
    shown = as_shown(one.get("admin:auth_user_change", person.pk))
    User.objects.filter(pk=person.pk).update(is_active=False)
    person.groups.set(Group.objects.filter(name="support"))
    changed_by(one, person, "billing", **shown)
    person.refresh_from_db()
    assert (person.is_active, person.first_name) == (False, "Mo")
    assert [group.name for group in person.groups.all()] == ["support"]


def test_a_new_password_waits_for_another_administrator(one: Desk, other: Desk) -> None:
    person = Desk("billing").user
    assert WORDS in password_given_by(one, person).content.decode()
    assert not is_active(person)
    changed_by(other, person, "billing")
    assert is_active(person)


def test_a_new_second_factor_waits_for_another_administrator(one: Desk) -> None:
    person = Desk("support").user
    assert WORDS in one.post("admin:auth_user_second_factor", person.pk).content.decode()
    assert not is_active(person)


def test_a_role_of_who_saw_no_patients_waits_for_another_administrator(one: Desk, other: Desk) -> None:
    for person, role in ((Desk("administrator").user, "support"), (Desk("billing").user, "billing lead")):
        has = person.groups.get().name
        changed_by(one, person, has, role)
        assert is_active(person) == (has == "billing")


def test_the_other_administrator_may_be_no_puppet(one: Desk) -> None:
    puppet = added_by(one)
    changed_by(one, puppet, "administrator")
    assert not is_active(puppet)


def test_who_knows_the_secrets_is_not_the_second_by_a_role_of_the_others(one: Desk, other: Desk) -> None:
    person = added_by(one)
    changed_by(other, person, "billing", active=False)
    changed_by(one, person, "billing")
    assert not is_active(person)
    changed_by(other, person, "billing")
    assert is_active(person)


def test_who_gave_the_newest_secret_is_not_the_second(one: Desk, other: Desk) -> None:
    person = added_by(one)
    password_given_by(other, person)
    changed_by(other, person, "billing")
    assert not is_active(person)
    changed_by(one, person, "billing")
    assert is_active(person)


def test_the_other_administrator_gives_a_role_and_confirms_at_once(one: Desk, other: Desk) -> None:
    person = added_by(one)
    changed_by(other, person, "billing")
    assert is_active(person)


def test_a_role_that_goes_or_a_name_that_changes_waits_for_nobody(one: Desk) -> None:
    person = Desk("billing lead").user
    person.groups.add(Group.objects.get(name="support"))
    changed_by(one, person, "support")
    assert is_active(person)


def test_ones_own_password_waits_for_nobody(one: Desk) -> None:
    password_given_by(one, one.user)
    assert is_active(one.user)


def test_a_password_that_was_refused_changes_nothing(one: Desk) -> None:
    person = Desk("billing").user
    address = reverse("admin:auth_user_password_change", args=[person.pk])
    assert one.client.post(address, {"password1": "a", "password2": "b"}).status_code == 200
    assert is_active(person)


def test_two_passwords_that_contradict_each_other_change_nothing(one: Desk) -> None:
    person = Desk("billing").user
    person.set_password(PASSWORD)
    person.save()
    address = reverse("admin:auth_user_password_change", args=[person.pk])
    fields = {"usable_password": "false", "password1": "", "password2": ""}
    assert one.client.post(address, fields).status_code == 302
    assert is_active(person)


def sign_in(name: str) -> HttpResponse:
    fields = {"username": name, "password": PASSWORD}
    return Client().post(reverse("admin:login"), fields, REMOTE_ADDR="192.0.2.9")


@pytest.fixture
def overwritten(one: Desk) -> Desk:
    """Who is held, and active again by a save that had begun before."""
    desk = Desk("billing")
    before = User.objects.get(pk=desk.user.pk)
    password_given_by(one, desk.user)
    before.set_password(PASSWORD)
    before.save()
    desk.client.force_login(before)
    return desk


def test_an_older_save_lets_nobody_in_who_is_held(overwritten: Desk) -> None:
    assert overwritten.get("desk:sessions").status_code == 302
    assert sign_in(overwritten.user.username).status_code == 200


def test_who_was_confirmed_after_an_older_save_is_let_in(overwritten: Desk, other: Desk) -> None:
    changed_by(other, overwritten.user, "billing", active=False)
    changed_by(other, overwritten.user, "billing")
    assert sign_in(overwritten.user.username).status_code == 302


def test_a_superuser_needs_no_other(one: Desk) -> None:
    User.objects.filter(pk=one.user.pk).update(is_superuser=True)
    assert is_active(added_by(one))


def test_whoever_rules_the_host_needs_no_other(one: Desk, capsys) -> None:
    person = added_by(one)
    call_command("set_up_second_factor", person.username)
    assert is_active(person)
    User.objects.filter(pk=person.pk).update(is_active=False)
    call_command("set_up_second_factor", person.username)
    assert not is_active(person)


def test_who_set_up_and_who_confirmed_is_written_down(one: Desk, other: Desk) -> None:
    person = added_by(one)
    changed_by(other, person, "support")
    person = Desk("billing").user
    password_given_by(one, person)
    changed_by(other, person, "billing")
    told = SetUpChange.objects.filter(table_name="claims_unconfirmed", name=str(person.pk)).order_by("id")
    assert [(each.user, each.what) for each in told] == [(one.user, "I"), (other.user, "D")]


def test_who_did_what_names_who_set_up_an_account_alone(one: Desk) -> None:
    added_by(one)
    page = one.get("desk:audit", query="?kind=changes").content.decode()
    assert f'by: <ins class="added">{one.user.username}</ins>' in page


def test_a_page_that_no_form_has_changed_says_where_the_other_changes_stand(one: Desk, other: Desk) -> None:
    person = Desk("billing").user
    password_given_by(other, person)
    page = one.get("admin:auth_user_history", person.pk).content.decode()
    assert "Nobody has changed it" not in page
    assert reverse("desk:audit") + "?kind=changes" in page
    assert reverse("admin:auth_user_change", args=[person.pk]) in page


def test_whoever_may_not_read_who_did_what_is_led_elsewhere_by_no_history(one: Desk) -> None:
    partner = Partner.objects.create(name="Harborlight", slug="harborlight", mode=Mode.TEST)
    page = Desk("support").get("admin:partners_partner_history", partner.pk).content.decode()
    assert reverse("desk:audit") not in page
    assert "Who did what" in page
