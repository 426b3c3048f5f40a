"""Nothing is lost and nothing is sent twice, whatever happens: real processes, real faults, a ledger.

`make test` injects each fault five times under a light load, `make faults` under four times that load,
`make soak` a hundred times.
FAULT_SEED repeats a run's choices, FAULT_ONLY takes the faults whose names have one of these parts in them.
FAULT_PAUSE is how many seconds each client of the load waits between two sessions, about. FAULT_START=cold
starts the service's processes by the Procfile's commands, as `make soak` does; otherwise they are forks of
one process that has their code.
"""

import os
import random
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from statistics import median

import pytest
from django.db import connection
from psycopg.conninfo import make_conninfo

from tests.faults import checks
from tests.faults.faults import FAULTS, Fault, Run, install_triggers
from tests.faults.partner import Partners
from tests.faults.stage import Stage

TIMES = int(os.environ.get("FAULT_TIMES", "5"))
SEED = int(os.environ.get("FAULT_SEED", str(random.SystemRandom().randrange(10**6))))
ONLY = os.environ.get("FAULT_ONLY", "")
WARM = os.environ.get("FAULT_START", "warm") == "warm"
PAUSE = float(os.environ.get("FAULT_PAUSE", "1.2"))
LONGEST_RECOVERY = 30.0
LONG_ENOUGH = 50
STANDS_STILL = 60.0
pytestmark = [pytest.mark.django_db, pytest.mark.faults, pytest.mark.timeout(600 + TIMES * 120)]


@dataclass
class Line:
    """What one fault did."""

    name: str
    times: int
    in_flight: int
    lost: int
    doubled: int
    wrong: int
    recovery: float
    where: str

    def __str__(self) -> str:
        counts = f"{self.times:6} {self.in_flight:9} {self.lost:5} {self.doubled:8} {self.wrong:6}"
        return f"{self.name:32}{counts} {self.recovery:9.1f} s  {self.where}"


HEADING = (
    f"{'fault':32}{'times':>6} {'in flight':>9} {'lost':>5} {'doubled':>8} {'other':>6} {'recovery':>11}"
)


@pytest.fixture
def stage(tmp_path: Path, db: None) -> Iterator[Stage]:
    given = connection.get_connection_params()
    wanted = ("host", "port", "user", "password", "dbname")
    migrated = make_conninfo(**{name: given[name] for name in wanted if name in given})
    stage = Stage(tmp_path, migrated=migrated, is_warm=WARM)
    try:
        stage.start()
        yield stage
    finally:
        stage.stop()


def test_nothing_is_lost_and_nothing_is_sent_twice(stage: Stage) -> None:
    sys.stdout.write(f"FAULT_SEED={SEED}\n")
    started = time.monotonic()
    partners = Partners(stage.port, stage.keys, seed=SEED)
    partners.onboard()
    install_triggers(stage)
    run = Run(stage, partners, random.Random(SEED))
    lines: list[Line] = []
    everything: list[str] = []
    partners.begin(clients=2, pause=PAUSE)
    memory = [_memory(stage)]
    for fault in FAULTS:
        if any(part in fault.name for part in ONLY.split(",")):
            line, complaints = _suffer(fault, run)
            lines.append(line)
            everything += [f"{fault.name}: {complaint}" for complaint in complaints]
            _tell(str(line), *complaints[:5])
            memory.append(_memory(stage))
    partners.end()
    settled_in = _settle(stage, partners)
    lost, doubled, wrong = checks.compare(stage, partners, at_rest=True)
    everything += [f"at rest: {complaint}" for complaint in (*lost, *doubled, *wrong)]
    slowest = run.slowest_without_broker
    report = _report(lines, partners, started, settled_in, slowest, memory)
    _tell("", report)
    assert not everything, report + "\n" + "\n".join(everything[:40])
    assert not _growing(memory), report
    assert run.slowest_without_broker < max(1, 2 * partners.slowest), report
    slow = [line.name for line in lines if line.recovery > LONGEST_RECOVERY]
    assert not slow, f"{report}\nslow to recover: {slow}"
    assert partners.statuses[201] > len(lines)


def _suffer(fault: Fault, run: Run) -> tuple[Line, list[str]]:
    in_flight, times = 0, min(TIMES, fault.most)
    run.times = times
    for run.turn in range(1 if fault.at_once else times):
        time.sleep(run.random.uniform(0, 0.2))
        in_flight += _in_flight(run.stage)
        fault.inject(run)
    ended = time.monotonic()
    recovery = _recover(run, since=ended)
    run.stage.clearinghouse("faults", [])
    lost, doubled, wrong = checks.compare(run.stage, run.partners, at_rest=False)
    line = Line(fault.name, times, in_flight, len(lost), len(doubled), len(wrong), recovery, fault.where)
    return line, [*lost, *doubled, *wrong]


def _in_flight(stage: Stage) -> int:
    with stage.database() as database:
        row = database.execute(
            "SELECT count(*) FROM sessions_app_session WHERE status IN ('processing', 'submitted')"
        ).fetchone()
    return row[0] if row else 0


def _recover(run: Run, *, since: float) -> float:
    """Seconds from the fault's end until a new session is taken and its claim is with the clearinghouse."""
    told = run.partners.write("live", story=("PAID", "paid", "60054"))
    run.partners.submit(told)
    run.stage.wait_until_sent(told.external_id, patience=STANDS_STILL)
    return time.monotonic() - since


def _settle(stage: Stage, partners: Partners) -> float:
    """Seconds until every session stands where its story ends, or until nothing moves any more."""
    began = moved = time.monotonic()
    fewest = len(partners.ledger) + 1
    while left := len(checks.unfinished(stage, partners)):
        if left < fewest:
            fewest, moved = left, time.monotonic()
        if time.monotonic() - moved > STANDS_STILL:
            break
        time.sleep(0.5)
    return time.monotonic() - began


def _memory(stage: Stage) -> dict[str, int]:
    return {name: stage.memory(name) for name in ("web", "worker", "gateways", "beat")}


def _growing(memory: list[dict[str, int]]) -> list[str]:
    """Processes that need half as much again at the end of a soak as at its beginning."""
    third = len(memory) // 3
    if TIMES < LONG_ENOUGH:
        return []
    return [
        name
        for name in memory[0]
        if median(each[name] for each in memory[-third:])
        > 1.5 * median(each[name] for each in memory[:third])
    ]


def _tell(*lines: str) -> None:
    """Append to the file that FAULT_PROGRESS names: a soak is long."""
    if path := os.environ.get("FAULT_PROGRESS"):
        with Path(path).open("a") as file:
            file.write("".join(f"{line}\n" for line in lines))


def _report(
    lines: list[Line],
    partners: Partners,
    started: float,
    settled_in: float,
    slowest: float,
    memory: list[dict[str, int]],
) -> str:
    """The table, also in the file that FAULT_REPORT names."""
    mebibytes = {name: [each[name] // 1024 for each in memory] for name in memory[0]}
    report = "\n".join(
        [
            HEADING,
            *map(str, lines),
            f"seed {SEED}, {len(partners.ledger)} sessions, answers {dict(partners.statuses)},"
            f" slowest while the broker was away {slowest:.2f} s,"
            f" all at rest after {settled_in:.1f} s, {time.monotonic() - started:.0f} s in all",
            *(f"{name} memory in MiB: {values}" for name, values in mebibytes.items()),
        ]
    )
    if path := os.environ.get("FAULT_REPORT"):
        Path(path).write_text(report + "\n")
    return report
