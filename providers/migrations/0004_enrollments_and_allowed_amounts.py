"""How far whoever bills is enrolled with a payer, and what payers allowed the last time."""

import django.db.models.deletion
import django.db.models.functions.datetime
from django.db import migrations, models

from partners.isolation_policies import isolate


class Migration(migrations.Migration):

    dependencies = [
        ('billing', '0005_what_payers_want'),
        ('partners', '0003_isolation'),
        ('providers', '0003_isolation'),
    ]

    operations = [
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
        isolate("providers_enrollment"),
        isolate("providers_allowedamount"),
    ]
