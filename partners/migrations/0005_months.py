"""Tables by month: functions that make and drop a month's partition, for a login that owns no table.

`manage.py keep_months` and beat call them (`partners.months`). Both take their locks in the order in which
writers do, wait for each at most 0.3 s (PostgreSQL looks for deadlocks after a second, so that nobody else's
transaction is ended for theirs), and hold them for as long as the statement takes.
"""

from django.db import migrations

from partners.isolation import WORKER_ROLE

MAKE = """
CREATE FUNCTION guard_partition(parent regclass, child regclass) RETURNS void
LANGUAGE plpgsql AS $$
-- Whoever is let at a partition itself finds the policies of the whole table there.
DECLARE policy record;
BEGIN
    IF NOT (SELECT relrowsecurity FROM pg_class WHERE oid = parent) THEN
        RETURN;
    END IF;
    EXECUTE format('ALTER TABLE %s ENABLE ROW LEVEL SECURITY', child);
    FOR policy IN
        SELECT polname, pg_get_expr(polqual, polrelid) AS seen, pg_get_expr(polwithcheck, polrelid) AS written,
            (SELECT string_agg(quote_ident(rolname), ', ') FROM pg_roles WHERE oid = ANY (polroles)) AS roles
        FROM pg_policy WHERE polrelid = parent
    LOOP
        EXECUTE format('CREATE POLICY %I ON %s TO %s USING (%s) WITH CHECK (%s)',
            policy.polname, child, policy.roles, policy.seen, policy.written);
    END LOOP;
END $$;

CREATE FUNCTION made_at(id uuid) RETURNS timestamptz LANGUAGE sql IMMUTABLE PARALLEL SAFE
-- When an id of version 7 was made: its first 48 bits are milliseconds.
RETURN to_timestamp(('x' || left(replace(id::text, '-', ''), 12))::bit(48)::bigint / 1000.0);

CREATE FUNCTION month_of(
    parent regclass, month date, OUT name text, OUT rest text, OUT key name, OUT begins text, OUT ends text
) LANGUAGE plpgsql STABLE SET timezone = 'UTC' AS $$
-- The month's partition, the default partition beside it, the column that decides, and between what.
DECLARE
    first timestamptz := date_trunc('month', month);
    next timestamptz := first + interval '1 month';
    by_id boolean;
BEGIN
    SELECT format('%I.%I', nspname, relname || to_char(month, '_YYYY_MM')),
        format('%I.%I', nspname, relname || '_default'), attname, atttypid = 'uuid'::regtype
    INTO STRICT name, rest, key, by_id
    FROM pg_partitioned_table
    JOIN pg_class AS class ON class.oid = partrelid
    JOIN pg_namespace AS namespace ON namespace.oid = relnamespace
    JOIN pg_attribute ON attrelid = partrelid AND attnum = partattrs[0]
    WHERE partrelid = parent AND partstrat = 'r' AND atttypid IN ('timestamptz'::regtype, 'uuid'::regtype);
    IF by_id THEN
        begins := rpad(lpad(to_hex((extract(epoch FROM first) * 1000)::bigint), 12, '0'), 32, '0')::uuid;
        ends := rpad(lpad(to_hex((extract(epoch FROM next) * 1000)::bigint), 12, '0'), 32, '0')::uuid;
    ELSE
        begins := first;
        ends := next;
    END IF;
END $$;

CREATE FUNCTION make_month(parent regclass, month date) RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER SET lock_timeout = '300ms' AS $$
-- The rows that were moved out of the default partition; null where another process is at it.
DECLARE
    child record;
    other regclass;
    moved bigint;
BEGIN
    IF NOT pg_try_advisory_xact_lock(hashtext('months')) THEN
        RETURN NULL;
    END IF;
    SELECT * INTO child FROM month_of(parent, month);
    IF to_regclass(child.name) IS NOT NULL THEN
        RETURN 0;
    END IF;
    FOR other IN
        SELECT DISTINCT confrelid FROM pg_constraint WHERE conrelid = parent AND contype = 'f' ORDER BY 1
    LOOP
        EXECUTE format('LOCK TABLE ONLY %s IN SHARE ROW EXCLUSIVE MODE', other);
    END LOOP;
    -- Whoever writes waits here, and not at the default partition, which would be the wrong one afterwards.
    EXECUTE format('LOCK TABLE ONLY %s IN SHARE ROW EXCLUSIVE MODE', parent);
    EXECUTE format('LOCK TABLE ONLY %s IN ACCESS EXCLUSIVE MODE', child.rest);
    EXECUTE format('CREATE TABLE %s (LIKE %s INCLUDING DEFAULTS INCLUDING CONSTRAINTS INCLUDING STORAGE)',
        child.name, parent);
    PERFORM set_config('app.purging', 'on', true);
    EXECUTE format('WITH moved AS (DELETE FROM %s WHERE %I >= %L AND %I < %L RETURNING *) '
        'INSERT INTO %s SELECT * FROM moved', child.rest, child.key, child.begins, child.key, child.ends, child.name);
    GET DIAGNOSTICS moved = ROW_COUNT;
    PERFORM set_config('app.purging', '', true);
    EXECUTE format('ALTER TABLE %s ATTACH PARTITION %s FOR VALUES FROM (%L) TO (%L)',
        parent, child.name, child.begins, child.ends);
    PERFORM guard_partition(parent, child.name::regclass);
    RETURN moved;
END $$;

CREATE FUNCTION drop_month(parent regclass, month date) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER
SET timezone = 'UTC' SET lock_timeout = '300ms' AS $$
-- Whether it went: only a month that is over for another month, and empty.
DECLARE
    child record;
    other regclass;
    kept boolean;
BEGIN
    IF NOT pg_try_advisory_xact_lock(hashtext('months')) THEN
        RETURN false;
    END IF;
    SELECT * INTO child FROM month_of(parent, month);
    IF to_regclass(child.name) IS NULL OR date_trunc('month', month) + interval '2 months' > now() THEN
        RETURN false;
    END IF;
    FOR other IN
        SELECT DISTINCT confrelid FROM pg_constraint WHERE conrelid = parent AND contype = 'f' ORDER BY 1
    LOOP
        EXECUTE format('LOCK TABLE ONLY %s IN ACCESS EXCLUSIVE MODE', other);
    END LOOP;
    EXECUTE format('LOCK TABLE ONLY %s, ONLY %s, ONLY %s IN ACCESS EXCLUSIVE MODE',
        parent, child.rest, child.name);
    EXECUTE format('SELECT EXISTS (SELECT FROM %s)', child.name) INTO kept;
    IF NOT kept THEN
        EXECUTE format('ALTER TABLE %s DETACH PARTITION %s', parent, child.name);
        EXECUTE format('DROP TABLE %s', child.name);
    END IF;
    RETURN NOT kept;
END $$;

DO $$
DECLARE one text;
BEGIN
    FOREACH one IN ARRAY ARRAY['made_at', 'guard_partition', 'month_of', 'make_month', 'drop_month'] LOOP
        -- A temporary table never stands for one of the catalogue's.
        EXECUTE format('ALTER FUNCTION %I SET search_path = pg_catalog, %I, pg_temp', one, current_schema());
    END LOOP;
    REVOKE ALL ON FUNCTION make_month, drop_month FROM PUBLIC;
    IF EXISTS (SELECT FROM pg_roles WHERE rolname = '@WORKER@') THEN
        GRANT EXECUTE ON FUNCTION make_month, drop_month TO @WORKER@;
    END IF;
END $$;
"""
FORGET = "DROP FUNCTION drop_month, make_month, month_of, guard_partition, made_at;"


class Migration(migrations.Migration):
    dependencies = [("partners", "0004_key_addresses")]
    operations = [migrations.RunSQL(MAKE.replace("@WORKER@", WORKER_ROLE), FORGET)]
