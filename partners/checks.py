"""What the database, the secrets and the proxies must be for partners to be kept apart."""

from typing import Any

from django.conf import settings
from django.core import checks
from django.core.checks import CheckMessage
from django.core.exceptions import ImproperlyConfigured
from django.db import ProgrammingError, connections, transaction
from django.db.migrations.recorder import MigrationRecorder

from partners.isolation import REQUEST_ROLE, STAFF_ROLE, WORKER_ROLE
from partners.keyring import field_ring, pepper_ring
from partners.rotation import OWN_ID, encrypted_columns, keys_taken_for_others, oldest_by_key

SHORTEST_PEPPER = 32
SHORTEST_SECRET_KEY = 50
_STATE = """
SELECT
    (SELECT array_agg(wanted) FROM unnest(%s::text[]) AS wanted
     WHERE NOT EXISTS (
        SELECT FROM pg_roles WHERE rolname = wanted AND pg_has_role(session_user, oid, 'MEMBER')
     )),
    coalesce((SELECT proleakproof FROM pg_proc WHERE proname = 'current_partner' LIMIT 1), false),
    (SELECT relrowsecurity FROM pg_class WHERE oid = to_regclass('sessions_app_session'))
"""


_LOGS = """
SELECT name FROM unnest(%s::text[], %s::text[]) AS wanted(name, allowed)
WHERE NOT current_setting(name) = ANY (string_to_array(allowed, ' '))
"""
_QUIET_LOGS = {
    "log_min_error_statement": "panic fatal",
    "log_error_verbosity": "terse",
    "log_parameter_max_length_on_error": "0",
    "log_statement": "none ddl",
    "log_min_duration_statement": "-1",
}


def secrets_are_strong(app_configs: Any, **kwargs: Any) -> list[CheckMessage]:
    """In production, no secret that could be guessed; the messages never quote one."""
    if not settings.PRODUCTION:
        return []
    found: list[CheckMessage] = []
    try:
        weak = [key_id for key_id, pepper in pepper_ring().secrets.items() if len(pepper) < SHORTEST_PEPPER]
        field_ring()
    except ImproperlyConfigured as error:
        return [checks.Error(str(error), id="partners.E001")]
    if weak:
        words = f"API_KEY_PEPPERS: {', '.join(weak)} must have at least {SHORTEST_PEPPER} characters."
        found.append(checks.Error(words, id="partners.E002"))
    if len(settings.SECRET_KEY) < SHORTEST_SECRET_KEY:
        words = f"SECRET_KEY must have at least {SHORTEST_SECRET_KEY} characters."
        found.append(checks.Error(words, id="partners.E003"))
    return found


def proxies_are_counted(app_configs: Any, **kwargs: Any) -> list[CheckMessage]:
    """Warn where production takes every caller for the proxy that it comes through, or for whom it says."""
    if not settings.PRODUCTION or settings.PROXY_ADDRESS_HEADER:
        return []
    if settings.TRUSTED_PROXIES:
        return [
            checks.Warning(
                "X-Forwarded-For says who calls, and the server can't tell it from X_Forwarded_For.",
                hint="A proxy that passes on names with underscores (most do; nginx drops them) lets callers "
                "choose their address: have it write the address into a header without dashes, over whatever "
                "the caller sent, and name that in PROXY_ADDRESS_HEADER.",
                id="partners.W004",
            )
        ]
    return [
        checks.Warning(
            "TRUSTED_PROXIES is 0: the address of the connection counts as the caller's.",
            hint="Say how many of your own proxies append to X-Forwarded-For. Otherwise one caller's wrong "
            "keys and passwords are counted against all, and keys bound to networks fit no caller.",
            id="partners.W003",
        )
    ]


def database_keeps_partners_apart(app_configs: Any, **kwargs: Any) -> list[CheckMessage]:
    """Warn where row-level security is not in force; `check --database default` and `migrate` ask."""
    if "default" not in (kwargs.get("databases") or []):
        return []
    connection = connections["default"]
    if ("partners", "0001_first_release") not in MigrationRecorder(connection).applied_migrations():
        return []  # migrate is about to bring it
    with connection.cursor() as cursor:
        cursor.execute(_STATE, [[REQUEST_ROLE, STAFF_ROLE, WORKER_ROLE]])
        missing, leakproof, secured = cursor.fetchone()
    if missing or not secured:
        named = ", ".join(missing or [REQUEST_ROLE])
        return [
            checks.Warning(
                f"Row-level security is not in force: this login can't act as {named}.",
                hint="Create the roles and grant them to the login, then make the tables anew; "
                "SECURITY.md has the statements. Until then only filters in Python keep partners apart, and "
                "in production no partner is answered.",
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


def stored_values_can_be_read(app_configs: Any, **kwargs: Any) -> list[CheckMessage]:
    """End a release that has another key under the id of one: what it wrote, neither could tell apart."""
    if "default" not in (kwargs.get("databases") or []):
        return []
    taken: set[str] = set()
    for column in encrypted_columns({}):
        try:
            with transaction.atomic():
                taken |= keys_taken_for_others(oldest_by_key(column))
        except ProgrammingError:
            continue  # migrate is about to bring it
    return [
        checks.Error(
            f"FIELD_KEYS has another key under {key_id!r} than what is stored was written with.",
            hint=OWN_ID,
            id="partners.E004",
        )
        for key_id in sorted(taken)
    ]


def database_logs_no_statement(app_configs: Any, **kwargs: Any) -> list[CheckMessage]:
    """Warn where the database's own log may quote a statement, and with it a patient."""
    if not settings.PRODUCTION or "default" not in (kwargs.get("databases") or []):
        return []
    with connections["default"].cursor() as cursor:
        cursor.execute(_LOGS, [list(_QUIET_LOGS), list(_QUIET_LOGS.values())])
        loud = [name for (name,) in cursor.fetchall()]
    if not loud:
        return []
    return [
        checks.Warning(
            f"The database's log may quote patients: {', '.join(loud)}.",
            hint="Set them for the login as SECURITY.md, Database roles, says.",
            id="partners.W005",
        )
    ]
