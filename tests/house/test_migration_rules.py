"""Which migrations would stop the release that still serves."""

import pytest
from django.contrib.postgres.operations import AddIndexConcurrently
from django.db import models
from django.db.migrations import AddConstraint, AddField, AddIndex, CreateModel, Migration
from django.db.migrations.operations.base import Operation

from config.local.migration_rules import is_exempt, what_locks

INDEX = models.Index(fields=["day"], name="by_day")
CHECK = models.CheckConstraint(condition=models.Q(day__gt=0), name="day_known")


def migration_with(*operations: Operation) -> Migration:
    migration = Migration("0099_later", "claims")
    migration.operations = list(operations)
    return migration


@pytest.mark.parametrize(
    "operation",
    [
        AddIndex("claim", INDEX),
        AddConstraint("claim", CHECK),
        AddField("claim", "day", models.IntegerField(null=True, db_index=True)),
    ],
)
def test_what_locks_a_table_is_named(operation: Operation) -> None:
    assert len(list(what_locks(migration_with(operation)))) == 1


def test_an_index_made_concurrently_locks_nobody_out() -> None:
    assert list(what_locks(migration_with(AddIndexConcurrently("claim", INDEX)))) == []


def test_a_new_table_has_no_readers_yet() -> None:
    made = CreateModel("Day", [("day", models.IntegerField())])
    assert list(what_locks(migration_with(made, AddIndex("day", INDEX)))) == []


def test_only_what_came_before_the_first_release_is_exempt() -> None:
    assert is_exempt("0001_first_release")
    assert not is_exempt("0002_later")
