"""System checks of the claims process: a live clearinghouse needs its settings before the first claim."""

import re
from typing import Any

from django.conf import settings
from django.core.checks import CheckMessage, Error, register
from django.utils import timezone

from claims.clearinghouse.address import GatewayAddressError, check_gateway_address
from claims.clearinghouse.port import ClearinghouseError
from claims.clearinghouse.sftp_session import host_key_of, private_key_of
from claims.gateways import BUILDERS, SANDBOX, gateway_names
from claims.note_model import problem
from claims.transmission import envelope_of
from claims.x12.claim import Usage
from claims.x12.invariants import ClaimFormatError

REQUIRED_FOR_SFTP = ("host", "host_key", "username")
SFTP_KEYS = {"host_key": host_key_of, "private_key": private_key_of}
TOLD_TO_STEDI = ("SUBMITTER_NAME", "SUBMITTER_PHONE")
IN_ENVELOPE = {
    "sender_id": "SUBMITTER_ID",
    "receiver_id": "RECEIVER_ID",
    "submitter_name": "SUBMITTER_NAME",
    "submitter_contact_name": "SUBMITTER_CONTACT",
    "submitter_phone": "SUBMITTER_PHONE",
    "receiver_name": "RECEIVER_NAME",
}


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
        elif not re.fullmatch("[!-~]+", settings.STEDI_API_KEY):
            words = "STEDI_API_KEY has a character that no key has: copy it anew."
            found.append(Error(words, id="claims.E002"))
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
        if broken := [f"SFTP_{part.upper()}" for part in SFTP_KEYS if not _is_key(part)]:
            found.append(Error(f"{', '.join(broken)} can't be read.", id="claims.E010"))
    if not settings.SANDBOX_SPEED > 0:
        found.append(Error("SANDBOX_SPEED must be above 0.", id="claims.E005"))
    return found


@register()
def check_submitter(app_configs: Any, **_: Any) -> list[CheckMessage]:
    """An 837P can carry who we are, and live claims of production don't say it by what is invented."""
    given = {f"SUBMITTER_{part.upper()}": value for part, value in settings.SUBMITTER.items()}
    given |= {f"RECEIVER_{part.upper()}": value for part, value in settings.RECEIVER.items()}
    live = set(gateway_names()) - {SANDBOX} if settings.PRODUCTION else set()
    told = given.keys() if "sftp" in live else TOLD_TO_STEDI if live else ()
    found: list[CheckMessage] = []
    if invented := [name for name in told if given[name] == settings.INVENTED[name]]:
        words = "must be set for live claims to leave: what stands for them is invented."
        found.append(Error(f"{', '.join(invented)} {words}", id="claims.E008"))
    try:
        envelope_of(
            usage=Usage.TEST,
            interchange_control_number=1,
            group_control_number=1,
            batch_id="B1",
            created_at=timezone.now(),
        )
    except ClaimFormatError as error:
        found += [Error(f"{IN_ENVELOPE[path]} {words}.", id="claims.E009") for path, words in error.faults]
    return found


@register()
def check_note_model(app_configs: Any, **_: Any) -> list[CheckMessage]:
    """A language model that was chosen to read notes is one that they may be sent to."""
    found = problem()
    return [Error(f"CODER_ENGINE is {settings.CODER_ENGINE}: {found}.", id="claims.E007")] if found else []


def _is_key(part: str) -> bool:
    """Whether this SFTP key can be read, where one is given."""
    try:
        return not settings.SFTP[part] or bool(SFTP_KEYS[part](settings.SFTP[part]))
    except ClearinghouseError:
        return False


def _address(setting: str, url: str) -> list[CheckMessage]:
    try:
        check_gateway_address(url, allow_private=not settings.PRODUCTION)
    except GatewayAddressError as error:
        return [Error(f"{setting}: {error}.", id="claims.E006")]
    except OSError:
        return []  # the name can't be resolved just now; every call checks the address again
    return []
