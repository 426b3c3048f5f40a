"""Which clearinghouse carries which claim, and how each is put together from the settings."""

from collections.abc import Callable
from datetime import timedelta
from functools import lru_cache

import httpx
from django.conf import settings
from django.utils import timezone

from billing.circuit import CircuitBreaker
from claims.clearinghouse.port import Clearinghouse
from claims.clearinghouse.sandbox.gateway import SandboxClearinghouse
from claims.clearinghouse.sftp import SftpClearinghouse
from claims.clearinghouse.sftp_session import SftpSettings
from claims.clearinghouse.stedi import StediClearinghouse, StediSettings, Submitter, Transport
from claims.mailbox import DatabaseMailbox
from claims.x12.claim import Usage
from partners.models import Mode

SANDBOX = "sandbox"


def name_for(mode: str, *, payer_id: str) -> str | None:
    """The clearinghouse for claims of this mode and payer; None where a live one has not been set up.

    A test organization's claims go to the sandbox, whatever the settings say.
    """
    if mode == Mode.TEST:
        return SANDBOX
    name: str = settings.LIVE_GATEWAY_BY_PAYER.get(payer_id, settings.LIVE_GATEWAY)
    return None if name == "none" else name


def gateway_names() -> list[str]:
    """Every clearinghouse in use."""
    live = {settings.LIVE_GATEWAY, *settings.LIVE_GATEWAY_BY_PAYER.values()} - {"none"}
    return [SANDBOX, *sorted(live)]


def gateway(name: str) -> Clearinghouse:
    """The clearinghouse of that name."""
    return BUILDERS[name]()


def _sandbox() -> Clearinghouse:
    return SandboxClearinghouse(DatabaseMailbox(), clock=timezone.now, speed=settings.SANDBOX_SPEED)


def _stedi() -> Clearinghouse:
    patience = settings.GATEWAY_TIMEOUT_SECONDS
    timeout = httpx.Timeout(patience, connect=min(5, patience))
    # One payer's failures alone (two of its claims, three tries each) don't close the way to the others.
    circuit = CircuitBreaker(failures=10, rest=timedelta(seconds=settings.RETRY_SECONDS / 2))
    transport = Transport(
        settings.STEDI_API_KEY,
        timeout=timeout,
        circuit=circuit,
        allow_private=not settings.PRODUCTION,
    )
    submitter = Submitter(settings.SUBMITTER["name"], settings.SUBMITTER["phone"])
    urls = {"healthcare_url": settings.STEDI_HEALTHCARE_URL, "core_url": settings.STEDI_CORE_URL}
    return StediClearinghouse(
        transport, StediSettings(submitter, Usage.PRODUCTION, **urls), clock=timezone.now
    )


def _sftp() -> Clearinghouse:
    patience = min(20, settings.GATEWAY_TIMEOUT_SECONDS)
    return SftpClearinghouse(
        SftpSettings(**settings.SFTP, timeout=patience, allow_private=not settings.PRODUCTION)
    )


BUILDERS: dict[str, Callable[[], Clearinghouse]] = {
    SANDBOX: _sandbox,
    "stedi": lru_cache(maxsize=1)(_stedi),
    "sftp": lru_cache(maxsize=1)(_sftp),
}
"""Built when first asked for: after a worker has forked, so that no two share a connection."""
