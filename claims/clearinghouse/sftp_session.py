"""One SSH connection to a clearinghouse: host key checked, reused for calls in a row, errors sorted."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from io import StringIO
from threading import Lock
from time import monotonic
from typing import Any

import paramiko

from claims.clearinghouse.address import GatewayAddressError, check_gateway_address
from claims.clearinghouse.port import ClearinghouseError, Outcome

IDLE_SECONDS = 30


@dataclass(frozen=True, slots=True)
class SftpSettings:
    """How to reach the clearinghouse's server and where its folders are.

    `host_key` is a line as in known_hosts without the host: type and base64. One of `password` and
    `private_key` (PEM) is given. `processed_directory` is where the clearinghouse moves what it picked up;
    `archive_directory` is where we move what we stored, which is deleted where it is empty.
    """

    host: str
    host_key: str
    username: str
    upload_directory: str
    download_directory: str
    port: int = 22
    password: str = field(default="", repr=False)
    private_key: str = field(default="", repr=False)
    processed_directory: str = ""
    archive_directory: str = ""
    timeout: float = 20
    allow_private: bool = False


class _Client(paramiko.SFTPClient):
    """Lists names that are not UTF-8 too, with what can't be read of them as lone surrogates."""

    def _request(self, t: int, *args: Any) -> tuple[int, paramiko.Message]:
        kind, message = super()._request(t, *args)  # type: ignore[misc]  # the stubs lack it
        message.get_text = lambda: message.get_string().decode("utf-8", "surrogateescape")
        return kind, message


class SftpSession:
    """Connects when it is needed, and again after a failure or a rest."""

    def __init__(self, settings: SftpSettings, *, monotonic: Callable[[], float] = monotonic) -> None:
        self._settings = settings
        self._monotonic = monotonic
        self._lock = Lock()
        self._client: paramiko.SSHClient | None = None
        self._sftp: paramiko.SFTPClient | None = None
        self._used_at = 0.0

    def close(self) -> None:
        """End the connection, if there is one."""
        with self._lock:
            self._disconnect()

    @contextmanager
    def open(self) -> Iterator[paramiko.SFTPClient]:
        """Give the open session, one caller at a time; whatever goes wrong closes it.

        A failure means "not taken" here, because the one step that hands something over says so itself.
        """
        with self._lock, failures_as(Outcome.NOT_TAKEN):
            try:
                yield self._connected()
                self._used_at = self._monotonic()
            except BaseException:
                self._disconnect()
                raise

    def _connected(self) -> paramiko.SFTPClient:
        rested = self._monotonic() - self._used_at
        if self._sftp is not None and rested < IDLE_SECONDS:
            return self._sftp
        self._disconnect()
        settings = self._settings
        check_gateway_address(f"sftp://{settings.host}:{settings.port}", allow_private=settings.allow_private)
        self._client = client = paramiko.SSHClient()
        host = settings.host if settings.port == 22 else f"[{settings.host}]:{settings.port}"
        host_key = host_key_of(settings.host_key)
        client.get_host_keys().add(host, host_key.get_name(), host_key)
        client.set_missing_host_key_policy(paramiko.RejectPolicy())
        client.connect(
            settings.host,
            port=settings.port,
            username=settings.username,
            password=settings.password or None,
            pkey=private_key_of(settings.private_key) if settings.private_key else None,
            look_for_keys=False,
            allow_agent=False,
            timeout=settings.timeout,
            banner_timeout=settings.timeout,
            auth_timeout=settings.timeout,
        )
        transport = client.get_transport()
        sftp = _Client.from_transport(transport) if transport else None
        if sftp is None:
            raise EOFError
        self._sftp = sftp
        if (channel := sftp.get_channel()) is not None:
            channel.settimeout(settings.timeout)
        return sftp

    def _disconnect(self) -> None:
        if self._client is not None:
            self._client.close()
        self._client = self._sftp = None


@contextmanager
def failures_as(outcome: Outcome) -> Iterator[None]:
    """Turn what SFTP can raise into ClearinghouseError; what no retry mends is permanent at any step."""
    try:
        yield
    except ClearinghouseError:
        raise
    except GatewayAddressError:
        raise ClearinghouseError("address_refused", outcome=Outcome.PERMANENT) from None
    except (paramiko.BadHostKeyException, paramiko.ssh_exception.IncompatiblePeer):
        raise ClearinghouseError("host_key_mismatch", outcome=Outcome.PERMANENT) from None
    except paramiko.AuthenticationException:
        raise ClearinghouseError("unauthorized", outcome=Outcome.PERMANENT) from None
    except PermissionError:
        raise ClearinghouseError("forbidden", outcome=Outcome.PERMANENT) from None
    except FileNotFoundError:
        raise ClearinghouseError("no_such_directory", outcome=Outcome.PERMANENT) from None
    except (paramiko.SSHException, OSError, EOFError) as error:
        code = "server_failure" if is_servers_word(error) else "connection_broken"
        raise ClearinghouseError(code, outcome=outcome) from None


def is_servers_word(error: BaseException) -> bool:
    """Tell whether the server answered that it can't, as one with a full disk does; not why."""
    return type(error) is OSError and error.errno is None


def host_key_of(line: str) -> paramiko.PKey:
    """The key that a server must show; ClearinghouseError where it can't be read."""
    try:
        entry = paramiko.hostkeys.HostKeyEntry.from_line(f"host {line}")
    except (paramiko.SSHException, paramiko.hostkeys.InvalidHostKey, ValueError):
        entry = None
    if entry is None or entry.key is None:
        raise ClearinghouseError("host_key_unreadable", outcome=Outcome.PERMANENT)
    return entry.key


def private_key_of(pem: str) -> paramiko.PKey:
    """The key that we show; ClearinghouseError where it can't be read."""
    for kind in (paramiko.Ed25519Key, paramiko.ECDSAKey, paramiko.RSAKey):
        try:
            return kind.from_private_key(StringIO(pem))
        except (paramiko.SSHException, ValueError, AssertionError):  # the last two where it is damaged
            continue
    raise ClearinghouseError("private_key_unreadable", outcome=Outcome.PERMANENT)
