"""A refused remittance says by itself why: its totals are one reason of several."""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('claims', '0007_accounts_that_one_set_up'),
    ]

    operations = [
        migrations.AlterField(
            model_name='remittance',
            name='state',
            field=models.CharField(choices=[('posted', 'Posted'), ('refused', 'Refused')], max_length=7),
        ),
    ]
