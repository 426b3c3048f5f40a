"""A real SFTP server on loopback, with a clearinghouse behind it that can break at bad moments."""

from __future__ import annotations

import asyncio
import logging
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Thread
from typing import Any

import asyncssh

from claims.clearinghouse.sftp import SftpSettings

USERNAME, PASSWORD = "billing", "correct horse"  # an invented account
FOLDERS = ("upload", "processed", "download", "archive")


class SftpServer:
    """Serves `root`; `faults` are met in order by the renames that deliver a file.

    What stands in `unreadable` can't be read, what stands in `immovable` neither moved nor removed; of what
    stands in `endless` nothing ever comes.
    """

    def __init__(self, root: Path) -> None:
        self.root = root
        self.faults: list[str] = []
        self.unreadable: set[str] = set()
        self.immovable: set[str] = set()
        self.endless: set[str] = set()
        self.full_at = ""
        """Whether the disk is full when a file is to be begun (`open`) or written (`write`)."""
        self.host_key = asyncssh.generate_private_key("ssh-ed25519")
        self.client_key = asyncssh.generate_private_key("ssh-ed25519")
        self.port = 0
        self.logins = 0
        self._loop = asyncio.new_event_loop()
        for name in FOLDERS:
            (root / name).mkdir()

    @property
    def host_key_line(self) -> str:
        return self.host_key.export_public_key().decode().strip()

    @property
    def client_key_pem(self) -> str:
        return self.client_key.export_private_key("openssh").decode()

    @property
    def settings(self) -> SftpSettings:
        """What a client signs in and finds its folders with."""
        return SftpSettings(
            host="127.0.0.1",
            port=self.port,
            host_key=self.host_key_line,
            username=USERNAME,
            password=PASSWORD,
            upload_directory="/upload",
            download_directory="/download",
            processed_directory="/processed",
            timeout=5,
            allow_private=True,
        )

    def uploaded(self) -> list[str]:
        return sorted(path.name for path in (self.root / "upload").iterdir())

    def delivered(self) -> list[Path]:
        """Every whole file that was ever handed over, picked up or not."""
        folders = (self.root / "upload", self.root / "processed")
        return sorted(path for folder in folders for path in folder.iterdir() if path.name[0] != ".")

    def pick_up(self) -> None:
        """Take delivered files away, as a clearinghouse does."""
        for path in self.delivered():
            path.rename(self.root / "processed" / path.name)

    def put(self, name: str, content: bytes, *, age: float = 0) -> Path:
        path = self.root / "download" / name
        path.write_bytes(content)
        moment = path.stat().st_mtime - age
        os.utime(path, (moment, moment))
        return path

    @contextmanager
    def running(self) -> Iterator[SftpServer]:
        logging.getLogger("asyncssh").setLevel(logging.CRITICAL)
        started = self._loop.run_until_complete(self._start())
        self.port = started.get_port()
        thread = Thread(target=self._loop.run_forever, daemon=True)
        thread.start()
        try:
            yield self
        finally:
            asyncio.run_coroutine_threadsafe(_stop(started), self._loop).result(10)
            self._loop.call_soon_threadsafe(self._loop.stop)
            thread.join(10)
            self._loop.close()

    async def _start(self) -> asyncssh.SSHAcceptor:
        return await asyncssh.listen(
            "127.0.0.1",
            0,
            server_factory=lambda: _Login(self),
            server_host_keys=[self.host_key],
            sftp_factory=lambda channel: _Files(channel, self),
        )


async def _stop(acceptor: asyncssh.SSHAcceptor) -> None:
    acceptor.close()
    await acceptor.wait_closed()
    rest = asyncio.all_tasks() - {asyncio.current_task()}
    for task in rest:
        task.cancel()
    await asyncio.gather(*rest, return_exceptions=True)


class _Login(asyncssh.SSHServer):
    def __init__(self, server: SftpServer) -> None:
        self._server = server

    def begin_auth(self, username: str) -> bool:
        return True

    def password_auth_supported(self) -> bool:
        return True

    def validate_password(self, username: str, password: str) -> bool:
        self._server.logins += 1
        return (username, password) == (USERNAME, PASSWORD)

    def public_key_auth_supported(self) -> bool:
        return True

    def validate_public_key(self, username: str, key: asyncssh.SSHKey) -> bool:
        return username == USERNAME and key == self._server.client_key.convert_to_public()


class _Files(asyncssh.SFTPServer):
    def __init__(self, channel: asyncssh.SSHServerChannel, server: SftpServer) -> None:
        super().__init__(channel, chroot=str(server.root).encode())
        self._server = server
        self._faults = server.faults

    def open(self, path: bytes, pflags: int, attrs: asyncssh.SFTPAttrs) -> object:
        if path.decode().rpartition("/")[2] in self._server.unreadable:
            raise asyncssh.SFTPPermissionDenied("no")
        if self._server.full_at == "open" and pflags & asyncssh.FXF_WRITE:
            raise asyncssh.SFTPFailure("no room")
        return super().open(path, pflags, attrs)

    async def read(self, file_obj: Any, offset: int, size: int) -> bytes:
        if file_obj.name.decode().rpartition("/")[2] in self._server.endless:
            await asyncio.sleep(3600)
        return super().read(file_obj, offset, size)

    def write(self, file_obj: object, offset: int, data: bytes) -> int:
        if self._server.full_at == "write":
            raise asyncssh.SFTPFailure("no room")
        return super().write(file_obj, offset, data)

    def remove(self, path: bytes) -> None:
        self._refuse_immovable(path)
        super().remove(path)

    def _refuse_immovable(self, path: bytes) -> None:
        if path.decode().rpartition("/")[2] in self._server.immovable:
            raise asyncssh.SFTPFailure("no")

    async def rename(self, oldpath: bytes, newpath: bytes) -> None:
        fault = self._faults.pop(0) if self._faults and b"/upload/" in newpath else ""
        if fault == "hang up before":
            self.channel.get_connection().abort()
            await asyncio.sleep(3600)
        if fault == "refuse":
            raise asyncssh.SFTPPermissionDenied("no")
        self._refuse_immovable(oldpath)
        super().rename(oldpath, newpath)
        if fault == "hang up after":
            self.channel.get_connection().abort()
            await asyncio.sleep(3600)
