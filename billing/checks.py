"""Settings of this application that do not fit together."""

from typing import Any

from django.conf import settings
from django.core.checks import CheckMessage, Error


def outside_directory_has_a_key(app_configs: Any, **kwargs: Any) -> list[CheckMessage]:
    """Stedi's payer directory can't be asked without a key."""
    if settings.PAYER_DIRECTORY == "stedi" and not settings.STEDI_API_KEY:
        return [
            Error(
                "PAYER_DIRECTORY is stedi, but STEDI_API_KEY is empty.",
                hint="Set STEDI_API_KEY, or PAYER_DIRECTORY=database.",
                id="billing.E001",
            )
        ]
    return []
