"""An override is about one version of its session, so a session may have several of one rule."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("claims", "0001_first_release")]

    operations = [
        migrations.AddField(
            model_name="override",
            name="session_version",
            field=models.PositiveIntegerField(
                help_text="The session's version that the lead saw; none: it counts for every one.", null=True
            ),
        ),
        migrations.RemoveConstraint(model_name="override", name="override_once"),
    ]
