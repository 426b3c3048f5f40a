"""Names the queries of a page by the table that each reads first, so that a new one is seen and named."""

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from django.db import connection
from django.test.utils import CaptureQueriesContext

OF_EVERY_REQUEST = ("django_session", "auth_user", "claims_authenticator", "claims_unconfirmed")
PERMISSIONS = "auth_permission"
TRANSACTION = re.compile(r"SAVEPOINT|RELEASE|BEGIN|COMMIT|ROLLBACK")
TABLE = re.compile(r'(?:FROM|INTO|UPDATE)\s+"?([a-z_0-9]+)"?')


@contextmanager
def named() -> Iterator[list[str]]:
    """The pages' own queries, named, after the block; who is asking and what they may isn't counted."""
    names: list[str] = []
    with CaptureQueriesContext(
        connection,
    ) as captured:
        yield names
    for query in captured.captured_queries:
        sql = query["sql"]
        if TRANSACTION.match(sql) or "set_config" in sql:
            continue
        found = TABLE.findall(sql)
        table = next((each for each in found if not each.startswith("unnest")), sql[:60])
        if table in OF_EVERY_REQUEST or table == PERMISSIONS:
            continue
        names.append(table)


def of(ask: Callable[[], Any]) -> list[str]:
    """The named queries of one request, asked once before so that nothing is loaded for the first time."""
    ask()
    with named() as names:
        answer = ask()
    assert answer.status_code == 200
    return names
