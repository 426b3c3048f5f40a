"""The index of days runs back from the last one: what a page takes comes first, and the rest is passed over."""

from django.contrib.postgres.operations import AddIndexConcurrently, RemoveIndexConcurrently
from django.db import migrations, models


class Migration(migrations.Migration):
    atomic = False
    dependencies = [("sessions_app", "0011_newest_with_their_names")]
    operations = [
        AddIndexConcurrently(
            model_name="session",
            index=models.Index(
                fields=["partner", "-date_of_service"],
                include=["created_at", "id"],
                name="session_by_date_back",
            ),
        ),
        RemoveIndexConcurrently(model_name="session", name="session_by_date_newest"),
    ]
