"""Re-encrypts what older keys have encrypted, batch by batch, while the service runs."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.apps import apps
from django.db import connection, models, transaction
from psycopg import sql

from partners.fields import EncryptedField
from partners.keyring import KeyringError, blind_index, decrypt, encrypt, field_ring

BATCH = 500
PUT_BACK = "Put the old key back behind the current one."
OWN_ID = "Give the new key an id of its own, and put the old one back behind it under its own."
SAMPLE = 20_000
"""How many rows of a large table are looked at where a glance has to do, and the oldest thousand besides."""
_KEY_ID = "substring({column} FROM 2 FOR get_byte(substring({column} FOR 1), 0))"  # its start alone
_OLD = "{column} IS NOT NULL AND {key_id} <> %(key)s"
_COUNTED = "SELECT {key_id}, count(*) FROM {table} WHERE {column} IS NOT NULL GROUP BY 1"
_GLANCE = """
SELECT DISTINCT ON ({key_id}) {key_id}, {column} FROM (
    (SELECT {key}, {column} FROM {table} ORDER BY {key} LIMIT 1000)
    UNION ALL (SELECT {key}, {column} FROM {table} TABLESAMPLE SYSTEM (%(percent)s))
) AS seen WHERE {column} IS NOT NULL ORDER BY {key_id}, {key}
"""
_ROWS = """
SELECT coalesce(sum(greatest(pg_class.reltuples, 0)), 0)
FROM pg_partition_tree(%s::regclass) JOIN pg_class ON pg_class.oid = relid WHERE isleaf
"""
# A re-encrypted value says what it said: the triggers that keep history have nothing to keep.
_NO_HISTORY = """
SELECT set_config('pgtrigger.ignore', coalesce(array_agg(tgname)::text, '{}'), true)
FROM pg_trigger WHERE tgrelid = %s::regclass AND tgname LIKE 'pgtrigger%%'
"""


@dataclass(frozen=True)
class BlindIndex:
    """A column that finds an encrypted one by exact match, and how the value is brought to one form first."""

    column: str
    form: Callable[[str], str]


@dataclass(frozen=True)
class Encrypted:
    """One encrypted column of a table."""

    table: str
    key: str
    column: str
    index: BlindIndex | None = None


def encrypted_columns(indexes: Mapping[tuple[str, str], BlindIndex]) -> list[Encrypted]:
    """Every encrypted column of every model; `indexes` by table and column."""
    return [
        Encrypted(
            table=model._meta.db_table,
            key=str(model._meta.pk.column),
            column=str(field.column),
            index=indexes.get((model._meta.db_table, str(field.column))),
        )
        for model in apps.get_models(include_auto_created=True)
        if not model._meta.proxy and isinstance(model._meta.pk, models.Field)
        for field in model._meta.local_concrete_fields
        if isinstance(field, EncryptedField)
    ]


def counts_by_key(column: Encrypted) -> dict[str, int]:
    """How many values of the column are under which key."""
    with connection.cursor() as cursor:
        cursor.execute(sql.SQL(_COUNTED).format(**_names(column)))
        return {bytes(key_id).decode(): count for key_id, count in cursor.fetchall()}


def oldest_by_key(column: Encrypted) -> dict[str, bytes]:
    """The column's oldest value under each key: of a large table, the oldest and a sample are looked at."""
    with connection.cursor() as cursor:
        cursor.execute(_ROWS, [column.table])
        rows = int(cursor.fetchone()[0])
        percent = min(100.0, 100.0 * SAMPLE / rows) if rows else 100.0
        cursor.execute(sql.SQL(_GLANCE).format(**_names(column)), {"percent": percent})
        return {bytes(key_id).decode(): bytes(stored) for key_id, stored in cursor.fetchall()}


def keys_taken_for_others(oldest: Mapping[str, bytes]) -> set[str]:
    """Ids in the ring under which it has another key than the one that these values were written with."""
    return {key_id for key_id, stored in oldest.items() if _has(key_id) and not _opens(stored)}


def _has(key_id: str) -> bool:
    return key_id in field_ring().secrets


def _opens(stored: bytes) -> bool:
    try:
        decrypt(stored)
    except KeyringError:
        return False
    return True


def reencrypt(column: Encrypted) -> Iterator[int]:
    """Bring the column under the current key; yields how many values each batch, a transaction, has brought.

    A value that somebody changes meanwhile is left as they wrote it: that is under the current key already.
    """
    after = None
    while True:
        with transaction.atomic(), connection.cursor() as cursor:
            rows = _old_values(cursor, column, after)
            if not rows:
                return
            after = rows[-1][0]
            cursor.execute(_NO_HISTORY, [column.table])
            changed = _write(cursor, column, [(key, bytes(stored)) for key, stored in rows])
            cursor.execute("SELECT set_config('pgtrigger.ignore', '{}', true)")
        yield changed


def _old_values(cursor: Any, column: Encrypted, after: Any) -> list[tuple[Any, bytes]]:
    later = "" if after is None else " AND {key} > %(after)s"
    statement = sql.SQL(
        "SELECT {key}, {column} FROM {table} WHERE " + _OLD + later + " ORDER BY {key} LIMIT %(batch)s"  # noqa: S608 (as above)
    )
    cursor.execute(
        statement.format(**_names(column)), {"key": _current_key(), "after": after, "batch": BATCH}
    )
    rows: list[tuple[Any, bytes]] = cursor.fetchall()
    return rows


def _write(cursor: Any, column: Encrypted, rows: Sequence[tuple[Any, bytes]]) -> int:
    statement = "UPDATE {table} SET {column} = %(new)s{index} WHERE {key} = %(row)s AND {column} = %(old)s"
    changed = 0
    for key, old in rows:
        plain = decrypt(old)
        parameters = {"new": encrypt(plain), "row": key, "old": old}
        index: sql.Composable = sql.SQL("")
        if column.index is not None:
            index = sql.SQL(", {} = %(fingerprint)s").format(sql.Identifier(column.index.column))
            parameters["fingerprint"] = blind_index(column.index.form(plain.decode()))
        composed = sql.SQL(statement).format(**_names(column), index=index)
        cursor.execute(composed, parameters)
        changed += cursor.rowcount
    return changed


def _names(column: Encrypted) -> dict[str, sql.Composable]:
    name = sql.Identifier(column.column)
    return {
        "table": sql.Identifier(column.table),
        "key": sql.Identifier(column.key),
        "column": name,
        "key_id": sql.SQL(_KEY_ID).format(column=name),
    }


def _current_key() -> bytes:
    return field_ring().current.encode()
