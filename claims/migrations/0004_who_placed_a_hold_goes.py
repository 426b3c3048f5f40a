"""A legal hold doesn't name who placed it: nothing ever wrote that. The next release drops the column."""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("claims", "0003_steps_of_a_claim")]
    operations = [
        migrations.SeparateDatabaseAndState(
            state_operations=[migrations.RemoveField(model_name="legalhold", name="placed_by")]
        ),
    ]
