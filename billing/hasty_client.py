"""An HTTP client that waits for an answer that comes bit by bit no longer than for one that doesn't come."""

from ssl import SSLContext
from time import monotonic
from typing import Any

import httpcore
import httpx


def hasty_client(**options: Any) -> httpx.Client:
    """A client whose read timeout counts from the question to the end of the answer, headers and all."""
    client = httpx.Client(**options)
    for transport in (client._transport, *client._mounts.values()):  # the mounts lead to proxies
        if isinstance(transport, httpx.HTTPTransport):
            transport._pool._network_backend = _Network()
    return client


class _Network(httpcore.SyncBackend):
    def connect_tcp(self, *arguments: Any, **named: Any) -> httpcore.NetworkStream:
        return _Stream(super().connect_tcp(*arguments, **named))


class _Stream(httpcore.NetworkStream):
    """A connection on which a timeout is for all that is read after what was last written."""

    def __init__(self, stream: httpcore.NetworkStream) -> None:
        self._stream = stream
        self._asked_at = monotonic()

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        if timeout is not None:
            timeout -= monotonic() - self._asked_at
            if timeout <= 0:
                raise httpcore.ReadTimeout("The answer doesn't end.")
        return self._stream.read(max_bytes, timeout)

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        self._stream.write(buffer, timeout)
        self._asked_at = monotonic()

    def close(self) -> None:
        self._stream.close()

    def start_tls(
        self, ssl_context: SSLContext, server_hostname: str | None = None, timeout: float | None = None
    ) -> httpcore.NetworkStream:
        return _Stream(self._stream.start_tls(ssl_context, server_hostname, timeout))

    def get_extra_info(self, info: str) -> Any:
        return self._stream.get_extra_info(info)
