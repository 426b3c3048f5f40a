from collections.abc import Callable, Iterator

import httpx
import pytest

from claims.clearinghouse.stedi import StediClearinghouse, StediSettings, Submitter, Transport
from claims.x12.claim import Usage
from tests.claims.clearinghouse.stedi.server import API_KEY, StediServer


@pytest.fixture
def server() -> Iterator[StediServer]:
    with StediServer().running() as server:
        yield server


@pytest.fixture
def pauses() -> list[float]:
    return []


@pytest.fixture
def transport_with(pauses: list[float]) -> Iterator[Callable[..., Transport]]:
    client = httpx.Client(timeout=20, verify=False)  # the server speaks no TLS: no authorities are read

    def build(api_key: str = API_KEY, **changes: object) -> Transport:
        settings = {"client": client, "pause": pauses.append, "allow_private": True} | changes
        return Transport(api_key, **settings)

    yield build
    client.close()


@pytest.fixture
def gateway_with(
    server: StediServer, transport_with: Callable[..., Transport]
) -> Callable[..., StediClearinghouse]:
    def build(*, usage: Usage = Usage.TEST, **changes: object) -> StediClearinghouse:
        settings = StediSettings(
            submitter=Submitter("PARTNER BILLING INC", "5125550100"),
            usage=usage,
            healthcare_url=server.url,
            core_url=server.url,
        )
        return StediClearinghouse(transport_with(**changes), settings, clock=lambda: server.now)

    return build


@pytest.fixture
def hasty(gateway_with: Callable[..., StediClearinghouse]) -> Iterator[StediClearinghouse]:
    """The gateway with half a second's patience, for a server that doesn't answer."""
    with httpx.Client(timeout=0.5, verify=False) as client:
        yield gateway_with(client=client)


@pytest.fixture
def gateway(gateway_with: Callable[..., StediClearinghouse]) -> StediClearinghouse:
    return gateway_with()
