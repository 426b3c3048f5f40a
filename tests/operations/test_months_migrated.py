"""What was there before tables lay by month is there afterwards, and again after going back."""

from importlib import import_module

import pytest
from django.db import connection

from claims import inbound
from claims.clearinghouse.port import InboundFile as Fetched
from claims.models import InboundFile
from partners import months
from sessions_app.models import Session, SessionEvent
from tests.cast import Api

pytestmark = pytest.mark.django_db
HISTORY = import_module("sessions_app.migrations.0010_history_by_month")
FILES = import_module("claims.migrations.0017_raw_files_by_month")


def change(statements: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        cursor.execute(statements)


def by_month() -> list[str]:
    return [table.name for table in months.tables()]


def test_history_goes_into_its_months_and_back(api: Api) -> None:
    session = Session.objects.get(pk=api.onboarded().submitted())

    def tell(summary: str) -> int:
        event = SessionEvent(partner=session.partner, session=session, type="staff.note", summary=summary)
        event.save()
        return event.pk

    def told() -> list[tuple[int, str]]:
        return list(SessionEvent.objects.order_by("id").values_list("id", "summary"))

    tell("In months.")
    before = told()
    change(HISTORY.WHOLE)
    assert "sessions_app_sessionevent" not in by_month()
    assert told() == before
    whole = tell("In one table.")
    change(HISTORY.BY_MONTH)
    assert told() == [*before, (whole, "In one table.")]
    assert tell("In months again.") == whole + 1
    [table] = [each for each in months.tables() if each.name == "sessions_app_sessionevent"]
    assert (table.missing, table.astray) == ([], {})
    shown = api.get(f"/sessions/{session.pk}").json()["timeline"]
    assert [line["summary"] for line in shown[1:]] == ["In months.", "In one table.", "In months again."]


def test_raw_files_go_into_their_months_and_back(db: None) -> None:
    fetched = [Fetched(name=f"{name}.x12", content=name.encode(), kind="x12", reference="") for name in "ab"]
    inbound.store("sandbox", fetched)
    change(FILES.WHOLE)
    assert "claims_rawfile" not in by_month()
    change(FILES.BY_MONTH)
    assert {file.name: file.content for file in InboundFile.objects.all()} == {"a.x12": b"a", "b.x12": b"b"}
    assert inbound.store("sandbox", fetched) == [file.pk for file in InboundFile.objects.order_by("id")]
