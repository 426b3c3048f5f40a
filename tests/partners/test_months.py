"""Tables by month: months are made ahead, rows that went astray are brought home, empty past months go."""

import threading
from collections.abc import Iterator
from datetime import UTC, date, datetime
from typing import Any
from uuid import UUID, uuid4

import psycopg
import pytest
from django.db import DatabaseError, connection, transaction

from partners import months
from partners.identifiers import first_id
from partners.isolation import REQUEST_ROLE, STAFF_ROLE, WORKER_ROLE, as_partner
from sessions_app.models import Session, SessionEvent
from tests.cast import Api
from tests.operations.running import result, run

pytestmark = pytest.mark.django_db
HISTORY = "sessions_app_sessionevent"
LONG_AGO = date(2001, 5, 1)
FAR_AHEAD = date(2091, 5, 1)


def ask(statement: str, *parameters: object) -> list[tuple]:
    with connection.cursor() as cursor:
        cursor.execute(statement, parameters)
        return cursor.fetchall() if cursor.description else []


def history() -> months.Table:
    [found] = [table for table in months.tables() if table.name == HISTORY]
    return found


def partition(month: date) -> str:
    return f"{HISTORY}_{month:%Y_%m}"


def this_month() -> date:
    return datetime.now(UTC).date().replace(day=1)


@pytest.fixture
def session(api: Api) -> Session:
    return Session.objects.get(pk=api.onboarded().submitted())


def tell(session: Session, *, of: date) -> SessionEvent:
    """A line of history of one more session, whose id was made in that month."""
    session.pk = UUID(int=first_id(of.year * 12 + of.month - 1).int + uuid4().int % (1 << 80))
    session.external_session_id = None
    session.save(force_insert=True)
    event = SessionEvent.objects.create(
        partner=session.partner, session=session, type="claim.status", summary="Told."
    )
    ask("SET CONSTRAINTS ALL IMMEDIATE")
    return event


def without(month: date) -> None:
    """As if beat had never made that month."""
    ask(f"DROP TABLE {partition(month)}")


def lies_in(event: SessionEvent) -> str:
    return ask(f"SELECT tableoid::regclass::text FROM {HISTORY} WHERE id = %s", event.pk)[0][0]


def test_what_lies_by_month_has_this_month_and_the_coming_ones() -> None:
    assert {table.name for table in months.tables()} == {HISTORY, "claims_rawfile"}
    for table in months.tables():
        assert table.missing == []
        assert {this_month(), *months.months_since(datetime.now(UTC))} <= set(table.months)


def test_a_month_that_is_missing_is_made() -> None:
    missing = history().months[-1]
    without(missing)
    assert history().missing == [missing]
    [kept] = [each for each in months.keep() if each.table == HISTORY]
    assert kept.made == [missing]
    assert history().missing == []


def test_a_made_month_keeps_what_the_first_ones_do(session: Session) -> None:
    """Its indexes, foreign keys, guards and policies are those of the months that the migration made."""
    without(last := history().months[-1])
    months.keep()

    def of(month: date) -> dict[str, list[tuple]]:
        asked = {
            "indexes": "SELECT replace(indexdef, %s, '') FROM pg_indexes WHERE tablename = %s ORDER BY 1",
            "policies": "SELECT policyname, roles::text, qual, with_check FROM pg_policies "
            "WHERE %s <> '' AND tablename = %s ORDER BY 1",
            "rights": "SELECT relrowsecurity, relacl::text FROM pg_class WHERE %s <> '' AND relname = %s",
            "triggers": "SELECT tgname, tgfoid::regproc::text, tgenabled FROM pg_trigger "
            "WHERE NOT tgisinternal AND %s <> '' AND tgrelid = %s::regclass ORDER BY 1",
            "keys": "SELECT conname, pg_get_constraintdef(oid) FROM pg_constraint "
            "WHERE contype = 'f' AND %s <> '' AND conrelid = %s::regclass ORDER BY 1",
        }
        return {name: ask(statement, partition(month), partition(month)) for name, statement in asked.items()}

    assert of(last) == of(this_month())
    assert all(of(last).values())


def test_a_row_without_a_month_is_taken_and_brought_home(session: Session) -> None:
    event = tell(session, of=LONG_AGO)
    assert lies_in(event) == f"{HISTORY}_default"
    assert history().astray == {LONG_AGO: 1}
    [kept] = [each for each in months.keep() if each.table == HISTORY]
    assert (kept.made, kept.moved) == ([LONG_AGO], 1)
    assert lies_in(event) == partition(LONG_AGO)
    assert history().astray == {}
    event.refresh_from_db()
    assert event.summary == "Told."


def test_more_rows_than_are_moved_by_themselves_wait_for_a_person(
    session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(months, "MOST_MOVED", 1)
    for _ in range(2):
        tell(session, of=LONG_AGO)
    said = run("keep_months")
    assert said.code == 4
    assert "2001-05 is left, 2 rows are to be moved" in said.text
    assert history().astray == {LONG_AGO: 2}
    assert run("keep_months", "--however-many").code == 0
    assert history().astray == {}


def test_nothing_is_done_where_only_asked(session: Session) -> None:
    tell(session, of=LONG_AGO)
    said = result("keep_months", "--dry-run")
    assert {"table": HISTORY, "missing": [], "astray": 1} in said.document
    assert history().astray == {LONG_AGO: 1}


def test_history_can_be_edited_in_no_month(session: Session) -> None:
    tell(session, of=LONG_AGO)
    months.keep()
    tell(session, of=FAR_AHEAD)
    for statement in ("UPDATE {} SET summary = ''", "DELETE FROM {}"):
        for table in (HISTORY, partition(LONG_AGO), partition(this_month()), f"{HISTORY}_default"):
            with pytest.raises(DatabaseError, match="never changed"), transaction.atomic():
                ask(statement.format(table))


def test_a_past_month_goes_once_it_is_empty(session: Session) -> None:
    empty, full = date(2001, 5, 1), date(2001, 6, 1)
    months.make(HISTORY, [empty, full])
    tell(session, of=full)
    [kept] = [each for each in months.keep() if each.table == HISTORY]
    assert kept.dropped == [empty]
    assert full in history().months
    assert empty not in history().months
    assert months.keep()[-1].dropped == []


def test_no_month_goes_that_is_not_long_over() -> None:
    there = history().months
    for month in there:
        assert ask("SELECT drop_month(%s::regclass, %s)", HISTORY, month) == [(False,)]
    assert history().months == there


@pytest.fixture
def as_worker(db: None) -> Iterator[None]:
    yield
    ask("RESET ROLE")


def test_a_worker_keeps_the_months_without_owning_a_table(session: Session, as_worker: None) -> None:
    event = tell(session, of=LONG_AGO)
    without(missing := history().months[-1])
    months.make(HISTORY, [date(2001, 4, 1)])
    ask(f"SET ROLE {WORKER_ROLE}")
    [kept] = [each for each in months.keep() if each.table == HISTORY]
    assert (kept.made, kept.moved, kept.dropped) == ([LONG_AGO, missing], 1, [date(2001, 4, 1)])
    assert lies_in(event) == partition(LONG_AGO)


@pytest.mark.parametrize("role", [STAFF_ROLE, REQUEST_ROLE])
@pytest.mark.parametrize("function", ["make_month", "drop_month"])
def test_nobody_else_may_make_or_drop_one(role: str, function: str) -> None:
    with pytest.raises(DatabaseError, match="permission denied"), transaction.atomic():
        ask(f"SET LOCAL ROLE {role}; SELECT {function}('{HISTORY}'::regclass, now()::date)")


def test_only_a_table_by_month_has_months() -> None:
    with pytest.raises(DatabaseError), transaction.atomic():
        ask("SELECT make_month('sessions_app_session'::regclass, now()::date)")


@pytest.mark.parametrize("granted", [False, True])
def test_a_partition_shows_requests_no_more_than_the_table(
    session: Session, rival: Api, granted: bool
) -> None:
    rival.onboarded(provider__npi="1999999984").submitted(providerNpi="1999999984")
    tell(session, of=LONG_AGO)
    months.keep()
    tell(session, of=FAR_AHEAD)
    for name in (partition(this_month()), partition(LONG_AGO), f"{HISTORY}_default"):
        count = f"SELECT count(*), count(*) FILTER (WHERE partner_id <> '{session.partner_id}') FROM {name}"
        if not granted:
            with pytest.raises(DatabaseError, match="permission denied"), as_partner(session.partner_id):
                ask(count)
            continue
        ask(f"GRANT SELECT ON {name} TO {REQUEST_ROLE}")
        with as_partner(session.partner_id):
            assert ask(count) == [(1, 0)]
        assert rival.partner is not None
        with as_partner(rival.partner.pk):
            assert ask(count.replace("<>", "="))[0][1] == 0


def test_what_is_away_is_said_by_the_doctor(session: Session) -> None:
    def lines() -> list[tuple[str, str]]:
        said = result("doctor").document
        return [(line["state"], line["words"]) for line in said if line["check"] == "months"]

    assert [state for state, _ in lines()] == ["ok"]
    without(missing := history().months[-1])
    tell(session, of=LONG_AGO)
    assert lines() == [
        ("warn", f"{HISTORY} has no partition for {missing:%Y-%m}."),
        ("warn", f"1 rows of {HISTORY} lie in its default partition."),
    ]


class Beside:
    """Another process's connection."""

    def __init__(self) -> None:
        named: dict[str, Any] = connection.get_connection_params()
        wanted = {
            name: named[name] for name in ("dbname", "user", "host", "port", "password") if named.get(name)
        }
        self.connection = psycopg.connect(**wanted)

    def make(self, month: date) -> Any:
        row = self.connection.execute("SELECT make_month(%s::regclass, %s)", [HISTORY, month]).fetchone()
        return row and row[0]


@pytest.fixture
def beside(transactional_db: None) -> Iterator[Beside]:
    found = Beside()
    yield found
    found.connection.close()
    connection.close()
    ask(f"DROP TABLE IF EXISTS {partition(LONG_AGO)}")


@pytest.mark.django_db(transaction=True)
def test_two_at_once_do_no_harm(beside: Beside) -> None:
    assert beside.make(LONG_AGO) == 0
    months.make(HISTORY, [LONG_AGO])
    assert ask("SELECT to_regclass(%s)", partition(LONG_AGO)) == [(None,)]
    beside.connection.commit()
    months.make(HISTORY, [LONG_AGO])
    assert LONG_AGO in history().months


@pytest.mark.django_db(transaction=True)
def test_where_others_write_it_gives_up_and_comes_again(
    beside: Beside, session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Once those others are done; what the server itself does to a table (vacuum) may take one more try."""
    monkeypatch.setattr(months, "PAUSE_SECONDS", 0.1)
    beside.connection.execute("UPDATE sessions_app_session SET message = 'written'")
    tell(session, of=LONG_AGO)
    with monkeypatch.context() as impatient:
        impatient.setattr(months, "TRIES", 1)
        [kept] = [each for each in months.keep() if each.table == HISTORY]
    assert kept.left == {LONG_AGO: "others work with the table"}
    beside.connection.commit()
    [kept] = [each for each in months.keep() if each.table == HISTORY]
    assert kept.made == [LONG_AGO]
    assert Session.objects.filter(message="written").exists()


@pytest.mark.django_db(transaction=True)
def test_who_writes_history_meanwhile_waits_and_goes_on(beside: Beside, session: Session) -> None:
    tell(session, of=LONG_AGO)
    assert beside.make(LONG_AGO) == 1

    def write() -> None:
        tell(session, of=LONG_AGO)
        connection.close()

    writer = threading.Thread(target=write)
    writer.start()
    while not beside.connection.execute("SELECT FROM pg_locks WHERE NOT granted").fetchall():
        pass
    beside.connection.commit()
    writer.join(10)
    assert ask(f"SELECT count(*) FROM {partition(LONG_AGO)}") == [(2,)]
