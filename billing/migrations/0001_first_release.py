"""The payer directory with its carriers, the code sets, and the extensions that the whole service uses."""

import billing.models.payers
import django.contrib.postgres.fields
import django.contrib.postgres.indexes
import django.contrib.postgres.search
import django.core.validators
import django.db.models.deletion
import django.db.models.functions.datetime
from django.contrib.postgres.operations import (
    BtreeGinExtension,
    BtreeGistExtension,
    TrigramExtension,
    UnaccentExtension,
)
from django.db import migrations, models

from billing.payers.catalog import record_carriers


def record(apps, schema_editor):
    record_carriers(
        payer_model=apps.get_model("billing", "Payer"),
        alias_model=apps.get_model("billing", "PayerAlias"),
        profile_model=apps.get_model("billing", "PayerProfile"),
    )


class Migration(migrations.Migration):

    initial = True

    replaces = [
        ('billing', '0001_initial'),
        ('billing', '0002_carriers'),
        ('billing', '0003_packed_release'),
        ('billing', '0004_held_rules'),
        ('billing', '0005_what_payers_want'),
    ]

    dependencies = [
    ]

    operations = [
        TrigramExtension(),
        UnaccentExtension(),
        BtreeGinExtension(),
        BtreeGistExtension(),
        migrations.CreateModel(
            name='CodeSetRelease',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('code_system', models.CharField(choices=[('icd_10_cm', 'ICD-10-CM')], default='icd_10_cm', max_length=20)),
                ('name', models.CharField(help_text='For instance FY2027.', max_length=40)),
                ('valid_from', models.DateField()),
                ('valid_to', models.DateField(help_text='The last date of service, inclusive.')),
                ('source', models.CharField(blank=True, default='', max_length=200)),
                ('code_count', models.PositiveIntegerField(default=0)),
                ('billable_count', models.PositiveIntegerField(default=0)),
                ('loaded_at', models.DateTimeField(auto_now_add=True)),
                ('active', models.BooleanField(default=True, help_text='An inactive release judges no code.')),
                ('packed', models.BinaryField(default=b'', help_text='All its codes in the form that note coding reads.')),
            ],
            options={
                'ordering': ['-valid_from', '-id'],
                'constraints': [models.UniqueConstraint(fields=('code_system', 'name'), name='code_set_release_once'), models.CheckConstraint(condition=models.Q(('valid_to__gte', models.F('valid_from'))), name='code_set_release_dates', violation_error_message="A release can't end before it begins.")],
            },
        ),
        migrations.CreateModel(
            name='DiagnosisCode',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('code', models.CharField(db_collation='C', help_text='With its dot: F41.1.', max_length=8)),
                ('billable', models.BooleanField(help_text='False: a heading, too short for a claim.')),
                ('title', models.CharField(max_length=255)),
                ('release', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='diagnosis_codes', to='billing.codesetrelease')),
            ],
            options={
                'ordering': ['code'],
                'constraints': [models.UniqueConstraint(fields=('release', 'code'), name='diagnosis_code_once_a_release')],
            },
        ),
        migrations.CreateModel(
            name='NcciPair',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('column_one', models.CharField(max_length=5)),
                ('column_two', models.CharField(help_text='The one that is not paid.', max_length=5)),
                ('modifier_indicator', models.CharField(choices=[('0', 'Never together'), ('1', 'Together with a modifier that says they were separate'), ('9', 'Not applicable')], max_length=1)),
                ('valid_from', models.DateField()),
                ('valid_to', models.DateField(help_text='Last date of service; empty: still in force.', null=True)),
            ],
            options={
                'verbose_name': 'NCCI pair',
                'constraints': [models.UniqueConstraint(fields=('column_one', 'column_two', 'valid_from'), name='ncci_pair_once_a_day'), models.CheckConstraint(condition=models.Q(('valid_to__isnull', True), ('valid_to__gte', models.F('valid_from')), _connector='OR'), name='ncci_pair_days')],
            },
        ),
        migrations.CreateModel(
            name='NcciUnits',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('code', models.CharField(max_length=5)),
                ('most_units', models.PositiveSmallIntegerField()),
                ('valid_from', models.DateField()),
            ],
            options={
                'verbose_name': 'NCCI units',
                'verbose_name_plural': 'NCCI units',
                'constraints': [models.UniqueConstraint(fields=('code', 'valid_from'), name='ncci_units_once_a_quarter')],
            },
        ),
        migrations.CreateModel(
            name='Payer',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('payer_id', models.CharField(help_text='Electronic id, a string: leading zeros count.', max_length=80, unique=True, validators=[django.core.validators.RegexValidator('^[!-~](?:[ -~]*[!-~])?\\Z', 'A payer id is made of ASCII characters.')])),
                ('name', models.CharField(help_text="The carrier's name, never a plan's or product's.", max_length=60)),
                ('search_text', models.CharField(editable=False, max_length=400)),
                ('avatar_url', models.CharField(blank=True, default='', max_length=500, validators=[django.core.validators.URLValidator(schemes=['https'])])),
                ('supports_professional_claims', models.BooleanField(default=True)),
                ('states', django.contrib.postgres.fields.ArrayField(base_field=models.CharField(max_length=2), blank=True, default=list, help_text='States it works in, as postal codes; empty means all.', size=None)),
                ('prominence', models.PositiveSmallIntegerField(default=0, help_text='0 to 9: how often therapy claims go there; breaks ties in the search.', validators=[django.core.validators.MaxValueValidator(9)])),
                ('active', models.BooleanField(default=True)),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('updated_at', models.DateTimeField(auto_now=True)),
                ('search_vector', models.GeneratedField(db_persist=True, expression=django.contrib.postgres.search.SearchVector('search_text', config='simple'), output_field=django.contrib.postgres.search.SearchVectorField())),
            ],
            options={
                'ordering': ['name', 'payer_id'],
                'indexes': [django.contrib.postgres.indexes.GinIndex(fields=['search_vector'], name='payer_search_words'), models.Index(fields=['search_text'], name='payer_search_text'), models.Index(fields=['updated_at'], name='payer_updated_at')],
            },
        ),
        migrations.CreateModel(
            name='PayerAlias',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(max_length=150)),
                ('search_text', models.CharField(editable=False, max_length=400)),
                ('search_vector', models.GeneratedField(db_persist=True, expression=django.contrib.postgres.search.SearchVector('search_text', config='simple'), output_field=django.contrib.postgres.search.SearchVectorField())),
                ('payer', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='aliases', to='billing.payer')),
            ],
            options={
                'verbose_name_plural': 'payer aliases',
                'ordering': ['name'],
                'indexes': [django.contrib.postgres.indexes.GinIndex(fields=['search_vector'], name='payer_alias_search_words'), models.Index(fields=['search_text'], name='payer_alias_search_text')],
                'constraints': [models.UniqueConstraint(fields=('payer', 'search_text'), name='payer_alias_once', violation_error_message='This payer already has an alias that reads the same.')],
            },
        ),
        migrations.CreateModel(
            name='PayerProfile',
            fields=[
                ('payer', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name='profile', serialize=False, to='billing.payer')),
                ('payer_class', models.CharField(choices=[('commercial', 'Commercial insurer or administrator'), ('blue', 'Blue Cross or Blue Shield plan'), ('hmo', 'Health maintenance organization'), ('ppo', 'Preferred provider organization'), ('point_of_service', 'Point-of-service plan'), ('exclusive_provider', 'Exclusive provider organization'), ('indemnity', 'Indemnity insurance'), ('medicare', 'Medicare Part B'), ('medicare_advantage', 'Medicare Advantage'), ('medicaid', 'Medicaid of a state'), ('medicaid_managed', 'Medicaid managed care'), ('tricare', 'TRICARE'), ('veterans', 'Veterans Affairs'), ('federal_employees', 'Federal employees'), ('other_federal', 'Other federal program')], default='commercial', max_length=30)),
                ('claim_filing_code', models.CharField(choices=[('11', 'Other non-federal program'), ('12', 'Preferred provider organization'), ('13', 'Point of service'), ('14', 'Exclusive provider organization'), ('15', 'Indemnity insurance'), ('16', 'Medicare Advantage HMO'), ('AM', 'Automobile medical'), ('BL', 'Blue Cross or Blue Shield'), ('CH', 'TRICARE'), ('CI', 'Commercial insurance'), ('DS', 'Disability'), ('FI', 'Federal employees program'), ('HM', 'Health maintenance organization'), ('LM', 'Liability medical'), ('MA', 'Medicare Part A'), ('MB', 'Medicare Part B'), ('MC', 'Medicaid'), ('OF', 'Other federal program'), ('TV', 'Title V'), ('VA', 'Veterans Affairs'), ('WC', "Workers' compensation"), ('ZZ', 'Kind of insurance not known')], default='CI', help_text='SBR09.', max_length=2)),
                ('telehealth_place_of_service', models.CharField(choices=[('10', '10 Telehealth, patient at home'), ('02', '02 Telehealth elsewhere'), ('11', '11 Office')], default='10', max_length=2)),
                ('telehealth_modifier_policy', models.CharField(choices=[('95', 'Keep 95'), ('GT', 'Write GT in its place'), ('none', 'Send no telehealth modifier')], default='95', max_length=4)),
                ('timely_filing_days', models.PositiveSmallIntegerField(blank=True, help_text='Days from the date of service; the smallest figure found. Empty: not known.', null=True)),
                ('timely_filing_confirmed', models.BooleanField(default=False, help_text='Staff have read it in the contract: only then does a late claim stop.')),
                ('timely_filing_basis', models.CharField(blank=True, default='', max_length=200)),
                ('member_id_pattern', models.CharField(blank=True, default='', help_text='Regular expression for a whole member id, upper case, without blanks and dashes.', max_length=200, validators=[billing.models.payers.validate_pattern])),
                ('member_id_example', models.CharField(blank=True, default='', help_text='An invented id of that form, for messages.', max_length=40)),
                ('claim_enrollment_required', models.BooleanField(default=False, help_text='It takes electronic claims only from whom it has enrolled (PRV-009).')),
                ('remittance_enrollment_required', models.BooleanField(default=True, help_text='It sends electronic remittances only to whom it has enrolled for them (PRV-010).')),
                ('pays_90887', models.BooleanField(db_default=False, default=False, help_text='Most payers count it as part of the session, and claims with it get a warning (CPT-016).', verbose_name='pays 90887 (explaining results to the family)')),
                ('pays_phone_assessment', models.BooleanField(db_default=False, default=False, help_text='Few payers do, and claims with one get a warning (CPT-016).', verbose_name='pays 98966 to 98968 (assessment by phone)')),
                ('phone_codes_without_95', models.BooleanField(db_default=False, default=False, help_text='Neither modifier 95 nor a telehealth place of service beside them (MOD-007).', verbose_name='wants 98966 to 98968 without telehealth marks')),
                ('most_units_96127', models.PositiveSmallIntegerField(blank=True, help_text='More get a warning (CPT-016). Empty: the usual four.', null=True, validators=[django.core.validators.MinValueValidator(1), django.core.validators.MaxValueValidator(99)], verbose_name='most units of 96127 a day (brief assessment)')),
                ('held_rules', django.contrib.postgres.fields.ArrayField(base_field=models.CharField(max_length=12), blank=True, db_default=[], default=list, editable=False, help_text="Claim rules whose warnings hold this payer's claims.", size=None)),
                ('notes', models.TextField(blank=True, default='')),
                ('updated_at', models.DateTimeField(auto_now=True)),
            ],
            options={
                'ordering': ['payer__name'],
                'constraints': [models.CheckConstraint(condition=models.Q(('timely_filing_days__isnull', True), ('timely_filing_days__range', (1, 3660)), _connector='OR'), name='payer_profile_timely_filing_days', violation_error_message='Timely filing is between 1 and 3,660 days.'), models.CheckConstraint(condition=models.Q(('timely_filing_confirmed', False), ('timely_filing_days__isnull', False), _connector='OR'), name='payer_profile_confirmed_has_days', violation_error_message='A confirmed limit needs its number of days.')],
            },
        ),
        migrations.CreateModel(
            name='NpiRecord',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('npi', models.CharField(max_length=10, unique=True, validators=[django.core.validators.RegexValidator('^[12][0-9]{9}\\Z', 'An NPI has ten digits and begins with 1 or 2.')], verbose_name='NPI')),
                ('found', models.BooleanField(default=True, help_text='Without it every claim under this NPI is held (PRV-007).', verbose_name='in the registry')),
                ('deactivated', models.BooleanField(default=False, help_text='Switched off and not on again: every claim under it is held (PRV-007).')),
                ('taxonomies', django.contrib.postgres.fields.ArrayField(base_field=models.CharField(max_length=10, validators=[django.core.validators.RegexValidator('^[0-9A-Z]{9}X\\Z', 'A taxonomy code has ten characters, X last.')]), blank=True, default=list, help_text='The taxonomy codes it lists, with commas between; another one gets a warning (PRV-008).', size=None)),
                ('source', models.CharField(help_text='Where this was read.', max_length=100)),
                ('checked_on', models.DateField(help_text='As of which day.')),
                ('updated_at', models.DateTimeField(auto_now=True, db_default=django.db.models.functions.datetime.Now())),
            ],
            options={
                'verbose_name': 'NPI record',
            },
        ),
        migrations.RunPython(record, migrations.RunPython.noop, elidable=False),
    ]
