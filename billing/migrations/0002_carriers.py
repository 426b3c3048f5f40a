"""The payer table of our own: carriers with their aliases and profiles."""

from django.db import migrations

from billing.payers.catalog import record_carriers


def record(apps, schema_editor):
    record_carriers(
        payer_model=apps.get_model("billing", "Payer"),
        alias_model=apps.get_model("billing", "PayerAlias"),
        profile_model=apps.get_model("billing", "PayerProfile"),
    )


class Migration(migrations.Migration):
    dependencies = [("billing", "0001_initial")]
    operations = [migrations.RunPython(record, migrations.RunPython.noop, elidable=False)]
