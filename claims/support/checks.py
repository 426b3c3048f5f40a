"""The doctor's questions, each answered by one line: ok, warn or fail, and what to do."""

import traceback
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import timedelta
from enum import StrEnum

import redis
from django.conf import settings
from django.core.checks import ERROR, WARNING, run_checks
from django.core.exceptions import ImproperlyConfigured
from django.db import DatabaseError, connection
from django.db.migrations.executor import MigrationExecutor
from django.db.models import Count, Exists, Min, OuterRef
from django.utils import timezone

from billing.codes import release_for
from billing.models import Payer
from billing.rules.registry import rules_not_checked
from claims import gateways, heartbeats, note_model
from claims.clearinghouse.port import ClearinghouseError
from claims.models import Claim, InboundFile, PollCursor, WorkItem
from claims.signals import UNSETTLED, ClaimStatus
from claims.versions import ON_ITS_WAY
from partners import months
from partners.keyring import field_ring, pepper_ring
from partners.models import ApiKey
from partners.outages import OTHER_TABLES, is_of_another_release, is_outage, takes_writes
from partners.rotation import OWN_ID, PUT_BACK, encrypted_columns, keys_taken_for_others, oldest_by_key
from providers.models import ChargeRate
from sessions_app.lookups import loaded_tables

CLOCKS_APART = timedelta(seconds=2)
KEYS_EXPIRE_SOON = timedelta(days=14)
RELEASE_ENDS_SOON = timedelta(days=30)
QUEUE_LATE = timedelta(minutes=3)
QUEUE_FAILED = timedelta(minutes=30)
POLL_LATE = timedelta(minutes=15)
ANSWER_DUE = (ClaimStatus.QUEUED, *UNSETTLED, *ON_ITS_WAY)
"""Of claims that an answer has still to come for."""
OLDEST_POSTGRESQL = 150000
HIGHEST_PAGE_COST = 2.0
PLANNER = """
SELECT (SELECT array_agg(oid::regprocedure::text ORDER BY oid) FROM pg_proc
        WHERE NOT proleakproof AND proname IN ('arraycontains', 'name_keys')),
    coalesce(
        (SELECT split_part(setting, '=', 2) FROM pg_db_role_setting, unnest(setconfig) AS setting
         WHERE setdatabase = (SELECT oid FROM pg_database WHERE datname = current_database())
             AND setting LIKE 'random_page_cost=%' LIMIT 1),
        current_setting('random_page_cost'))::float,
    current_database()
"""


class State(StrEnum):
    OK = "ok"
    WARN = "warn"
    FAIL = "fail"


@dataclass(frozen=True, slots=True)
class Line:
    """One answer; `remedy` says what to do where the state isn't ok."""

    name: str
    state: State
    words: str
    remedy: str = ""


Check = Callable[[], Iterator[Line]]


def examine() -> Iterator[Line]:
    """Ask everything in turn; a question that can't be asked is a failure, and the others go on.

    A database that can't be reached is asked once: each attempt may take as long as it may.
    """
    away = False
    left: list[str] = []
    for check in CHECKS:
        name = check.__name__.removeprefix("check_").replace("_", " ")
        if away and check not in WITHOUT_DATABASE:
            left.append(name)
            continue
        try:
            yield from check()
        except DatabaseError as error:
            away = is_outage(error) and connection.connection is None
            if is_of_another_release(error):
                yield Line(name, State.FAIL, OTHER_TABLES, "Run: manage.py migrate")
            else:
                words = f"The database doesn't answer: {type(error).__name__}."
                yield Line(name, State.FAIL, words, DATABASE_REMEDY)
        except (redis.RedisError, OSError) as error:
            yield Line(name, State.FAIL, f"The broker doesn't answer: {type(error).__name__}.", BROKER_REMEDY)
        except ImproperlyConfigured as error:
            yield Line(
                name, State.FAIL, str(error), "Put the setting right; docs/settings.md lists them all."
            )
        except Exception as error:
            place = traceback.extract_tb(error.__traceback__)[-1]
            words = f"It can't be asked: {type(error).__name__} at {place.filename}:{place.lineno}."
            yield Line(name, State.FAIL, words, "Look at the settings that it needs: docs/settings.md.")
    if left:
        yield Line("not asked", State.WARN, f"{', '.join(left)}: the database is away.", "Ask again then.")


DATABASE_REMEDY = (
    "Check DATABASE_URL and that PostgreSQL (or the pooler) runs: docs/runbook/database-down.md."
)
BROKER_REMEDY = (
    "Check REDIS_URL and that Redis runs; sessions are taken meanwhile: docs/runbook/broker-down.md."
)


def check_configuration() -> Iterator[Line]:
    """Django's own checks and ours; those for deployment in production only."""
    found = [
        message
        for message in run_checks(include_deployment_checks=settings.PRODUCTION)
        if message.level >= WARNING and not message.is_silenced()
    ]
    for message in found:
        state = State.FAIL if message.level >= ERROR else State.WARN
        yield Line(
            "configuration", state, f"{message.id}: {message.msg}", message.hint or "See docs/settings.md."
        )
    if not found:
        yield Line(
            "configuration", State.OK, f"Environment {settings.ENVIRONMENT}; all settings fit together."
        )


def check_database() -> Iterator[Line]:
    """It answers, takes writes, and is of a version that we know."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT current_setting('server_version_num')::int, pg_is_in_recovery()")
        version, recovering = cursor.fetchone()
    if recovering:
        yield Line(
            "database",
            State.FAIL,
            "It is a replica: nothing can be written.",
            "Point DATABASE_URL at the primary.",
        )
    elif not takes_writes():
        yield Line(
            "database",
            State.FAIL,
            "Nothing can be written: default_transaction_read_only.",
            "Point DATABASE_URL at the primary in charge, or reset that setting: "
            "docs/runbook/database-down.md.",
        )
    elif version < OLDEST_POSTGRESQL:
        yield Line("database", State.FAIL, f"PostgreSQL {version // 10000}.", "Use PostgreSQL 15 or newer.")
    else:
        yield Line("database", State.OK, f"PostgreSQL {version // 10000}.{version % 10000} answers.")
    yield from _planner()


def _planner() -> Iterator[Line]:
    """What the migrations told the planner is still so; a restored database has to be told again."""
    with connection.cursor() as cursor:
        cursor.execute(PLANNER)
        leaking, page_cost, database = cursor.fetchone()
    if leaking:
        words = "The search by patient name can't use its index: large partners wait for it."
        remedy = "As a superuser: " + "; ".join(f"ALTER FUNCTION {name} LEAKPROOF" for name in leaking)
        yield Line("name search", State.WARN, words, remedy)
    if page_cost > HIGHEST_PAGE_COST:
        words = f"random_page_cost is {page_cost:g}: the planner thinks of turning disks."
        remedy = f"As its owner: ALTER DATABASE {database} SET random_page_cost = 1.1"
        yield Line("page cost", State.WARN, words, remedy)


def check_migrations() -> Iterator[Line]:
    """What the code expects is applied."""
    executor = MigrationExecutor(connection)
    pending = executor.migration_plan(executor.loader.graph.leaf_nodes())
    if pending:
        names = ", ".join(f"{step.app_label}.{step.name}" for step, _ in pending[:5])
        yield Line(
            "migrations", State.FAIL, f"{len(pending)} not applied: {names}.", "Run: manage.py migrate"
        )
    else:
        yield Line("migrations", State.OK, "All are applied.")


def check_months() -> Iterator[Line]:
    """Tables by month have the coming ones; nothing lies where no month is."""
    remedy = "Run: manage.py keep_months; docs/runbook/months.md"
    tables = months.tables()
    for table in tables:
        if table.missing:
            named = ", ".join(f"{month:%Y-%m}" for month in table.missing)
            yield Line("months", State.WARN, f"{table.name} has no partition for {named}.", remedy)
        if astray := sum(table.astray.values()):
            words = f"{astray:,} rows of {table.name} lie in its default partition."
            yield Line("months", State.WARN, words, remedy)
    if not any(table.missing or table.astray for table in tables):
        yield Line("months", State.OK, f"{len(tables)} tables have those of {months.AHEAD} months ahead.")


def check_clocks() -> Iterator[Line]:
    """This machine's clock and the database's: due times are compared with both."""
    before = timezone.now()
    with connection.cursor() as cursor:
        cursor.execute("SELECT clock_timestamp()")
        there = cursor.fetchone()[0]
    after = timezone.now()
    apart = max(before - there, there - after, timedelta())
    if apart > CLOCKS_APART:
        words = f"This machine and the database are {apart.total_seconds():.1f} s apart."
        yield Line("clocks", State.FAIL, words, "Let both follow the same time server (chrony).")
    else:
        yield Line("clocks", State.OK, "This machine's and the database's agree.")


def check_broker() -> Iterator[Line]:
    """Redis answers, and somebody works."""
    with heartbeats.broker() as client:
        if heartbeats.takes_writes(client):
            yield Line("broker", State.OK, "Redis answers.")
        else:
            remedy = "Is it full (maxmemory), a replica, or its disk full? docs/runbook/broker-down.md"
            yield Line("broker", State.FAIL, "Redis answers and takes no writes.", remedy)
        for kind, process in _kinds_needed().items():
            found = heartbeats.ages(kind, client)
            fresh = [name for name, age in found.items() if age < heartbeats.STALE_SECONDS]
            silent = sorted(found.keys() - set(fresh))
            if not fresh:
                remedy = f"Start the process {process!r} of the Procfile, or look into its log."
                yield Line(kind, State.FAIL, f"No process {kind!r} was heard of in the last minute.", remedy)
            elif silent:
                words = f"{len(fresh)} alive; silent: {', '.join(silent)}."
                yield Line(
                    kind,
                    State.WARN,
                    words,
                    "Restart them unless they were taken away; a day later they are forgotten.",
                )
            else:
                yield Line(kind, State.OK, f"{len(fresh)} alive.")


def _kinds_needed() -> dict[str, str]:
    """What must be heard of, and the process of the Procfile that it is."""
    kinds = {"worker": "worker", "periodic": "worker", "gateways": "gateways", "beat": "beat"}
    return kinds | ({"notes": "gateways"} if note_model.in_use() else {})


def check_queues() -> Iterator[Line]:
    """What is due is taken soon; files are applied soon."""
    now = timezone.now()
    due = Claim.objects.filter(next_step_at__lte=now).aggregate(count=Count("pk"), oldest=Min("next_step_at"))
    waiting = InboundFile.objects.filter(state=InboundFile.State.RECEIVED)
    files = waiting.aggregate(count=Count("pk"), oldest=Min("received_at"))
    for name, found, what in (("claims due", due, "claims are due"), ("files waiting", files, "files wait")):
        age = now - found["oldest"] if found["oldest"] else timedelta()
        state = State.FAIL if age > QUEUE_FAILED else State.WARN if age > QUEUE_LATE else State.OK
        words = f"{found['count']:,} {what}" + (f", the oldest for {_span(age)}." if found["count"] else ".")
        yield Line(name, state, words, "" if state is State.OK else "docs/runbook/queue-grows.md")
    items = WorkItem.objects.filter(closed_at=None)
    stuck = items.filter(queue=WorkItem.Queue.TRANSPORT).count()
    words = f"{items.count():,} open for staff, {stuck:,} of them transport failures."
    remedy = "Look at the queue of transport failures: docs/runbook/clearinghouse-down.md"
    yield Line("work items", State.WARN if stuck else State.OK, words, remedy if stuck else "")


def check_code_sets() -> Iterator[Line]:
    """A release of ICD-10-CM is there for sessions of today; one that has ended warns, as DX-002 does."""
    today = timezone.now().date()
    release = release_for(today)
    load = "Load the release in force: manage.py load_icd10cm --help"
    if release is None:
        yield Line("code sets", State.FAIL, "No ICD-10-CM release is loaded: no code can be judged.", load)
    elif not release.covers(today):
        words = f"ICD-10-CM {release.name} ended on {release.valid_to}; sessions of today are judged by it."
        yield Line("code sets", State.WARN, words, load)
    elif (
        release.valid_to - today < RELEASE_ENDS_SOON
        and release_for(release.valid_to + timedelta(days=1)) == release
    ):
        words = f"ICD-10-CM {release.name} ends on {release.valid_to}, and no later one is loaded."
        yield Line("code sets", State.WARN, words, load)
    else:
        yield Line("code sets", State.OK, f"ICD-10-CM {release.name} is in force until {release.valid_to}.")
    if not Payer.objects.exists():
        yield Line("payers", State.FAIL, "No payer is loaded.", "Run: manage.py migrate, then import_payers")
    if not ChargeRate.objects.filter(valid__contains=today).exists():
        yield Line(
            "charges", State.FAIL, "No charge is in force today.", "Run: manage.py import_charges --help"
        )
    missing = rules_not_checked(loaded_tables())
    words = (
        f"Not checked, for want of a table: {', '.join(rule.id for rule in missing)}."
        if missing
        else "All are checked."
    )
    yield Line("rules", State.OK, words)


def check_gateways() -> Iterator[Line]:
    """Each clearinghouse in use answers, was polled lately and lets its files be read; none is taken here."""
    for name in gateways.gateway_names():
        cursor = PollCursor.objects.filter(pk=name).first()
        try:
            left = gateways.gateway(name).fetch(cursor.cursor if cursor else "").left
        except ClearinghouseError as error:
            yield Line(f"gateway {name}", State.FAIL, f"{error.code}.", "docs/runbook/clearinghouse-down.md")
        except KeyError:
            remedy = "Set LIVE_GATEWAY or LIVE_GATEWAY_BY_PAYER right."
            yield Line(f"gateway {name}", State.FAIL, "There is no such gateway.", remedy)
        else:
            polled = (
                f"last polled {_span(timezone.now() - cursor.polled_at)} ago"
                if cursor and cursor.polled_at
                else "never polled"
            )
            late = cursor and cursor.polled_at and timezone.now() - cursor.polled_at > POLL_LATE
            if told := "; ".join(left) or (cursor.failure if cursor else ""):
                words = f"It answers; {polled}. {told.rstrip('.')}."
                yield Line(f"gateway {name}", State.WARN, words, "docs/runbook/clearinghouse-down.md")
            elif late:
                remedy = "See whether beat and gateways run: docs/runbook/clearinghouse-down.md"
                yield Line(f"gateway {name}", State.WARN, f"It answers; {polled}.", remedy)
            else:
                yield Line(f"gateway {name}", State.OK, f"It answers; {polled}.")


def check_unused_gateways() -> Iterator[Line]:
    """No claim waits for a clearinghouse that nobody asks any more."""
    waiting = Claim.objects.filter(status__in=ANSWER_DUE).exclude(gateway__in=["", *gateways.gateway_names()])
    for name, count in waiting.values_list("gateway").annotate(count=Count("pk")).order_by("gateway"):
        words = f"It is not in use, so nobody fetches its answers, and {count:,} claims wait for them."
        remedy = f"Set it up again, or take its files in: manage.py ingest FILE --gateway {name}"
        yield Line(f"gateway {name}", State.WARN, words, remedy)


def check_keys() -> Iterator[Line]:
    """Keys of partners that end soon, and the rings that ours come from."""
    living = ApiKey.objects.filter(revoked_at=None).exclude(expires_at__lte=timezone.now())
    same = {name: OuterRef(name) for name in ("partner", "name", "read_only", "allowed_networks")}
    successors = living.filter(**same, created_at__gt=OuterRef("created_at"))
    soon = ApiKey.objects.select_related("partner").filter(
        ~Exists(successors),
        revoked_at=None,
        partner__active=True,
        expires_at__gt=timezone.now(),
        expires_at__lt=timezone.now() + KEYS_EXPIRE_SOON,
    )
    for key in soon.order_by("expires_at"):
        words = f"{key.prefix} of {key.partner.slug} ends on {key.expires_at:%Y-%m-%d} and has no successor."
        remedy = f"Run: manage.py rotate_api_key {key.prefix}, and tell the partner."
        yield Line("API keys", State.WARN, words, remedy)
    peppers = set(living.values_list("pepper_id", flat=True).distinct())
    lost = peppers - pepper_ring().secrets.keys()
    if lost:
        names = ", ".join(sorted(lost))
        words = f"Keys were issued under {names}, which API_KEY_PEPPERS lacks: they get a 401."
        yield Line("peppers", State.FAIL, words, "Put the old pepper back behind the current one.")
    read = field_ring().secrets.keys()
    oldest = [oldest_by_key(column) for column in encrypted_columns({})]
    if unreadable := {key_id for found in oldest for key_id in found} - read:
        words = (
            f"Values are under {', '.join(sorted(unreadable))}, which FIELD_KEYS lacks: nobody can read them."
        )
        yield Line("field keys", State.FAIL, words, PUT_BACK)
    for key_id in sorted(set().union(*map(keys_taken_for_others, oldest))):
        words = f"FIELD_KEYS has another key under {key_id!r} than what is stored was written with."
        yield Line("field keys", State.FAIL, words, OWN_ID)
    rings = f"API_KEY_PEPPERS uses {pepper_ring().current}, FIELD_KEYS uses {field_ring().current}."
    yield Line("secrets", State.OK, rings)


CHECKS: tuple[Check, ...] = (
    check_configuration,
    check_database,
    check_migrations,
    check_months,
    check_clocks,
    check_broker,
    check_queues,
    check_code_sets,
    check_gateways,
    check_unused_gateways,
    check_keys,
)
WITHOUT_DATABASE = (check_configuration, check_broker)


def _span(age: timedelta) -> str:
    seconds = int(age.total_seconds())
    if seconds < 120:
        return f"{seconds} s"
    return f"{seconds // 60:,} min" if seconds < 7200 else f"{seconds // 3600:,} h"
