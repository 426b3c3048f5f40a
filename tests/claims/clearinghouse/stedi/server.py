"""A small strict server that speaks Stedi's published interface, and can misbehave as the world does."""

from __future__ import annotations

import json
import re
import ssl
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from ipaddress import ip_address
from pathlib import Path
from threading import Event, Thread
from typing import Any
from urllib.parse import parse_qs, urlsplit
from uuid import uuid4

import jsonschema
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from tests.claims.clearinghouse.cast import NOON
from tests.claims.clearinghouse.stedi.shapes import SUBMISSION

API_KEY = "test_invented-key"
SUBMISSION_PATH = "/2024-04-01/change/medicalnetwork/professionalclaims/v3/submission"
REPORT_PATH = re.compile(r"/2024-04-01/change/medicalnetwork/reports/v2/([0-9a-f-]{36})/(277|835)")
POLLING_PATH = "/2023-08-01/polling/transactions"
SEARCH_PATH = "/2024-04-01/payers/search"
ACKNOWLEDGEMENT = "ISA*00*an acknowledgement of Stedi's own~"


@dataclass(frozen=True)
class Fault:
    """What happens to one request; with `takes` it is worked on all the same.

    The answer is the proper one where `status` and `body` name no other; `cut` bytes of it are left out.
    """

    status: int = 0
    body: bytes = b""
    headers: dict[str, str] = field(default_factory=dict)
    takes: bool = False
    hangs: bool = False
    closes: bool = False
    cut: int = 0
    drips: bool = False
    """Its body comes byte by byte."""
    trickles: bool = False
    """Its headers do, and never end."""


@dataclass(frozen=True)
class Received:
    method: str
    path: str
    headers: dict[str, str]
    body: Any


def refusal(*errors: dict[str, str], http: str = "400 BAD_REQUEST", **more: Any) -> bytes:
    return json.dumps({"status": "ERROR", "errors": list(errors), "httpStatusCode": http, **more}).encode()


class StediServer:
    """Keeps claims by idempotency key, transactions in order, and reports by their id."""

    def __init__(self) -> None:
        self.now = NOON
        self.faults: list[Fault] = []
        self.requests: list[Received] = []
        self.taken: dict[str, tuple[Any, bytes]] = {}
        self.transactions: list[dict[str, Any]] = []
        self.reports: dict[tuple[str, str], bytes] = {}
        self.seconds_a_report = 0.0
        self.broken: set[str] = set()
        """Transactions whose report can never be had."""
        self.payers: list[dict[str, Any]] = []
        self.mode = "test"
        self.page_tokens = True
        self.released = Event()
        self.certificate: Path | None = None
        self.url = ""

    @contextmanager
    def running(self) -> Iterator[StediServer]:
        handler = type("Handler", (_Handler,), {"stedi": self})
        httpd = ThreadingHTTPServer(("127.0.0.1", 0), handler)
        httpd.daemon_threads = True
        self.url = f"http://127.0.0.1:{httpd.server_port}"
        if self.certificate:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(self.certificate)
            httpd.socket = context.wrap_socket(httpd.socket, server_side=True)
            self.url = self.url.replace("http:", "https:")
        thread = Thread(target=httpd.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
        thread.start()
        try:
            yield self
        finally:
            self.released.set()
            httpd.shutdown()
            thread.join(10)
            httpd.server_close()

    def add(self, kind: str, report: Any, *, at: datetime | None = None, **changes: Any) -> str:
        """Let a transaction of that kind have come in."""
        identifier = str(uuid4())
        content = report if isinstance(report, bytes) else json.dumps(report).encode()
        if content:
            self.reports[identifier, kind] = content
        release = {"277": "005010X214", "835": "005010X221A1"}.get(kind, "005010X231A1")
        self.transactions.append(
            {
                "transactionId": identifier,
                "direction": "INBOUND",
                "mode": self.mode,
                "status": "succeeded",
                "processedAt": (at or self.now).strftime("%Y-%m-%dT%H:%M:%S.123Z"),
                "x12": {
                    "metadata": {
                        "transaction": {"controlNumber": "0001", "transactionSetIdentifier": kind},
                        "functionalGroup": {"release": changes.pop("release", release)},
                    }
                },
                **changes,
            }
        )
        return identifier

    def take(self, key: str, body: Any) -> tuple[int, bytes]:
        """Accept a claim once a key, and acknowledge it."""
        if key in self.taken:
            first, answer = self.taken[key]
            return (200, answer) if first == body else (422, b'{"message": "key used for another request"}')
        claim = body["claimInformation"]
        number = claim["patientControlNumber"]
        correlation_id = f"01{uuid4().hex[:24].upper()}"
        answer = json.dumps(
            {
                "status": "SUCCESS",
                "httpStatusCode": "200 OK",
                "controlNumber": "1",
                "tradingPartnerServiceId": body["tradingPartnerServiceId"],
                "claimReference": {
                    "correlationId": correlation_id,
                    "rhclaimNumber": correlation_id,
                    "patientControlNumber": number,
                    "payerId": body["tradingPartnerServiceId"],
                    "timeOfResponse": "2026-03-02T12:00:00.000Z",
                },
                "meta": {"traceId": str(uuid4())},
                "x12": ACKNOWLEDGEMENT,
            }
        ).encode()
        self.taken[key] = (body, answer)
        self.add("277", acknowledgement_of(number, correlation_id))
        return 200, answer


def certificate(folder: Path, *, days: tuple[int, int]) -> Path:
    """A key and a certificate that nobody vouches for, good between these days from now."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "127.0.0.1")])
    first, last = (datetime.now(UTC) + timedelta(days=each) for each in days)
    built = (
        x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number(), first, last)
        .add_extension(x509.SubjectAlternativeName([x509.IPAddress(ip_address("127.0.0.1"))]), critical=False)
        .sign(key, hashes.SHA256())
    )
    path = folder / "certificate.pem"
    pem, plain = serialization.Encoding.PEM, serialization.NoEncryption()
    path.write_bytes(
        key.private_bytes(pem, serialization.PrivateFormat.PKCS8, plain) + built.public_bytes(pem)
    )
    return path


def acknowledgement_of(number: str, correlation_id: str) -> dict[str, Any]:
    """The clearinghouse's 277CA as JSON, as short as it can be."""
    status = {"referencedTransactionTraceNumber": number, "informationClaimStatuses": []}
    details = {"patientClaimStatusDetails": [{"claims": [{"claimStatus": status}]}]}
    batch = {"claimTransactionBatchNumber": correlation_id, "claimStatusDetails": [details]}
    payer = {"entityIdentifierCode": "AY", "claimStatusTransactions": [batch]}
    return {"meta": {}, "transactions": [{"controlNumber": "1", "payers": [payer]}]}


class _Handler(BaseHTTPRequestHandler):
    stedi: StediServer
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def do_GET(self) -> None:
        self._answer("GET", None)

    def do_POST(self) -> None:
        length = int(self.headers.get("Content-Length", 0))
        self._answer("POST", json.loads(self.rfile.read(length)))

    def _answer(self, method: str, body: Any) -> None:
        self.stedi.requests.append(Received(method, self.path, dict(self.headers), body))
        fault = self.stedi.faults.pop(0) if self.stedi.faults else None
        if fault is None:
            self._send(*self._proper(method, body))
            return
        status, answer = self._proper(method, body) if fault.takes else (500, b"")
        if fault.hangs:
            self.stedi.released.wait(20)
        if fault.trickles:
            self.wfile.write(b"HTTP/1.1 200 OK\r\nX-Odd: ")
            while not self.stedi.released.wait(0.1):
                self.wfile.write(b"x")
        if fault.hangs or fault.closes or fault.trickles:
            self.close_connection = True
            return
        self._send(
            fault.status or status, fault.body or answer, fault.headers, cut=fault.cut, drips=fault.drips
        )

    def _send(
        self,
        status: int,
        body: bytes,
        headers: dict[str, str] | None = None,
        *,
        cut: int = 0,
        drips: bool = False,
    ) -> None:
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        for name, value in (headers or {}).items():
            self.send_header(name, value)
        self.end_headers()
        for place in range(len(body) if drips else 0):
            self.wfile.write(body[place : place + 1])
            if self.stedi.released.wait(0.1):
                return
        self.wfile.write(b"" if drips else body[: len(body) - cut])
        self.close_connection = bool(cut)

    def _proper(self, method: str, body: Any) -> tuple[int, bytes]:
        if self.headers.get("Authorization") != API_KEY:
            return 401, b'{"message": "Unauthorized"}'
        parts = urlsplit(self.path)
        query = {
            name: values[0]
            for name, values in parse_qs(parts.query, strict_parsing=bool(parts.query)).items()
        }
        if (method, parts.path) == ("POST", SUBMISSION_PATH):
            return self._submission(body)
        if method == "GET" and (report := REPORT_PATH.fullmatch(parts.path)):
            self.stedi.now += timedelta(seconds=self.stedi.seconds_a_report)
            if report[1] in self.stedi.broken:
                return 500, b"{}"
            found = self.stedi.reports.get((report[1], report[2]))
            return (200, found) if found else (404, b'{"message": "no such report"}')
        if (method, parts.path) == ("GET", POLLING_PATH):
            return self._polling(query)
        if (method, parts.path) == ("GET", SEARCH_PATH):
            return self._search(query)
        return 404, b'{"message": "no such path"}'

    def _submission(self, body: Any) -> tuple[int, bytes]:
        key = self.headers.get("Idempotency-Key", "")
        if not 0 < len(key) <= 255 or self.headers.get("Content-Type") != "application/json":
            return 400, b'{"message": "headers"}'
        try:
            jsonschema.validate(body, SUBMISSION)
        except jsonschema.ValidationError as error:
            return 400, json.dumps({"message": f"{error.json_path} fails {error.validator}"}).encode()
        if body["usageIndicator"] != "T":
            return 403, refusal(http="403 FORBIDDEN")
        return self.stedi.take(key, body)

    def _polling(self, query: dict[str, str]) -> tuple[int, bytes]:
        if not set(query) <= {"pageSize", "pageToken", "startDateTime"} or int(query["pageSize"]) > 500:
            return 400, b'{"message": "parameters"}'
        if "pageToken" in query:
            start = int(query["pageToken"].partition("-")[0])
        else:
            since = datetime.strptime(query["startDateTime"], "%Y-%m-%dT%H:%M:%S%z")
            if since > self.stedi.now - timedelta(minutes=1):
                return 400, b'{"message": "startDateTime must be at least one minute in the past"}'
            times = [datetime.fromisoformat(item["processedAt"]) for item in self.stedi.transactions]
            start = sum(time <= since for time in times)
        page = self.stedi.transactions[start : start + int(query["pageSize"])]
        answer: dict[str, Any] = {"items": page}
        if self.stedi.page_tokens:
            # A new token every time, also where nothing has come.
            answer["nextPageToken"] = f"{start + len(page)}-{len(self.stedi.requests)}"
        return 200, json.dumps(answer).encode()

    def _search(self, query: dict[str, str]) -> tuple[int, bytes]:
        known = {"query", "pageSize", "pageToken", "professionalClaimSubmission"}
        if not set(query) <= known or not 10 <= int(query["pageSize"]) <= 100 or len(query["query"]) > 200:
            return 400, b'{"message": "parameters"}'
        words = query["query"].lower()
        found = [payer for payer in self.stedi.payers if words in payer["displayName"].lower()]
        items = [{"payer": payer, "score": 1.5, "matches": {}} for payer in found]
        return 200, json.dumps({"items": items, "stats": {"total": len(items)}}).encode()

    def log_message(self, *_: Any) -> None:
        return
