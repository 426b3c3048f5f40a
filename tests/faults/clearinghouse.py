"""A clearinghouse as a process: Stedi's interface, an SFTP folder, and whatever goes wrong there.

    python -m tests.faults.clearinghouse ROOT

prints one line of JSON with its addresses. `POST /control/faults` says what goes wrong from now on, a list of
`{"where": "stedi" | "sftp" | "answers", "fault": "…", "times": n, "payer": "…"}`; `GET /control/held` waits
until somebody is kept in the middle of a hand-over, `POST /control/release` lets go of them all, and
`GET /control/journal` tells what was taken: every delivery, claim by claim.
"""

import asyncio
import json
import random
import sys
import threading
import time
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from hashlib import sha256
from http.server import ThreadingHTTPServer
from pathlib import Path
from typing import Any
from uuid import uuid4

import asyncssh

from claims.clearinghouse.sandbox.answers import Answers, Timetable
from claims.clearinghouse.sandbox.received import read_interchange
from tests.claims.clearinghouse import sftp_server
from tests.claims.clearinghouse.stedi import server as stedi_server
from tests.claims.clearinghouse.stedi.server import POLLING_PATH, SUBMISSION_PATH

PICK_UP_SECONDS = 0.1
LONGEST_HOLD = 20.0
AT_ONCE = 1e9


@dataclass(frozen=True)
class Delivered:
    """One claim of one delivery that the clearinghouse took."""

    gateway: str
    key: str
    digest: str
    patient_control_number: str
    member_id: str
    first_name: str
    charge: str


class House:
    """What goes wrong next, and what was taken so far; shared by all threads."""

    def __init__(self) -> None:
        self.journal: list[Delivered] = []
        self.rules: list[dict[str, Any]] = []
        self.lock = threading.Lock()
        self.held = threading.Event()
        self.released = threading.Event()

    def fault(self, where: str, *, payer: str = "") -> str:
        """The fault that this step meets; each rule counts down."""
        with self.lock:
            for rule in self.rules:
                if rule["where"] == where and rule["times"] > 0 and rule.get("payer", payer) == payer:
                    rule["times"] -= 1
                    return str(rule["fault"])
        return ""

    def set_rules(self, rules: list[dict[str, Any]]) -> None:
        with self.lock:
            self.rules = rules
        self.held.clear()
        self.released.clear()

    def hold(self) -> None:
        """Keep the caller in the middle of its hand-over, and say so."""
        self.held.set()
        self.released.wait(LONGEST_HOLD)


class Stedi(stedi_server.StediServer):
    """Stedi for live claims, at the real time."""

    def __init__(self, house: House) -> None:
        super().__init__()
        self.house = house
        self.mode = "production"

    @property
    def now(self) -> datetime:
        return datetime.now(UTC)

    @now.setter
    def now(self, _: datetime) -> None:
        return

    def take(self, key: str, body: Any) -> tuple[int, bytes]:
        with self.house.lock:
            if key in self.taken:
                first, answer = self.taken[key]
                return (
                    (200, answer) if first == body else (422, b'{"message": "key used for another request"}')
                )
            claim, subscriber = body["claimInformation"], body["subscriber"]
            number, correlation_id = claim["patientControlNumber"], f"01{uuid4().hex[:24].upper()}"
            reference = {"correlationId": correlation_id, "patientControlNumber": number}
            answer = json.dumps(
                {"status": "SUCCESS", "httpStatusCode": "200 OK", "claimReference": reference}
            ).encode()
            self.taken[key] = (body, answer)
            self.house.journal.append(
                Delivered(
                    "stedi",
                    key,
                    sha256(json.dumps(body, sort_keys=True).encode()).hexdigest(),
                    number,
                    subscriber["memberId"],
                    subscriber["firstName"],
                    claim["claimChargeAmount"],
                )
            )
            for entity, category, code in (("AY", "A1", "19"), ("PR", "A2", "20")):
                self.add("277", accepted(number, correlation_id, entity=entity, category=category, code=code))
        return 200, answer


def accepted(number: str, batch: str, *, entity: str, category: str, code: str) -> dict[str, Any]:
    """A 277CA as Stedi writes it: the clearinghouse (AY) or the payer (PR) has the claim."""
    today = f"{datetime.now(UTC):%Y%m%d}"
    statuses = [
        {"healthCareClaimStatusCategoryCode": category, "statusCode": code, "entityIdentifierCode": entity}
    ]
    information = {"statusInformationEffectiveDate": today, "informationStatuses": statuses}
    status = {
        "referencedTransactionTraceNumber": number,
        "informationClaimStatuses": [information],
        "tradingPartnerClaimNumber": f"P{number}",
    }
    details = {"patientClaimStatusDetails": [{"claims": [{"claimStatus": status}]}]}
    transaction = {"claimTransactionBatchNumber": batch, "claimStatusDetails": [details]}
    payer = {"entityIdentifierCode": entity, "claimStatusTransactions": [transaction]}
    return {"transactions": [{"controlNumber": "1", "transactionSetCreationDate": today, "payers": [payer]}]}


class Handler(stedi_server._Handler):
    """Stedi's interface, and beside it the control of this process."""

    house: House

    def _answer(self, method: str, body: Any) -> None:
        path = self.path.partition("?")[0]
        if path.startswith("/control/"):
            self._send(200, json.dumps(self._control(path.removeprefix("/control/"), body)).encode())
            return
        submits = path == SUBMISSION_PATH
        payer = body["tradingPartnerServiceId"] if submits else ""
        where = "stedi" if submits else "poll" if path == POLLING_PATH else "report"
        fault = self.house.fault(where, payer=payer)
        takes = fault not in ("timeout before", "hold before", "500", "429")
        if fault == "hold before":
            self.house.hold()
        status, answer = self._proper(method, body) if takes else (500, b"{}")
        match fault:
            case "timeout before" | "timeout after":
                time.sleep(2.5)
                self.close_connection = True
            case "hold before" | "hold after":
                if fault == "hold after":
                    self.house.hold()
                self.close_connection = True
            case "429":
                self._send(429, b"{}", {"Retry-After": "1"})
            case "garbage":
                self._send(200, b"<html>It works!</html>")
            case "truncated":
                self._send(status, answer, cut=len(answer) // 2)
            case "slow":
                time.sleep(1.0)
                self._send(status, answer)
            case "500 after":
                self._send(500, b"{}")
            case _:
                self._send(status, answer)

    def _submission(self, body: Any) -> tuple[int, bytes]:
        return self.stedi.take(self.headers.get("Idempotency-Key", ""), body)

    def _control(self, action: str, body: Any) -> Any:
        match action:
            case "faults":
                self.house.set_rules(body)
            case "release":
                self.house.released.set()
            case "left":
                with self.house.lock:
                    return [rule["times"] for rule in self.house.rules if rule["times"] > 0]
            case "held":
                return self.house.held.wait(10)
            case "journal":
                with self.house.lock:
                    return [asdict(each) for each in self.house.journal]
        return None


class SftpHouse(sftp_server.SftpServer):
    """An SFTP clearinghouse that picks up what is delivered and answers with the sandbox's files."""

    def __init__(self, root: Path, house: House) -> None:
        super().__init__(root)
        self.house = house
        self._interchanges: dict[str, str] = {}
        self._names: list[str] = []

    async def _start(self) -> asyncssh.SSHAcceptor:
        return await asyncssh.listen(
            "127.0.0.1",
            0,
            server_factory=lambda: sftp_server._Login(self),
            server_host_keys=[self.host_key],
            sftp_factory=lambda channel: Files(channel, self),
        )

    def serve_payers(self) -> None:
        """Pick up and answer, for good."""
        while True:
            for path in sorted((self.root / "upload").iterdir()):
                if not path.name.startswith("."):
                    self._pick_up(path)
            time.sleep(PICK_UP_SECONDS)

    def _pick_up(self, path: Path) -> None:
        content = path.read_text("ascii")
        path.rename(self.root / "processed" / path.name)
        received = read_interchange(content)
        digest = sha256(content.encode()).hexdigest()
        with self.house.lock:
            self.house.journal += [
                Delivered(
                    "sftp",
                    path.name,
                    digest,
                    claim.patient_control_number,
                    claim.patient.identifier,
                    claim.patient.first_name,
                    str(claim.charge),
                )
                for _, claim in received.claims
            ]
        answers = Answers(
            received,
            key=path.name,
            timetable=Timetable(datetime.now(UTC), AT_ONCE),
            original_of=lambda number: None,
        )
        # The payer's own answer says more than the clearinghouse's: one file less for each claim.
        files = [each for each in answers.files() if not each.name.startswith("277-clearinghouse")]
        self._deliver([(each.name, each.content) for each in files])

    def _deliver(self, answers: list[tuple[str, str]]) -> None:
        fault = self.house.fault("answers")
        if fault == "reordered":
            random.shuffle(answers)
        for name, content in answers:
            if fault == "cut":
                # With its end: without it the file would be left to whoever may still be writing it.
                rest = content[: len(content) // 2] + content[content.rindex("IEA") :]
                self._lay_down(f"cut-{name}", rest)
            self._lay_down(name, content)
            if fault == "duplicated":
                self._lay_down(f"again-{name}", content)
                self._lay_down(f"once-more-{name}", content + "\n")
        if fault == "unknown":
            known = next(content for name, content in answers if name.startswith("277"))
            number = self.house.journal[-1].patient_control_number
            self._lay_down(f"unknown-{uuid4()}.edi", known.replace(number, uuid4().hex[:14].upper()))

    def _lay_down(self, name: str, content: str) -> None:
        hidden = self.root / "download" / f".{name}"
        hidden.write_bytes(content.encode())
        hidden.rename(hidden.with_name(name))


class Files(sftp_server._Files):
    """Delivers by rename, which is where things go wrong."""

    def __init__(self, channel: Any, server: SftpHouse) -> None:
        super().__init__(channel, server)
        self._house = server.house

    async def rename(self, oldpath: bytes, newpath: bytes) -> None:
        fault = self._house.fault("sftp") if b"/upload/" in newpath else ""
        if fault == "hold before":
            await asyncio.to_thread(self._house.hold)
        if fault in ("hold before", "hang up before"):
            await self._hang_up()
        if fault == "timeout before":
            await asyncio.sleep(2.5)
            await self._hang_up()
        asyncssh.SFTPServer.rename(self, oldpath, newpath)
        if fault == "hold after":
            await asyncio.to_thread(self._house.hold)
        if fault == "timeout after":
            await asyncio.sleep(2.5)
        if fault in ("hold after", "hang up after", "timeout after"):
            await self._hang_up()

    async def _hang_up(self) -> None:
        self.channel.get_connection().abort()
        raise asyncssh.SFTPConnectionLost("gone")


def main() -> None:
    root = Path(sys.argv[1])
    house = House()
    stedi = Stedi(house)
    handler = type("HandlerOfHouse", (Handler,), {"stedi": stedi, "house": house})
    httpd = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    httpd.daemon_threads = True
    threading.Thread(target=httpd.serve_forever, daemon=True).start()
    sftp = SftpHouse(root, house)
    with sftp.running():
        addresses = {"url": f"http://127.0.0.1:{httpd.server_port}", "sftp_port": sftp.port}
        sys.stdout.write(json.dumps(addresses | {"host_key": sftp.host_key_line}) + "\n")
        sys.stdout.flush()
        sftp.serve_payers()


if __name__ == "__main__":
    main()
