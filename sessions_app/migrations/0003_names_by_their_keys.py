"""The index of names holds their keys: a rare name is found without the list of the organization's sessions.

How common a name is decides how to look for it. A sample of the organization's own names tells that now, not
PostgreSQL's statistics, which need no more than their usual size.
"""

from django.contrib.postgres.indexes import GinIndex
from django.contrib.postgres.operations import AddIndexConcurrently, RemoveIndexConcurrently
from django.db import migrations
from django.db.models import Func


class Migration(migrations.Migration):
    atomic = False
    dependencies = [("sessions_app", "0002_keys_of_names")]
    operations = [
        AddIndexConcurrently(
            model_name="session",
            index=GinIndex(
                Func("partner", "patient_search_name", function="name_keys"), name="session_by_name_keys"
            ),
        ),
        migrations.RunSQL(
            "ALTER INDEX session_by_name_keys ALTER COLUMN 1 SET STATISTICS 0",
            migrations.RunSQL.noop,
        ),
        migrations.RunSQL(
            "ALTER TABLE sessions_app_session ALTER COLUMN patient_search_name SET STATISTICS -1",
            "ALTER TABLE sessions_app_session ALTER COLUMN patient_search_name SET STATISTICS 1000",
        ),
        RemoveIndexConcurrently(model_name="session", name="session_by_name_of_one"),
    ]
