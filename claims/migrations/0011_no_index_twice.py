"""Indexes that another index begins with, or that nothing is looked up by; the payer's number keeps one."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

GONE = {
    "claims_claim_payer_control_number_b2d6fae1_like": "claims_claim (payer_control_number varchar_pattern_ops)",
    "claims_claimchange_pgh_obj_id_2c346ee8": "claims_claimchange (pgh_obj_id)",
    "claims_claimchange_session_id_a05bbb4e": "claims_claimchange (session_id)",
    "claims_claimline_claim_id_bc37483f": "claims_claimline (claim_id)",
    "claims_claimsignal_patient_control_number_d2e94e81": "claims_claimsignal (patient_control_number)",
    "claims_claimsignal_patient_control_number_d2e94e81_like": "claims_claimsignal (patient_control_number varchar_pattern_ops)",
    "claims_correctiondraft_session_id_0b3a0369": "claims_correctiondraft (session_id)",
    "claims_transmittedclaim_claim_id_8cf5fdd7": "claims_transmittedclaim (claim_id)",
    "claims_transmittedclaim_transmission_id_c63628dd": "claims_transmittedclaim (transmission_id)",
    "claims_viewrecord_user_id_b7555134": "claims_viewrecord (user_id)",
    "claims_workitem_assignee_id_0bfa4083": "claims_workitem (assignee_id)",
    "claims_workitem_leased_by_id_e704efb6": "claims_workitem (leased_by_id)",
}


class Migration(migrations.Migration):

    atomic = False

    dependencies = [
        ('claims', '0010_typed_remittances'),
        ('partners', '0003_no_index_twice'),
        ('sessions_app', '0004_no_index_twice'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.SeparateDatabaseAndState(
            database_operations=[
                migrations.RunSQL(
                    "ALTER INDEX IF EXISTS claims_claim_payer_control_number_b2d6fae1 RENAME TO claim_by_payer_number",
                    "ALTER INDEX IF EXISTS claim_by_payer_number RENAME TO claims_claim_payer_control_number_b2d6fae1",
                ),
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
                    model_name='claim',
                    name='payer_control_number',
                    field=models.CharField(blank=True, default='', max_length=50),
                ),
                migrations.AlterField(
                    model_name='claimchange',
                    name='pgh_obj',
                    field=models.ForeignKey(db_constraint=False, db_index=False, null=True, on_delete=django.db.models.deletion.DO_NOTHING, related_name='+', to='claims.claim'),
                ),
                migrations.AlterField(
                    model_name='claimchange',
                    name='session',
                    field=models.ForeignKey(db_constraint=False, db_index=False, on_delete=django.db.models.deletion.DO_NOTHING, related_name='+', related_query_name='+', to='sessions_app.session'),
                ),
                migrations.AlterField(
                    model_name='claimline',
                    name='claim',
                    field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='lines', to='claims.claim'),
                ),
                migrations.AlterField(
                    model_name='claimsignal',
                    name='patient_control_number',
                    field=models.CharField(blank=True, default='', max_length=50),
                ),
                migrations.AlterField(
                    model_name='correctiondraft',
                    name='session',
                    field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='correction_drafts', to='sessions_app.session'),
                ),
                migrations.AlterField(
                    model_name='transmittedclaim',
                    name='claim',
                    field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='transmissions', to='claims.claim'),
                ),
                migrations.AlterField(
                    model_name='transmittedclaim',
                    name='transmission',
                    field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='claims', to='claims.transmission'),
                ),
                migrations.AlterField(
                    model_name='viewrecord',
                    name='user',
                    field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL),
                ),
                migrations.AlterField(
                    model_name='workitem',
                    name='assignee',
                    field=models.ForeignKey(blank=True, db_index=False, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL),
                ),
                migrations.AlterField(
                    model_name='workitem',
                    name='leased_by',
                    field=models.ForeignKey(blank=True, db_index=False, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL),
                ),
                migrations.AddIndex(
                    model_name='claim',
                    index=models.Index(fields=['payer_control_number'], name='claim_by_payer_number'),
                ),
            ],
        ),
    ]
