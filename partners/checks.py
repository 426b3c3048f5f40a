"""What the database must have for partners to be kept apart."""

from typing import Any

from django.core import checks
from django.core.checks import CheckMessage
from django.db import connections
from django.db.migrations.recorder import MigrationRecorder

from partners.isolation import REQUEST_ROLE, STAFF_ROLE, WORKER_ROLE

_STATE = """
SELECT
    (SELECT array_agg(wanted) FROM unnest(%s::text[]) AS wanted
     WHERE NOT EXISTS (SELECT FROM pg_roles WHERE rolname = wanted AND pg_has_role(oid, 'MEMBER'))),
    coalesce((SELECT proleakproof FROM pg_proc WHERE proname = 'current_partner' LIMIT 1), false),
    (SELECT relrowsecurity FROM pg_class WHERE oid = to_regclass('sessions_app_session'))
"""


def database_keeps_partners_apart(
    app_configs: Any, databases: list[str] | None = None, **kwargs: Any
) -> list[CheckMessage]:
    """Warn where row-level security is not in force; `check --database default` and `migrate` ask."""
    if "default" not in (databases or []):
        return []
    connection = connections["default"]
    if ("partners", "0003_isolation") not in MigrationRecorder(connection).applied_migrations():
        return []  # migrate is about to bring it
    with connection.cursor() as cursor:
        cursor.execute(_STATE, [[REQUEST_ROLE, STAFF_ROLE, WORKER_ROLE]])
        missing, leakproof, secured = cursor.fetchone()
    if missing or not secured:
        named = ", ".join(missing or [REQUEST_ROLE])
        return [
            checks.Warning(
                f"Row-level security is not in force: this login can't act as {named}.",
                hint="Create the roles and grant them to the login, then migrate partners to 0002 and back; "
                "SECURITY.md has the statements. Until then only filters in Python keep partners apart.",
                id="partners.W001",
            )
        ]
    if not leakproof:
        return [
            checks.Warning(
                "current_partner() is not LEAKPROOF, since the migration ran without a superuser: lists of "
                "large partners may be slower.",
                hint="As a superuser: ALTER FUNCTION current_partner() LEAKPROOF.",
                id="partners.W002",
            )
        ]
    return []
