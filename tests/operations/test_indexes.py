"""Indexes cost every row that is written: none is there that another one does the work of."""

import pytest
from django.db import connection

OF_A_LIBRARY = ("auth_", "axes_", "django_", "otp_", "pghistory_", "claims_authenticator")
"""Tables, and one with a column, that others define."""
PLAIN = """
SELECT indrelid::regclass::text, relname, indisunique, relam, string_to_array(indkey::text, ' ')::int[],
       string_to_array(indclass::text, ' ')::int[]
FROM pg_index JOIN pg_class ON pg_class.oid = indexrelid
WHERE relnamespace = current_schema()::regnamespace AND indpred IS NULL AND indexprs IS NULL
"""


@pytest.mark.django_db
def test_no_index_is_the_beginning_of_another() -> None:
    with connection.cursor() as cursor:
        cursor.execute(PLAIN)
        indexes = [row for row in cursor.fetchall() if not row[0].startswith(OF_A_LIBRARY)]
    assert len(indexes) > 50
    assert [
        name
        for table, name, is_unique, kind, columns, classes in indexes
        if not is_unique
        and any(
            (table, kind, columns, classes) == (other, its_kind, more[: len(columns)], its[: len(columns)])
            for other, its_name, _, its_kind, more, its in indexes
            if its_name != name
        )
    ] == []
