"""Requests run as a role that sees one partner's rows; staff and workers have roles that see all."""

from django.db import migrations

from partners.isolation_policies import isolate, make_roles


class Migration(migrations.Migration):
    dependencies = [("partners", "0002_access_record")]
    operations = [
        make_roles(),
        isolate("partners_partner", owner="id", requests_may="SELECT"),
        isolate("partners_apikey"),
        isolate("partners_idempotencyrecord", requests_may="SELECT, INSERT, UPDATE, DELETE"),
        isolate("partners_accessrecord", requests_may="INSERT"),
    ]
