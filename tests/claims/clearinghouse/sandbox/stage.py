"""A sandbox with a clock that the test moves."""

from __future__ import annotations

from datetime import datetime, timedelta

from claims.clearinghouse.port import InboundFile
from claims.clearinghouse.sandbox import SandboxClearinghouse
from claims.x12.claim import ProfessionalClaim
from tests.claims.clearinghouse.cast import NOON, submission_of
from tests.claims.clearinghouse.mailbox import InMemoryMailbox

FOR_EVER = timedelta(days=365)


class Stage:
    def __init__(self, *, speed: float = 1.0) -> None:
        self.now = NOON
        self.mailbox = InMemoryMailbox()
        self.sandbox = SandboxClearinghouse(self.mailbox, clock=self._time, speed=speed)

    def _time(self) -> datetime:
        return self.now

    def send(self, *claims: ProfessionalClaim) -> None:
        self.sandbox.submit(submission_of(*claims))

    def wait(self, delay: timedelta) -> list[InboundFile]:
        """Let time pass, and take what has come by then."""
        self.now += delay
        files = list(self.sandbox.fetch("").files)
        for file in files:
            self.sandbox.acknowledge(file)
        return files

    def answers_to(self, *claims: ProfessionalClaim) -> list[list[list[str]]]:
        """Send, and take every answer that will ever come, in order, as segments."""
        self.send(*claims)
        return [segments_of(file) for file in self.wait(FOR_EVER)]


def segments_of(file: InboundFile) -> list[list[str]]:
    return [line.rstrip("~").split("*") for line in file.content.decode().splitlines()]


def named(segments: list[list[str]], name: str) -> list[list[str]]:
    return [segment for segment in segments if segment[0] == name]


def gist_of(segments: list[list[str]]) -> str:
    """What an answer says, in one short line."""
    kind = named(segments, "ST")[0][1] if named(segments, "ST") else "TA1"
    match kind:
        case "999":
            return "999 " + " ".join(segment[1] for segment in named(segments, "IK5"))
        case "277":
            source = named(segments, "NM1")[0][1]
            statuses = named(segments, "STC")[2:]
            return f"277 {source} " + " ".join(f"{stc[1].split(':')[0]} {stc[3]}" for stc in statuses)
        case "835":
            claims = [f"{clp[2]}:{clp[3]}/{clp[4]}/{clp[5]}" for clp in named(segments, "CLP")]
            taken = [f"{plb[3].split(':')[0]}:{plb[4]}" for plb in named(segments, "PLB")]
            return "835 " + " ".join(claims + taken)
        case _:
            return "TA1 " + named(segments, "TA1")[0][4]
