"""What the sender of an answer wrote beside its codes is kept, encrypted."""

import partners.fields
from django.db import migrations


class Migration(migrations.Migration):

    dependencies = [
        ('claims', '0011_no_index_twice'),
    ]

    operations = [
        migrations.AddField(
            model_name='claimsignal',
            name='words',
            field=partners.fields.EncryptedTextField(help_text='What its sender wrote beside the codes, a message a line; for staff alone.', null=True),
        ),
    ]
