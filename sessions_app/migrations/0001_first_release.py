"""Sessions with their notes, codes and history; who may see them; what the planner has to know of their search.

A session's history is appended to, never edited; deleting goes through the purge, which says so first. It lies in
partitions by the month of its session; `partners.months` sees to their months. A session's id says when it was made,
so that all of its history lies in one partition and is found there by the id alone. Before PostgreSQL 17 a
partitioned table has no identity column: its ids come from a sequence, which requests must be let at.

The planner takes a condition into an index below row-level security only if it can't tell a stranger's row by
failing: LEAKPROOF. LIKE is not declared so, although its one error (a pattern that ends with the escape character)
is the caller's own, and ours are always whole. Only a superuser may declare it; without one, the search by name
reads all of the partner's sessions, and `manage.py doctor` says so. A restored database needs it again: pg_dump
leaves built-in functions out.

Any page is as near as the next one, as on solid-state disks and in memory; PostgreSQL's default is of turning disks.
With it, a search for a common name collects all of the organization's matches instead of walking its newest sessions
until the page is full (12 ms in place of 1 in a million sessions). It is a setting of this database, for connections
made from now on; its owner may change it. A restored database needs it again as well.
"""

import django.contrib.postgres.indexes
import django.db.models.deletion
import django.db.models.functions.datetime
import partners.fields
import partners.identifiers
import pghistory.utils
import pgtrigger.compiler
import pgtrigger.migrations
from django.db import migrations, models

from partners.isolation import REQUEST_ROLE
from partners.isolation_policies import isolate, let_requests_append, let_requests_read

HISTORY = """
CREATE TABLE sessions_app_sessionevent (
    id bigint NOT NULL,
    type varchar(20) NOT NULL,
    status varchar(10) NOT NULL,
    summary text NOT NULL,
    timestamp timestamptz NOT NULL DEFAULT statement_timestamp(),
    partner_id uuid NOT NULL,
    session_id uuid NOT NULL,
    PRIMARY KEY (session_id, id)
) PARTITION BY RANGE (session_id);
CREATE SEQUENCE sessions_app_sessionevent_id_seq OWNED BY sessions_app_sessionevent.id;
ALTER TABLE sessions_app_sessionevent ALTER id SET DEFAULT nextval('sessions_app_sessionevent_id_seq');
"""
NO_HISTORY = "DROP TABLE sessions_app_sessionevent;"
HISTORY_BY_MONTH = f"""
CREATE TABLE sessions_app_sessionevent_default PARTITION OF sessions_app_sessionevent DEFAULT;
SELECT guard_partition('sessions_app_sessionevent', 'sessions_app_sessionevent_default');
SELECT make_month('sessions_app_sessionevent', month::date)
FROM generate_series(date_trunc('month', now()), now() + interval '3 months', '1 month') AS month;
DO $$
BEGIN
    IF EXISTS (SELECT FROM pg_roles WHERE rolname = '{REQUEST_ROLE}') THEN
        GRANT USAGE ON SEQUENCE sessions_app_sessionevent_id_seq TO {REQUEST_ROLE};
    END IF;
END $$;
ALTER TABLE sessions_app_sessionevent ADD CONSTRAINT sessions_app_session_partner_id_d25f3a38_fk_partners_
    FOREIGN KEY (partner_id) REFERENCES partners_partner (id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE sessions_app_sessionevent ADD CONSTRAINT sessions_app_session_session_id_19649f05_fk_sessions_
    FOREIGN KEY (session_id) REFERENCES sessions_app_session (id) DEFERRABLE INITIALLY DEFERRED;
CREATE FUNCTION sessions_app_history_is_kept() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF current_setting('app.purging', true) = 'on' AND TG_OP = 'DELETE' THEN
        RETURN OLD;
    END IF;
    RAISE EXCEPTION 'The history of a session is never changed.';
END $$;
CREATE TRIGGER history_is_kept BEFORE UPDATE OR DELETE ON sessions_app_sessionevent
    FOR EACH ROW EXECUTE FUNCTION sessions_app_history_is_kept();
"""
HISTORY_LET_GO = """
DROP TRIGGER history_is_kept ON sessions_app_sessionevent;
DROP FUNCTION sessions_app_history_is_kept();
"""
LIKE_KEEPS_SECRETS = """
DO $$
BEGIN
    EXECUTE 'ALTER FUNCTION pg_catalog.textlike(text, text) LEAKPROOF';
EXCEPTION WHEN insufficient_privilege THEN
    RAISE NOTICE 'textlike() could not be made LEAKPROOF; the search by name stays slow for large partners.';
END $$;
"""
PAGES_COST_ALIKE = """
DO $$
BEGIN
    EXECUTE format('ALTER DATABASE %I SET random_page_cost = 1.1', current_database());
EXCEPTION WHEN insufficient_privilege THEN
    RAISE NOTICE 'random_page_cost could not be set: this account does not own the database.';
END $$;
"""
PAGES_COST_AS_USUAL = """
DO $$
BEGIN
    EXECUTE format('ALTER DATABASE %I RESET random_page_cost', current_database());
EXCEPTION WHEN insufficient_privilege THEN
    RAISE NOTICE 'random_page_cost could not be reset: this account does not own the database.';
END $$;
"""


class Migration(migrations.Migration):

    initial = True

    replaces = [
        ('sessions_app', '0001_initial'),
        ('sessions_app', '0002_history_is_kept'),
        ('sessions_app', '0003_changes_by_trigger'),
        ('sessions_app', '0004_isolation'),
        ('sessions_app', '0005_watch_what_people_change'),
        ('sessions_app', '0006_name_search_by_its_index'),
        ('sessions_app', '0007_pages_cost_alike'),
        ('sessions_app', '0008_days_with_their_newest'),
        ('sessions_app', '0009_same_person'),
        ('sessions_app', '0010_history_by_month'),
        ('sessions_app', '0011_newest_with_their_names'),
        ('sessions_app', '0012_days_from_the_last'),
        ('sessions_app', '0013_names_of_one_organization'),
    ]

    dependencies = [
        ('billing', '0001_first_release'),
        ('partners', '0001_first_release'),
        ('providers', '0001_first_release'),
    ]

    operations = [
        migrations.CreateModel(
            name='Session',
            fields=[
                ('id', models.UUIDField(default=partners.identifiers.new_id, editable=False, primary_key=True, serialize=False)),
                ('external_session_id', models.CharField(blank=True, max_length=255, null=True)),
                ('status', models.CharField(choices=[('processing', 'Processing'), ('submitted', 'Submitted'), ('accepted', 'Accepted'), ('rejected', 'Rejected'), ('denied', 'Denied'), ('paid', 'Paid')], default='processing', max_length=10)),
                ('message', models.TextField(default='', help_text='Present tense, for the partner: what happens, what to do.')),
                ('patient_first_name', models.CharField(max_length=35)),
                ('patient_last_name', models.CharField(max_length=60)),
                ('patient_search_name', models.CharField(editable=False, help_text='Full name, lower case, without accents.', max_length=200)),
                ('patient_date_of_birth', models.DateField()),
                ('patient_gender', models.CharField(choices=[('F', 'Female'), ('M', 'Male'), ('U', 'Unknown')], max_length=1)),
                ('patient_street', models.CharField(max_length=55)),
                ('patient_line2', models.CharField(blank=True, default='', max_length=55)),
                ('patient_city', models.CharField(max_length=30)),
                ('patient_state', models.CharField(max_length=2)),
                ('patient_zip', models.CharField(max_length=5)),
                ('member_id', partners.fields.EncryptedTextField()),
                ('member_id_index', models.BinaryField(help_text='Blind index of the bare member ID.')),
                ('payer_name', models.CharField(max_length=60)),
                ('payer_id', models.CharField(blank=True, default='', max_length=80)),
                ('group_number', models.CharField(blank=True, default='', max_length=50)),
                ('date_of_service', models.DateField()),
                ('place_of_service', models.CharField(choices=[('office', 'Office'), ('telehealth', 'Telehealth')], default='office', max_length=10)),
                ('duration_minutes', models.PositiveSmallIntegerField(blank=True, null=True)),
                ('version', models.PositiveIntegerField(default=1, help_text="Counts corrections; two editors can't overwrite.")),
                ('request_id', models.CharField(blank=True, default='', editable=False, max_length=64)),
                ('created_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False)),
                ('updated_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False)),
                ('partner', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='sessions', to='partners.partner')),
                ('provider', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='sessions', to='providers.provider')),
            ],
            options={
                'indexes': [models.Index(fields=['partner', '-created_at', '-id'], include=('patient_search_name',), name='session_newest_named'), models.Index(fields=['partner', 'status', '-created_at', '-id'], name='session_by_status'), models.Index(fields=['partner', 'provider', '-created_at', '-id'], name='session_by_provider'), models.Index(fields=['partner', '-date_of_service'], include=('created_at', 'id'), name='session_by_date_back'), models.Index(fields=['member_id_index', 'date_of_service'], name='session_by_member'), models.Index(fields=['partner', 'patient_date_of_birth'], name='session_by_birth'), django.contrib.postgres.indexes.GinIndex(fields=['partner', 'patient_search_name'], name='session_by_name_of_one', opclasses=['uuid_ops', 'gin_trgm_ops'])],
                'constraints': [models.UniqueConstraint(condition=models.Q(('external_session_id__isnull', False)), fields=('partner', 'external_session_id'), name='external_session_id_once')],
            },
        ),
        migrations.CreateModel(
            name='SessionNote',
            fields=[
                ('session', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name='note', serialize=False, to='sessions_app.session')),
                ('text', partners.fields.EncryptedTextField(help_text='Null once purged.', null=True)),
                ('coding', partners.fields.EncryptedTextField(help_text="The coder's result as JSON; its quotes are of the note.", null=True)),
                ('coded_at', models.DateTimeField(null=True)),
                ('purged_at', models.DateTimeField(null=True)),
                ('partner', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='partners.partner')),
            ],
        ),
        migrations.CreateModel(
            name='SessionCode',
            fields=[
                ('id', models.BigAutoField(primary_key=True, serialize=False)),
                ('kind', models.CharField(choices=[('diagnosis', 'Diagnosis'), ('procedure', 'Procedure')], max_length=9)),
                ('position', models.PositiveSmallIntegerField()),
                ('code', models.CharField(max_length=8)),
                ('description', models.CharField(blank=True, default='', max_length=255)),
                ('modifier', models.CharField(blank=True, default='', max_length=2)),
                ('modifier_added', models.BooleanField(default=False, help_text='The service added it: telehealth without one.')),
                ('units', models.PositiveSmallIntegerField(default=1)),
                ('source', models.CharField(choices=[('sent', 'Sent by the partner'), ('derived', 'From the minutes'), ('note', 'From the note'), ('staff', 'By billing staff')], default='sent', max_length=7)),
                ('partner', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='partners.partner')),
                ('session', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='codes', to='sessions_app.session')),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('session', 'kind', 'position'), name='code_position_once')],
            },
        ),
        migrations.CreateModel(
            name='SessionChange',
            fields=[
                ('pgh_id', models.AutoField(primary_key=True, serialize=False)),
                ('pgh_created_at', models.DateTimeField(auto_now_add=True)),
                ('pgh_label', models.TextField(help_text='The event label.')),
                ('pgh_context', pghistory.utils.JSONField(null=True)),
                ('id', models.UUIDField(default=partners.identifiers.new_id, editable=False, serialize=False)),
                ('external_session_id', models.CharField(blank=True, max_length=255, null=True)),
                ('patient_first_name', models.CharField(max_length=35)),
                ('patient_last_name', models.CharField(max_length=60)),
                ('patient_date_of_birth', models.DateField()),
                ('patient_gender', models.CharField(choices=[('F', 'Female'), ('M', 'Male'), ('U', 'Unknown')], max_length=1)),
                ('patient_street', models.CharField(max_length=55)),
                ('patient_line2', models.CharField(blank=True, default='', max_length=55)),
                ('patient_city', models.CharField(max_length=30)),
                ('patient_state', models.CharField(max_length=2)),
                ('patient_zip', models.CharField(max_length=5)),
                ('member_id', partners.fields.EncryptedTextField()),
                ('payer_name', models.CharField(max_length=60)),
                ('payer_id', models.CharField(blank=True, default='', max_length=80)),
                ('group_number', models.CharField(blank=True, default='', max_length=50)),
                ('date_of_service', models.DateField()),
                ('place_of_service', models.CharField(choices=[('office', 'Office'), ('telehealth', 'Telehealth')], default='office', max_length=10)),
                ('duration_minutes', models.PositiveSmallIntegerField(blank=True, null=True)),
                ('version', models.PositiveIntegerField(default=1, help_text="Counts corrections; two editors can't overwrite.")),
                ('request_id', models.CharField(blank=True, default='', editable=False, max_length=64)),
                ('partner', models.ForeignKey(db_constraint=False, on_delete=django.db.models.deletion.DO_NOTHING, related_name='+', related_query_name='+', to='partners.partner')),
                ('pgh_obj', models.ForeignKey(db_constraint=False, null=True, on_delete=django.db.models.deletion.DO_NOTHING, related_name='+', to='sessions_app.session')),
                ('provider', models.ForeignKey(db_constraint=False, on_delete=django.db.models.deletion.DO_NOTHING, related_name='+', related_query_name='+', to='providers.provider')),
            ],
            options={
                'indexes': [models.Index(fields=['pgh_obj', '-pgh_id'], name='change_of_session')],
            },
        ),
        migrations.CreateModel(
            name='SessionCodeChange',
            fields=[
                ('pgh_id', models.AutoField(primary_key=True, serialize=False)),
                ('pgh_created_at', models.DateTimeField(auto_now_add=True)),
                ('pgh_label', models.TextField(help_text='The event label.')),
                ('pgh_context', pghistory.utils.JSONField(null=True)),
                ('id', models.BigIntegerField()),
                ('kind', models.CharField(choices=[('diagnosis', 'Diagnosis'), ('procedure', 'Procedure')], max_length=9)),
                ('position', models.PositiveSmallIntegerField()),
                ('code', models.CharField(max_length=8)),
                ('modifier', models.CharField(blank=True, default='', max_length=2)),
                ('modifier_added', models.BooleanField(default=False, help_text='The service added it: telehealth without one.')),
                ('units', models.PositiveSmallIntegerField(default=1)),
                ('source', models.CharField(choices=[('sent', 'Sent by the partner'), ('derived', 'From the minutes'), ('note', 'From the note'), ('staff', 'By billing staff')], default='sent', max_length=7)),
                ('pgh_obj', models.ForeignKey(db_constraint=False, null=True, on_delete=django.db.models.deletion.DO_NOTHING, related_name='+', to='sessions_app.sessioncode')),
                ('session', models.ForeignKey(db_constraint=False, on_delete=django.db.models.deletion.DO_NOTHING, related_name='+', related_query_name='+', to='sessions_app.session')),
            ],
            options={
                'indexes': [models.Index(fields=['session', '-pgh_id'], name='change_of_code')],
            },
        ),
        migrations.RunSQL(
            HISTORY,
            NO_HISTORY,
            state_operations=[
                migrations.CreateModel(
                    name='SessionEvent',
                    fields=[
                        ('id', models.BigAutoField(primary_key=True, serialize=False)),
                        ('type', models.CharField(max_length=20)),
                        ('status', models.CharField(blank=True, default='', help_text='Empty: the status did not change.', max_length=10)),
                        ('summary', models.TextField()),
                        ('timestamp', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                        ('partner', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='partners.partner')),
                        ('session', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='events', to='sessions_app.session')),
                    ],
                ),
            ],
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='session',
            trigger=pgtrigger.compiler.Trigger(name='update_update', sql=pgtrigger.compiler.UpsertTriggerSql(condition='WHEN (OLD."date_of_service" IS DISTINCT FROM (NEW."date_of_service") OR OLD."duration_minutes" IS DISTINCT FROM (NEW."duration_minutes") OR OLD."external_session_id" IS DISTINCT FROM (NEW."external_session_id") OR OLD."group_number" IS DISTINCT FROM (NEW."group_number") OR OLD."id" IS DISTINCT FROM (NEW."id") OR OLD."partner_id" IS DISTINCT FROM (NEW."partner_id") OR OLD."patient_city" IS DISTINCT FROM (NEW."patient_city") OR OLD."patient_date_of_birth" IS DISTINCT FROM (NEW."patient_date_of_birth") OR OLD."patient_first_name" IS DISTINCT FROM (NEW."patient_first_name") OR OLD."patient_gender" IS DISTINCT FROM (NEW."patient_gender") OR OLD."patient_last_name" IS DISTINCT FROM (NEW."patient_last_name") OR OLD."patient_line2" IS DISTINCT FROM (NEW."patient_line2") OR OLD."patient_state" IS DISTINCT FROM (NEW."patient_state") OR OLD."patient_street" IS DISTINCT FROM (NEW."patient_street") OR OLD."patient_zip" IS DISTINCT FROM (NEW."patient_zip") OR OLD."payer_id" IS DISTINCT FROM (NEW."payer_id") OR OLD."payer_name" IS DISTINCT FROM (NEW."payer_name") OR OLD."place_of_service" IS DISTINCT FROM (NEW."place_of_service") OR OLD."provider_id" IS DISTINCT FROM (NEW."provider_id") OR OLD."request_id" IS DISTINCT FROM (NEW."request_id") OR OLD."version" IS DISTINCT FROM (NEW."version"))', func='INSERT INTO "sessions_app_sessionchange" ("date_of_service", "duration_minutes", "external_session_id", "group_number", "id", "member_id", "partner_id", "patient_city", "patient_date_of_birth", "patient_first_name", "patient_gender", "patient_last_name", "patient_line2", "patient_state", "patient_street", "patient_zip", "payer_id", "payer_name", "pgh_context", "pgh_created_at", "pgh_label", "pgh_obj_id", "place_of_service", "provider_id", "request_id", "version") VALUES (OLD."date_of_service", OLD."duration_minutes", OLD."external_session_id", OLD."group_number", OLD."id", OLD."member_id", OLD."partner_id", OLD."patient_city", OLD."patient_date_of_birth", OLD."patient_first_name", OLD."patient_gender", OLD."patient_last_name", OLD."patient_line2", OLD."patient_state", OLD."patient_street", OLD."patient_zip", OLD."payer_id", OLD."payer_name", COALESCE(NULLIF(CURRENT_SETTING(\'pghistory.context_metadata\', TRUE), \'\'), NULL)::JSONB, NOW(), \'update\', OLD."id", OLD."place_of_service", OLD."provider_id", OLD."request_id", OLD."version"); RETURN NULL;', hash='75e94d3cfab7309d7e0133da86d45cd8f7c66431', operation='UPDATE', pgid='pgtrigger_update_update_be109', table='sessions_app_session', when='AFTER')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='sessioncode',
            trigger=pgtrigger.compiler.Trigger(name='insert_insert', sql=pgtrigger.compiler.UpsertTriggerSql(condition='WHEN (NEW."source" = \'staff\')', func='INSERT INTO "sessions_app_sessioncodechange" ("code", "id", "kind", "modifier", "modifier_added", "pgh_context", "pgh_created_at", "pgh_label", "pgh_obj_id", "position", "session_id", "source", "units") VALUES (NEW."code", NEW."id", NEW."kind", NEW."modifier", NEW."modifier_added", COALESCE(NULLIF(CURRENT_SETTING(\'pghistory.context_metadata\', TRUE), \'\'), NULL)::JSONB, NOW(), \'insert\', NEW."id", NEW."position", NEW."session_id", NEW."source", NEW."units"); RETURN NULL;', hash='09858e6f59c89aef773668e95956d2eb5470243c', operation='INSERT', pgid='pgtrigger_insert_insert_3ef2a', table='sessions_app_sessioncode', when='AFTER')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='sessioncode',
            trigger=pgtrigger.compiler.Trigger(name='update_update', sql=pgtrigger.compiler.UpsertTriggerSql(condition='WHEN (OLD."code" IS DISTINCT FROM (NEW."code") OR OLD."id" IS DISTINCT FROM (NEW."id") OR OLD."kind" IS DISTINCT FROM (NEW."kind") OR OLD."modifier" IS DISTINCT FROM (NEW."modifier") OR OLD."modifier_added" IS DISTINCT FROM (NEW."modifier_added") OR OLD."position" IS DISTINCT FROM (NEW."position") OR OLD."session_id" IS DISTINCT FROM (NEW."session_id") OR OLD."source" IS DISTINCT FROM (NEW."source") OR OLD."units" IS DISTINCT FROM (NEW."units"))', func='INSERT INTO "sessions_app_sessioncodechange" ("code", "id", "kind", "modifier", "modifier_added", "pgh_context", "pgh_created_at", "pgh_label", "pgh_obj_id", "position", "session_id", "source", "units") VALUES (OLD."code", OLD."id", OLD."kind", OLD."modifier", OLD."modifier_added", COALESCE(NULLIF(CURRENT_SETTING(\'pghistory.context_metadata\', TRUE), \'\'), NULL)::JSONB, NOW(), \'update\', OLD."id", OLD."position", OLD."session_id", OLD."source", OLD."units"); RETURN NULL;', hash='bcd8e6ee484fdba2d446aec7442e6ce7eb5bba62', operation='UPDATE', pgid='pgtrigger_update_update_8cfd2', table='sessions_app_sessioncode', when='AFTER')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='sessioncode',
            trigger=pgtrigger.compiler.Trigger(name='delete_delete', sql=pgtrigger.compiler.UpsertTriggerSql(func='INSERT INTO "sessions_app_sessioncodechange" ("code", "id", "kind", "modifier", "modifier_added", "pgh_context", "pgh_created_at", "pgh_label", "pgh_obj_id", "position", "session_id", "source", "units") VALUES (OLD."code", OLD."id", OLD."kind", OLD."modifier", OLD."modifier_added", COALESCE(NULLIF(CURRENT_SETTING(\'pghistory.context_metadata\', TRUE), \'\'), NULL)::JSONB, NOW(), \'delete\', OLD."id", OLD."position", OLD."session_id", OLD."source", OLD."units"); RETURN NULL;', hash='9b70952392f6c61b93606c6b8a1c9e18d092c58f', operation='DELETE', pgid='pgtrigger_delete_delete_3dc9d', table='sessions_app_sessioncode', when='AFTER')),
        ),
        isolate("sessions_app_session", requests_may="SELECT, INSERT, UPDATE"),
        isolate("sessions_app_sessionnote", requests_may="SELECT, INSERT"),
        isolate("sessions_app_sessioncode", requests_may="SELECT, INSERT, DELETE"),
        isolate("sessions_app_sessionevent", requests_may="SELECT, INSERT"),
        isolate("sessions_app_sessionchange", requests_may="INSERT"),
        let_requests_append("sessions_app_sessioncodechange"),
        let_requests_read(
            "billing_payer",
            "billing_payeralias",
            "billing_payerprofile",
            "billing_codesetrelease",
            "billing_diagnosiscode",
        ),
        migrations.RunSQL(HISTORY_BY_MONTH, HISTORY_LET_GO),  # each month takes on the policies
        migrations.RunSQL(LIKE_KEEPS_SECRETS, migrations.RunSQL.noop),
        migrations.RunSQL(PAGES_COST_ALIKE, PAGES_COST_AS_USUAL),
        migrations.RunSQL(
            # How common a name is decides between the two ways of searching, so its sample is large.
            "ALTER TABLE sessions_app_session ALTER COLUMN patient_search_name SET STATISTICS 1000",
            "ALTER TABLE sessions_app_session ALTER COLUMN patient_search_name SET STATISTICS -1",
        ),
    ]
