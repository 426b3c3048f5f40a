"""The SFTP gateway: interchanges out by write-then-rename, answers in from a folder.

A file is uploaded under a temporary name that nobody picks up, and renamed when it is whole: until the
rename nothing was handed over, and while the temporary file is there it still has not been. The
clearinghouse takes files away, so a name that is nowhere proves nothing, unless it moves them to a folder
that we may look into.
"""

from __future__ import annotations

import logging
import stat
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from io import StringIO
from posixpath import join
from threading import Lock
from time import monotonic

import paramiko

from claims.clearinghouse.address import GatewayAddressError, check_gateway_address
from claims.clearinghouse.port import (
    Capabilities,
    ClearinghouseError,
    Fetched,
    FileKind,
    InboundFile,
    NotFound,
    Outcome,
    Receipt,
    Refusal,
    Submission,
    Unknown,
    mode_of,
    unsettled,
)

logger = logging.getLogger(__name__)

FILES_A_FETCH = 100
BYTES_A_FETCH = 50_000_000
LARGEST_FILE = 100_000_000
TEMPORARY_SUFFIXES = (".part", ".tmp", ".filepart")
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


class SftpClearinghouse:
    """Carries batches; a file's name is its idempotency key."""

    name = "sftp"

    def __init__(self, settings: SftpSettings, *, monotonic: Callable[[], float] = monotonic) -> None:
        self._settings = settings
        self._monotonic = monotonic
        self._lock = Lock()
        self._client: paramiko.SSHClient | None = None
        self._sftp: paramiko.SFTPClient | None = None
        self._used_at = 0.0

    @property
    def capabilities(self) -> Capabilities:
        """Whether `find` can tell a file that was picked up from one that never came."""
        return Capabilities(
            max_claims_per_interchange=5_000, can_find=bool(self._settings.processed_directory)
        )

    def submit(self, submission: Submission) -> Receipt | Refusal:
        """Deliver a file once; one that is there already under this name is left as it is."""
        final, temporary = self._paths(submission)
        with self._session() as sftp:
            if self._is_delivered(sftp, submission):
                return _receipt(submission)
            with sftp.open(temporary, "wb") as remote:
                remote.set_pipelined(True)
                remote.write(submission.x12.encode("ascii"))
            if sftp.stat(temporary).st_size != len(submission.x12):
                raise ClearinghouseError("upload_incomplete", outcome=Outcome.NOT_TAKEN)
            with _outcome(Outcome.UNKNOWN):
                sftp.rename(temporary, final)
        return _receipt(submission)

    def find(self, submission: Submission) -> Receipt | NotFound | Unknown:
        """Look for the file by its name; with nowhere else to look, an absent one may have been taken."""
        _, temporary = self._paths(submission)
        try:
            with self._session() as sftp:
                if self._is_delivered(sftp, submission):
                    return _receipt(submission)
                if self._settings.processed_directory or _exists(sftp, temporary):
                    return NotFound()
        except ClearinghouseError as error:
            raise unsettled(error) from None
        return Unknown()

    def fetch(self, cursor: str) -> Fetched:
        """Read what lies in the download folder, the oldest first; the cursor is not used."""
        with self._session() as sftp:
            entries = [
                entry
                for entry in sftp.listdir_attr(self._settings.download_directory)
                if _is_whole_file(entry)
            ]
            entries.sort(key=lambda entry: (entry.st_mtime or 0, entry.filename))
            portion = list(_portion(entries))
            files = tuple(self._read(sftp, portion))
        return Fetched(files, cursor, more=len(entries) > len(portion))

    def acknowledge(self, file: InboundFile) -> None:
        """Archive or delete a file, if it is still the one that was read."""
        path = join(self._settings.download_directory, file.name)
        with self._session() as sftp:
            try:
                if file.reference != _fingerprint(sftp.stat(path)):
                    return
                if self._settings.archive_directory:
                    sftp.rename(path, self._free_archive_path(sftp, file))
                else:
                    sftp.remove(path)
            except FileNotFoundError:
                return

    def close(self) -> None:
        """End the session, if there is one."""
        with self._lock:
            self._disconnect()

    def _paths(self, submission: Submission) -> tuple[str, str]:
        folder = self._settings.upload_directory
        return join(folder, submission.file_name), join(folder, f".{submission.file_name}.part")

    def _is_delivered(self, sftp: paramiko.SFTPClient, submission: Submission) -> bool:
        final, _ = self._paths(submission)
        processed = self._settings.processed_directory
        return _exists(sftp, final) or (
            bool(processed) and _exists(sftp, join(processed, submission.file_name))
        )

    def _free_archive_path(self, sftp: paramiko.SFTPClient, file: InboundFile) -> str:
        """Some senders use a name again; then the file's size and time come before it."""
        path = join(self._settings.archive_directory, file.name)
        if not _exists(sftp, path):
            return path
        return join(self._settings.archive_directory, f"{file.reference}-{file.name}")

    def _read(
        self, sftp: paramiko.SFTPClient, entries: list[paramiko.SFTPAttributes]
    ) -> Iterator[InboundFile]:
        for entry in entries:
            path = join(self._settings.download_directory, entry.filename)
            try:
                with sftp.open(path, "rb") as remote:
                    remote.prefetch(entry.st_size)
                    content = remote.read(LARGEST_FILE)
                fingerprint = _fingerprint(sftp.stat(path))
            except FileNotFoundError:
                continue
            if fingerprint == _fingerprint(entry):
                yield InboundFile(entry.filename, content, FileKind.X12, fingerprint)

    @contextmanager
    def _session(self) -> Iterator[paramiko.SFTPClient]:
        """Give the open session, one caller at a time; whatever goes wrong closes it and is sorted by
        meaning.

        A failure means "not taken" here, because the one step that hands something over says so itself.
        """
        with self._lock, _outcome(Outcome.NOT_TAKEN):
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
        client = paramiko.SSHClient()
        host = settings.host if settings.port == 22 else f"[{settings.host}]:{settings.port}"
        host_key = _host_key(settings.host_key)
        client.get_host_keys().add(host, host_key.get_name(), host_key)
        client.set_missing_host_key_policy(paramiko.RejectPolicy())
        client.connect(
            settings.host,
            port=settings.port,
            username=settings.username,
            password=settings.password or None,
            pkey=_private_key(settings.private_key) if settings.private_key else None,
            look_for_keys=False,
            allow_agent=False,
            timeout=settings.timeout,
            banner_timeout=settings.timeout,
            auth_timeout=settings.timeout,
        )
        self._client = client
        self._sftp = sftp = client.open_sftp()
        if (channel := sftp.get_channel()) is not None:
            channel.settimeout(settings.timeout)
        return sftp

    def _disconnect(self) -> None:
        if self._client is not None:
            self._client.close()
        self._client = self._sftp = None


@contextmanager
def _outcome(outcome: Outcome) -> Iterator[None]:
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
    except (paramiko.SSHException, OSError, EOFError):
        raise ClearinghouseError("connection_broken", outcome=outcome) from None


def _receipt(submission: Submission) -> Receipt:
    return Receipt(reference=submission.file_name, mode=mode_of(submission.usage))


def _exists(sftp: paramiko.SFTPClient, path: str) -> bool:
    try:
        sftp.stat(path)
    except FileNotFoundError:
        return False
    return True


def _is_whole_file(entry: paramiko.SFTPAttributes) -> bool:
    """Leave folders, hidden and temporary files alone, and names that would lead elsewhere."""
    name = entry.filename
    if not stat.S_ISREG(entry.st_mode or 0) or name.startswith(".") or "/" in name:
        return False
    if (entry.st_size or 0) > LARGEST_FILE:
        logger.error("sftp: a file in the download folder is larger than %d bytes", LARGEST_FILE)
        return False
    return not name.endswith(TEMPORARY_SUFFIXES)


def _portion(entries: list[paramiko.SFTPAttributes]) -> Iterator[paramiko.SFTPAttributes]:
    """Take as many as one fetch may hold in memory, and always one."""
    total = 0
    for number, entry in enumerate(entries[:FILES_A_FETCH]):
        total += entry.st_size or 0
        if number and total > BYTES_A_FETCH:
            return
        yield entry


def _fingerprint(attributes: paramiko.SFTPAttributes) -> str:
    return f"{attributes.st_size}-{attributes.st_mtime}"


def _host_key(line: str) -> paramiko.PKey:
    try:
        entry = paramiko.hostkeys.HostKeyEntry.from_line(f"host {line}")
    except (paramiko.SSHException, ValueError):
        entry = None
    if entry is None or entry.key is None:
        raise ClearinghouseError("host_key_unreadable", outcome=Outcome.PERMANENT)
    return entry.key


def _private_key(pem: str) -> paramiko.PKey:
    for kind in (paramiko.Ed25519Key, paramiko.ECDSAKey, paramiko.RSAKey):
        try:
            return kind.from_private_key(StringIO(pem))
        except paramiko.SSHException:
            continue
    raise ClearinghouseError("private_key_unreadable", outcome=Outcome.PERMANENT)
