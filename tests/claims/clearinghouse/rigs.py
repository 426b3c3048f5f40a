"""One clearinghouse a gateway, with the handles that the contract test pulls."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Protocol

import httpx

from claims.clearinghouse.port import Clearinghouse, Submission
from claims.clearinghouse.sandbox import SandboxClearinghouse
from claims.clearinghouse.sftp import SftpClearinghouse
from claims.clearinghouse.stedi import StediClearinghouse, StediSettings, Submitter, Transport
from claims.x12.claim import Usage
from tests.claims.clearinghouse.cast import NOON, claim_of, submission_of
from tests.claims.clearinghouse.mailbox import InMemoryMailbox
from tests.claims.clearinghouse.sftp_server import SftpServer
from tests.claims.clearinghouse.stedi.server import API_KEY, Fault, StediServer


class Rig(Protocol):
    gateway: Clearinghouse

    def submission(self) -> Submission:
        """A submission whose first hand-over will go as `lose_answers` says."""

    def lose_answers(self) -> None:
        """Let the bytes arrive and the answer be lost, until `recover`."""

    def recover(self) -> None: ...

    def claims_taken(self) -> int: ...

    def let_answers_come(self) -> None:
        """Let one or more files lie ready."""

    def unreachable(self) -> Clearinghouse | None:
        """The same gateway with nobody at the other end; None for one that needs no network."""


class SandboxRig:
    """Its DOWN rehearsal loses the first two answers by itself."""

    def __init__(self) -> None:
        self.now = NOON
        self.mailbox = InMemoryMailbox()
        self.gateway = SandboxClearinghouse(self.mailbox, clock=lambda: self.now)
        self.member_id = "PAID"
        self.sent: list[Submission] = []

    def submission(self) -> Submission:
        self.sent.append(submission_of(claim_of(self.member_id)))
        return self.sent[-1]

    def lose_answers(self) -> None:
        self.member_id = "DOWN"

    def recover(self) -> None:
        return

    def claims_taken(self) -> int:
        return sum(self.mailbox.reference_of(submission.key) is not None for submission in self.sent)

    def let_answers_come(self) -> None:
        self.gateway.submit(submission_of(claim_of()))
        self.now += timedelta(days=30)

    def unreachable(self) -> None:
        return None


class StediRig:
    def __init__(self, server: StediServer, client: httpx.Client) -> None:
        self.server = server
        self.client = client
        self.gateway = self.at(server.url)

    def at(self, url: str) -> StediClearinghouse:
        transport = Transport(API_KEY, client=self.client, pause=lambda seconds: None, allow_private=True)
        submitter = Submitter("PARTNER BILLING INC", "5125550100")
        settings = StediSettings(submitter, Usage.TEST, healthcare_url=url, core_url=url)
        return StediClearinghouse(transport, settings, clock=lambda: self.server.now)

    def submission(self) -> Submission:
        return submission_of(claim_of())

    def lose_answers(self) -> None:
        self.server.faults = [Fault(takes=True, closes=True)] * 50

    def recover(self) -> None:
        self.server.faults = []

    def claims_taken(self) -> int:
        return len(self.server.taken)

    def let_answers_come(self) -> None:
        self.server.add("277", {"transactions": []})

    def unreachable(self) -> StediClearinghouse:
        return self.at("http://127.0.0.1:1")


class SftpRig:
    def __init__(self, server: SftpServer) -> None:
        self.server = server
        self.settings = server.settings
        self.gateway = SftpClearinghouse(self.settings)

    def submission(self) -> Submission:
        return submission_of(claim_of())

    def lose_answers(self) -> None:
        self.server.faults = ["hang up after"] * 5

    def recover(self) -> None:
        self.server.faults.clear()
        self.server.pick_up()

    def claims_taken(self) -> int:
        return len(self.server.delivered())

    def let_answers_come(self) -> None:
        self.server.put("answers.277", b"277")

    def unreachable(self) -> SftpClearinghouse:
        return SftpClearinghouse(replace(self.settings, port=1))


@contextmanager
def rig_of(name: str, folder: Path) -> Iterator[Rig]:
    match name:
        case "sandbox":
            yield SandboxRig()
        case "stedi":
            with StediServer().running() as server, httpx.Client(timeout=2, verify=False) as client:
                yield StediRig(server, client)
        case "sftp":
            with SftpServer(folder).running() as server:
                rig = SftpRig(server)
                yield rig
                rig.gateway.close()
