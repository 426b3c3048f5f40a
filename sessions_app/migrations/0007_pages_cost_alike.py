"""Tells the planner that any page is as near as the next one, as on solid-state disks and in memory.

PostgreSQL's default is of turning disks: with it, a search for a common name collects all of the organization's
matches instead of walking its newest sessions until the page is full (12 ms in place of 1 in a million sessions).
It is a setting of this database, for connections made from now on; its owner may change it. A restored database
needs it again: pg_dump leaves it out, and `manage.py doctor` says so.
"""

from django.db import migrations

SET = """
DO $$
BEGIN
    EXECUTE format('ALTER DATABASE %I SET random_page_cost = 1.1', current_database());
EXCEPTION WHEN insufficient_privilege THEN
    RAISE NOTICE 'random_page_cost could not be set: this account does not own the database.';
END $$;
"""
RESET = """
DO $$
BEGIN
    EXECUTE format('ALTER DATABASE %I RESET random_page_cost', current_database());
EXCEPTION WHEN insufficient_privilege THEN
    RAISE NOTICE 'random_page_cost could not be reset: this account does not own the database.';
END $$;
"""


class Migration(migrations.Migration):
    dependencies = [("sessions_app", "0006_name_search_by_its_index")]
    operations = [
        migrations.RunSQL(SET, RESET),
        migrations.RunSQL(
            # How common a name is decides between the two ways, so its sample is large.
            "ALTER TABLE sessions_app_session ALTER COLUMN patient_search_name SET STATISTICS 1000",
            "ALTER TABLE sessions_app_session ALTER COLUMN patient_search_name SET STATISTICS -1",
        ),
    ]
