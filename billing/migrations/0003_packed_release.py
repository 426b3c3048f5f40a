"""Keep each release packed too, as note coding reads it; take pictures from https only."""

import django.core.validators
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('billing', '0002_carriers'),
    ]

    operations = [
        migrations.AddField(
            model_name='codesetrelease',
            name='packed',
            field=models.BinaryField(default=b'', help_text='All its codes in the form that note coding reads.'),
        ),
        migrations.AlterField(
            model_name='payer',
            name='avatar_url',
            field=models.CharField(blank=True, default='', max_length=500, validators=[django.core.validators.URLValidator(schemes=['https'])]),
        ),
    ]
