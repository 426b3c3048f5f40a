"""Every page and action of the back office against every role: the design's table, walked."""

from uuid import uuid4

import pytest
from django.contrib.auth.models import Group, User
from django.http import HttpResponse
from django.test import Client
from django.urls import URLPattern, reverse

from claims.admin.urls import urlpatterns
from claims.desk.roles import ROLES
from tests.claims.admin.staff import Desk

pytestmark = pytest.mark.django_db
EVERYONE = {"billing", "billing lead", "support", "administrator"}
BILLERS = {"billing", "billing lead"}
READERS = BILLERS | {"support"}
LEAD = {"billing lead"}
ADMINISTRATOR = {"administrator"}

OWN_PAGES = {
    "queue": READERS,
    "start": BILLERS,
    "start_any": BILLERS,
    "heartbeat": READERS,
    "bulk": READERS,
    "bulk_do": READERS,
    "bulk_result": READERS,
    "export": BILLERS,
    "people": LEAD,
    "find": READERS,
    "found": READERS,
    "sessions": READERS,
    "session": READERS,
    "remittance": READERS,
    "inbound-file": READERS,
    "session-note": BILLERS,
    "claim": BILLERS,
    "answer": BILLERS,
    "inbound-file-raw": BILLERS,
    "inbound-file-done": BILLERS,
    "correct": BILLERS,
    "correct-preview": BILLERS,
    "session-release": BILLERS,
    "session-release-preview": BILLERS,
    "session-resend": BILLERS,
    "session-aside": BILLERS,
    "session-missing": BILLERS,
    "session-unknown": BILLERS,
    "session-snooze": BILLERS,
    "session-wake": BILLERS,
    "session-take": BILLERS,
    "session-done": BILLERS,
    "session-undone": BILLERS,
    "session-pass": BILLERS,
    "review": BILLERS,
    "match": BILLERS,
    "match-dismiss": BILLERS,
    "match-again": BILLERS,
    "match-snooze": BILLERS,
    "match-wake": BILLERS,
    "review-undo": BILLERS,
    "session-message": READERS,
    "session-override": LEAD,
    "session-void": LEAD,
    "session-post": LEAD,
    "typed-undo": LEAD,
    "match-undo": BILLERS,
    "rules": EVERYONE,
    "rule-payer": LEAD | ADMINISTRATOR,
    "audit": LEAD | ADMINISTRATOR,
}
STOCK_LISTS = {
    "admin:index": EVERYONE,
    "admin:claims_remittance_changelist": READERS,
    "admin:claims_inboundfile_changelist": READERS,
    "admin:partners_partner_changelist": EVERYONE,
    "admin:providers_practice_changelist": EVERYONE,
    "admin:providers_provider_changelist": EVERYONE,
    "admin:providers_chargeschedule_changelist": BILLERS,
    "admin:billing_payer_changelist": EVERYONE,
    "admin:billing_codesetrelease_changelist": EVERYONE,
    "admin:billing_diagnosiscode_changelist": EVERYONE,
    "admin:billing_npirecord_changelist": EVERYONE,
    "admin:billing_nccipair_changelist": EVERYONE,
    "admin:billing_ncciunits_changelist": EVERYONE,
    "admin:providers_enrollment_changelist": EVERYONE,
    "admin:providers_allowedamount_changelist": BILLERS,
    "admin:auth_user_changelist": ADMINISTRATOR,
    "admin:partners_partner_add": ADMINISTRATOR,
    "admin:auth_user_add": ADMINISTRATOR,
    "admin:billing_payer_add": ADMINISTRATOR,
    "admin:billing_npirecord_add": LEAD,
    "admin:providers_enrollment_add": LEAD,
}
SAMPLES = {"uuid": uuid4(), "int": 987654321, "str": "held"}


@pytest.fixture(params=[role.name for role in ROLES])
def desk(request: pytest.FixtureRequest, db: None, settings) -> Desk:
    settings.STAFF_SECOND_FACTOR = False
    return Desk(request.param)


def arguments(pattern: URLPattern) -> dict[str, object]:
    kinds = {"UUIDConverter": "uuid", "IntConverter": "int", "StringConverter": "str"}
    return {
        name: SAMPLES[kinds[type(converter).__name__]]
        for name, converter in pattern.pattern.converters.items()
    }


def test_the_table_names_every_page():
    assert {pattern.name for pattern in urlpatterns} == set(OWN_PAGES)


def test_each_role_reaches_its_pages_and_no_other(desk: Desk):
    role = desk.user.groups.get().name
    refused = {}
    for pattern in urlpatterns:
        address = reverse(f"desk:{pattern.name}", kwargs=arguments(pattern))
        answers = {method: getattr(desk.client, method)(address).status_code for method in ("get", "post")}
        refused[pattern.name] = set(answers.values()) == {403}
        assert not set(answers.values()) & {500}, (pattern.name, answers)
    assert refused == {name: role not in roles for name, roles in OWN_PAGES.items()}


def test_each_role_reaches_its_lists_and_no_other(desk: Desk):
    role = desk.user.groups.get().name
    answers = {name: desk.client.get(reverse(name)).status_code for name in STOCK_LISTS}
    assert answers == {name: 200 if role in roles else 403 for name, roles in STOCK_LISTS.items()}


def test_the_menu_holds_only_what_the_role_may_open(desk: Desk):
    page = desk.get("admin:index")
    for _, links in page.context["navigation"]:
        for link in links:
            assert desk.client.get(link.address).status_code == 200, link.title


def test_nobody_deletes_anything_a_claim_touches(desk: Desk):
    deletes = {name for name in desk.user.get_all_permissions() if ".delete_" in name}
    assert deletes <= {"billing.delete_payeralias", "providers.delete_enrollment"}


def test_an_administrator_sees_no_patients(db, settings):
    settings.STAFF_SECOND_FACTOR = False
    granted = Desk("administrator").user.get_all_permissions()
    assert not {name for name in granted if name.startswith("sessions_app.")}
    assert "claims.view_workitem" not in granted
    assert "claims.open_note" not in granted


def test_support_reads_no_note_and_no_file_and_exports_nothing(support: Desk):
    granted = support.user.get_all_permissions()
    assert not granted & {
        "claims.open_note",
        "claims.read_raw_file",
        "claims.export_rows",
        "claims.correct_session",
    }


def test_whoever_is_not_signed_in_is_asked_to(db):
    for pattern in urlpatterns:
        answer = Client().get(reverse(f"desk:{pattern.name}", kwargs=arguments(pattern)))
        assert answer.status_code == 302, pattern.name
        assert "/login/" in answer["Location"]


def test_an_administrator_may_not_touch_a_superuser(db, settings, django_user_model):
    settings.STAFF_SECOND_FACTOR = False
    root = django_user_model.objects.create_superuser("root", password="long-enough-to-pass")
    desk = Desk("administrator")
    address = reverse("admin:auth_user_change", args=[root.pk])
    assert desk.client.post(address, {"username": "root2"}).status_code == 403
    assert desk.client.get(reverse("admin:auth_user_password_change", args=[root.pk])).status_code == 403


def changed_by(
    desk: Desk, person: User, *roles: str, active: bool = True, **shown: list[str]
) -> HttpResponse:
    """The person's page, sent with these roles ticked, and Active."""
    groups = Group.objects.filter(name__in=roles).values_list("pk", flat=True)
    fields = {"username": person.username, "first_name": "Mo", "is_staff": "on"}
    fields |= {"is_active": "on"} if active else {}
    address = reverse("admin:auth_user_change", args=[person.pk])
    return desk.client.post(address, {**fields, "groups": list(groups), **shown})


@pytest.mark.parametrize("superuser", [False, True])
def test_nobody_changes_their_own_roles(partner: object, superuser: bool):
    desk = Desk("administrator")
    User.objects.filter(pk=desk.user.pk).update(is_superuser=superuser)
    page = desk.get("admin:auth_user_change", desk.user.pk).content.decode()
    assert 'name="groups"' not in page
    assert 'name="is_staff"' not in page
    assert changed_by(desk, desk.user, "administrator", "billing lead").status_code == 302
    desk.user.refresh_from_db()
    assert [group.name for group in desk.user.groups.all()] == ["administrator"]
    assert (desk.user.first_name, desk.user.is_active) == ("Mo", True)


def test_a_colleagues_roles_are_given_by_an_administrator(partner: object):
    desk, colleague = Desk("administrator"), Desk("billing")
    assert changed_by(desk, colleague.user, "billing lead").status_code == 302
    assert [group.name for group in colleague.user.groups.all()] == ["billing lead"]
