"""A partner may have its own confidence from which a code read from a note needs no person."""

from decimal import Decimal

from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("partners", "0001_first_release")]

    operations = [
        migrations.AddField(
            model_name="partner",
            name="coder_threshold",
            field=models.DecimalField(
                blank=True,
                decimal_places=3,
                help_text=(
                    "Confidence from which a code read from a note needs no person, 0.5 to 1; "
                    "empty is the service's default."
                ),
                max_digits=4,
                null=True,
                validators=[MinValueValidator(Decimal("0.5")), MaxValueValidator(Decimal(1))],
            ),
        ),
    ]
