"""Accounts that one administrator set up wait for another; who did what is written down."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


WATCH = """
CREATE TRIGGER set_up_is_recorded AFTER INSERT OR UPDATE OR DELETE ON claims_unconfirmed FOR EACH ROW
EXECUTE FUNCTION claims_record_set_up_change('user_id', '', '');
"""


class Migration(migrations.Migration):

    dependencies = [
        ('claims', '0006_second_factors_encrypted'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='Unconfirmed',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('by', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('user', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
        ),
        migrations.RunSQL(WATCH, "DROP TRIGGER set_up_is_recorded ON claims_unconfirmed;"),
    ]
