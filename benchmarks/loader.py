"""A loader that is not the bottleneck: keep-alive connections, each with one request under way."""

import asyncio
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import cast


@dataclass
class Load:
    """What came back within the measured time."""

    seconds: float
    latencies: list[float] = field(default_factory=list)
    statuses: dict[int, int] = field(default_factory=dict)

    @property
    def rate(self) -> float:
        """Requests a second."""
        return len(self.latencies) / self.seconds


class _Connection(asyncio.Protocol):
    def __init__(self, load: Load, write_request: Callable[[], bytes], until: float) -> None:
        self.load, self.write_request, self.until = load, write_request, until
        self.ended: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.buffer = b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = cast(asyncio.Transport, transport)
        self._send()

    def _send(self) -> None:
        self.sent_at = time.perf_counter()
        self.transport.write(self.write_request())

    def data_received(self, data: bytes) -> None:
        self.buffer += data
        head, gap, body = self.buffer.partition(b"\r\n\r\n")
        if not gap:
            return
        lowered = head.lower()
        at = lowered.find(b"content-length:")
        if at >= 0:
            if len(body) < int(lowered[at + 15 :].partition(b"\r\n")[0]):
                return
        elif not body.endswith(b"0\r\n\r\n"):
            return
        now = time.perf_counter()
        status = int(head[9:12])
        self.load.statuses[status] = self.load.statuses.get(status, 0) + 1
        self.load.latencies.append(now - self.sent_at)
        self.buffer = b""
        if now < self.until:
            self._send()
        else:
            self.transport.close()

    def connection_lost(self, error: Exception | None) -> None:
        if not self.ended.done():
            self.ended.set_result(None)


def run_load(port: int, *, write_request: Callable[[], bytes], connections: int, seconds: float) -> Load:
    """Ask the server on this loopback port for so many seconds."""

    async def run() -> Load:
        loop = asyncio.get_running_loop()
        load = Load(seconds)
        until = time.perf_counter() + seconds
        made = [
            await loop.create_connection(lambda: _Connection(load, write_request, until), "127.0.0.1", port)
            for _ in range(connections)
        ]
        await asyncio.wait_for(asyncio.gather(*(protocol.ended for _, protocol in made)), seconds + 30)
        return load

    return asyncio.run(run())
