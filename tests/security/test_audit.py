"""The access record: append-only, sealed into a chain, exportable."""

import io
import json
from datetime import timedelta
from uuid import UUID, uuid4

import pytest
from django.contrib.auth.models import User
from django.core.management import call_command
from django.db import DatabaseError, connection, transaction
from django.utils import timezone

from claims.models import ViewRecord
from partners.audit import What, record_command
from partners.audit_chain import seal_records, verify_chain
from partners.commands import Exit
from partners.models import AccessRecord, AccessSeal
from tests.cast import Api

pytestmark = pytest.mark.django_db


@pytest.fixture
def user() -> User:
    return User.objects.create_user("biller", password=None)


@pytest.fixture
def seen(user: User) -> list[str]:
    """Ids of five sessions, each seen once, sealed in two goes."""
    session_ids = [uuid4() for _ in range(5)]
    for number, session_id in enumerate(session_ids):
        AccessRecord.objects.create(user=user, what=What.PAGE, session_ids=[session_id])
        if number == 2:
            assert seal_records() == 3
    assert seal_records() == 2
    return [str(session_id) for session_id in session_ids]


def tamper(statement: str, *parameters: object) -> None:
    """Change a table as someone would who can switch its trigger off."""
    with connection.cursor() as cursor:
        for table in ("partners_accessrecord", "partners_accessseal"):
            cursor.execute(f"ALTER TABLE {table} DISABLE TRIGGER audit_is_kept")
        cursor.execute(statement, parameters)


def test_an_untouched_chain_is_intact(seen: list[str]) -> None:
    verdict = verify_chain()
    assert (verdict.records, verdict.seals, verdict.unsealed, verdict.faults) == (5, 2, 0, ())


def test_a_chain_without_records_is_intact(db: None) -> None:
    assert verify_chain().faults == ()
    assert seal_records() == 0


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE partners_accessrecord SET what = 'note'",
        "DELETE FROM partners_accessrecord",
        "UPDATE partners_accessseal SET records = 1",
        "DELETE FROM partners_accessseal",
    ],
)
def test_the_database_refuses_every_change(seen: list[str], statement: str) -> None:
    with pytest.raises(DatabaseError), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(statement)


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE partners_accessrecord SET session_ids = '{}' WHERE id = (SELECT min(id) FROM {0})",
        "UPDATE partners_accessrecord SET at = at - interval '1 us' WHERE id = (SELECT max(id) FROM {0})",
        "UPDATE partners_accessrecord SET detail = 'x' WHERE id = (SELECT max(id) FROM {0})",
        "DELETE FROM partners_accessrecord WHERE id = (SELECT min(id) FROM {0})",
        "TRUNCATE partners_accessrecord",
        "DELETE FROM partners_accessseal WHERE id = (SELECT min(id) FROM partners_accessseal)",
        "INSERT INTO partners_accessrecord (id, what, session_ids) VALUES (-1, 'page', '{{}}')",
    ],
)
def test_a_change_behind_the_triggers_back_is_found(seen: list[str], statement: str) -> None:
    tamper(statement.replace("{0}", "partners_accessrecord").replace("{{}}", "{}"))
    assert verify_chain().faults


def test_a_chain_made_anew_without_the_key_is_found(seen: list[str], settings) -> None:
    tamper("DELETE FROM partners_accessseal")
    genuine = settings.FIELD_KEYS
    settings.FIELD_KEYS = "dev:" + "QUFB" * 10 + "QUE="  # another key under the same id
    seal_records()
    settings.FIELD_KEYS = genuine
    assert any("not made by this service" in fault for fault in verify_chain().faults)


def test_a_seal_of_a_lost_key_is_counted_not_condemned(seen: list[str], settings) -> None:
    settings.FIELD_KEYS = "new:" + "QUFB" * 10 + "QUE="
    verdict = verify_chain()
    assert (verdict.unsigned, verdict.faults) == (2, ())


def test_a_seal_of_an_unknown_key_behind_a_known_one_is_found(seen: list[str], settings, user: User) -> None:
    genuine = settings.FIELD_KEYS
    settings.FIELD_KEYS = "forged:" + "QUFB" * 10 + "QUE="
    AccessRecord.objects.create(what="page", session_ids=[], user=user)
    seal_records()
    settings.FIELD_KEYS = genuine
    verdict = verify_chain()
    assert any("behind known ones" in fault for fault in verdict.faults)
    output = io.StringIO()
    with pytest.raises(SystemExit):
        call_command("verify_audit", "--json", stdout=output)
    assert json.loads(output.getvalue())["intact"] is False


def test_a_chain_that_no_known_key_signed_is_not_called_intact(seen: list[str], settings) -> None:
    settings.FIELD_KEYS = "new:" + "QUFB" * 10 + "QUE="
    output = io.StringIO()
    with pytest.raises(SystemExit) as ended:
        call_command("verify_audit", "--json", stdout=output)
    assert ended.value.code == Exit.FAILED
    assert json.loads(output.getvalue())["intact"] is False
    output = io.StringIO()
    with pytest.raises(SystemExit):
        call_command("verify_audit", stdout=output)
    assert "No seal is signed with a key of FIELD_KEYS" in output.getvalue()


def test_old_seals_of_a_key_since_removed_may_open_the_chain(seen: list[str], settings, user: User) -> None:
    settings.FIELD_KEYS = "new:" + "QUFB" * 10 + "QUE="
    AccessRecord.objects.create(what="page", session_ids=[], user=user)
    seal_records()
    verdict = verify_chain()
    assert (verdict.unsigned, verdict.faults, verdict.intact) == (2, (), True)


def test_a_chain_cut_at_its_end_lacks_the_head_noted_before(seen: list[str]) -> None:
    head = verify_chain().head
    tamper("DELETE FROM partners_accessseal WHERE id = (SELECT max(id) FROM partners_accessseal)")
    tamper("DELETE FROM partners_accessrecord WHERE id > (SELECT max(last_record) FROM partners_accessseal)")
    assert verify_chain().faults == ()
    output = io.StringIO()
    with pytest.raises(SystemExit):
        call_command("verify_audit", "--head", head, stdout=output)
    assert "The access record was changed." in output.getvalue()
    assert "not part of the chain" in output.getvalue()


def test_each_day_has_seals_of_its_own(user: User) -> None:
    today = timezone.now()
    for days in (2, 1, 1, 0):
        AccessRecord.objects.create(
            user=user, what=What.PAGE, session_ids=[], at=today - timedelta(days=days)
        )
    seal_records()
    assert list(AccessSeal.objects.order_by("id").values_list("day", "records")) == [
        ((today - timedelta(days=2)).date(), 1),
        ((today - timedelta(days=1)).date(), 2),
        (today.date(), 1),
    ]
    assert verify_chain().faults == ()


def test_the_command_says_that_all_is_well(seen: list[str]) -> None:
    output = io.StringIO()
    call_command("verify_audit", "--json", stdout=output)
    assert json.loads(output.getvalue())["intact"] is True


def test_who_saw_a_session_is_exported(seen: list[str], user: User) -> None:
    output = io.StringIO()
    call_command("export_access", "--session", seen[3], stdout=output)
    lines = [json.loads(line) for line in output.getvalue().splitlines()]
    assert [(line["user"], line["what"], line["sessions"]) for line in lines] == [
        (str(user.pk), "page", [seen[3]])
    ]


def test_what_a_command_prints_is_recorded(db: None) -> None:
    session_id = uuid4()
    record_command([session_id, session_id], command="show_session")
    record = AccessRecord.objects.get()
    assert (record.what, record.session_ids, record.user_id) == ("export", [session_id], None)
    assert record.detail.startswith("show_session by ")


def test_what_staff_see_is_recorded_in_the_chain(user: User, api: Api) -> None:
    seen, other = (UUID(api.submitted()) for api in [api.onboarded()] * 2)
    ViewRecord.objects.bulk_create(
        ViewRecord(user=user, session_id=session_id, what="export", detail="queue held")
        for session_id in (seen, other)
    )
    ViewRecord.objects.create(user=user, what="raw_file", detail="inbound file 1")
    rows = AccessRecord.objects.filter(user=user).order_by("id")
    assert [(row.what, set(row.session_ids), row.partner_id, row.detail) for row in rows] == [
        ("export", {seen, other}, api.partner.pk, "queue held"),
        ("raw_file", set(), None, "inbound file 1"),
    ]
    with pytest.raises(DatabaseError), transaction.atomic():
        ViewRecord.objects.update(detail="nothing")
    with pytest.raises(DatabaseError), transaction.atomic():
        ViewRecord.objects.all().delete()


def test_whoever_may_see_it_in_the_back_office_has_a_name_for_every_kind() -> None:
    assert set(ViewRecord.What.values) <= set(What.values)
