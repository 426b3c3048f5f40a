"""Indexes that another index begins with, or that nothing is looked up by."""

import django.db.models.deletion
from django.db import migrations, models

GONE = {
    "sessions_app_sessionchange_partner_id_1f3fe1f8": "sessions_app_sessionchange (partner_id)",
    "sessions_app_sessionchange_pgh_obj_id_c899da4d": "sessions_app_sessionchange (pgh_obj_id)",
    "sessions_app_sessionchange_provider_id_80044f92": "sessions_app_sessionchange (provider_id)",
    "sessions_app_sessioncodechange_pgh_obj_id_3dd4943f": "sessions_app_sessioncodechange (pgh_obj_id)",
    "sessions_app_sessioncodechange_session_id_3596f62e": "sessions_app_sessioncodechange (session_id)",
    "sessions_app_sessionnote_partner_id_ed49af24": "sessions_app_sessionnote (partner_id)",
}


class Migration(migrations.Migration):

    atomic = False

    dependencies = [
        ('partners', '0003_no_index_twice'),
        ('providers', '0003_no_index_twice'),
        ('sessions_app', '0003_names_by_their_keys'),
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
                    model_name='sessionchange',
                    name='partner',
                    field=models.ForeignKey(db_constraint=False, db_index=False, on_delete=django.db.models.deletion.DO_NOTHING, related_name='+', related_query_name='+', to='partners.partner'),
                ),
                migrations.AlterField(
                    model_name='sessionchange',
                    name='pgh_obj',
                    field=models.ForeignKey(db_constraint=False, db_index=False, null=True, on_delete=django.db.models.deletion.DO_NOTHING, related_name='+', to='sessions_app.session'),
                ),
                migrations.AlterField(
                    model_name='sessionchange',
                    name='provider',
                    field=models.ForeignKey(db_constraint=False, db_index=False, on_delete=django.db.models.deletion.DO_NOTHING, related_name='+', related_query_name='+', to='providers.provider'),
                ),
                migrations.AlterField(
                    model_name='sessioncodechange',
                    name='pgh_obj',
                    field=models.ForeignKey(db_constraint=False, db_index=False, null=True, on_delete=django.db.models.deletion.DO_NOTHING, related_name='+', to='sessions_app.sessioncode'),
                ),
                migrations.AlterField(
                    model_name='sessioncodechange',
                    name='session',
                    field=models.ForeignKey(db_constraint=False, db_index=False, on_delete=django.db.models.deletion.DO_NOTHING, related_name='+', related_query_name='+', to='sessions_app.session'),
                ),
                migrations.AlterField(
                    model_name='sessionnote',
                    name='partner',
                    field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='partners.partner'),
                ),
            ],
        ),
    ]
