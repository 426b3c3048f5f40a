"""The faults: each hurts the service once, at a moment of its own, and says when it is over by returning."""

import contextlib
import random
import signal
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import psycopg

from config.local import processes
from config.local.procfile import end_session
from tests.faults.partner import Partners
from tests.faults.stage import SFTP_PAYER, SICK_PAYER, STEDI_PAYER, Stage

STEPS = (
    "claims_finding",
    "sessions_app_sessionevent",
    "claims_claimline",
    "claims_transmission",
    "claims_transmittedclaim",
    "claims_inboundfile",
    "claims_claimsignal",
    "claims_remittance",
    "claims_ledgerentry",
)
"""What each step of the pipeline writes: a worker that waits at one of these is in the middle of it."""
WRITTEN = (
    "claims_claim",
    "claims_claimsignal",
    "claims_inboundfile",
    "sessions_app_session",
    "claims_workitem",
)
WAITS_AT_LOCK = """
SELECT count(*) FROM pg_stat_activity WHERE application_name = %s AND wait_event_type = 'Lock'
"""
HURT = """
CREATE OR REPLACE FUNCTION hurt() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF random() < {share} THEN RAISE EXCEPTION 'injected' USING ERRCODE = '{code}'; END IF;
    RETURN NEW;
END $$
"""
STORY = ("PAID", "paid", SFTP_PAYER)


@dataclass
class Run:
    """What a fault has to work with."""

    stage: Stage
    partners: Partners
    random: random.Random
    turn: int = 0
    times: int = 1
    slowest_without_broker: float = 0.0

    def probe(self, *payers: str) -> None:
        """Something for the fault to hit: one more live session for each payer."""
        for payer in payers:
            told = self.partners.write("live", story=("PAID", _END[payer], payer))
            self.partners.submit(told)


_END = {STEDI_PAYER: "accepted", SFTP_PAYER: "paid", SICK_PAYER: "accepted"}


@dataclass(frozen=True)
class Fault:
    """A fault by name; `where` says what is injected where the machine itself can't be hurt.

    One that takes long happens `most` times at most; one that is `at_once` sees to its times itself.
    """

    name: str
    inject: Callable[[Run], None]
    where: str = ""
    most: int = 1000
    at_once: bool = False


def install_triggers(stage: Stage) -> None:
    """Let PostgreSQL itself raise errors later; until then the trigger lets everything pass."""
    with stage.database() as database:
        database.execute(HURT.format(share=0, code="40001"))
        for table in WRITTEN:
            database.execute(
                f"CREATE TRIGGER hurt BEFORE INSERT OR UPDATE ON {table} FOR EACH ROW EXECUTE FUNCTION hurt()"
            )


@contextlib.contextmanager
def _table_locked(stage: Stage, table: str) -> Iterator[psycopg.Connection]:
    with stage.database() as database, database.transaction():
        database.execute(f"LOCK TABLE {table} IN SHARE ROW EXCLUSIVE MODE")
        yield database


def _wait_for_lock(stage: Stage, application: str, *, patience: float) -> bool:
    """Whether a process of ours came to wait at a lock; asked on another connection than the lock's."""
    with stage.database() as database:
        deadline = time.monotonic() + patience
        while time.monotonic() < deadline:
            row = database.execute(WAITS_AT_LOCK, [application]).fetchone()
            if row and row[0]:
                return True
            time.sleep(0.02)
    return False


def kill_worker_at_a_step(run: Run) -> None:
    table = STEPS[run.turn % len(STEPS)]
    with _table_locked(run.stage, table):
        if table not in ("claims_inboundfile", "claims_claimsignal", "claims_remittance"):
            told = run.partners.write("rehearsing", story=STORY)
            if table != "sessions_app_sessionevent":
                run.partners.submit(told)
        _wait_for_lock(run.stage, "worker", patience=3)
        run.stage.kill_children("worker")
        run.stage.kill_children("gateways")
    if table == "sessions_app_sessionevent":
        run.partners.submit(told)


def kill_worker_in_the_send(run: Run) -> None:
    where, payer = (("stedi", STEDI_PAYER), ("sftp", SFTP_PAYER))[run.turn % 2]
    moment = ("hold before", "hold after")[run.turn // 2 % 2]
    _hold_a_hand_over(run, where, payer, moment)
    run.stage.kill_children("gateways")
    run.stage.clearinghouse("release")


def _hold_a_hand_over(run: Run, where: str, payer: str, moment: str) -> None:
    """Have the clearinghouse keep a worker in the middle of the send."""
    run.stage.clearinghouse("faults", [{"where": where, "fault": moment, "times": 1}])
    run.probe(payer)
    assert any(run.stage.clearinghouse("held") for _ in range(3)), f"nobody came to {where}"


def kill_the_whole_worker(run: Run) -> None:
    run.stage.kill("worker")
    run.stage.kill("gateways")


def kill_web_in_mid_request(run: Run) -> None:
    run.stage.wait_until_ready()  # one that is not up again has no request to be killed in
    with _table_locked(run.stage, "sessions_app_session"):
        _wait_for_lock(run.stage, "web", patience=2)
        run.stage.kill_children("web")


def restart_redis_empty(run: Run) -> None:
    """The broker is away, and comes back with nothing in it; sessions are taken all the while.

    Sometimes a hand-over is going on then, whose worker has nobody to tell that it is done, and must get
    over that.
    """
    if run.turn % 5 == 0:
        _hold_a_hand_over(run, "stedi", STEDI_PAYER, "hold before")
    with run.stage.down("redis", signal.SIGKILL):
        for _ in range(2):
            told = run.partners.write("rehearsing", story=STORY)
            began = time.monotonic()
            run.partners.submit(told)
            run.slowest_without_broker = max(run.slowest_without_broker, time.monotonic() - began)
    run.stage.clearinghouse("release")


def hang_redis(run: Run) -> None:
    run.stage.running["redis"].send_signal(signal.SIGSTOP)
    time.sleep(run.random.uniform(0.3, 1.0))
    run.stage.running["redis"].send_signal(signal.SIGCONT)


def slow_redis(run: Run) -> None:
    with run.stage.broker() as broker:
        broker.execute_command("CLIENT", "PAUSE", "400", "ALL")
    time.sleep(0.4)


def restart_postgres(run: Run) -> None:
    number = (signal.SIGINT, signal.SIGQUIT)[run.turn % 2]
    with run.stage.down("postgres", number):
        time.sleep(run.random.uniform(0, 0.3))
    run.stage.database().close()


def cut_connections(run: Run) -> None:
    with run.stage.database() as database:
        database.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
            "WHERE application_name IN ('web', 'worker', 'gateways', 'beat')"
        )


def errors_of(code: str) -> Callable[[Run], None]:
    """PostgreSQL raises this SQLSTATE at a third of all writes for a while."""

    def inject(run: Run) -> None:
        with run.stage.database() as database:
            database.execute(HURT.format(share=0.34, code=code))
            time.sleep(run.random.uniform(0.2, 0.6))
            database.execute(HURT.format(share=0, code=code))

    return inject


def clearinghouse_does(*faults: tuple[str, str]) -> Callable[[Run], None]:
    """All of this fault's times at once, shared out over `(where, fault)`: the next hand-overs meet them."""

    def inject(run: Run) -> None:
        shares = [run.times // len(faults) + (at < run.times % len(faults)) for at in range(len(faults))]
        rules = [
            {"where": where, "fault": fault, "times": times}
            for (where, fault), times in zip(faults, shares, strict=True)
        ]
        run.stage.clearinghouse("faults", rules)
        for (where, _), times in zip(faults, shares, strict=True):
            for _ in range(times):
                run.probe(STEDI_PAYER if where == "stedi" else SFTP_PAYER)
        deadline = time.monotonic() + 10 + run.times
        while any(run.stage.clearinghouse("left")) and time.monotonic() < deadline:
            time.sleep(0.05)

    return inject


def deploy(run: Run) -> None:
    """SIGTERM, time to finish, SIGKILL to what has not; then the next release starts, here the same code."""
    name = ("worker", "web", "beat", "gateways")[run.turn % 4]
    process = run.stage.running[name]
    processes.stop(process, signal.SIGTERM, seconds_each=15)
    end_session(process)


MIGRATION = (
    "ALTER TABLE claims_claim ADD COLUMN IF NOT EXISTS added_later integer",
    "DROP INDEX CONCURRENTLY IF EXISTS added_index",
    "CREATE INDEX CONCURRENTLY IF NOT EXISTS added_index ON claims_claim (added_later)",
    "ALTER TABLE claims_claim ADD CONSTRAINT added_check CHECK (added_later > 0) NOT VALID",
    "ALTER TABLE claims_claim VALIDATE CONSTRAINT added_check",
    "DROP INDEX CONCURRENTLY IF EXISTS added_index",
    "ALTER TABLE claims_claim DROP COLUMN added_later",
)


def migrate(run: Run) -> None:
    """What the rules of docs/migrations.md allow, while the old code reads and writes."""
    with run.stage.database() as database:
        database.execute("SET lock_timeout = '2s'")
        for statement in MIGRATION:
            for _ in range(20):
                with contextlib.suppress(psycopg.errors.LockNotAvailable, psycopg.errors.DeadlockDetected):
                    database.execute(statement)
                    break


def one_payer_never_answers(run: Run) -> None:
    """A partner's sessions for one payer meet nothing but timeouts; another payer's go on meanwhile."""
    run.stage.clearinghouse(
        "faults", [{"where": "stedi", "payer": SICK_PAYER, "fault": "timeout before", "times": 1_000_000}]
    )
    for _ in range(run.times + 1):
        run.partners.submit(run.partners.write("crowded"))
    well = run.partners.write("live", story=("PAID", "accepted", STEDI_PAYER))
    run.partners.submit(well)
    assert run.stage.wait_until_sent(well.external_id, patience=30), "a sick payer holds up the rest"


def crowd(run: Run) -> None:
    """A second beat and eight more workers, once; then a burst of sessions for all of them."""
    if "worker-more" not in run.stage.running:
        commands = run.stage.commands
        run.stage.launch(
            "worker-more",
            commands["worker"],
            WORKER_PROCESSES="8",
            PYTHONPATH=run.stage.stepped_path,
            STEPPED_CLOCK=str(run.stage.clock_flag),
        )
        run.stage.launch("beat-more", commands["beat"])
        run.stage.wait_for_workers(10)
    run.probe(STEDI_PAYER, SFTP_PAYER)


def step_the_clock_back(run: Run) -> None:
    run.stage.clock_flag.touch()
    run.probe(STEDI_PAYER, SFTP_PAYER)
    time.sleep(0.3)
    run.stage.clock_flag.unlink()


def restore_from_a_dump(run: Run) -> None:
    """Everything is killed, dumped as it is then, restored into another database, and started on that."""
    commands = run.stage.stop_serving()
    run.stage.replace_database_by_its_dump()
    for name, command in commands.items():
        run.stage.launch(name, command)


HTTP = ("500", "500 after", "429", "garbage", "truncated")
FAULTS = (
    Fault("worker killed at a step", kill_worker_at_a_step, "held at a table lock, then SIGKILL"),
    Fault("worker killed in the send", kill_worker_in_the_send, "held by the clearinghouse, then SIGKILL"),
    Fault("worker killed whole", kill_the_whole_worker),
    Fault("web killed in mid-request", kill_web_in_mid_request, "held at a table lock, then SIGKILL"),
    Fault("Redis restarted empty", restart_redis_empty),
    Fault("Redis unreachable", hang_redis, "SIGSTOP"),
    Fault("Redis slow", slow_redis, "CLIENT PAUSE"),
    Fault("PostgreSQL restarted", restart_postgres, "fast and immediate in turn"),
    Fault("connections cut", cut_connections, "pg_terminate_backend"),
    Fault("serialization failures", errors_of("40001"), "a trigger raises SQLSTATE 40001"),
    Fault("deadlocks", errors_of("40P01"), "a trigger raises SQLSTATE 40P01"),
    Fault("disk full", errors_of("53100"), "a trigger raises SQLSTATE 53100"),
    Fault(
        "clearinghouse times out before",
        clearinghouse_does(("stedi", "timeout before"), ("sftp", "timeout before")),
        at_once=True,
    ),
    Fault(
        "clearinghouse times out after",
        clearinghouse_does(("stedi", "timeout after"), ("sftp", "timeout after")),
        at_once=True,
    ),
    Fault(
        "clearinghouse hangs up",
        clearinghouse_does(("sftp", "hang up before"), ("sftp", "hang up after")),
        at_once=True,
    ),
    Fault("one payer never answers", one_payer_never_answers, at_once=True),
    *(
        Fault(f"clearinghouse answers {fault}", clearinghouse_does(("stedi", fault)), at_once=True)
        for fault in HTTP
    ),
    *(
        Fault(f"answers {fault}", clearinghouse_does(("answers", fault)), at_once=True)
        for fault in ("duplicated", "reordered", "cut", "unknown")
    ),
    Fault("deploy under load", deploy, "SIGTERM to worker, web and beat in turn"),
    Fault("migration under load", migrate),
    Fault("two beats and ten workers", crowd),
    Fault("clock steps back", step_the_clock_back, "in eight of the ten workers, by time_machine"),
    Fault("restored from a backup", restore_from_a_dump, "pg_dump, pg_restore", most=1),
)
