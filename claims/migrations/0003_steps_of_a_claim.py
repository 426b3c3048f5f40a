"""A claim is never done: answers may always come. Its tries are those of its present step."""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('claims', '0002_overrides_of_a_version'),
    ]

    operations = [
        migrations.AlterField(
            model_name='claim',
            name='attempts',
            field=models.PositiveSmallIntegerField(default=0, help_text='Tries of its present step.'),
        ),
        migrations.AlterField(
            model_name='claim',
            name='step',
            field=models.CharField(choices=[('code', 'Find codes and charges'), ('check', 'Check against the claim rules'), ('window', 'Wait for corrections'), ('build', 'Build the claim'), ('send', 'Hand over to the clearinghouse'), ('follow', 'Follow the answers'), ('held', 'Held for a person')], default='code', max_length=6),
        ),
    ]
