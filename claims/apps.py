from django.apps import AppConfig


class ClaimsConfig(AppConfig):
    name = "claims"
    verbose_name = "Claims"

    def ready(self) -> None:
        """Register the system checks."""
        from claims import checks  # noqa: F401 (models must be loaded first)
