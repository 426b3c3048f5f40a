"""Control numbers come from sequences: never reused, unique whoever asks, refused when they run out."""

from django.db import migrations

NAMES = ("interchange", "group", "transaction")


class Migration(migrations.Migration):
    dependencies = [("claims", "0001_initial")]
    operations = [
        migrations.RunSQL(
            sql=f"CREATE SEQUENCE claims_{name}_control_number AS bigint MINVALUE 1 MAXVALUE 999999999 NO CYCLE",
            reverse_sql=f"DROP SEQUENCE claims_{name}_control_number",
        )
        for name in NAMES
    ]
