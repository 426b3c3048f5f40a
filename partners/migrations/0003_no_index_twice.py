"""An index that another index begins with."""

import django.db.models.deletion
from django.db import migrations, models

GONE = {
    "partners_idempotencyrecord_partner_id_3b551bf2": "partners_idempotencyrecord (partner_id)",
}


class Migration(migrations.Migration):

    atomic = False

    dependencies = [
        ('partners', '0002_coder_threshold'),
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
                    model_name='idempotencyrecord',
                    name='partner',
                    field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, to='partners.partner'),
                ),
            ],
        ),
    ]
