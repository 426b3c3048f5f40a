"""What is said, and still works, where the database could not be given roles or a leakproof function."""

import pytest
from django.db import DatabaseError, connection, transaction

from partners import isolation
from partners.checks import database_keeps_partners_apart, database_logs_no_statement
from partners.isolation import REQUEST_ROLE
from partners.isolation_policies import CURRENT_PARTNER, make_roles
from partners.one_message import Step
from tests.cast import Api

pytestmark = pytest.mark.django_db


def ask(statement: str) -> list[tuple]:
    with connection.cursor() as cursor:
        cursor.execute(statement)
        return cursor.fetchall() if cursor.description else []


def ids() -> list[str]:
    return [message.id for message in database_keeps_partners_apart(None, databases=["default"])]


def without_superuser() -> None:
    """Go on as a plain role that owns nothing and may make no roles."""
    ask("CREATE ROLE plain_migrator NOLOGIN")
    ask("GRANT CREATE ON SCHEMA public TO plain_migrator")
    ask("GRANT SELECT ON django_migrations TO plain_migrator")
    ask("SET LOCAL SESSION AUTHORIZATION plain_migrator")


def test_a_migrated_database_has_nothing_to_warn_of() -> None:
    assert ids() == []


def test_nothing_is_asked_where_no_database_is_checked() -> None:
    assert database_keeps_partners_apart(None) == []


def test_a_login_that_is_not_in_the_roles_is_warned() -> None:
    without_superuser()
    assert ids() == ["partners.W001"]


def test_a_table_whose_policies_are_off_is_warned_of() -> None:
    ask("ALTER TABLE sessions_app_session DISABLE ROW LEVEL SECURITY")
    assert ids() == ["partners.W001"]


def test_a_function_that_is_not_leakproof_is_warned_of() -> None:
    ask("ALTER FUNCTION current_partner() NOT LEAKPROOF")
    assert ids() == ["partners.W002"]


def test_without_a_superuser_the_function_is_made_all_the_same() -> None:
    ask("ALTER FUNCTION current_partner() RENAME TO earlier_current_partner")
    without_superuser()
    ask(CURRENT_PARTNER)
    assert ask("SELECT proleakproof FROM pg_proc WHERE proname = 'current_partner'") == [(False,)]
    assert ask("SELECT current_partner()") == [(None,)]


def test_without_the_right_to_make_roles_the_migration_goes_on() -> None:
    ask("ALTER FUNCTION current_partner() RENAME TO earlier_current_partner")
    without_superuser()
    for statement in make_roles().sql.split("$$;\n")[:1]:
        ask(statement + "$$;")


def test_without_the_role_requests_work_by_their_filters(api: Api, monkeypatch) -> None:
    monkeypatch.setattr(isolation, "request_role_usable", lambda database: False)
    session_id = api.onboarded().submitted()
    assert api.get(f"/sessions/{session_id}").status_code == 200
    with isolation.as_partner(api.partner.pk):
        assert ask(
            "SELECT current_user::text <> current_setting('app.partner'), current_partner()::text"
        ) == [(True, str(api.partner.pk))]
        assert ask("SELECT current_user::text")[0][0] != REQUEST_ROLE


def test_in_production_no_request_is_answered_without_the_role(api: Api, monkeypatch, settings) -> None:
    monkeypatch.setattr(isolation, "_usable", {})
    monkeypatch.setattr(isolation, "_MAY_ACT", Step(b"SELECT WHERE false"))
    settings.PRODUCTION = True
    with pytest.raises(isolation.NoRequestRole), isolation.as_partner(api.partner.pk):
        pass


def test_a_database_that_does_not_answer_is_asked_again(api: Api, monkeypatch) -> None:
    def role() -> str:
        with isolation.as_partner(api.partner.pk):
            return ask("SELECT current_user::text")[0][0]

    monkeypatch.setattr(isolation, "_usable", {})
    with monkeypatch.context() as ill:
        ill.setattr(isolation, "_MAY_ACT", Step(b"SELECT 1 / 0"))
        with pytest.raises(DatabaseError), transaction.atomic():
            role()
    assert role() == REQUEST_ROLE


def test_a_database_that_logs_statements_is_warned_of_in_production(settings: object) -> None:
    ask("SET LOCAL log_min_error_statement = 'error'; SET LOCAL log_min_duration_statement = '5s'")
    assert database_logs_no_statement(None, databases=["default"]) == []
    settings.PRODUCTION = True
    assert database_logs_no_statement(None) == []
    [warning] = database_logs_no_statement(None, databases=["default"])
    assert warning.msg.endswith(": log_min_error_statement, log_min_duration_statement.")
    ask("SET LOCAL log_min_error_statement = 'panic'; SET LOCAL log_min_duration_statement = -1")
    assert database_logs_no_statement(None, databases=["default"]) == []
