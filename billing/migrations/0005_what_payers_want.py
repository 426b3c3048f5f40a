"""What some payers want of a few codes, the NPI registry, and the quarterly coding edits."""

import django.contrib.postgres.fields
import django.core.validators
import django.db.models.functions.datetime
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('billing', '0004_held_rules'),
    ]

    operations = [
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
        migrations.AddField(
            model_name='payerprofile',
            name='most_units_96127',
            field=models.PositiveSmallIntegerField(blank=True, help_text='More get a warning (CPT-016). Empty: the usual four.', null=True, validators=[django.core.validators.MinValueValidator(1), django.core.validators.MaxValueValidator(99)], verbose_name='most units of 96127 a day (brief assessment)'),
        ),
        migrations.AddField(
            model_name='payerprofile',
            name='pays_90887',
            field=models.BooleanField(db_default=False, default=False, help_text='Most payers count it as part of the session, and claims with it get a warning (CPT-016).', verbose_name='pays 90887 (explaining results to the family)'),
        ),
        migrations.AddField(
            model_name='payerprofile',
            name='pays_phone_assessment',
            field=models.BooleanField(db_default=False, default=False, help_text='Few payers do, and claims with one get a warning (CPT-016).', verbose_name='pays 98966 to 98968 (assessment by phone)'),
        ),
        migrations.AddField(
            model_name='payerprofile',
            name='phone_codes_without_95',
            field=models.BooleanField(db_default=False, default=False, help_text='Neither modifier 95 nor a telehealth place of service beside them (MOD-007).', verbose_name='wants 98966 to 98968 without telehealth marks'),
        ),
        migrations.AlterField(
            model_name='payerprofile',
            name='claim_enrollment_required',
            field=models.BooleanField(default=False, help_text='It takes electronic claims only from whom it has enrolled (PRV-009).'),
        ),
        migrations.AlterField(
            model_name='payerprofile',
            name='remittance_enrollment_required',
            field=models.BooleanField(default=True, help_text='It sends electronic remittances only to whom it has enrolled for them (PRV-010).'),
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
    ]
