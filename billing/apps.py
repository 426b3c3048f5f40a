"""The application of knowledge: true with no partner in the database."""

from django.apps import AppConfig
from django.core.checks import Tags, register

from billing.checks import outside_directory_has_a_key


class BillingConfig(AppConfig):
    name = "billing"
    verbose_name = "Billing knowledge"

    def ready(self) -> None:
        """Have the settings checked at start."""
        register(outside_directory_has_a_key, Tags.compatibility)
