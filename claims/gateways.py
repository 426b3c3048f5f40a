"""Which clearinghouse carries which claim, and how each is put together from the settings."""

from collections.abc import Callable
from functools import lru_cache

from django.conf import settings
from django.utils import timezone

from claims.clearinghouse.port import Clearinghouse
from claims.clearinghouse.sandbox.gateway import SandboxClearinghouse
from claims.mailbox import DatabaseMailbox
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


BUILDERS: dict[str, Callable[[], Clearinghouse]] = {SANDBOX: lru_cache(maxsize=1)(_sandbox)}
