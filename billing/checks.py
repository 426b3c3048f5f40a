"""Settings of this application that do not fit together."""

import re
from typing import Any

from django.conf import settings
from django.core.checks import CheckMessage, Error


def outside_directory_has_a_key(app_configs: Any, **kwargs: Any) -> list[CheckMessage]:
    """Stedi's payer directory can't be asked without a key that a request can carry."""
    if settings.PAYER_DIRECTORY == "stedi" and not re.fullmatch("[!-~]+", settings.STEDI_API_KEY):
        what = "has a character that no key has" if settings.STEDI_API_KEY else "is empty"
        return [
            Error(
                f"PAYER_DIRECTORY is stedi, but STEDI_API_KEY {what}.",
                hint="Set STEDI_API_KEY, or PAYER_DIRECTORY=database.",
                id="billing.E001",
            )
        ]
    return []
