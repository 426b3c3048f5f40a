"""`python -m config.local.migration_rules`: no migration is missing, none may stop the release that serves.

The rules and their reasons are in docs/migrations.md. Each app's first migration is exempt: nothing served
while it ran. Both are asked in one process: loading Django takes as long as either.
"""

import os
import sys
from collections.abc import Iterable
from pathlib import Path

import django
from django.core.management import call_command
from django.db import connection, models
from django.db.migrations import AddConstraint, AddField, AddIndex, AlterField, CreateModel, Migration
from django.db.migrations.loader import MigrationLoader
from django_migration_linter import MigrationLinter

CHECKOUT = Path(__file__).resolve().parents[2]
OURS = ("billing", "partners", "providers", "sessions_app", "claims")


def main() -> int:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    django.setup()
    loader = MigrationLoader(connection)
    exempt = {name for app, name in loader.disk_migrations if app in OURS and is_exempt(name)}
    linter = MigrationLinter(path=str(CHECKOUT), include_apps=OURS, ignore_name=exempt, no_cache=True)
    linter.lint_all_migrations()
    locking = [
        f"{app}.{name}: {sentence}"
        for (app, name), migration in loader.disk_migrations.items()
        if app in OURS and not is_exempt(name)
        for sentence in what_locks(migration)
    ]
    for sentence in locking:
        print(sentence)
    return 1 if is_one_missing() or linter.has_errors or locking else 0


def is_one_missing() -> bool:
    """Whether the models ask for a migration that nobody has written; Django prints which."""
    try:
        call_command("makemigrations", check_changes=True, dry_run=True, skip_checks=False)
    except SystemExit:
        return True
    return False


def is_exempt(name: str) -> bool:
    """Whether a migration made the tables before the first release."""
    return name == "0001_first_release"


def what_locks(migration: Migration) -> Iterable[str]:
    """What keeps a table's readers or writers waiting for as long as the table is large."""
    new = {each.name_lower for each in migration.operations if isinstance(each, CreateModel)}
    for operation in migration.operations:
        if getattr(operation, "model_name_lower", "") in new:
            continue
        if type(operation) is AddIndex:
            yield f"the index {operation.index.name} locks its table; use AddIndexConcurrently"
        elif type(operation) is AddConstraint and isinstance(operation.constraint, models.CheckConstraint):
            yield f"{operation.constraint.name} is checked under a lock; use AddConstraintNotValid"
        elif isinstance(operation, AddField | AlterField) and (
            getattr(operation.field, "db_index", False) and not operation.field.is_relation
        ):
            yield f"the index of {operation.name} locks its table; use AddIndexConcurrently"


if __name__ == "__main__":
    sys.exit(main())
