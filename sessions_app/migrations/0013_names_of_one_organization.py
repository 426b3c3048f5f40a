"""The index of names gets the organization, so that a rare name is found without the rows of all others."""

from django.contrib.postgres.indexes import GinIndex
from django.contrib.postgres.operations import AddIndexConcurrently, RemoveIndexConcurrently
from django.db import migrations


class Migration(migrations.Migration):
    atomic = False
    dependencies = [("sessions_app", "0012_days_from_the_last")]
    operations = [
        AddIndexConcurrently(
            model_name="session",
            index=GinIndex(
                fields=["partner", "patient_search_name"],
                opclasses=["uuid_ops", "gin_trgm_ops"],
                name="session_by_name_of_one",
            ),
        ),
        RemoveIndexConcurrently(model_name="session", name="session_by_name"),
    ]
