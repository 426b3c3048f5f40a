"""The payer directory, the code sets, and the extensions that the whole service uses."""

import billing.models
import django.contrib.postgres.fields
import django.contrib.postgres.indexes
import django.contrib.postgres.search
import django.core.validators
import django.db.models.deletion
from django.contrib.postgres.operations import (
    BtreeGinExtension,
    BtreeGistExtension,
    TrigramExtension,
    UnaccentExtension,
)
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    dependencies = [
    ]

    operations = [
        TrigramExtension(),
        UnaccentExtension(),
        BtreeGinExtension(),
        BtreeGistExtension(),
        migrations.CreateModel(
            name='Payer',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('payer_id', models.CharField(help_text='Electronic id, a string: leading zeros count.', max_length=80, unique=True, validators=[django.core.validators.RegexValidator('^[!-~](?:[ -~]*[!-~])?\\Z', 'A payer id is made of ASCII characters.')])),
                ('name', models.CharField(help_text="The carrier's name, never a plan's or product's.", max_length=60)),
                ('search_text', models.CharField(editable=False, max_length=400)),
                ('avatar_url', models.URLField(blank=True, default='', max_length=500)),
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
            },
        ),
        migrations.CreateModel(
            name='PayerAlias',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(max_length=150)),
                ('search_text', models.CharField(editable=False, max_length=400)),
                ('search_vector', models.GeneratedField(db_persist=True, expression=django.contrib.postgres.search.SearchVector('search_text', config='simple'), output_field=django.contrib.postgres.search.SearchVectorField())),
            ],
            options={
                'verbose_name_plural': 'payer aliases',
                'ordering': ['name'],
            },
        ),
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
                ('member_id_pattern', models.CharField(blank=True, default='', help_text='Regular expression for a whole member id, upper case, without blanks and dashes.', max_length=200, validators=[billing.models.validate_pattern])),
                ('member_id_example', models.CharField(blank=True, default='', help_text='An invented id of that form, for messages.', max_length=40)),
                ('claim_enrollment_required', models.BooleanField(default=False)),
                ('remittance_enrollment_required', models.BooleanField(default=True)),
                ('notes', models.TextField(blank=True, default='')),
                ('updated_at', models.DateTimeField(auto_now=True)),
            ],
            options={
                'ordering': ['payer__name'],
            },
        ),
        migrations.AddIndex(
            model_name='payer',
            index=django.contrib.postgres.indexes.GinIndex(fields=['search_vector'], name='payer_search_words'),
        ),
        migrations.AddIndex(
            model_name='payer',
            index=models.Index(fields=['search_text'], name='payer_search_text'),
        ),
        migrations.AddIndex(
            model_name='payer',
            index=models.Index(fields=['updated_at'], name='payer_updated_at'),
        ),
        migrations.AddField(
            model_name='payeralias',
            name='payer',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='aliases', to='billing.payer'),
        ),
        migrations.AddConstraint(
            model_name='diagnosiscode',
            constraint=models.UniqueConstraint(fields=('release', 'code'), name='diagnosis_code_once_a_release'),
        ),
        migrations.AddConstraint(
            model_name='payerprofile',
            constraint=models.CheckConstraint(condition=models.Q(('timely_filing_days__isnull', True), ('timely_filing_days__range', (1, 3660)), _connector='OR'), name='payer_profile_timely_filing_days', violation_error_message='Timely filing is between 1 and 3,660 days.'),
        ),
        migrations.AddConstraint(
            model_name='payerprofile',
            constraint=models.CheckConstraint(condition=models.Q(('timely_filing_confirmed', False), ('timely_filing_days__isnull', False), _connector='OR'), name='payer_profile_confirmed_has_days', violation_error_message='A confirmed limit needs its number of days.'),
        ),
        migrations.AddIndex(
            model_name='payeralias',
            index=django.contrib.postgres.indexes.GinIndex(fields=['search_vector'], name='payer_alias_search_words'),
        ),
        migrations.AddIndex(
            model_name='payeralias',
            index=models.Index(fields=['search_text'], name='payer_alias_search_text'),
        ),
        migrations.AddConstraint(
            model_name='payeralias',
            constraint=models.UniqueConstraint(fields=('payer', 'search_text'), name='payer_alias_once', violation_error_message='This payer already has an alias that reads the same.'),
        ),
    ]
