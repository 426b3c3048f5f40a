"""Partners, their keys and the record of who looked, the database's roles, and functions for tables by month.

Requests run as a role that sees one partner's rows; staff and workers have roles that see all.

The functions make and drop a month's partition, for a login that owns no table; `manage.py keep_months` and beat
call them (`partners.months`). Both take their locks in the order in which writers do, wait for each at most 0.3 s
(PostgreSQL looks for deadlocks after a second, so that nobody else's transaction is ended for theirs), and hold
them for as long as the statement takes.
"""

import datetime
import django.contrib.postgres.fields
import django.contrib.postgres.indexes
import django.db.models.deletion
import django.db.models.functions.datetime
import partners.identifiers
from django.conf import settings
from django.db import migrations, models

from partners.isolation import WORKER_ROLE
from partners.isolation_policies import isolate, make_roles

KEEP = """
CREATE FUNCTION partners_audit_is_kept() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF current_setting('app.purging', true) = 'on' AND TG_OP = 'DELETE' THEN
        RETURN NULL;
    END IF;
    RAISE EXCEPTION 'The access record is never changed.';
END $$;
CREATE TRIGGER audit_is_kept BEFORE UPDATE OR DELETE ON partners_accessrecord
    FOR EACH STATEMENT EXECUTE FUNCTION partners_audit_is_kept();
CREATE TRIGGER audit_is_kept BEFORE UPDATE OR DELETE ON partners_accessseal
    FOR EACH STATEMENT EXECUTE FUNCTION partners_audit_is_kept();
"""
LET_GO = """
DROP TRIGGER audit_is_kept ON partners_accessseal;
DROP TRIGGER audit_is_kept ON partners_accessrecord;
DROP FUNCTION partners_audit_is_kept();
"""
MONTHS = """
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
NO_MONTHS = "DROP FUNCTION drop_month, make_month, month_of, guard_partition, made_at;"


class Migration(migrations.Migration):

    initial = True

    replaces = [
        ('partners', '0001_initial'),
        ('partners', '0002_access_record'),
        ('partners', '0003_isolation'),
        ('partners', '0004_key_addresses'),
        ('partners', '0005_months'),
    ]

    dependencies = [
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='Partner',
            fields=[
                ('id', models.UUIDField(default=partners.identifiers.new_id, editable=False, primary_key=True, serialize=False)),
                ('slug', models.SlugField(max_length=60, unique=True)),
                ('name', models.CharField(max_length=100)),
                ('mode', models.CharField(choices=[('live', 'Live'), ('test', 'Test')], max_length=4)),
                ('submission_delay', models.DurationField(default=datetime.timedelta(seconds=900), help_text="How long after its last change a session's claim waits for corrections.")),
                ('rate_limit', models.PositiveIntegerField(blank=True, help_text="Requests a minute; empty is the service's default, 0 no limit.", null=True)),
                ('active', models.BooleanField(default=True)),
                ('created_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False)),
            ],
            options={
                'constraints': [models.CheckConstraint(condition=models.Q(('mode__in', ['live', 'test'])), name='partner_mode_known'), models.CheckConstraint(condition=models.Q(('submission_delay__gte', datetime.timedelta(0))), name='partner_delay_not_negative')],
            },
        ),
        migrations.CreateModel(
            name='ApiKey',
            fields=[
                ('id', models.UUIDField(default=partners.identifiers.new_id, editable=False, primary_key=True, serialize=False)),
                ('name', models.CharField(default='default', max_length=60)),
                ('prefix', models.CharField(editable=False, max_length=24, unique=True)),
                ('pepper_id', models.CharField(editable=False, max_length=16)),
                ('digest', models.BinaryField()),
                ('read_only', models.BooleanField(default=False)),
                ('allowed_networks', django.contrib.postgres.fields.ArrayField(base_field=models.CharField(max_length=43), blank=True, default=list, help_text='CIDR ranges; empty allows any address.', size=None)),
                ('created_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False)),
                ('last_used_at', models.DateTimeField(editable=False, null=True)),
                ('expires_at', models.DateTimeField(blank=True, null=True)),
                ('revoked_at', models.DateTimeField(editable=False, null=True)),
                ('partner', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='api_keys', to='partners.partner')),
            ],
            options={
                'verbose_name': 'API key',
            },
        ),
        migrations.CreateModel(
            name='ApiKeyAddress',
            fields=[
                ('id', models.BigAutoField(primary_key=True, serialize=False)),
                ('address', models.GenericIPAddressField()),
                ('last_used_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ('key', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='addresses', to='partners.apikey')),
            ],
            options={
                'ordering': ['-last_used_at'],
                'constraints': [models.UniqueConstraint(fields=('key', 'address'), name='address_of_key_once')],
            },
        ),
        migrations.CreateModel(
            name='IdempotencyRecord',
            fields=[
                ('id', models.BigAutoField(primary_key=True, serialize=False)),
                ('method', models.CharField(max_length=7)),
                ('path', models.CharField(max_length=200)),
                ('key', models.CharField(max_length=255)),
                ('body_digest', models.BinaryField()),
                ('status_code', models.PositiveSmallIntegerField()),
                ('answer', models.BinaryField()),
                ('created_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), db_index=True)),
                ('partner', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, to='partners.partner')),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('partner', 'method', 'path', 'key'), name='idempotency_key_once')],
            },
        ),
        migrations.CreateModel(
            name='AccessRecord',
            fields=[
                ('id', models.BigAutoField(primary_key=True, serialize=False)),
                ('at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ('key_id', models.UUIDField(help_text='The API key, where a partner looked.', null=True)),
                ('what', models.CharField(choices=[('list', 'a list with the session'), ('detail', 'the session through the interface'), ('page', "the session's page"), ('note', 'its clinical note'), ('claim', 'its claim'), ('raw_file', 'a raw file'), ('export', 'an export with it')], max_length=8)),
                ('session_ids', django.contrib.postgres.fields.ArrayField(base_field=models.UUIDField(), size=None)),
                ('detail', models.CharField(db_default='', help_text='Which file or list; no patient data.', max_length=120)),
                ('request_id', models.CharField(db_default='', max_length=64)),
                ('user', models.ForeignKey(db_constraint=False, db_index=False, null=True, on_delete=django.db.models.deletion.DO_NOTHING, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('partner', models.ForeignKey(db_constraint=False, db_index=False, null=True, on_delete=django.db.models.deletion.DO_NOTHING, related_name='+', to='partners.partner')),
            ],
            options={
                'indexes': [django.contrib.postgres.indexes.GinIndex(condition=models.Q(('user__isnull', False)), fields=['session_ids'], name='seen_by_staff'), models.Index(condition=models.Q(('user__isnull', False)), fields=['user', '-id'], name='staff_looked')],
            },
        ),
        migrations.CreateModel(
            name='AccessSeal',
            fields=[
                ('id', models.BigAutoField(primary_key=True, serialize=False)),
                ('day', models.DateField()),
                ('first_record', models.BigIntegerField()),
                ('last_record', models.BigIntegerField(unique=True)),
                ('records', models.PositiveIntegerField()),
                ('previous_digest', models.BinaryField()),
                ('digest', models.BinaryField()),
                ('signature', models.BinaryField()),
                ('signed_by', models.CharField(help_text='Id of the key in FIELD_KEYS.', max_length=16)),
                ('sealed_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
            ],
        ),
        migrations.RunSQL(KEEP, LET_GO),
        make_roles(),
        isolate("partners_partner", owner="id", requests_may="SELECT"),
        isolate("partners_apikey"),
        isolate("partners_idempotencyrecord", requests_may="SELECT, INSERT, UPDATE, DELETE"),
        isolate("partners_accessrecord", requests_may="INSERT"),
        migrations.RunSQL(MONTHS.replace("@WORKER@", WORKER_ROLE), NO_MONTHS),
    ]
