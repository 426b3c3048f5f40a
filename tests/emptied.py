"""How a test with real transactions leaves its database: as it was made, whatever the test committed.

Django truncates every table and writes permissions and content types anew, a tenth of a second each time;
here only rows that are there are deleted, and what every test begins with stays where it is unchanged.
"""

from typing import Any

from django.db import connection

from billing.payers.catalog import record_carriers
from claims.desk.roles import create_roles

BEGUN_WITH = (
    "django_migrations",
    "django_content_type",
    "auth_permission",
    "auth_group",
    "auth_group_permissions",
    "billing_payer",
    "billing_payeralias",
    "billing_payerprofile",
)
EMPTY = """
DO $$
DECLARE
    emptied regclass;
    has_rows boolean;
BEGIN
    SET LOCAL session_replication_role = replica;  -- in any order: no foreign key is looked at
    FOR emptied IN
        SELECT oid FROM pg_class WHERE relnamespace = 'public'::regnamespace
        AND relkind IN ('r', 'p') AND NOT relispartition AND NOT relname = ANY ({kept})
    LOOP
        EXECUTE format('SELECT EXISTS (SELECT FROM %s)', emptied) INTO has_rows;
        IF has_rows THEN
            EXECUTE format('DELETE FROM %s', emptied);
        END IF;
    END LOOP;
END $$
"""
SIGNATURE = "SELECT md5(string_agg(held::text, '' ORDER BY held::text)) FROM {table} AS held"
_at_first: list[str] = []


def remember_beginning() -> None:
    """Take note of what every test of this process begins with."""
    _at_first[:] = _signatures()


def bring_beginning_back(_test_case: Any = None) -> None:
    """Delete all that tests committed; write anew what they changed of the beginning."""
    _empty(kept=BEGUN_WITH)
    if _signatures() != _at_first:
        _empty(kept=BEGUN_WITH[:3])
        record_carriers()
        create_roles()
        remember_beginning()


def _empty(*, kept: tuple[str, ...]) -> None:
    names = ", ".join(f"'{name}'" for name in kept)
    with connection.cursor() as cursor:
        cursor.execute(EMPTY.format(kept=f"ARRAY[{names}]"))


def _signatures() -> list[str]:
    with connection.cursor() as cursor:
        found = []
        for table in BEGUN_WITH:
            cursor.execute(SIGNATURE.format(table=table))
            found.append(cursor.fetchone()[0])
    return found
