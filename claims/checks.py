"""System checks of the claims process: a live clearinghouse needs its settings before the first claim."""

from typing import Any

from django.conf import settings
from django.core.checks import CheckMessage, Error, register

from claims.clearinghouse.address import GatewayAddressError, check_gateway_address
from claims.gateways import BUILDERS, SANDBOX, gateway_names
from claims.note_model import problem

REQUIRED_FOR_SFTP = ("host", "host_key", "username")


@register()
def check_gateways(app_configs: Any, **_: Any) -> list[CheckMessage]:
    """Every clearinghouse in use is one that we have, with what it needs to be reached, over TLS."""
    found: list[CheckMessage] = []
    names = set(gateway_names()) - {SANDBOX}
    for name in sorted(names - BUILDERS.keys()):
        found.append(
            Error(f"LIVE_GATEWAY_BY_PAYER names {name!r}; there are only stedi and sftp.", id="claims.E001")
        )
    if "stedi" in names:
        if not settings.STEDI_API_KEY:
            found.append(Error("STEDI_API_KEY must be set for live claims to go to Stedi.", id="claims.E002"))
        found += _address("STEDI_HEALTHCARE_URL", settings.STEDI_HEALTHCARE_URL)
        found += _address("STEDI_CORE_URL", settings.STEDI_CORE_URL)
    if "sftp" in names:
        missing = [f"SFTP_{part.upper()}" for part in REQUIRED_FOR_SFTP if not settings.SFTP[part]]
        if missing:
            found.append(
                Error(f"{', '.join(missing)} must be set for live claims to go by SFTP.", id="claims.E003")
            )
        if bool(settings.SFTP["password"]) == bool(settings.SFTP["private_key"]):
            found.append(Error("Set one of SFTP_PASSWORD and SFTP_PRIVATE_KEY.", id="claims.E004"))
    if not settings.SANDBOX_SPEED > 0:
        found.append(Error("SANDBOX_SPEED must be above 0.", id="claims.E005"))
    return found


@register()
def check_note_model(app_configs: Any, **_: Any) -> list[CheckMessage]:
    """A language model that was chosen to read notes is one that they may be sent to."""
    found = problem()
    return [Error(f"CODER_ENGINE is {settings.CODER_ENGINE}: {found}.", id="claims.E007")] if found else []


def _address(setting: str, url: str) -> list[CheckMessage]:
    try:
        check_gateway_address(url, allow_private=not settings.PRODUCTION)
    except GatewayAddressError as error:
        return [Error(f"{setting}: {error}.", id="claims.E006")]
    except OSError:
        return []  # the name can't be resolved just now; every call checks the address again
    return []
