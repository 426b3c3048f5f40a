"""Requests see and write their partner's practices and providers; charges are none of their business."""

from django.db import migrations

from partners.isolation_policies import isolate


class Migration(migrations.Migration):
    dependencies = [("providers", "0002_no_two_rates_fit_equally"), ("partners", "0003_isolation")]
    operations = [
        isolate("providers_practice", requests_may="SELECT, INSERT, UPDATE"),
        isolate("providers_provider", requests_may="SELECT, INSERT, UPDATE"),
        isolate("providers_chargeschedule"),
    ]
