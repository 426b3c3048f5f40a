"""Requests see their partner's claims, and start them again; everything else of the process is not theirs."""

from django.db import migrations

from partners.isolation_policies import isolate, let_requests_append


class Migration(migrations.Migration):
    dependencies = [("claims", "0004_reviews_and_changes"), ("partners", "0003_isolation")]
    operations = [
        isolate("claims_claim", requests_may="SELECT, INSERT, UPDATE"),
        let_requests_append("claims_claimchange"),
        isolate("claims_workitem", requests_may="SELECT, UPDATE"),
        *(
            isolate(f"claims_{table}")
            for table in (
                "claimline",
                "finding",
                "override",
                "transmission",
                "transmittedclaim",
                "claimsignal",
                "ledgerentry",
                "dailyfigure",
                "answermatch",
                "notereview",
            )
        ),
    ]
