"""Every read by a partner leaves a record of the sessions it showed, written by the statement that reads."""

import io
from uuid import UUID

import pytest
from django.core.management import call_command
from django.db import connection

from partners.audit_chain import seal_records, verify_chain
from partners.models import AccessRecord, ApiKey
from tests.cast import Api

pytestmark = pytest.mark.django_db


@pytest.fixture
def ours(api: Api) -> Api:
    return api.onboarded()


def records() -> list[tuple[str, list[UUID]]]:
    return list(AccessRecord.objects.order_by("id").values_list("what", "session_ids"))


def test_a_detail_is_recorded_with_its_key_and_request(ours: Api) -> None:
    session_id = ours.submitted()
    ours.get(f"/sessions/{session_id}", headers={"X-Request-Id": "looked-1"})
    record = AccessRecord.objects.get()
    key = ApiKey.objects.get(partner=ours.partner)
    assert (
        record.what,
        record.session_ids,
        record.partner_id,
        record.key_id,
        record.request_id,
        record.user_id,
    ) == (
        "detail",
        [UUID(session_id)],
        ours.partner.pk,
        key.pk,
        "looked-1",
        None,
    )


def test_a_list_records_what_it_shows_and_not_the_row_behind_the_page(ours: Api) -> None:
    ids = [ours.submitted() for _ in range(3)]
    shown = [item["sessionId"] for item in ours.get("/sessions", {"limit": 2}).json()["items"]]
    assert shown == [ids[2], ids[1]]
    assert records() == [("list", [UUID(session_id) for session_id in shown])]


def test_what_shows_nobody_records_nothing(ours: Api, rival: Api) -> None:
    session_id = ours.submitted()
    assert rival.get(f"/sessions/{session_id}").status_code == 404
    assert rival.get("/sessions").json()["items"] == []
    assert ours.get("/sessions", {"status": "paid"}).json()["items"] == []
    assert records() == []


def test_reading_and_recording_is_one_statement(ours: Api, django_assert_num_queries) -> None:
    ours.get("/sessions")
    with django_assert_num_queries(1) as queries:
        ours.get("/sessions")
    assert "partners_accessrecord" in queries.captured_queries[0]["sql"]


def test_a_read_that_can_not_be_recorded_shows_nothing(ours: Api) -> None:
    session_id = ours.submitted()
    with connection.cursor() as cursor:
        cursor.execute("REVOKE INSERT ON partners_accessrecord FROM billing_api")
        try:
            cursor.execute("SAVEPOINT before_reading")
            answer = ours.get(f"/sessions/{session_id}")
            cursor.execute("ROLLBACK TO before_reading")
        finally:
            cursor.execute("GRANT INSERT ON partners_accessrecord TO billing_api")
    assert answer.status_code == 500
    assert b"Doe" not in answer.content


def test_the_records_of_reads_are_sealed_and_exported(ours: Api) -> None:
    session_id = ours.submitted()
    ours.get(f"/sessions/{session_id}")
    ours.get("/sessions")
    assert seal_records() == 2
    assert verify_chain().faults == ()
    output = io.StringIO()
    call_command("export_access", "--partner", ours.partner.slug, stdout=output)
    assert len(output.getvalue().splitlines()) == 2
    assert "Doe" not in output.getvalue()
