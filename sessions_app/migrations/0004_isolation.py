"""Requests see and write their partner's sessions, and read the code sets and payers that belong to all."""

from django.db import migrations

from partners.isolation_policies import isolate, let_requests_append, let_requests_read


class Migration(migrations.Migration):
    dependencies = [
        ("sessions_app", "0003_changes_by_trigger"),
        ("partners", "0003_isolation"),
        ("billing", "0003_packed_release"),
    ]
    operations = [
        isolate("sessions_app_session", requests_may="SELECT, INSERT, UPDATE"),
        isolate("sessions_app_sessionnote", requests_may="SELECT, INSERT"),
        isolate("sessions_app_sessioncode", requests_may="SELECT, INSERT, DELETE"),
        isolate("sessions_app_sessionevent", requests_may="SELECT, INSERT"),
        isolate("sessions_app_sessionchange", requests_may="INSERT"),
        let_requests_append("sessions_app_sessioncodechange"),
        let_requests_read(
            "billing_payer",
            "billing_payeralias",
            "billing_payerprofile",
            "billing_codesetrelease",
            "billing_diagnosiscode",
        ),
    ]
