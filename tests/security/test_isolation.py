"""Row-level security: below the filters in Python, the database shows a request its partner's rows alone."""

from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from django.apps import apps
from django.db import DatabaseError, IntegrityError, OperationalError, connection, models, transaction
from psycopg.pq import TransactionStatus

from claims.models import Claim
from partners.isolation import (
    REQUEST_ROLE,
    STAFF_ROLE,
    WORKER_ROLE,
    AnotherPartner,
    as_partner,
    as_service,
)
from partners.models import Partner
from partners.statements import fetch_all, fetch_one
from providers.models import Practice, Provider
from sessions_app.models import Session, SessionCode, SessionEvent
from tests.cast import Api, onboarding, submission

pytestmark = pytest.mark.django_db
NOBODY = "00000000-0000-4000-8000-000000000000"
ALSO_APPENDED = {"sessions_app_sessioncodechange", "claims_claimchange"}
"""History without a partner of its own, that triggers of a request's changes add to."""


def ask(statement: str, *parameters: object) -> list[tuple]:
    with connection.cursor() as cursor:
        cursor.execute(statement, parameters)
        return cursor.fetchall() if cursor.description else []


WHO = "SELECT current_user::text, coalesce(current_setting('app.partner', true), '')"


def role_and_partner() -> tuple[str, str]:
    return ask(WHO)[0]


def within_one_statement(partner: Partner) -> tuple[str, str]:
    found = fetch_one(WHO, {}, partner_id=partner.pk)
    assert found is not None
    return found[0], found[1]


@contextmanager
def as_role(role: str) -> Iterator[None]:
    """Act as a role, with no partner set."""
    ask(f"SET LOCAL ROLE {role}")
    try:
        yield
    finally:
        ask("RESET ROLE")


def owned_tables() -> list[str]:
    """Every table whose rows are a partner's: its model has a partner, or is the partner."""
    return [
        model._meta.db_table
        for model in apps.get_models(include_auto_created=True)
        if model is Partner
        or any(
            isinstance(field, models.ForeignKey) and field.related_model is Partner
            for field in model._meta.concrete_fields
        )
    ]


@pytest.fixture
def ours(api: Api) -> Api:
    return api.onboarded()


@pytest.fixture
def theirs(rival: Api) -> str:
    """The id of a rival's session."""
    return rival.onboarded(provider__npi="1999999984").submitted(providerNpi="1999999984")


def test_there_are_tables_to_look_at() -> None:
    assert {"partners_partner", "sessions_app_session", "claims_claim"} <= set(owned_tables())


@pytest.mark.parametrize("table", owned_tables())
def test_every_table_of_partners_has_its_policies(table: str) -> None:
    """A new one needs `partners.isolation_policies.isolate(...)` in its migration."""
    secured = ask("SELECT relrowsecurity FROM pg_class WHERE oid = %s::regclass", table)
    assert secured == [(True,)], f"{table} has no row-level security: add isolate() to its migration."
    owner = "id" if table == "partners_partner" else "partner_id"
    policies = {
        name: (set(roles), using, check)
        for name, roles, using, check in ask(
            "SELECT policyname, roles::text[], qual, with_check FROM pg_policies WHERE tablename = %s", table
        )
    }
    compared = f"({owner} = current_partner())"
    assert policies == {
        "own_rows": ({REQUEST_ROLE}, compared, compared),
        "all_rows": ({STAFF_ROLE, WORKER_ROLE}, "true", "true"),
    }


def test_requests_have_no_rights_on_anything_that_is_nobodys() -> None:
    granted = ask(
        "SELECT table_name, string_agg(privilege_type, ' ' ORDER BY privilege_type) "
        "FROM information_schema.role_table_grants WHERE grantee = %s GROUP BY 1",
        REQUEST_ROLE,
    )
    others = {table: rights for table, rights in granted if table not in owned_tables()}
    appended = {table for table, rights in others.items() if rights == "INSERT"}
    assert appended == ALSO_APPENDED
    read = {table for table, rights in others.items() if rights == "SELECT"}
    assert all(table.startswith("billing_") for table in read)
    assert len(others) == len(appended) + len(read)


def test_the_request_role_neither_logs_in_nor_gets_round_policies() -> None:
    assert ask(
        "SELECT rolcanlogin, rolsuper, rolbypassrls FROM pg_roles WHERE rolname = %s", REQUEST_ROLE
    ) == [(False, False, False)]


def test_a_forgotten_filter_shows_no_rival(ours: Api, theirs: str) -> None:
    mine = ours.submitted()
    with as_partner(ours.partner.pk):
        assert [str(pk) for pk in Session.objects.values_list("pk", flat=True)] == [mine]
        assert not Session.objects.filter(pk=theirs).exists()
        assert [str(pk) for pk in Claim.objects.values_list("session_id", flat=True)] == [mine]
        assert list(Partner.objects.values_list("pk", flat=True)) == [ours.partner.pk]
        assert set(SessionEvent.objects.values_list("partner", flat=True)) == {ours.partner.pk}
        assert set(SessionCode.objects.values_list("partner", flat=True)) == {ours.partner.pk}


def test_a_forgotten_filter_writes_no_rivals_row(ours: Api, theirs: str) -> None:
    with as_partner(ours.partner.pk):
        assert Session.objects.filter(pk=theirs).update(message="taken over") == 0
    assert Session.objects.get(pk=theirs).message != "taken over"


def test_a_row_in_a_rivals_name_is_refused(ours: Api, theirs: str) -> None:
    rival_id = Session.objects.get(pk=theirs).partner_id
    with pytest.raises(DatabaseError, match="row-level security"), as_partner(ours.partner.pk):
        Practice.objects.create(partner_id=rival_id, name="Slipped in", tax_id="123456789", fingerprint=b"")


def test_without_a_partner_a_request_sees_nothing(ours: Api) -> None:
    ours.submitted()
    with as_role(REQUEST_ROLE):
        assert not Session.objects.exists()
        assert not Partner.objects.exists()


@pytest.mark.parametrize("role", [STAFF_ROLE, WORKER_ROLE])
def test_staff_and_workers_see_and_write_all(ours: Api, theirs: str, role: str) -> None:
    mine = ours.submitted()
    with as_role(role):
        assert {str(pk) for pk in Session.objects.values_list("pk", flat=True)} == {mine, theirs}
        assert Session.objects.update(message="seen") == 2


def test_keys_are_hidden_from_requests(ours: Api) -> None:
    with (
        pytest.raises(DatabaseError, match="permission denied"),
        as_partner(ours.partner.pk),
    ):
        ask("SELECT * FROM partners_apikey")


def test_nothing_after_a_block_runs_as_the_partner(ours: Api) -> None:
    before = role_and_partner()
    with as_partner(ours.partner.pk):
        assert role_and_partner() == (REQUEST_ROLE, str(ours.partner.pk))
    assert role_and_partner() == before
    assert within_one_statement(ours.partner) == (REQUEST_ROLE, str(ours.partner.pk))
    assert role_and_partner() == before


def test_nothing_after_an_error_runs_as_the_partner(ours: Api) -> None:
    before = role_and_partner()
    with pytest.raises(DatabaseError), transaction.atomic(), as_partner(ours.partner.pk):
        ask("SELECT 1 / 0")
    assert role_and_partner() == before
    with pytest.raises(KeyError), as_partner(ours.partner.pk):
        raise KeyError
    assert role_and_partner() == before
    with pytest.raises(DatabaseError), transaction.atomic():
        fetch_all("SELECT 1 / 0", {}, partner_id=ours.partner.pk)
    assert role_and_partner() == before


@pytest.mark.parametrize(
    ("method", "path", "body"),
    [
        ("GET", "/sessions", None),
        ("GET", f"/sessions/{NOBODY}", None),
        ("POST", "/sessions", {}),
        ("POST", "/sessions", submission(externalSessionId="one")),
        ("PATCH", f"/sessions/{NOBODY}", {"patient": {"firstName": "Ann"}}),
        ("POST", "/providers", onboarding()),
        ("PATCH", "/providers/1999999984", {"provider": {"specialty": "Psychologist"}}),
        ("GET", "/payers/search?q=aetna", None),
    ],
)
def test_a_factory_after_a_request_makes_what_it_likes(
    ours: Api, rival: Api, method: str, path: str, body: object
) -> None:
    before = role_and_partner()
    ours.call(method, path, body)
    assert role_and_partner() == before
    Practice.objects.create(partner=rival.partner, name="Made after", tax_id="123456789", fingerprint=b"")


@pytest.mark.django_db(transaction=True)
def test_a_block_outside_of_transactions_is_one_and_ends_it(ours: Api) -> None:
    before = role_and_partner()
    with as_partner(ours.partner.pk):
        assert role_and_partner() == (REQUEST_ROLE, str(ours.partner.pk))
        ask("SELECT set_config('app.trace', 'x', true)")
    assert role_and_partner() == before
    with pytest.raises(DatabaseError), as_partner(ours.partner.pk):
        ask("SELECT 1 / 0")
    assert role_and_partner() == before


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("prepare_threshold", [None, 5])
def test_a_statement_outside_of_transactions_is_one_and_leaves_nothing(
    ours: Api, prepare_threshold: int | None
) -> None:
    before = role_and_partner()
    connection.connection.prepare_threshold = prepare_threshold
    for _time in range(7):
        assert within_one_statement(ours.partner) == (REQUEST_ROLE, str(ours.partner.pk))
        assert connection.connection.info.transaction_status == TransactionStatus.IDLE
        assert role_and_partner() == before
        with pytest.raises(DatabaseError, match="division by zero"):
            fetch_all("SELECT 1 / 0", {}, partner_id=ours.partner.pk)
        assert connection.connection.info.transaction_status == TransactionStatus.IDLE
        assert role_and_partner() == before
    connection.close()


@pytest.mark.django_db(transaction=True)
def test_more_statements_than_are_kept_prepared_go_on(ours: Api) -> None:
    connection.ensure_connection()
    connection.connection.prepare_threshold = 0
    ask("SELECT 'kept by psycopg'")
    for number in range(120):
        assert fetch_one(f"SELECT {number}", {}, partner_id=ours.partner.pk) == (number,)
    assert ask("SELECT 'kept by psycopg'") == [("kept by psycopg",)]
    connection.close()


def test_what_follows_a_partners_turn_has_the_time_it_had(ours: Api) -> None:
    before = ask("SHOW statement_timeout")
    with as_partner(ours.partner.pk):
        assert ask("SHOW statement_timeout") == [("15s",)]
        with as_service():
            assert ask("SHOW statement_timeout") == before
    assert ask("SHOW statement_timeout") == before


@pytest.mark.django_db(transaction=True)
def test_a_statement_whose_commit_fails_says_so(ours: Api) -> None:
    """A foreign key is looked at with the commit, after the statement's own answer."""
    slip = "UPDATE providers_provider SET practice_id = gen_random_uuid() RETURNING id"
    before = role_and_partner()
    with pytest.raises(IntegrityError, match="foreign key"):
        fetch_all(slip, {}, partner_id=ours.partner.pk)
    assert Practice.objects.filter(pk=Provider.objects.get().practice_id).exists()
    assert role_and_partner() == before


@pytest.mark.django_db(transaction=True)
def test_a_connection_that_breaks_in_a_statement_is_replaced(ours: Api) -> None:
    end_it = "WHEN set_config('role', 'none', true) = 'none' THEN pg_terminate_backend(pg_backend_pid())"
    with pytest.raises(OperationalError):
        fetch_all(f"SELECT CASE {end_it} END", {}, partner_id=ours.partner.pk)
    connection.close_if_unusable_or_obsolete()
    assert within_one_statement(ours.partner) == (REQUEST_ROLE, str(ours.partner.pk))


@pytest.mark.django_db(transaction=True)
def test_what_fails_inside_is_undone(ours: Api) -> None:
    session_id = ours.submitted()
    with pytest.raises(ZeroDivisionError), as_partner(ours.partner.pk):
        assert 1 / (Session.objects.update(message="undone") - 1)
    with pytest.raises(DatabaseError):
        fetch_all(
            "WITH changed AS (UPDATE sessions_app_session SET message = 'undone' RETURNING 1) "
            "SELECT 1 / (count(*) - 1) FROM changed",
            {},
            partner_id=ours.partner.pk,
        )
    assert Session.objects.get(pk=session_id).message != "undone"


def test_a_partner_is_never_exchanged_midway(ours: Api, rival: Api) -> None:
    with as_partner(ours.partner.pk):
        with pytest.raises(AnotherPartner), as_partner(rival.partner.pk):
            pass
        with pytest.raises(AnotherPartner):
            within_one_statement(rival.partner)
        assert within_one_statement(ours.partner) == (REQUEST_ROLE, str(ours.partner.pk))
        with as_partner(ours.partner.pk):
            assert role_and_partner() == (REQUEST_ROLE, str(ours.partner.pk))
        assert role_and_partner() == (REQUEST_ROLE, str(ours.partner.pk))


def test_the_service_answers_and_the_partner_goes_on(ours: Api, theirs: str) -> None:
    with as_partner(ours.partner.pk):
        with as_service():
            assert Session.objects.filter(pk=theirs).exists()
        assert not Session.objects.filter(pk=theirs).exists()
        assert role_and_partner() == (REQUEST_ROLE, str(ours.partner.pk))


def test_every_statement_of_a_request_after_the_key_runs_as_the_partner(ours: Api) -> None:
    """Each operation, every statement of which writes down who executes it."""
    session_id = ours.submitted()
    ask("CREATE TEMP TABLE watched (who name, number serial) ON COMMIT DROP")
    ask("GRANT ALL ON watched, watched_number_seq TO PUBLIC")
    seen: list[str] = []

    def watch(execute, sql, params, many, context):
        if not any(table in sql for table in owned_tables() if "apikey" not in table):
            return execute(sql, params, many, context)
        seen.append(sql)
        watching = "WITH watching AS (INSERT INTO watched SELECT current_user)"
        first, rest = sql.split(maxsplit=1)
        watched = f"{watching}, {rest}" if first == "WITH" else f"{watching} {sql}"
        return execute(watched, params, many, context)

    with connection.execute_wrapper(watch):
        ours.get("/sessions")
        ours.get(f"/sessions/{session_id}")
        ours.post("/sessions", submission())
        ours.post("/sessions", submission(), headers={"Idempotency-Key": "once"})
        ours.post("/sessions", submission(externalSessionId="again"))
        ours.post("/sessions", submission(externalSessionId="again"))
        ours.patch(f"/sessions/{session_id}", {"patient": {"firstName": "Ann"}})
        ours.post("/providers", onboarding(provider__npi="1992999981"))
        ours.patch("/providers/1992999981", {"provider": {"specialty": "Psychologist"}})
    executed_by = [who for (who,) in ask("SELECT who::text FROM watched ORDER BY number")]
    assert len(executed_by) == len(seen) > 20
    strangers = [sql for who, sql in zip(executed_by, seen, strict=True) if who != REQUEST_ROLE]
    assert strangers == []


def test_the_id_of_a_partner_is_never_text_in_a_statement(ours: Api) -> None:
    with pytest.raises(DatabaseError, match="invalid input syntax"), as_partner("x'; RESET ROLE; --"):  # type: ignore[arg-type]
        Session.objects.exists()
