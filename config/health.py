"""`/healthz`: the process answers. `/readyz`: what it needs is there."""

import logging
from collections.abc import Callable

import redis
from django.core.exceptions import ImproperlyConfigured
from django.db import DatabaseError, connection
from django.db.migrations.executor import MigrationExecutor
from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from claims import heartbeats
from partners.api.rendering import answer
from partners.outages import takes_writes

logger = logging.getLogger(__name__)
NEEDED = ("database", "migrations")
"""Without the others sessions are taken all the same, and wait in the database."""
_migrated = False


@require_safe
def alive(request: HttpRequest) -> HttpResponse:
    """200 as long as the process can answer."""
    return answer(200, {"status": "ok"})


@require_safe
def ready(request: HttpRequest) -> HttpResponse:
    """503 `unavailable` without what is needed; else 200, `ok` or `degraded`. `checks` names each."""
    checks = {
        "database": _state(_reach_database),
        "migrations": _state(_check_migrations),
        "broker": _state(_reach_broker),
        **{kind: _state(_hear, kind) for kind in ("worker", "gateways", "beat")},
    }
    if any(checks[name] != "ok" for name in NEEDED):
        return answer(503, {"status": "unavailable", "checks": checks})
    fine = all(state == "ok" for state in checks.values())
    return answer(200, {"status": "ok" if fine else "degraded", "checks": checks})


def _state(check: Callable[..., str], *kind: str) -> str:
    try:
        return check(*kind)
    except (DatabaseError, redis.RedisError, OSError, ImproperlyConfigured) as error:
        logger.warning("not ready: %s %s", "_".join((check.__name__, *kind)), type(error).__name__)
        return "unreachable"


def _reach_database() -> str:
    return "ok" if takes_writes() else "read-only"


def _check_migrations() -> str:
    """Looked up until they are found applied; a running release does not lose its migrations."""
    global _migrated  # noqa: PLW0603 (one flag for this process)
    if not _migrated:
        executor = MigrationExecutor(connection)
        _migrated = not executor.migration_plan(executor.loader.graph.leaf_nodes())
    return "ok" if _migrated else "pending"


def _reach_broker() -> str:
    with heartbeats.broker() as client:
        return "ok" if heartbeats.takes_writes(client) else "read-only"


def _hear(kind: str) -> str:
    with heartbeats.broker() as client:
        return "ok" if heartbeats.is_alive(kind, client) else "silent"
