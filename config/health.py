"""`/healthz`: the process answers. `/readyz`: what it needs is there."""

import logging
from collections.abc import Callable

import redis
from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.db import DatabaseError, connection
from django.db.migrations.executor import MigrationExecutor
from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from partners.api.rendering import answer

logger = logging.getLogger(__name__)
BROKER_PATIENCE_SECONDS = 0.5
_migrated = False


@require_safe
def alive(request: HttpRequest) -> HttpResponse:
    """200 as long as the process can answer."""
    return answer(200, {"status": "ok"})


@require_safe
def ready(request: HttpRequest) -> HttpResponse:
    """200 when every check is ok, else 503; `checks` names each."""
    checks = {
        "database": _state(_reach_database),
        "migrations": _state(_check_migrations),
        "broker": _state(_reach_broker),
    }
    fine = all(state == "ok" for state in checks.values())
    return answer(200 if fine else 503, {"status": "ok" if fine else "unavailable", "checks": checks})


def _state(check: Callable[[], str]) -> str:
    try:
        return check()
    except (DatabaseError, redis.RedisError, OSError, ImproperlyConfigured) as error:
        logger.warning("not ready: %s %s", check.__name__, type(error).__name__)
        return "unreachable"


def _reach_database() -> str:
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1")
    return "ok"


def _check_migrations() -> str:
    """Looked up until they are found applied; a running release does not lose its migrations."""
    global _migrated  # noqa: PLW0603 (one flag for this process)
    if not _migrated:
        executor = MigrationExecutor(connection)
        _migrated = not executor.migration_plan(executor.loader.graph.leaf_nodes())
    return "ok" if _migrated else "pending"


def _reach_broker() -> str:
    client = redis.Redis.from_url(
        settings.REDIS_URL,
        socket_connect_timeout=BROKER_PATIENCE_SECONDS,
        socket_timeout=BROKER_PATIENCE_SECONDS,
        retry=None,
    )
    with client:
        client.ping()
    return "ok"
