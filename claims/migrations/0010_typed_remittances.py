"""What staff type of a decision that came in no file, with who and why."""

import django.db.models.deletion
import django.db.models.functions.datetime
from django.conf import settings
from django.db import migrations, models

from partners.isolation_policies import isolate


class Migration(migrations.Migration):

    dependencies = [
        ('claims', '0009_no_index_of_what_waits'),
        ('partners', '0002_coder_threshold'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='TypedRemittance',
            fields=[
                ('id', models.BigAutoField(primary_key=True, serialize=False)),
                ('origin', models.CharField(choices=[('paper', 'a letter of the payer'), ('phone', 'a call to the payer'), ('portal', "the payer's portal")], max_length=6)),
                ('trace_number', models.CharField(blank=True, help_text='Check or EFT number.', max_length=50)),
                ('reason', models.TextField(help_text="Why it was typed, or who said it; the partner doesn't see it.")),
                ('typed_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ('undone_at', models.DateTimeField(null=True)),
                ('undone_because', models.TextField(blank=True, default='')),
                ('claim', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='typed_remittances', to='claims.claim')),
                ('partner', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='partners.partner')),
                ('signal', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='typed', to='claims.claimsignal')),
                ('undone_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('user', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'permissions': [('type_remittance', 'Can post a payment that no remittance brings')],
            },
        ),
        isolate("claims_typedremittance"),
    ]
