"""Claims that wait are found by their status: the index held every claim that ever left."""

from django.contrib.postgres.operations import RemoveIndexConcurrently
from django.db import migrations


class Migration(migrations.Migration):

    atomic = False

    dependencies = [
        ('claims', '0008_why_a_remittance_was_refused'),
    ]

    operations = [RemoveIndexConcurrently(model_name='claim', name='claim_waiting')]
