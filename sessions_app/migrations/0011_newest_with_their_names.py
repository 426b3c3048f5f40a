"""The index of the newest sessions gets their names, so that a common one is found without reading rows."""

from django.contrib.postgres.operations import AddIndexConcurrently, RemoveIndexConcurrently
from django.db import migrations, models


class Migration(migrations.Migration):
    atomic = False
    dependencies = [("sessions_app", "0010_history_by_month")]
    operations = [
        AddIndexConcurrently(
            model_name="session",
            index=models.Index(
                fields=["partner", "-created_at", "-id"],
                include=["patient_search_name"],
                name="session_newest_named",
            ),
        ),
        RemoveIndexConcurrently(model_name="session", name="session_newest"),
    ]
