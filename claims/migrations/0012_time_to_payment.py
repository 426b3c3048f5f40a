"""How long a payment took, on the claim itself, so that the home page's bars lead to exactly their rows."""

from django.db import migrations, models

BACKFILL = """
UPDATE claims_claim AS claim
SET paid_after_days = least(greatest(first.paid_on - session.date_of_service, 0), 9999)
FROM sessions_app_session AS session,
    (SELECT claim_id, min(effective_date) AS paid_on FROM claims_claimsignal WHERE kind = '835' GROUP BY 1)
        AS first
WHERE session.id = claim.session_id AND first.claim_id = claim.id AND claim.paid > 0
"""


class Migration(migrations.Migration):
    dependencies = [
        ("claims", "0011_set_up_changes"),
        ("partners", "0003_isolation"),
        ("sessions_app", "0008_days_with_their_newest"),
    ]
    operations = [
        migrations.AddField(
            model_name="claim",
            name="paid_after_days",
            field=models.PositiveSmallIntegerField(
                help_text="Days from the service to the first payment, while something of it is left.",
                null=True,
            ),
        ),
        migrations.RunSQL(BACKFILL, migrations.RunSQL.noop),
        migrations.AddIndex(
            model_name="claim",
            index=models.Index(
                condition=models.Q(("paid_after_days__isnull", False)),
                fields=["paid_after_days", "-session"],
                name="claim_by_wait",
            ),
        ),
    ]
