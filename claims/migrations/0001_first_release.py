"""The process: claims and what became of them, files in and out, work for people, figures, and what staff did.

Control numbers come from sequences: never reused, unique whoever asks, refused when they run out. What files say,
byte for byte, lies beside them in partitions by month; a file's hash stays unique for ever.

Requests see their partner's claims, and start them again; everything else of the process is not theirs. What staff
see goes into the sealed access record with the row that says so, and that row is kept. Every change of the set-up is
written down by a trigger: by whom, if a member of staff made it, and what.
"""

import datetime
import django.contrib.postgres.fields
import django.contrib.postgres.indexes
import django.db.models.deletion
import django.db.models.expressions
import django.db.models.functions.comparison
import django.db.models.functions.datetime
import partners.fields
import partners.identifiers
import pghistory.utils
import pgtrigger.compiler
import pgtrigger.migrations
from decimal import Decimal
from django.conf import settings
from django.db import migrations, models

from partners.isolation_policies import isolate, let_requests_append

WATCHED = {
    "partners_partner": ("name", "created_at", ""),
    "partners_apikey": ("name", "created_at,last_used_at,pepper_id", "digest"),
    "providers_practice": ("name", "created_at,updated_at,fingerprint", "tax_id"),
    "providers_provider": ("npi", "created_at,updated_at", ""),
    "providers_chargeschedule": ("name", "", ""),
    "providers_chargerate": ("procedure_code", "created_at", ""),
    "billing_payer": ("name", "created_at,updated_at,search_text,search_vector", ""),
    "billing_payeralias": ("name", "search_text,search_vector", ""),
    "billing_payerprofile": ("payer_id", "updated_at", ""),
    "billing_codesetrelease": ("name", "packed,loaded_at", ""),
    "providers_enrollment": ("npi", "updated_at", ""),
    # That the registry was read again is no change of the set-up; what it says otherwise is one.
    "billing_npirecord": ("npi", "updated_at,source,checked_on", ""),
    "auth_user": ("username", "last_login,date_joined", "password"),
    "auth_user_groups": ("user_id", "", ""),
    "otp_totp_totpdevice": (
        "user_id",
        "throttling_failure_timestamp,throttling_failure_count,created_at,last_used_at,drift,last_t",
        "key",
    ),
}
CONTROL_NUMBERS = ("interchange", "group", "transaction")
RAW_FILES = """
CREATE TABLE claims_rawfile (
    file_id bigint NOT NULL,
    received_at timestamptz NOT NULL,
    content bytea NOT NULL,
    PRIMARY KEY (file_id, received_at)
) PARTITION BY RANGE (received_at);
CREATE TABLE claims_rawfile_default PARTITION OF claims_rawfile DEFAULT;
SELECT make_month('claims_rawfile', month::date)
FROM generate_series(date_trunc('month', now()), now() + interval '3 months', '1 month') AS month;
ALTER TABLE claims_rawfile ADD CONSTRAINT claims_rawfile_file_id_fk_claims_inboundfile_id
    FOREIGN KEY (file_id) REFERENCES claims_inboundfile (id) DEFERRABLE INITIALLY DEFERRED;
"""
NO_RAW_FILES = "DROP TABLE claims_rawfile;"
RECORD_VIEWS = """
CREATE FUNCTION claims_record_views() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO partners_accessrecord (at, partner_id, user_id, what, session_ids, detail)
    SELECT min(seen.seen_at), session.partner_id, seen.user_id, seen.what,
        array_remove(array_agg(seen.session_id), NULL), seen.detail
    FROM seen LEFT JOIN sessions_app_session AS session ON session.id = seen.session_id
    GROUP BY session.partner_id, seen.user_id, seen.what, seen.detail;
    RETURN NULL;
END $$;
CREATE TRIGGER views_are_recorded AFTER INSERT ON claims_viewrecord REFERENCING NEW TABLE AS seen
    FOR EACH STATEMENT EXECUTE FUNCTION claims_record_views();
CREATE TRIGGER audit_is_kept BEFORE UPDATE OR DELETE ON claims_viewrecord
    FOR EACH STATEMENT EXECUTE FUNCTION partners_audit_is_kept();
"""
FORGET_VIEWS = """
DROP TRIGGER audit_is_kept ON claims_viewrecord;
DROP TRIGGER views_are_recorded ON claims_viewrecord;
DROP FUNCTION claims_record_views();
"""
RECORD_CHANGES = """
CREATE FUNCTION claims_record_set_up_change() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE
    who int := nullif(current_setting('pghistory.context_metadata', true), '')::jsonb ->> 'user';
    before jsonb := coalesce(to_jsonb(OLD), '{}');
    after jsonb := coalesce(to_jsonb(NEW), '{}');
    one text;
    was jsonb := '{}';
    became jsonb := '{}';
BEGIN
    IF TG_OP = 'INSERT' AND who IS NULL THEN
        RETURN NULL;
    END IF;
    FOR one IN
        SELECT key FROM jsonb_object_keys(before || after) AS key
        WHERE key <> ALL (string_to_array(TG_ARGV[1], ',')) AND before -> key IS DISTINCT FROM after -> key
    LOOP
        IF one = ANY (string_to_array(TG_ARGV[2], ',')) THEN
            was := was || jsonb_build_object(one, '…');
            became := became || jsonb_build_object(one, '…');
        ELSE
            was := was || jsonb_build_object(one, before -> one);
            became := became || jsonb_build_object(one, after -> one);
        END IF;
    END LOOP;
    IF was <> '{}' THEN
        INSERT INTO claims_setupchange (user_id, table_name, row_id, name, what, was, became)
        VALUES (who, TG_TABLE_NAME, coalesce((before || after) ->> 'id', (before || after) ->> 'payer_id'),
                left((before || after) ->> TG_ARGV[0], 150), left(TG_OP, 1), was, became);
    END IF;
    RETURN NULL;
END $$;
CREATE FUNCTION claims_set_up_changes_are_kept() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'What happened to the set-up is never changed.';
END $$;
CREATE TRIGGER changes_are_kept BEFORE UPDATE OR DELETE ON claims_setupchange
    FOR EACH STATEMENT EXECUTE FUNCTION claims_set_up_changes_are_kept();
"""
FORGET_CHANGES = """
DROP TRIGGER changes_are_kept ON claims_setupchange;
DROP FUNCTION claims_set_up_changes_are_kept();
DROP FUNCTION claims_record_set_up_change();
"""


def watch(table: str, name: str, left_out: str, hidden: str) -> migrations.RunSQL:
    return migrations.RunSQL(
        f"CREATE TRIGGER set_up_is_recorded AFTER INSERT OR UPDATE OR DELETE ON {table} FOR EACH ROW "
        f"EXECUTE FUNCTION claims_record_set_up_change('{name}', '{left_out}', '{hidden}');",
        f"DROP TRIGGER set_up_is_recorded ON {table};",
    )


class Migration(migrations.Migration):

    initial = True

    replaces = [
        ('claims', '0001_initial'),
        ('claims', '0002_control_numbers'),
        ('claims', '0003_back_office'),
        ('claims', '0004_reviews_and_changes'),
        ('claims', '0005_isolation'),
        ('claims', '0006_figures_by_status'),
        ('claims', '0007_legal_hold'),
        ('claims', '0008_views_are_recorded'),
        ('claims', '0009_work_in_order'),
        ('claims', '0010_work_across_queues'),
        ('claims', '0011_set_up_changes'),
        ('claims', '0012_time_to_payment'),
        ('claims', '0013_reviews_undone_rules_counted'),
        ('claims', '0014_remittances_expected'),
        ('claims', '0015_registry_checks_unrecorded'),
        ('claims', '0016_delay_reasons'),
        ('claims', '0017_raw_files_by_month'),
    ]

    dependencies = [
        ('billing', '0001_first_release'),
        ('partners', '0001_first_release'),
        ('providers', '0001_first_release'),
        ('sessions_app', '0001_first_release'),
        ('auth', '0012_alter_user_first_name_max_length'),
        ('otp_totp', '0003_add_timestamps'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='Claim',
            fields=[
                ('id', models.UUIDField(default=partners.identifiers.new_id, editable=False, primary_key=True, serialize=False)),
                ('version', models.PositiveSmallIntegerField(default=1)),
                ('frequency', models.CharField(choices=[('1', 'Original'), ('7', 'Replacement'), ('8', 'Void')], default='1', max_length=1)),
                ('step', models.CharField(choices=[('code', 'Find codes and charges'), ('check', 'Check against the claim rules'), ('window', 'Wait for corrections'), ('build', 'Build the claim'), ('send', 'Hand over to the clearinghouse'), ('follow', 'Follow the answers'), ('held', 'Held for a person'), ('done', 'Nothing more to do')], default='code', max_length=6)),
                ('next_step_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), null=True)),
                ('window_ends_at', models.DateTimeField(help_text='The claim leaves no earlier; every correction moves it.')),
                ('revision', models.PositiveIntegerField(default=1, help_text="Counts what changed under the process: a step's result lands only on what it read.")),
                ('attempts', models.PositiveSmallIntegerField(default=0, help_text='Tries to hand it over.')),
                ('times_sent', models.PositiveSmallIntegerField(db_default=0, help_text='Interchanges written for it.')),
                ('send_alone', models.BooleanField(db_default=False, help_text='Its interchange was refused with others in it, and nobody said which.')),
                ('lease', models.UUIDField(editable=False, help_text='Who is sending it now.', null=True)),
                ('lease_until', models.DateTimeField(editable=False, null=True)),
                ('status', models.CharField(default='queued', max_length=22)),
                ('status_changed_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ('mode', models.CharField(blank=True, default='', help_text='test or production, once built.', max_length=10)),
                ('gateway', models.CharField(blank=True, default='', max_length=20)),
                ('patient_control_number', models.CharField(max_length=14, null=True, unique=True)),
                ('payer_control_number', models.CharField(blank=True, db_index=True, default='', max_length=50)),
                ('total_charge', models.DecimalField(decimal_places=2, max_digits=12, null=True)),
                ('allowed', models.DecimalField(decimal_places=2, max_digits=12, null=True)),
                ('paid', models.DecimalField(decimal_places=2, max_digits=12, null=True)),
                ('patient_owes', models.DecimalField(decimal_places=2, max_digits=12, null=True)),
                ('paid_after_days', models.PositiveSmallIntegerField(help_text='Days from the service to the first payment, while something of it is left.', null=True)),
                ('remittances_expected', models.BooleanField(db_default=True, help_text="Built while an electronic remittance could come; without one an inquiry's answer settles.")),
                ('file_by', models.DateField(help_text="Last day of the payer's timely filing, as far as known.", null=True)),
                ('snapshot', partners.fields.EncryptedTextField(help_text='Everything that the 837P needs, frozen when built (JSON).', null=True)),
                ('built_at', models.DateTimeField(null=True)),
                ('submitted_at', models.DateTimeField(null=True)),
                ('last_updated_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), help_text='The last signal, or step of ours.')),
                ('created_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False)),
                ('partner', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='partners.partner')),
                ('replaces', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='replaced_by', to='claims.claim')),
                ('session', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='claims', to='sessions_app.session')),
            ],
            options={
                'indexes': [models.Index(condition=models.Q(('next_step_at__isnull', False)), fields=['partner', 'next_step_at'], name='claim_due'), models.Index(fields=['partner', 'status'], name='claim_by_status'), models.Index(fields=['status', '-session'], name='claim_newest_by_status'), models.Index(condition=models.Q(('paid_after_days__isnull', False)), fields=['paid_after_days', '-session'], name='claim_by_wait'), models.Index(fields=['-last_updated_at'], name='claim_changed'), models.Index(models.F('submitted_at'), condition=models.Q(('step', 'follow'), ('submitted_at__isnull', False)), name='claim_waiting')],
                'constraints': [models.UniqueConstraint(fields=('session', 'version'), name='claim_version_once')],
            },
        ),
        migrations.CreateModel(
            name='ClaimLine',
            fields=[
                ('id', models.BigAutoField(primary_key=True, serialize=False)),
                ('number', models.PositiveSmallIntegerField()),
                ('procedure_code', models.CharField(max_length=5)),
                ('modifiers', django.contrib.postgres.fields.ArrayField(base_field=models.CharField(max_length=2), default=list, size=None)),
                ('units', models.PositiveSmallIntegerField(default=1)),
                ('charge', models.DecimalField(decimal_places=2, max_digits=10)),
                ('line_control_number', models.CharField(max_length=30)),
                ('claim', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='lines', to='claims.claim')),
                ('partner', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='partners.partner')),
                ('rate', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='providers.chargerate')),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('claim', 'number'), name='line_number_once')],
            },
        ),
        migrations.CreateModel(
            name='Finding',
            fields=[
                ('id', models.BigAutoField(primary_key=True, serialize=False)),
                ('rule', models.CharField(max_length=12)),
                ('severity', models.CharField(max_length=10)),
                ('path', models.CharField(blank=True, default='', max_length=100)),
                ('message', models.TextField()),
                ('detail', models.JSONField(default=dict, help_text='Candidates and the like, for staff; no patient data.')),
                ('created_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ('claim', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='findings', to='claims.claim')),
                ('partner', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='partners.partner')),
            ],
        ),
        migrations.CreateModel(
            name='Override',
            fields=[
                ('id', models.BigAutoField(primary_key=True, serialize=False)),
                ('rule', models.CharField(max_length=12)),
                ('reason', models.TextField()),
                ('delay_reason_code', models.CharField(blank=True, choices=[('1', "It wasn't known whether the patient was insured"), ('2', 'A lawsuit'), ('3', 'The authorization came late'), ('4', 'The therapist was certified late'), ('5', 'The billing forms came late'), ('7', 'A third party took long'), ('8', 'Eligibility was decided late'), ('9', 'The first claim was in time, and refused for another reason'), ('10', 'Prior approval took long'), ('11', 'Another reason'), ('15', 'A natural disaster')], db_default='', default='', help_text="Why the claim comes after the payer's limit (TFL-002); the claim says it in CLM20.", max_length=2)),
                ('created_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ('partner', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='partners.partner')),
                ('session', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='overrides', to='sessions_app.session')),
                ('user', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('session', 'rule'), name='override_once')],
            },
        ),
        migrations.CreateModel(
            name='Transmission',
            fields=[
                ('id', models.UUIDField(default=partners.identifiers.new_id, editable=False, primary_key=True, serialize=False)),
                ('gateway', models.CharField(max_length=20)),
                ('interchange_control_number', models.PositiveIntegerField(unique=True)),
                ('group_control_number', models.PositiveIntegerField(unique=True)),
                ('file_name', models.CharField(max_length=120, unique=True)),
                ('content', partners.fields.EncryptedTextField(help_text='The 837P interchange, byte for byte.')),
                ('sha256', models.BinaryField()),
                ('reference', models.CharField(blank=True, default='', help_text="The clearinghouse's own id.", max_length=120)),
                ('answer', partners.fields.EncryptedTextField(help_text='Its synchronous answer, word for word.', null=True)),
                ('first_attempt_at', models.DateTimeField(null=True)),
                ('handed_over_at', models.DateTimeField(help_text='When the clearinghouse answered.', null=True)),
                ('given_up_at', models.DateTimeField(help_text='When it was certain that nobody had taken it.', null=True)),
                ('created_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ('partner', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='partners.partner')),
            ],
            options={
                'indexes': [models.Index(fields=['reference'], name='transmission_by_reference')],
            },
        ),
        migrations.CreateModel(
            name='TransmittedClaim',
            fields=[
                ('id', models.BigAutoField(primary_key=True, serialize=False)),
                ('transaction_control_number', models.CharField(max_length=9)),
                ('ordinal', models.PositiveSmallIntegerField(default=1)),
                ('claim', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='transmissions', to='claims.claim')),
                ('partner', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='partners.partner')),
                ('transmission', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='claims', to='claims.transmission')),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('claim', 'ordinal'), name='transmission_ordinal_once'), models.UniqueConstraint(fields=('transmission', 'transaction_control_number'), name='transaction_number_once')],
            },
        ),
        migrations.CreateModel(
            name='ClaimChange',
            fields=[
                ('pgh_id', models.AutoField(primary_key=True, serialize=False)),
                ('pgh_created_at', models.DateTimeField(auto_now_add=True)),
                ('pgh_label', models.TextField(help_text='The event label.')),
                ('pgh_context', pghistory.utils.JSONField(null=True)),
                ('version', models.PositiveSmallIntegerField(default=1)),
                ('frequency', models.CharField(choices=[('1', 'Original'), ('7', 'Replacement'), ('8', 'Void')], default='1', max_length=1)),
                ('status', models.CharField(default='queued', max_length=22)),
                ('patient_control_number', models.CharField(max_length=14, null=True)),
                ('payer_control_number', models.CharField(blank=True, default='', max_length=50)),
                ('total_charge', models.DecimalField(decimal_places=2, max_digits=12, null=True)),
                ('paid', models.DecimalField(decimal_places=2, max_digits=12, null=True)),
                ('patient_owes', models.DecimalField(decimal_places=2, max_digits=12, null=True)),
                ('file_by', models.DateField(help_text="Last day of the payer's timely filing, as far as known.", null=True)),
                ('pgh_obj', models.ForeignKey(db_constraint=False, null=True, on_delete=django.db.models.deletion.DO_NOTHING, related_name='+', to='claims.claim')),
                ('session', models.ForeignKey(db_constraint=False, on_delete=django.db.models.deletion.DO_NOTHING, related_name='+', related_query_name='+', to='sessions_app.session')),
            ],
            options={
                'indexes': [models.Index(fields=['session', '-pgh_id'], name='change_of_claim')],
            },
        ),
        migrations.CreateModel(
            name='SetUpChange',
            fields=[
                ('id', models.BigAutoField(primary_key=True, serialize=False)),
                ('at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), help_text='When the transaction began.')),
                ('table_name', models.CharField(max_length=40)),
                ('row_id', models.CharField(max_length=40)),
                ('name', models.CharField(help_text='What people call it, or the key of what it is about.', max_length=150)),
                ('what', models.CharField(choices=[('I', 'added'), ('U', 'changed'), ('D', 'removed')], max_length=1)),
                ('was', models.JSONField(help_text='The columns that changed, before; all of them of what was removed.')),
                ('became', models.JSONField(help_text='The same columns after; all of them of what was added.')),
                ('user', models.ForeignKey(db_constraint=False, null=True, on_delete=django.db.models.deletion.DO_NOTHING, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
        ),
        migrations.CreateModel(
            name='DailyFigure',
            fields=[
                ('id', models.BigAutoField(primary_key=True, serialize=False)),
                ('day', models.DateField(help_text='Of service.')),
                ('payer_name', models.CharField(max_length=60)),
                ('status', models.CharField(help_text='Of the newest version of the claim.', max_length=22)),
                ('reason', models.CharField(blank=True, default='', max_length=40)),
                ('sessions', models.PositiveIntegerField()),
                ('charged', models.DecimalField(decimal_places=2, max_digits=14)),
                ('paid', models.DecimalField(decimal_places=2, max_digits=14)),
                ('paid_within', django.contrib.postgres.fields.ArrayField(base_field=models.PositiveIntegerField(), default=list, help_text='How many were paid 0-4, 5-9, … and 70 or more days after the service.', size=None)),
                ('counted_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), db_index=True)),
                ('partner', models.ForeignKey(db_index=False, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='partners.partner')),
            ],
            options={
                'indexes': [models.Index(condition=models.Q(('partner', None)), fields=['day'], name='figure_of_all'), models.Index(condition=models.Q(('partner', None)), fields=['status', 'day'], name='figure_of_all_by_status'), models.Index(fields=['partner', 'day'], name='figure_of_partner')],
                'constraints': [models.UniqueConstraint(fields=('day', 'partner', 'payer_name', 'status', 'reason'), name='figure_once', nulls_distinct=False)],
            },
        ),
        migrations.CreateModel(
            name='RuleFigure',
            fields=[
                ('id', models.BigAutoField(primary_key=True, serialize=False)),
                ('day', models.DateField()),
                ('rule', models.CharField(max_length=12)),
                ('hits', models.PositiveIntegerField()),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('rule', 'day'), name='rule_counted_once')],
            },
        ),
        migrations.CreateModel(
            name='InboundFile',
            fields=[
                ('id', models.BigAutoField(primary_key=True, serialize=False)),
                ('gateway', models.CharField(max_length=20)),
                ('name', models.CharField(max_length=255)),
                ('kind', models.CharField(default='x12', max_length=20)),
                ('sha256', models.BinaryField(unique=True)),
                ('size', models.PositiveIntegerField()),
                ('state', models.CharField(choices=[('received', 'Received'), ('applied', 'Applied'), ('partly', 'Applied in part: see the report'), ('refused', 'Refused: see the report')], default='received', max_length=8)),
                ('report', models.JSONField(default=dict, help_text='What reading it found and did; no patient data.')),
                ('attempts', models.PositiveSmallIntegerField(default=0)),
                ('received_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ('handled_at', models.DateTimeField(null=True)),
            ],
            options={
                'indexes': [models.Index(condition=models.Q(('state', 'received')), fields=['received_at'], name='file_waiting'), models.Index(fields=['-received_at'], name='file_newest')],
            },
        ),
        migrations.CreateModel(
            name='PollCursor',
            fields=[
                ('gateway', models.CharField(max_length=20, primary_key=True, serialize=False)),
                ('cursor', models.TextField(blank=True, default='')),
                ('polled_at', models.DateTimeField(null=True)),
                ('failed_at', models.DateTimeField(null=True)),
                ('failure', models.CharField(blank=True, default='', max_length=200)),
            ],
        ),
        migrations.CreateModel(
            name='SandboxSubmission',
            fields=[
                ('key', models.CharField(max_length=120, primary_key=True, serialize=False)),
                ('digest', models.CharField(max_length=64)),
                ('attempts', models.PositiveSmallIntegerField(default=0)),
                ('reference', models.CharField(blank=True, default='', help_text='Empty: not taken.', max_length=120)),
                ('content', partners.fields.EncryptedTextField(null=True)),
                ('payer_control_numbers', django.contrib.postgres.fields.ArrayField(base_field=models.CharField(max_length=50), default=list, size=None)),
                ('created_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
            ],
            options={
                'indexes': [django.contrib.postgres.indexes.GinIndex(fields=['payer_control_numbers'], name='sandbox_by_payer_number')],
            },
        ),
        migrations.CreateModel(
            name='SandboxAnswer',
            fields=[
                ('id', models.BigAutoField(primary_key=True, serialize=False)),
                ('name', models.CharField(max_length=120, unique=True)),
                ('content', partners.fields.EncryptedTextField()),
                ('available_at', models.DateTimeField()),
                ('taken_at', models.DateTimeField(null=True)),
            ],
            options={
                'indexes': [models.Index(condition=models.Q(('taken_at__isnull', True)), fields=['available_at'], name='answer_due')],
            },
        ),
        migrations.CreateModel(
            name='ClaimSignal',
            fields=[
                ('id', models.BigAutoField(primary_key=True, serialize=False)),
                ('natural_key', models.CharField(max_length=400)),
                ('kind', models.CharField(max_length=20)),
                ('patient_control_number', models.CharField(blank=True, db_index=True, default='', max_length=50)),
                ('effective_date', models.DateField(null=True)),
                ('payload', models.JSONField()),
                ('repeats', models.PositiveIntegerField(default=0, help_text='How often the same came again.')),
                ('settled_at', models.DateTimeField(help_text="When the session's history took it in.", null=True)),
                ('dismissed_at', models.DateTimeField(help_text='Staff: not ours.', null=True)),
                ('received_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ('claim', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='signals', to='claims.claim')),
                ('partner', models.ForeignKey(db_index=False, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='partners.partner')),
                ('inbound_file', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='signals', to='claims.inboundfile')),
            ],
            options={
                'indexes': [models.Index(condition=models.Q(('claim__isnull', True), ('dismissed_at__isnull', True)), fields=['received_at'], name='signal_unmatched')],
                'constraints': [models.UniqueConstraint(fields=('natural_key', 'patient_control_number'), name='signal_once')],
            },
        ),
        migrations.CreateModel(
            name='Remittance',
            fields=[
                ('id', models.BigAutoField(primary_key=True, serialize=False)),
                ('payer_id', models.CharField(max_length=80)),
                ('payer_name', models.CharField(blank=True, default='', max_length=60)),
                ('trace_number', models.CharField(help_text='Check or EFT number (TRN02).', max_length=50)),
                ('originator', models.CharField(blank=True, default='', help_text='TRN03.', max_length=50)),
                ('payee_npi', models.CharField(blank=True, default='', max_length=10)),
                ('paid_on', models.DateField(null=True)),
                ('amount', models.DecimalField(decimal_places=2, max_digits=14)),
                ('method', models.CharField(blank=True, default='', max_length=3)),
                ('claim_count', models.PositiveIntegerField(default=0)),
                ('state', models.CharField(choices=[('posted', 'Posted'), ('refused', "Refused: its totals don't balance")], max_length=7)),
                ('report', models.JSONField(default=dict)),
                ('created_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ('inbound_file', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='remittances', to='claims.inboundfile')),
            ],
            options={
                'constraints': [models.UniqueConstraint(condition=models.Q(('state', 'posted')), fields=('payer_id', 'trace_number', 'originator'), name='remittance_posted_once')],
            },
        ),
        migrations.CreateModel(
            name='LedgerEntry',
            fields=[
                ('id', models.BigAutoField(primary_key=True, serialize=False)),
                ('line_number', models.PositiveSmallIntegerField(null=True)),
                ('kind', models.CharField(max_length=20)),
                ('group', models.CharField(blank=True, default='', max_length=2)),
                ('reason', models.CharField(blank=True, default='', max_length=5)),
                ('amount', models.DecimalField(decimal_places=2, max_digits=12)),
                ('reference', models.CharField(blank=True, default='', max_length=50)),
                ('posted_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ('claim', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='ledger', to='claims.claim')),
                ('partner', models.ForeignKey(db_index=False, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='partners.partner')),
                ('signal', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='entries', to='claims.claimsignal')),
                ('remittance', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='entries', to='claims.remittance')),
            ],
        ),
        migrations.CreateModel(
            name='LegalHold',
            fields=[
                ('id', models.BigAutoField(primary_key=True, serialize=False)),
                ('reason', models.CharField(help_text='Matter or file number; no patient data.', max_length=200)),
                ('placed_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ('lifted_at', models.DateTimeField(null=True)),
                ('placed_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('session', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='legal_holds', to='sessions_app.session')),
            ],
            options={
                'constraints': [models.UniqueConstraint(condition=models.Q(('lifted_at__isnull', True)), fields=('session',), name='one_hold_at_a_time')],
            },
        ),
        migrations.CreateModel(
            name='NoteReview',
            fields=[
                ('id', models.BigAutoField(primary_key=True, serialize=False)),
                ('outcome', models.CharField(choices=[('confirmed', 'Codes confirmed'), ('asked', 'Clinician asked'), ('not_billable', 'Not billable')], max_length=12)),
                ('reasons', django.contrib.postgres.fields.ArrayField(base_field=models.CharField(max_length=40), help_text='Why the coder asked.', size=None)),
                ('offered', models.JSONField(help_text='Candidates as shown: kind, code, modifier, why.')),
                ('taken', models.JSONField(help_text='Codes as confirmed: kind, code, modifier.')),
                ('evidence', models.JSONField(db_default=[], default=list, help_text='Words of the note that the person chose: code, start, end.')),
                ('given', models.JSONField(db_default=[], default=list, help_text='The codes that partner or staff had given before.')),
                ('engine_version', models.CharField(max_length=20)),
                ('lexicon_sha', models.CharField(max_length=64)),
                ('reviewed_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ('undone_at', models.DateTimeField(null=True)),
                ('partner', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='partners.partner')),
                ('session', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='note_reviews', to='sessions_app.session')),
                ('undone_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('user', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
        ),
        migrations.CreateModel(
            name='AnswerMatch',
            fields=[
                ('id', models.BigAutoField(primary_key=True, serialize=False)),
                ('agreeing', django.contrib.postgres.fields.ArrayField(base_field=models.CharField(max_length=60), default=list, size=None)),
                ('differing', django.contrib.postgres.fields.ArrayField(base_field=models.CharField(max_length=60), default=list, size=None)),
                ('matched_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ('undone_at', models.DateTimeField(null=True)),
                ('undone_because', models.TextField(blank=True, default='')),
                ('partner', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='partners.partner')),
                ('undone_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('user', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('claim', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='matches', to='claims.claim')),
                ('signal', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='matches', to='claims.claimsignal')),
            ],
            options={
                'constraints': [models.UniqueConstraint(condition=models.Q(('undone_at__isnull', True)), fields=('signal',), name='one_match_an_answer')],
            },
        ),
        migrations.CreateModel(
            name='CorrectionDraft',
            fields=[
                ('id', models.BigAutoField(primary_key=True, serialize=False)),
                ('version', models.PositiveIntegerField(help_text='Of the session as it was read.')),
                ('values', partners.fields.EncryptedTextField(help_text="The form's changed fields as JSON.")),
                ('saved_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ('session', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='correction_drafts', to='sessions_app.session')),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('session', 'user'), name='one_draft_a_person')],
            },
        ),
        migrations.CreateModel(
            name='ViewRecord',
            fields=[
                ('id', models.BigAutoField(primary_key=True, serialize=False)),
                ('what', models.CharField(choices=[('page', 'the session'), ('note', 'its clinical note'), ('claim', 'its claim'), ('raw_file', 'a raw file'), ('export', 'an export with it')], max_length=8)),
                ('detail', models.CharField(blank=True, default='', help_text='Which file or list; no patient data.', max_length=120)),
                ('seen_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ('session', models.ForeignKey(db_index=False, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='view_records', to='sessions_app.session')),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'permissions': [('view_audit', 'Can see who did what')],
                'indexes': [models.Index(fields=['session', '-id'], name='view_of_session'), models.Index(fields=['user', '-id'], name='view_by_user')],
            },
        ),
        migrations.CreateModel(
            name='WorkItem',
            fields=[
                ('id', models.BigAutoField(primary_key=True, serialize=False)),
                ('queue', models.CharField(choices=[('held', 'Held by a rule'), ('notes', 'Notes to review'), ('refused', 'Refused by the clearinghouse'), ('rejected', 'Rejected'), ('denied', 'Denied'), ('silent', 'No answer'), ('unmatched', 'Unmatched answers'), ('transport', 'Transport failures'), ('answers', 'Answers to look at')], max_length=9)),
                ('reason', models.CharField(help_text='Rule id, category and status code, CARC …', max_length=40)),
                ('summary', models.TextField(help_text='In words, without patient data.')),
                ('payer_name', models.CharField(blank=True, default='', max_length=60)),
                ('charge', models.DecimalField(decimal_places=2, max_digits=12, null=True)),
                ('file_by', models.DateField(null=True)),
                ('opened_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ('closed_at', models.DateTimeField(null=True)),
                ('handed_with', models.CharField(blank=True, db_default='', default='', help_text='What whoever passed it on said.', max_length=200)),
                ('leased_at', models.DateTimeField(null=True)),
                ('snoozed_until', models.DateTimeField(null=True)),
                ('snoozed_for', models.CharField(blank=True, default='', max_length=200)),
                ('assignee', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('handed_by', models.ForeignKey(blank=True, db_index=False, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('inbound_file', models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='work_items', to='claims.inboundfile')),
                ('leased_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('partner', models.ForeignKey(db_index=False, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='partners.partner')),
                ('session', models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='work_items', to='sessions_app.session')),
                ('signal', models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='work_items', to='claims.claimsignal')),
            ],
            options={
                'permissions': [('correct_session', 'Can correct, release, snooze, match and confirm'), ('resend_claim', 'Can send a claim again'), ('resend_in_bulk', 'Can send many claims again at once'), ('override_finding', 'Can override a finding of a claim rule'), ('void_claim', 'Can void a claim'), ('message_partner', 'Can write a note for the partner'), ('open_note', 'Can open clinical notes'), ('read_raw_file', 'Can read raw files'), ('export_rows', 'Can export lists'), ('hand_out_work', 'Can give work to others')],
                'indexes': [models.Index(models.F('queue'), django.db.models.functions.comparison.Coalesce('file_by', models.Value(datetime.date(9999, 12, 31))), django.db.models.expressions.CombinedExpression(django.db.models.functions.comparison.Coalesce('charge', models.Value(Decimal('-1')), output_field=models.DecimalField()), '*', models.Value(-1)), models.F('opened_at'), models.F('id'), condition=models.Q(('closed_at__isnull', True)), name='work_in_order'), models.Index(django.db.models.functions.comparison.Coalesce('file_by', models.Value(datetime.date(9999, 12, 31))), django.db.models.expressions.CombinedExpression(django.db.models.functions.comparison.Coalesce('charge', models.Value(Decimal('-1')), output_field=models.DecimalField()), '*', models.Value(-1)), models.F('opened_at'), models.F('id'), condition=models.Q(('closed_at__isnull', True)), name='work_across_queues'), models.Index(condition=models.Q(('closed_at__isnull', True)), fields=['queue', 'reason', 'payer_name', 'partner'], include=('assignee', 'file_by', 'charge', 'opened_at', 'snoozed_until'), name='work_to_count'), models.Index(condition=models.Q(('session__isnull', False)), fields=['reason', '-session'], name='work_by_reason'), models.Index(condition=models.Q(('assignee__isnull', False), ('closed_at__isnull', True)), fields=['assignee', 'file_by'], name='work_of_person'), models.Index(condition=models.Q(('closed_at__isnull', False)), fields=['-closed_at'], name='work_closed'), models.Index(fields=['-opened_at'], name='work_opened')],
                'constraints': [models.UniqueConstraint(condition=models.Q(('closed_at__isnull', True), ('session__isnull', False)), fields=('session', 'queue'), name='one_open_item_a_queue')],
            },
        ),
        migrations.RunSQL(
            RAW_FILES,
            NO_RAW_FILES,
            state_operations=[
                migrations.CreateModel(
                    name='RawFile',
                    fields=[
                        ('file', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name='+', serialize=False, to='claims.inboundfile')),
                        ('received_at', models.DateTimeField()),
                        ('content', partners.fields.EncryptedBytesField()),
                    ],
                ),
            ],
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='claim',
            trigger=pgtrigger.compiler.Trigger(name='update_update', sql=pgtrigger.compiler.UpsertTriggerSql(condition='WHEN (OLD."file_by" IS DISTINCT FROM (NEW."file_by") OR OLD."frequency" IS DISTINCT FROM (NEW."frequency") OR OLD."paid" IS DISTINCT FROM (NEW."paid") OR OLD."patient_control_number" IS DISTINCT FROM (NEW."patient_control_number") OR OLD."patient_owes" IS DISTINCT FROM (NEW."patient_owes") OR OLD."payer_control_number" IS DISTINCT FROM (NEW."payer_control_number") OR OLD."session_id" IS DISTINCT FROM (NEW."session_id") OR OLD."status" IS DISTINCT FROM (NEW."status") OR OLD."total_charge" IS DISTINCT FROM (NEW."total_charge") OR OLD."version" IS DISTINCT FROM (NEW."version"))', func='INSERT INTO "claims_claimchange" ("file_by", "frequency", "paid", "patient_control_number", "patient_owes", "payer_control_number", "pgh_context", "pgh_created_at", "pgh_label", "pgh_obj_id", "session_id", "status", "total_charge", "version") VALUES (OLD."file_by", OLD."frequency", OLD."paid", OLD."patient_control_number", OLD."patient_owes", OLD."payer_control_number", COALESCE(NULLIF(CURRENT_SETTING(\'pghistory.context_metadata\', TRUE), \'\'), NULL)::JSONB, NOW(), \'update\', OLD."id", OLD."session_id", OLD."status", OLD."total_charge", OLD."version"); RETURN NULL;', hash='7af60035427f189532b6f12deaadec76741202d1', operation='UPDATE', pgid='pgtrigger_update_update_fe4ba', table='claims_claim', when='AFTER')),
        ),
        *(
            migrations.RunSQL(
                f"CREATE SEQUENCE claims_{name}_control_number AS bigint MINVALUE 1 MAXVALUE 999999999 NO CYCLE",
                f"DROP SEQUENCE claims_{name}_control_number",
            )
            for name in CONTROL_NUMBERS
        ),
        isolate("claims_claim", requests_may="SELECT, INSERT, UPDATE"),
        let_requests_append("claims_claimchange"),
        isolate("claims_workitem", requests_may="SELECT, UPDATE"),
        *(
            isolate(f"claims_{table}")
            for table in (
                "claimline",
                "finding",
                "override",
                "transmission",
                "transmittedclaim",
                "claimsignal",
                "ledgerentry",
                "dailyfigure",
                "answermatch",
                "notereview",
            )
        ),
        migrations.RunSQL(RECORD_VIEWS, FORGET_VIEWS),
        migrations.RunSQL(RECORD_CHANGES, FORGET_CHANGES),
        *(watch(table, *columns) for table, columns in WATCHED.items()),
    ]
