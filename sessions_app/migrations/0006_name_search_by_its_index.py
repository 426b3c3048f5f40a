"""Lets the search by patient name use its index below row-level security.

The planner takes a condition into an index only if it can't tell a stranger's row by failing: LEAKPROOF. LIKE is
not declared so, although its one error (a pattern that ends with the escape character) is the caller's own, and
ours are always whole. Only a superuser may declare it; without one, the search reads all of the partner's sessions,
and `manage.py doctor` says so. A restored database needs it again: pg_dump leaves built-in functions out.
"""

from django.db import migrations

DECLARE = """
DO $$
BEGIN
    EXECUTE 'ALTER FUNCTION pg_catalog.textlike(text, text) LEAKPROOF';
EXCEPTION WHEN insufficient_privilege THEN
    RAISE NOTICE 'textlike() could not be made LEAKPROOF; the search by name stays slow for large partners.';
END $$;
"""


class Migration(migrations.Migration):
    dependencies = [("sessions_app", "0005_watch_what_people_change")]
    operations = [migrations.RunSQL(DECLARE, migrations.RunSQL.noop)]
