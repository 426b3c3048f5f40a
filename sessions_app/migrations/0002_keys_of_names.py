"""Keys of a name for the index of names: hashes of the organization and of three letters in a row.

An index of them finds an organization's own sessions, and reads nothing of others. Below row-level security
the planner takes a condition into an index only if it can't tell a stranger's row by failing: LEAKPROOF. This
function and `@>` of arrays, whose one error is of arrays of different types, are declared so where a superuser
migrates; without one, a search by name reads all of the organization's sessions, and `manage.py doctor` says
so. A restored database needs it again for `@>`: pg_dump leaves built-in functions out.
"""

from django.db import migrations

KEYS = """
CREATE OR REPLACE FUNCTION name_keys(partner uuid, name text, every integer DEFAULT 1) RETURNS bigint[]
LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
-- Of each letter with the two that follow it, or of every second one only, which is enough to look by.
DECLARE
    keys bigint[] := '{}';
    seed CONSTANT bigint := uuid_hash_extended(partner, 0);
BEGIN
    FOR place IN 1..length(name) - 2 BY every LOOP
        keys := keys || hashtextextended(substr(name, place, 3), seed);
    END LOOP;
    RETURN keys;
END $$;
DO $$
BEGIN
    EXECUTE 'ALTER FUNCTION name_keys(uuid, text, integer) LEAKPROOF';
    EXECUTE 'ALTER FUNCTION pg_catalog.arraycontains(anyarray, anyarray) LEAKPROOF';
EXCEPTION WHEN insufficient_privilege THEN
    RAISE NOTICE 'name_keys() and arraycontains() could not be made LEAKPROOF; the search by name is slow.';
END $$;
"""


class Migration(migrations.Migration):
    dependencies = [("sessions_app", "0001_first_release")]
    operations = [
        migrations.RunSQL(KEYS, "DROP FUNCTION name_keys(uuid, text, integer)"),
    ]
