"""The index of days gets what a page is ordered by, so that it finds the page without reading rows."""

from django.contrib.postgres.operations import AddIndexConcurrently, RemoveIndexConcurrently
from django.db import migrations, models


class Migration(migrations.Migration):
    atomic = False
    dependencies = [("sessions_app", "0007_pages_cost_alike")]
    operations = [
        AddIndexConcurrently(
            model_name="session",
            index=models.Index(
                fields=["partner", "date_of_service"],
                include=["created_at", "id"],
                name="session_by_date_newest",
            ),
        ),
        RemoveIndexConcurrently(model_name="session", name="session_by_date"),
    ]
