"""Practices, therapists, charges, enrollments, and what payers allowed the last time.

Two rates of one schedule that could both fit one service equally well are refused by the database: each dimension
becomes a range: a value is a point (its hash), "any" is everything. Two rates collide when all their ranges meet,
their days overlap and they name the same number of dimensions.

Requests see and write their partner's practices and providers; charges are none of their business.
"""

import django.contrib.postgres.fields
import django.contrib.postgres.fields.ranges
import django.db.models.deletion
import django.db.models.functions.datetime
import partners.identifiers
from django.db import migrations, models

from partners.isolation_policies import isolate

ONE_BEST_RATE = """
CREATE FUNCTION providers_dimension(value text) RETURNS int8range LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT CASE WHEN value IS NULL OR value = '' THEN int8range(NULL, NULL)
           ELSE int8range(hashtextextended(value, 0), hashtextextended(value, 0), '[]') END
$$;
CREATE FUNCTION providers_modifiers(value varchar[]) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT CASE WHEN value IS NULL THEN NULL ELSE '+' || array_to_string(value, '+') END
$$;
ALTER TABLE providers_chargerate ADD CONSTRAINT rate_is_the_only_best EXCLUDE USING gist (
    schedule_id WITH =,
    procedure_code WITH =,
    ((modifiers IS NOT NULL)::int + (place_of_service <> '')::int + (payer_id <> '')::int
        + (license_class <> '')::int) WITH =,
    providers_dimension(providers_modifiers(modifiers)) WITH &&,
    providers_dimension(place_of_service) WITH &&,
    providers_dimension(payer_id) WITH &&,
    providers_dimension(license_class) WITH &&,
    valid WITH &&
);
"""
ANY_RATES = """
ALTER TABLE providers_chargerate DROP CONSTRAINT rate_is_the_only_best;
DROP FUNCTION providers_dimension(text);
DROP FUNCTION providers_modifiers(varchar[]);
"""


class Migration(migrations.Migration):

    initial = True

    replaces = [
        ('providers', '0001_initial'),
        ('providers', '0002_no_two_rates_fit_equally'),
        ('providers', '0003_isolation'),
        ('providers', '0004_enrollments_and_allowed_amounts'),
    ]

    dependencies = [
        ('billing', '0001_first_release'),
        ('partners', '0001_first_release'),
    ]

    operations = [
        migrations.CreateModel(
            name='Practice',
            fields=[
                ('id', models.UUIDField(default=partners.identifiers.new_id, editable=False, primary_key=True, serialize=False)),
                ('name', models.CharField(max_length=60)),
                ('npi', models.CharField(blank=True, default='', max_length=10, verbose_name='organization NPI')),
                ('tax_id', models.CharField(max_length=9, verbose_name='tax ID (EIN)')),
                ('taxonomy_code', models.CharField(blank=True, default='', max_length=10)),
                ('street', models.CharField(max_length=55)),
                ('line2', models.CharField(blank=True, default='', max_length=55)),
                ('city', models.CharField(max_length=30)),
                ('state', models.CharField(max_length=2)),
                ('zip', models.CharField(max_length=9, verbose_name='ZIP')),
                ('phone', models.CharField(blank=True, default='', max_length=10)),
                ('contact_name', models.CharField(blank=True, default='', max_length=60)),
                ('fingerprint', models.BinaryField(help_text='Hash of all fields, case and spaces aside.')),
                ('created_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False)),
                ('updated_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False)),
                ('partner', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='practices', to='partners.partner')),
            ],
            options={
                'indexes': [models.Index(fields=['partner', 'fingerprint', 'created_at'], name='practice_same')],
            },
        ),
        migrations.CreateModel(
            name='Provider',
            fields=[
                ('id', models.UUIDField(default=partners.identifiers.new_id, editable=False, primary_key=True, serialize=False)),
                ('mode', models.CharField(choices=[('live', 'Live'), ('test', 'Test')], editable=False, max_length=4)),
                ('npi', models.CharField(max_length=10, verbose_name='NPI')),
                ('first_name', models.CharField(max_length=35)),
                ('last_name', models.CharField(max_length=60)),
                ('taxonomy_code', models.CharField(blank=True, default='', help_text='As the partner sent it.', max_length=10)),
                ('inferred_taxonomy_code', models.CharField(blank=True, default='', editable=False, help_text='From specialty or credentials.', max_length=10)),
                ('specialty', models.CharField(blank=True, default='', max_length=100)),
                ('credentials', models.CharField(blank=True, default='', max_length=30)),
                ('created_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False)),
                ('updated_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False)),
                ('partner', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='providers', to='partners.partner')),
                ('practice', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='providers', to='providers.practice')),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('mode', 'npi'), name='provider_npi_once_a_mode')],
            },
        ),
        migrations.CreateModel(
            name='ChargeSchedule',
            fields=[
                ('id', models.UUIDField(default=partners.identifiers.new_id, editable=False, primary_key=True, serialize=False)),
                ('name', models.CharField(max_length=100)),
                ('scope', models.CharField(choices=[('practice', 'Practice'), ('partner', 'Partner'), ('service', 'Service')], max_length=8)),
                ('sample', models.BooleanField(default=False, help_text='Invented prices: they serve test organizations only.')),
                ('partner', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, to='partners.partner')),
                ('practice', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, to='providers.practice')),
            ],
            options={
                'constraints': [models.CheckConstraint(condition=models.Q(models.Q(('partner__isnull', False), ('practice__isnull', False), ('scope', 'practice')), models.Q(('partner__isnull', False), ('practice__isnull', True), ('scope', 'partner')), models.Q(('partner__isnull', True), ('practice__isnull', True), ('scope', 'service')), _connector='OR'), name='schedule_owner_fits_scope'), models.UniqueConstraint(fields=('scope', 'partner', 'practice', 'sample'), name='one_schedule_an_owner', nulls_distinct=False)],
            },
        ),
        migrations.CreateModel(
            name='ChargeRate',
            fields=[
                ('id', models.UUIDField(default=partners.identifiers.new_id, editable=False, primary_key=True, serialize=False)),
                ('procedure_code', models.CharField(max_length=5)),
                ('modifiers', django.contrib.postgres.fields.ArrayField(base_field=models.CharField(max_length=2), blank=True, help_text='Sorted; empty matches any modifiers.', null=True, size=None)),
                ('place_of_service', models.CharField(blank=True, choices=[('office', 'Office'), ('telehealth', 'Telehealth')], default='', max_length=10)),
                ('payer_id', models.CharField(blank=True, default='', max_length=80, verbose_name='payer ID')),
                ('license_class', models.CharField(blank=True, choices=[('', 'Any'), ('prescriber', 'Prescriber'), ('doctoral', 'Doctoral'), ('master', "Master's level")], default='', max_length=10)),
                ('unit_charge', models.DecimalField(decimal_places=2, max_digits=10)),
                ('valid', django.contrib.postgres.fields.ranges.DateRangeField(help_text='First day of service, and the first day that it no longer serves.')),
                ('created_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False)),
                ('schedule', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='rates', to='providers.chargeschedule')),
            ],
            options={
                'indexes': [models.Index(fields=['schedule', 'procedure_code'], name='rate_by_code')],
                'constraints': [models.CheckConstraint(condition=models.Q(('unit_charge__gt', 0)), name='rate_above_zero')],
            },
        ),
        migrations.CreateModel(
            name='Enrollment',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('npi', models.CharField(help_text="The practice's NPI; of a therapist who bills without an organization, the therapist's.", max_length=10, verbose_name='billing NPI')),
                ('claims', models.CharField(choices=[('none', 'Not enrolled'), ('pending', 'Asked for, not live yet'), ('live', 'Live')], default='none', help_text="Counts where the payer's profile asks for it: claims are then held until it is live.", max_length=7, verbose_name='for claims')),
                ('remittances', models.CharField(choices=[('none', 'Not enrolled'), ('pending', 'Asked for, not live yet'), ('live', 'Live')], default='none', help_text="Until it is live no remittance comes, and a payer's answer to an inquiry settles a claim.", max_length=7, verbose_name='for electronic remittances')),
                ('note', models.CharField(blank=True, default='', help_text='Reference, date asked for …', max_length=200)),
                ('updated_at', models.DateTimeField(auto_now=True, db_default=django.db.models.functions.datetime.Now())),
                ('partner', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='partners.partner')),
                ('payer', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='billing.payer')),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('partner', 'npi', 'payer'), name='enrollment_once', violation_error_message='This NPI has an enrollment with this payer already.')],
            },
        ),
        migrations.CreateModel(
            name='AllowedAmount',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('payer_id', models.CharField(max_length=80, verbose_name='payer ID')),
                ('procedure_code', models.CharField(max_length=5)),
                ('allowed', models.DecimalField(decimal_places=2, max_digits=10)),
                ('charged', models.DecimalField(decimal_places=2, max_digits=10)),
                ('paid_on', models.DateField()),
                ('partner', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='partners.partner')),
                ('practice', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='providers.practice')),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('practice', 'payer_id', 'procedure_code'), name='allowed_amount_once')],
            },
        ),
        migrations.RunSQL(ONE_BEST_RATE, ANY_RATES),
        isolate("providers_practice", requests_may="SELECT, INSERT, UPDATE"),
        isolate("providers_provider", requests_may="SELECT, INSERT, UPDATE"),
        isolate("providers_chargeschedule"),
        isolate("providers_enrollment"),
        isolate("providers_allowedamount"),
    ]
