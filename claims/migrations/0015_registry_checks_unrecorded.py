"""That the NPI registry was read again is no change of the set-up; what it says otherwise is one."""

from django.db import migrations

WATCH = (
    "CREATE TRIGGER set_up_is_recorded AFTER INSERT OR UPDATE OR DELETE ON billing_npirecord FOR EACH ROW "
    "EXECUTE FUNCTION claims_record_set_up_change('npi', '{}', '');"
)
UNWATCH = "DROP TRIGGER set_up_is_recorded ON billing_npirecord;"


class Migration(migrations.Migration):
    dependencies = [("claims", "0014_remittances_expected")]
    operations = [
        migrations.RunSQL(
            UNWATCH + WATCH.format("updated_at,source,checked_on"), UNWATCH + WATCH.format("updated_at")
        )
    ]
