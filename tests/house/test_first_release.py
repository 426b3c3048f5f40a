"""A database that ran the migrations which the first release's stand for goes on from there."""

import pytest
from django.core.management import call_command
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.recorder import MigrationRecorder

from config.local.migration_rules import OURS

pytestmark = pytest.mark.django_db
FIRST = "0001_first_release"


def test_a_database_with_the_earlier_ones_has_nothing_left_to_run() -> None:
    recorder = MigrationRecorder(connection)
    firsts = {(app, FIRST) for app in OURS}
    for first in firsts:
        for earlier in MigrationExecutor(connection).loader.disk_migrations[first].replaces:
            recorder.record_applied(*earlier)
        recorder.record_unapplied(*first)
    executor = MigrationExecutor(connection)
    assert executor.migration_plan(executor.loader.graph.leaf_nodes()) == []
    call_command("migrate", verbosity=0)
    assert firsts <= recorder.applied_migrations().keys()
