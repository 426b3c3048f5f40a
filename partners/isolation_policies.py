"""The database's side of isolation, as operations for migrations: roles, `current_partner()`, policies.

A new table of partners' rows needs an `isolate(...)` in its migration; a test finds one without.
"""

from django.db.migrations import RunSQL

from partners.isolation import REQUEST_ROLE, STAFF_ROLE, WORKER_ROLE

_OWN_ROLES = f"{STAFF_ROLE}, {WORKER_ROLE}"
_ALL_ROLES = f"'{REQUEST_ROLE}', '{STAFF_ROLE}', '{WORKER_ROLE}'"

ROLES = f"""
DO $$
DECLARE wanted text;
BEGIN
    FOREACH wanted IN ARRAY ARRAY[{_ALL_ROLES}] LOOP
        BEGIN
            IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = wanted) THEN
                EXECUTE format('CREATE ROLE %I NOLOGIN', wanted);
            END IF;
            IF NOT pg_has_role(current_user, wanted, 'MEMBER') THEN
                EXECUTE format('GRANT %I TO CURRENT_USER', wanted);
            END IF;
        EXCEPTION
            -- Another database's migration made it just now.
            WHEN duplicate_object OR unique_violation THEN NULL;
            WHEN insufficient_privilege OR undefined_object THEN
                RAISE NOTICE 'The role % could not be made; a system check will say so.', wanted;
        END;
        IF EXISTS (SELECT FROM pg_roles WHERE rolname = wanted) THEN
            EXECUTE format('GRANT USAGE ON SCHEMA %I TO %I', current_schema(), wanted);
        END IF;
    END LOOP;
END $$;
"""  # noqa: S608 (names written in migrations)
CURRENT_PARTNER = """
DO $$
BEGIN
    -- LEAKPROOF lets the planner trust the index order below the policies; only a superuser may declare it.
    EXECUTE 'CREATE FUNCTION current_partner() RETURNS uuid LANGUAGE sql STABLE LEAKPROOF PARALLEL SAFE '
        'RETURN nullif(current_setting(''app.partner'', true), '''')::uuid';
EXCEPTION WHEN insufficient_privilege THEN
    EXECUTE 'CREATE FUNCTION current_partner() RETURNS uuid LANGUAGE sql STABLE PARALLEL SAFE '
        'RETURN nullif(current_setting(''app.partner'', true), '''')::uuid';
END $$;
"""
OWN_ROLES = f"""
DO $$
DECLARE owned record;
BEGIN
    IF (SELECT count(*) FROM pg_roles WHERE rolname IN ('{STAFF_ROLE}', '{WORKER_ROLE}')) < 2 THEN
        RETURN;
    END IF;
    FOR owned IN
        SELECT oid::regclass AS name, relkind FROM pg_class
        WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('r', 'p', 'S')
            AND pg_has_role(current_user, relowner, 'USAGE')
    LOOP
        IF owned.relkind = 'S' THEN
            EXECUTE format('GRANT USAGE ON SEQUENCE %s TO {_OWN_ROLES}', owned.name);
        ELSE
            EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON %s TO {_OWN_ROLES}', owned.name);
        END IF;
    END LOOP;
    -- And on what later migrations make.
    EXECUTE format('ALTER DEFAULT PRIVILEGES IN SCHEMA %I GRANT USAGE ON SEQUENCES TO {_OWN_ROLES}',
        current_schema());
    EXECUTE format('ALTER DEFAULT PRIVILEGES IN SCHEMA %I '
        'GRANT SELECT, INSERT, UPDATE, DELETE ON TABLES TO {_OWN_ROLES}', current_schema());
END $$;
"""  # noqa: S608 (names written in migrations)


def make_roles() -> RunSQL:
    """The three roles, their rights, and the function that policies compare with."""
    return RunSQL(ROLES + CURRENT_PARTNER + OWN_ROLES, "DROP FUNCTION current_partner();")


def isolate(table: str, *, requests_may: str = "", owner: str = "partner_id") -> RunSQL:
    """Show requests only the rows whose `owner` column is their partner.

    `requests_may` are the privileges of the request role on the table, such as "SELECT, INSERT".
    """
    return RunSQL(
        f"""
DO $$
BEGIN
    IF (SELECT count(*) FROM pg_roles WHERE rolname IN ({_ALL_ROLES})) = 3 THEN
        ALTER TABLE {table} ENABLE ROW LEVEL SECURITY;
        CREATE POLICY own_rows ON {table} TO {REQUEST_ROLE}
            USING ({owner} = current_partner()) WITH CHECK ({owner} = current_partner());
        CREATE POLICY all_rows ON {table} TO {_OWN_ROLES} USING (true) WITH CHECK (true);
        {f"GRANT {requests_may} ON {table} TO {REQUEST_ROLE};" if requests_may else ""}
    END IF;
END $$;
""",  # noqa: S608 (names written in migrations)
        f"""
DROP POLICY IF EXISTS own_rows ON {table};
DROP POLICY IF EXISTS all_rows ON {table};
ALTER TABLE {table} DISABLE ROW LEVEL SECURITY;
DO $$
BEGIN
    IF EXISTS (SELECT FROM pg_roles WHERE rolname = '{REQUEST_ROLE}') THEN
        REVOKE ALL ON {table} FROM {REQUEST_ROLE};
    END IF;
END $$;
""",  # noqa: S608 (names written in migrations)
    )


def let_requests_read(*tables: str) -> RunSQL:
    """Let requests read tables that belong to nobody, such as code sets."""
    return _grant("SELECT", tables)


def let_requests_append(*tables: str) -> RunSQL:
    """Let requests add rows, and see none, where a trigger of theirs writes history without a partner."""
    return _grant("INSERT", tables)


def _grant(privilege: str, tables: tuple[str, ...]) -> RunSQL:
    listed = ", ".join(tables)
    return RunSQL(
        f"""
DO $$
BEGIN
    IF EXISTS (SELECT FROM pg_roles WHERE rolname = '{REQUEST_ROLE}') THEN
        GRANT {privilege} ON {listed} TO {REQUEST_ROLE};
    END IF;
END $$;
""",
        f"""
DO $$
BEGIN
    IF EXISTS (SELECT FROM pg_roles WHERE rolname = '{REQUEST_ROLE}') THEN
        REVOKE {privilege} ON {listed} FROM {REQUEST_ROLE};
    END IF;
END $$;
""",  # noqa: S608 (names written in migrations)
    )
