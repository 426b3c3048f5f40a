"""Work that a person ended says with what."""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('claims', '0004_who_placed_a_hold_goes'),
    ]

    operations = [
        migrations.AddField(
            model_name='workitem',
            name='outcome',
            field=models.CharField(blank=True, db_default='', default='', help_text='What a person ended it with.', max_length=200),
        ),
    ]
