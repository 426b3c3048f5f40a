"""The application of partners: who may call, and what keeps them apart."""

from django.apps import AppConfig
from django.core.checks import Tags, register

from partners.checks import (
    database_keeps_partners_apart,
    database_logs_no_statement,
    proxies_are_counted,
    secrets_are_strong,
    stored_values_can_be_read,
)


class PartnersConfig(AppConfig):
    name = "partners"
    verbose_name = "Partners"

    def ready(self) -> None:
        """Have the database and the secrets checked."""
        register(database_keeps_partners_apart, Tags.database)
        register(database_logs_no_statement, Tags.database)
        register(stored_values_can_be_read, Tags.database)
        register(secrets_are_strong, Tags.security)
        register(proxies_are_counted, Tags.security, deploy=True)
