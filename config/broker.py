"""Redis as Celery's broker, where whoever comes to a closed connection is told so.

kombu (5.7) lets go of a lost connection before all of its channels are closed. What they still do then, give
unfinished messages back or acknowledge one, meets an AttributeError, and that ends the worker; a connection
error is what it gets over.
"""

from typing import Any

from kombu.transport import redis


class Channel(redis.Channel):
    def _connparams(self, asynchronous: bool = False) -> Any:
        if self.connection is None or self.connection.client is None:
            raise ConnectionResetError("The connection to the broker was closed.")
        return super()._connparams(asynchronous=asynchronous)  # type: ignore[misc]  # the stubs lack it


class Transport(redis.Transport):
    Channel = Channel
