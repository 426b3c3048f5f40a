"""Whether an electronic remittance could come for a claim when it was built; what staff keep is recorded."""

from django.db import migrations, models


def watch(table: str) -> migrations.RunSQL:
    return migrations.RunSQL(
        f"CREATE TRIGGER set_up_is_recorded AFTER INSERT OR UPDATE OR DELETE ON {table} FOR EACH ROW "
        f"EXECUTE FUNCTION claims_record_set_up_change('npi', 'updated_at', '');",
        f"DROP TRIGGER set_up_is_recorded ON {table};",
    )


class Migration(migrations.Migration):
    dependencies = [
        ("claims", "0013_reviews_undone_rules_counted"),
        ("billing", "0005_what_payers_want"),
        ("providers", "0004_enrollments_and_allowed_amounts"),
    ]
    operations = [
        migrations.AddField(
            model_name="claim",
            name="remittances_expected",
            field=models.BooleanField(
                db_default=True,
                help_text=(
                    "Built while an electronic remittance could come; without one an inquiry's answer settles."
                ),
            ),
        ),
        migrations.AddIndex(
            model_name="transmission",
            index=models.Index(fields=["reference"], name="transmission_by_reference"),
        ),
        watch("providers_enrollment"),
        watch("billing_npirecord"),
    ]
