"""Indexes that another index begins with."""

import django.db.models.deletion
from django.db import migrations, models

GONE = {
    "providers_chargerate_schedule_id_13e0b47d": "providers_chargerate (schedule_id)",
    "providers_practice_partner_id_512f954d": "providers_practice (partner_id)",
}


class Migration(migrations.Migration):

    atomic = False

    dependencies = [
        ('partners', '0003_no_index_twice'),
        ('providers', '0002_ids_in_capitals'),
    ]

    operations = [
        migrations.SeparateDatabaseAndState(
            database_operations=[
                *(
                    migrations.RunSQL(
                        f"DROP INDEX CONCURRENTLY IF EXISTS {name}",
                        f"CREATE INDEX CONCURRENTLY IF NOT EXISTS {name} ON {columns}",
                    )
                    for name, columns in GONE.items()
                ),
            ],
            state_operations=[
                migrations.AlterField(
                    model_name='chargerate',
                    name='schedule',
                    field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='rates', to='providers.chargeschedule'),
                ),
                migrations.AlterField(
                    model_name='practice',
                    name='partner',
                    field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='practices', to='partners.partner'),
                ),
            ],
        ),
    ]
