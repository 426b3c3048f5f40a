"""The partners' side: a steady load of sessions and corrections, and a ledger of every answer they got."""

import http.client
import json
import random
import threading
import time
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from tests.cast import REMOVED, onboarding, submission
from tests.faults.stage import SFTP_PAYER, SICK_PAYER, STEDI_PAYER

BASE = "/api/v1/partner"
NPIS = {"rehearsing": "1234567893", "live": "1999999984", "patient": "1888888884", "crowded": "1777777776"}
PATIENCE_SECONDS = 60
# Word of the member ID, how the session ends, and by which payer's gateway it goes.
STORIES = {
    "rehearsing": [
        ("PAID", "paid", SFTP_PAYER),
        ("DENIED", "denied", SFTP_PAYER),
        ("REJECTED", "rejected", SFTP_PAYER),
        ("DOWN", "paid", SFTP_PAYER),
        ("EDIT", "processing", SFTP_PAYER),
    ],
    "live": [
        ("PAID", "accepted", STEDI_PAYER),
        ("PAID", "paid", SFTP_PAYER),
        ("DENIED", "denied", SFTP_PAYER),
    ],
    "patient": [
        ("PAID", "paid", SFTP_PAYER),
        ("PARTIAL", "paid", SFTP_PAYER),
        ("PAID", "accepted", STEDI_PAYER),
    ],
    "crowded": [("PAID", "accepted", SICK_PAYER)],
}
REFUSED_CHANGES: list[dict[str, Any]] = [
    {"session__dateOfService": "not a day"},
    {"providerNpi": "1003000126"},
    {"patient__insurance": REMOVED},
]


@dataclass
class Told:
    """One session as its partner knows it."""

    external_id: str
    partner: str
    expected: str
    body: dict[str, Any]
    headers: dict[str, str]
    state: str = "unknown"
    """`stored` after a 201, `refused` after a 4xx, `failed` where a 5xx was left at that, else `unknown`."""
    session_id: str = ""
    may_be_named: set[str] = field(default_factory=set)
    """The patient's first name by the last 200, and what corrections said that got no answer."""
    answers: list[int] = field(default_factory=list)


class Partners:
    """All partners of the service; they retry until they know, or - after a 5xx - sometimes let it be."""

    def __init__(self, port: int, keys: dict[str, str], *, seed: int) -> None:
        self.port = port
        self.keys = keys
        self.random = random.Random(seed)
        self.ledger: list[Told] = []
        self.complaints: list[str] = []
        self.statuses: Counter[int] = Counter()
        self.slowest = 0.0
        self._count = 0
        self._lock = threading.Lock()
        self._stopped = threading.Event()
        self._threads: list[threading.Thread] = []

    def onboard(self) -> None:
        for name in self.keys:
            status, answer = self.call(name, "POST", "/providers", onboarding(provider__npi=NPIS[name]))
            assert status == 201, answer

    def begin(self, *, clients: int = 3, pause: float = 0.15) -> None:
        """Load the service with so many clients at once, until `end`."""
        self._stopped.clear()
        self._threads = [
            threading.Thread(target=self._go_on, args=(pause,), daemon=True) for _ in range(clients)
        ]
        for thread in self._threads:
            thread.start()

    def end(self) -> None:
        self._stopped.set()
        for thread in self._threads:
            thread.join(PATIENCE_SECONDS + 30)

    def call(
        self, partner: str, method: str, path: str, body: Any = None, headers: dict[str, str] | None = None
    ) -> tuple[int, dict[str, Any]]:
        """Status and body; 0 where no answer came."""
        began = time.monotonic()
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=15)
        sent = {"Authorization": f"Bearer {self.keys[partner]}", "Content-Type": "application/json"}
        try:
            content = None if body is None else json.dumps(body)
            connection.request(method, BASE + path, body=content, headers=sent | (headers or {}))
            answer = connection.getresponse()
            status, read = answer.status, json.loads(answer.read() or b"{}")
        except (OSError, http.client.HTTPException, ValueError):
            status, read = 0, {}
        finally:
            connection.close()
        with self._lock:
            self.statuses[status] += 1
            self.slowest = max(self.slowest, time.monotonic() - began)
        return status, read

    def write(self, partner: str, *, story: tuple[str, str, str] | None = None, **changes: Any) -> Told:
        """A new session's body, and its page in the ledger."""
        word, expected, payer = story or self.random.choice(STORIES[partner])
        with self._lock:
            self._count += 1
            number = self._count
        usual = {
            "externalSessionId": f"visit-{number}",
            "providerNpi": NPIS[partner],
            "patient__insurance__memberId": f"{word}0{number:06d}",
            "patient__insurance__payerId": payer,
        }
        body = submission(**usual | changes)
        headers = {"Idempotency-Key": f"key-{number}"} if self.random.random() < 0.5 else {}
        told = Told(
            external_id=f"visit-{number}", partner=partner, expected=expected, body=body, headers=headers
        )
        with self._lock:
            self.ledger.append(told)
        return told

    def submit(self, told: Told, *, lets_it_be: bool = False) -> None:
        """Submit until there is an answer to keep."""
        deadline = time.monotonic() + PATIENCE_SECONDS
        while time.monotonic() < deadline:
            status, answer = self.call(told.partner, "POST", "/sessions", told.body, told.headers)
            told.answers.append(status)
            if status == 201 or (status == 409 and "sessionId" in answer and len(told.answers) > 1):
                self._keep(told, answer["sessionId"])
                told.may_be_named = {told.body["patient"]["firstName"]}
                return
            if 400 <= status < 500 and status != 429:
                told.state = "refused"
                return
            if status in (500, 503) and 0 not in told.answers and lets_it_be:
                told.state = "failed"
                return
            time.sleep(self.random.uniform(0.05, 0.3))
        self.complaints.append(
            f"{told.external_id} got no answer in {PATIENCE_SECONDS} s: {told.answers[-5:]}"
        )

    def _keep(self, told: Told, session_id: str) -> None:
        if told.session_id and told.session_id != session_id:
            self.complaints.append(f"{told.external_id} is {told.session_id} and {session_id}")
        told.session_id, told.state = session_id, "stored"

    def ask_again(self, told: Told) -> None:
        """The same request once more finds the same session."""
        status, answer = self.call(told.partner, "POST", "/sessions", told.body, told.headers)
        if status in (201, 409):
            self._keep(told, answer["sessionId"])
        elif status not in (0, 500, 503):
            self.complaints.append(f"{told.external_id} asked again got {status}")

    def correct(self, told: Told, name: str) -> bool:
        """Correct the patient's first name; whether more may come."""
        deadline = time.monotonic() + PATIENCE_SECONDS
        while time.monotonic() < deadline:
            status, _ = self.call(
                told.partner, "PATCH", f"/sessions/{told.session_id}", {"patient": {"firstName": name}}
            )
            if status == 200:
                told.may_be_named = {name}
                return True
            if status == 409:
                return False
            if status == 0:
                told.may_be_named.add(name)
            elif status not in (500, 503):
                self.complaints.append(f"{told.external_id}: a correction got {status}")
                return False
            time.sleep(0.1)
        self.complaints.append(f"{told.external_id}: a correction got no answer in {PATIENCE_SECONDS} s")
        return False

    def _go_on(self, pause: float) -> None:
        while not self._stopped.is_set():
            try:
                self._one_session()
            except Exception as error:
                self.complaints.append(f"a client tripped: {error!r}")
            self._stopped.wait(self.random.uniform(0, 2 * pause))

    def _one_session(self) -> None:
        partner = self.random.choice(["rehearsing", "live", "live", "patient"])
        if self.random.random() < 0.05:
            self.submit(self.write(partner, **self.random.choice(REFUSED_CHANGES)))
            return
        told = self.write(partner)
        self.submit(told, lets_it_be=self.random.random() < 0.3)
        if told.state != "stored":
            return
        if self.random.random() < 0.1:
            self.ask_again(told)
        if partner == "patient":
            for name in self.random.sample(["Ann", "Beth", "Cleo", "Dora"], self.random.randint(1, 3)):
                if not self.correct(told, name):
                    break
                time.sleep(self.random.uniform(0, 0.2))
