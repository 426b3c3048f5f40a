"""Redis as Celery's broker, where whoever comes to a closed connection, or to a full Redis, is told so.

kombu (5.7) lets go of a lost connection before all of its channels are closed. What they still do then, give
unfinished messages back or acknowledge one, meets an AttributeError, and that ends the worker; a connection
error is what it gets over. A Redis that answers and takes no writes, as a full one does, would end it too;
that one can't be connected to here, and a worker waits for it.
"""

from typing import Any

from kombu.transport import redis
from redis.exceptions import ResponseError

from claims import heartbeats


class Channel(redis.Channel):
    def _connparams(self, asynchronous: bool = False) -> Any:
        if self.connection is None or self.connection.client is None:
            raise ConnectionResetError("The connection to the broker was closed.")
        return super()._connparams(asynchronous=asynchronous)  # type: ignore[misc]  # the stubs lack it


class Transport(redis.Transport):
    Channel = Channel
    connection_errors = (*redis.Transport.connection_errors, ResponseError)

    def establish_connection(self) -> Any:
        """Connect, and see that a task can be put there."""
        connection: Any = super().establish_connection()
        [channel] = self._avail_channels  # type: ignore[attr-defined]  # the stubs lack it
        if not heartbeats.takes_writes(channel.client):
            self.close_connection(connection)
            raise ConnectionRefusedError("It answers and takes no writes (docs/runbook/broker-down.md)")
        return connection
