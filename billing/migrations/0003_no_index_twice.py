"""Indexes that another index begins with."""

import django.db.models.deletion
from django.db import migrations, models

GONE = {
    "billing_diagnosiscode_release_id_943db8b2": "billing_diagnosiscode (release_id)",
    "billing_payeralias_payer_id_1595bc32": "billing_payeralias (payer_id)",
}


class Migration(migrations.Migration):

    atomic = False

    dependencies = [
        ('billing', '0002_ids_in_capitals'),
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
                    model_name='diagnosiscode',
                    name='release',
                    field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='diagnosis_codes', to='billing.codesetrelease'),
                ),
                migrations.AlterField(
                    model_name='payeralias',
                    name='payer',
                    field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='aliases', to='billing.payer'),
                ),
            ],
        ),
    ]
