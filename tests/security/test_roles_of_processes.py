"""Web and workers may run as roles of their own, which do their work and nothing to the tables themselves."""

from collections.abc import Iterator
from datetime import timedelta

import psycopg
import pytest
from django.db import DatabaseError, connection, transaction

from claims.retention import purge
from partners import isolation
from partners.audit_chain import seal_records
from partners.isolation import REQUEST_ROLE, STAFF_ROLE, WORKER_ROLE, as_partner
from providers.sample_charges import load_sample_charges
from tests.cast import Api, partner_api
from tests.claims.process import run_until_quiet

pytestmark = pytest.mark.django_db


def ask(statement: str) -> list[tuple]:
    with connection.cursor() as cursor:
        cursor.execute(statement)
        return cursor.fetchall() if cursor.description else []


@pytest.fixture
def client(release: object, settings: object) -> Api:
    settings.SANDBOX_SPEED = 1e9
    load_sample_charges()
    return partner_api("Processes", submission_delay=timedelta()).onboarded()


@pytest.fixture
def role() -> Iterator[str]:
    """The session's own role goes back to the login afterwards."""
    yield WORKER_ROLE
    ask("RESET ROLE")


def test_a_worker_takes_a_claim_from_receipt_to_payment(client: Api, role: str) -> None:
    session_id = client.submitted()
    ask(f"SET ROLE {role}")
    run_until_quiet()
    seal_records()
    purge()
    ask("RESET ROLE")
    assert client.get(f"/sessions/{session_id}").json()["status"] == "paid"


def test_the_interface_works_from_a_web_process_with_a_role(client: Api, role: str) -> None:
    ask(f"SET ROLE {STAFF_ROLE}")
    session_id = client.submitted()
    assert client.get(f"/sessions/{session_id}").status_code == 200
    assert client.patch(f"/sessions/{session_id}", {"patient": {"firstName": "Ann"}}).status_code == 200


@pytest.fixture
def web_process(transactional_db: None, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Connected as the Procfile's web process is."""
    connection.close()
    with monkeypatch.context() as process:
        process.setitem(connection.settings_dict["OPTIONS"], "options", f"-c role={STAFF_ROLE}")
        process.setattr(isolation, "_usable", {})
        yield
        connection.close()


def test_a_request_to_the_web_process_sees_its_partner_alone(web_process: None) -> None:
    assert ask("SELECT current_user::text") == [(STAFF_ROLE,)]
    ours, theirs = partner_api("Ours").onboarded(), partner_api("Theirs")
    with as_partner(theirs.partner.pk):
        assert ask("SELECT current_user::text, count(*) FROM providers_provider") == [(REQUEST_ROLE, 0)]
    with as_partner(ours.partner.pk):
        assert ask("SELECT current_user::text, count(*) FROM providers_provider") == [(REQUEST_ROLE, 1)]
    assert ask("SELECT current_user::text") == [(STAFF_ROLE,)]


def test_a_connection_with_a_role_goes_back_to_it_after_a_request(db: None) -> None:
    named = connection.get_connection_params() | {"options": f"-c role={STAFF_ROLE}"}
    wanted = {name: named[name] for name in ("dbname", "user", "host", "port", "options") if named.get(name)}
    with psycopg.connect(**wanted) as process:
        process.execute("SET LOCAL ROLE billing_api")
        process.execute("SET LOCAL role TO DEFAULT")
        assert process.execute("SELECT current_user").fetchone() == (STAFF_ROLE,)


@pytest.mark.parametrize("name", [STAFF_ROLE, WORKER_ROLE])
@pytest.mark.parametrize(
    "statement",
    [
        "ALTER TABLE sessions_app_session DISABLE ROW LEVEL SECURITY",
        "DROP POLICY own_rows ON sessions_app_session",
        "ALTER TABLE partners_accessrecord DISABLE TRIGGER audit_is_kept",
        "TRUNCATE partners_accessrecord",
    ],
)
def test_no_process_can_take_its_guards_away(role: str, name: str, statement: str) -> None:
    with pytest.raises(DatabaseError, match=r"must be owner|permission denied"), transaction.atomic():
        ask(f"SET LOCAL ROLE {name}; {statement}")
