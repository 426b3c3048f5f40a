"""The SFTP gateway: interchanges out by write-then-rename, answers in from a folder.

A file is uploaded under a temporary name that nobody picks up, and renamed when it is whole: until the
rename nothing was handed over, and while the temporary file is there it still has not been. The
clearinghouse takes files away, so a name that is nowhere proves nothing, unless it moves them to a folder
that we may look into.
"""

from __future__ import annotations

import re
import stat
from collections import Counter
from collections.abc import Callable
from datetime import UTC, datetime
from posixpath import join
from time import monotonic

import paramiko

from claims.clearinghouse.port import (
    Capabilities,
    ClearinghouseError,
    Fetched,
    FileKept,
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
from claims.clearinghouse.sftp_session import SftpSession, SftpSettings, failures_as, is_servers_word

FILES_A_FETCH = 100
BYTES_A_FETCH = 50_000_000
LARGEST_FILE = 100_000_000
LONGEST_FETCH = 60
"""Seconds, after which what was read is handed over to be stored, and the rest comes in the next fetch."""
KEPT_SECONDS = 3600
"""A file that is stored and could not be taken away is read again after this, and tried anew."""
UNFINISHED_SECONDS = 600
"""How long an interchange without its end is left to whoever may still be writing it."""
ENDS_WHOLE = re.compile(rb"IEA([^0-9A-Za-z])[0-9]{1,5}\1[0-9]{9}[^0-9A-Za-z][\s\x00\x1a]*\Z")
TEMPORARY_SUFFIXES = (".part", ".tmp", ".filepart")


class SftpClearinghouse:
    """Carries batches; a file's name is its idempotency key."""

    name = "sftp"

    def __init__(self, settings: SftpSettings, *, monotonic: Callable[[], float] = monotonic) -> None:
        self._settings = settings
        self._session = SftpSession(settings, monotonic=monotonic)
        self._monotonic = monotonic
        self._kept: dict[tuple[str, str], float] = {}
        self._unfinished: dict[tuple[str, str], float] = {}
        self._broken: Counter[tuple[str, str]] = Counter()
        """How often reading a file broke off."""

    @property
    def capabilities(self) -> Capabilities:
        """Whether `find` can tell a file that was picked up from one that never came."""
        return Capabilities(
            max_claims_per_interchange=5_000, can_find=bool(self._settings.processed_directory)
        )

    def submit(self, submission: Submission) -> Receipt | Refusal:
        """Deliver a file once; one that is there already under this name is left as it is."""
        final, temporary = self._paths(submission)
        with self._session.open() as sftp:
            if self._is_delivered(sftp, submission):
                return _receipt(submission)
            with sftp.open(temporary, "wb") as remote:
                remote.set_pipelined(True)
                remote.write(submission.x12.encode("ascii"))
            if sftp.stat(temporary).st_size != len(submission.x12):
                raise ClearinghouseError("upload_incomplete", outcome=Outcome.NOT_TAKEN)
            with failures_as(Outcome.UNKNOWN):
                sftp.rename(temporary, final)
        return _receipt(submission)

    def find(self, submission: Submission) -> Receipt | NotFound | Unknown:
        """Look for the file by its name; with nowhere else to look, an absent one may have been taken."""
        _, temporary = self._paths(submission)
        try:
            with self._session.open() as sftp:
                if self._is_delivered(sftp, submission):
                    return _receipt(submission)
                if self._settings.processed_directory or _exists(sftp, temporary):
                    return NotFound()
        except ClearinghouseError as error:
            raise unsettled(error) from None
        return Unknown()

    def fetch(self, cursor: str) -> Fetched:
        """Read what lies in the download folder, the oldest first; the cursor is not used.

        What was read before something broke off is handed over all the same, and the file in the middle of
        which it did comes after the others from then on.
        """
        files: list[InboundFile] = []
        left: list[str] = []
        try:
            with self._session.open() as sftp:
                more = self._read_folder(sftp, files, left)
        except ClearinghouseError:
            if not files:
                raise
            more = True
        return Fetched(tuple(files), cursor, more=more, left=tuple(left))

    def _read_folder(self, sftp: paramiko.SFTPClient, files: list[InboundFile], left: list[str]) -> bool:
        """Add the files, and what is told of those that are left; whether some wait for another fetch."""
        began = self._monotonic()
        entries = list(filter(_is_whole_file, sftp.listdir_attr(self._settings.download_directory)))
        here = {_mark(entry) for entry in entries}
        self._kept = {mark: until for mark, until in self._kept.items() if mark in here}
        self._unfinished = {mark: since for mark, since in self._unfinished.items() if mark in here}
        self._broken = Counter({mark: times for mark, times in self._broken.items() if mark in here})
        entries.sort(key=lambda entry: (self._broken[_mark(entry)], entry.st_mtime or 0, entry.filename))
        for entry in entries:
            until = self._kept.get(_mark(entry))
            if until is not None:
                left.append(_told(entry, "can't be taken away"))
            if until is not None and self._monotonic() < until:
                continue
            if not _is_utf_8(entry.filename):
                left.append(_told(entry, "has a name that is not UTF-8"))
                continue
            if (entry.st_size or 0) > LARGEST_FILE:
                left.append(_told(entry, f"is larger than {LARGEST_FILE:,} bytes"))
                continue
            late = self._monotonic() - began > LONGEST_FETCH or self._broken[_mark(entry)]
            if (files and late) or not _has_room(files, entry):
                return True
            try:
                read = self._read(sftp, entry)
            except BaseException as error:
                if not isinstance(error, OSError) or not _is_about_the_file(error, sftp):
                    self._broken[_mark(entry)] += 1
                    raise
                left.append(_told(entry, "can't be read"))
            else:
                files += (file for file in read if self._is_finished(entry, file.content))
        return False

    def acknowledge(self, file: InboundFile) -> None:
        """Archive or delete a file, if it is still the one that was read."""
        path = join(self._settings.download_directory, file.name)
        with self._session.open() as sftp:
            try:
                entry = sftp.stat(path)
            except FileNotFoundError:
                return
            if file.reference != _fingerprint(entry):
                return
            try:
                if self._settings.archive_directory:
                    sftp.rename(path, self._free_archive_path(sftp, file))
                else:
                    sftp.remove(path)
            except OSError as error:
                if not _is_about_the_file(error, sftp):
                    raise
                is_there = _exists(sftp, path)
            else:
                is_there = False
        if is_there:
            self._kept[file.name, file.reference] = self._monotonic() + KEPT_SECONDS
            raise FileKept(_told(entry, "can't be taken away"))

    def close(self) -> None:
        """End the session, if there is one."""
        self._session.close()

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

    def _is_finished(self, entry: paramiko.SFTPAttributes, content: bytes) -> bool:
        """Whether nobody writes it any more, as far as it shows: taken away now, its rest would be lost."""
        begins_as_x12 = b"ISA".startswith(content[:3])
        if not begins_as_x12 or ENDS_WHOLE.search(content[-512:]):
            return True
        since = self._unfinished.setdefault(_mark(entry), self._monotonic())
        return self._monotonic() - since >= UNFINISHED_SECONDS

    def _read(self, sftp: paramiko.SFTPClient, entry: paramiko.SFTPAttributes) -> list[InboundFile]:
        """Read one file; nothing where it went or changed meanwhile."""
        path = join(self._settings.download_directory, entry.filename)
        try:
            with sftp.open(path, "rb") as remote:
                remote.prefetch(entry.st_size)
                content = remote.read(LARGEST_FILE)
            fingerprint = _fingerprint(sftp.stat(path))
        except FileNotFoundError:
            return []
        if fingerprint != _fingerprint(entry):
            return []
        return [InboundFile(entry.filename, content, FileKind.X12, fingerprint)]


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
    return not name.endswith(TEMPORARY_SUFFIXES)


def _is_utf_8(name: str) -> bool:
    return all(not "\udc80" <= character <= "\udcff" for character in name)


def _has_room(files: list[InboundFile], entry: paramiko.SFTPAttributes) -> bool:
    """One fetch holds as much as may be in memory, and always one."""
    size = sum(len(file.content) for file in files) + (entry.st_size or 0)
    return not files or (len(files) < FILES_A_FETCH and size <= BYTES_A_FETCH)


def _is_about_the_file(error: OSError, sftp: paramiko.SFTPClient) -> bool:
    """Tell whether the server answered, and refused this one; not that the connection is lost."""
    answered = isinstance(error, PermissionError | FileNotFoundError) or is_servers_word(error)
    channel = sftp.get_channel()
    return answered and channel is not None and not channel.closed


def _told(entry: paramiko.SFTPAttributes, what: str) -> str:
    """A file by its size and time, as a listing of the folder shows them, for its name may be a patient's."""
    time = datetime.fromtimestamp(entry.st_mtime or 0, tz=UTC)
    return f"{entry.st_size or 0} bytes of {time:%Y-%m-%d %H:%M:%S} UTC {what}"


def _mark(entry: paramiko.SFTPAttributes) -> tuple[str, str]:
    return entry.filename, _fingerprint(entry)


def _fingerprint(attributes: paramiko.SFTPAttributes) -> str:
    return f"{attributes.st_size}-{attributes.st_mtime}"
