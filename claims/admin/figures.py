"""The home page's pictures, drawn from counted days; every number links to its rows."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from decimal import Decimal
from typing import Any
from urllib.parse import urlencode

from django.db import connection
from django.urls import reverse
from django.utils import timezone

from billing.adjustment_words import WhoActs, explain_adjustment
from claims.admin.charts import Chart, Part, columns
from claims.figures import BUCKET_DAYS
from claims.fold.words import with_capital
from claims.signals import ClaimStatus
from claims.staff_words import STATUS_GROUPS

WEEKS = 11
PERIOD_DAYS = 90
MOST_PAYERS, MOST_REASONS = 7, 6
AGES = (
    (0, 30, "0–30", "good"),
    (31, 60, "31–60", "with"),
    (61, 90, "61–90", "hold"),
    (91, 120, "91–120", "back"),
    (121, None, "over 120", "lost"),
)
MEASURES = {"sessions": "Sessions", "charged": "Charges", "paid": "Paid"}
OWED = tuple(STATUS_GROUPS["with_payer"].statuses)
DENIED = STATUS_GROUPS["denied"].statuses
COUNTED_AS_JUDGED = (*DENIED, *STATUS_GROUPS["paid"].statuses, *STATUS_GROUPS["part"].statuses)
"""What a rate of denials is of: neither a reversal, which another answer follows, nor an inquiry alone."""
WHO_ACTS = {
    WhoActs.WE: "we can fix it",
    WhoActs.PARTNER: "the partner must act",
    WhoActs.PAYER: "the payer must act",
    WhoActs.PATIENT: "the patient must act",
    WhoActs.NOBODY: "nothing to do",
    WhoActs.UNKNOWN: "look the code up",
}
FOUND_OUT = "the partner finds out, we send it again"

FIGURES = """
SELECT week, period, age, payer_name, status, reason, sum(sessions), sum(charged), sum(paid), max(counted_at)
FROM (SELECT day - date_part('isodow', day)::int + 1 AS week, (current_date - day) / %(period)s AS period,
             CASE WHEN current_date - day <= 30 THEN 0 WHEN current_date - day <= 60 THEN 1
                  WHEN current_date - day <= 90 THEN 2 WHEN current_date - day <= 120 THEN 3
                  ELSE 4 END AS age,
             payer_name, status, reason, sessions, charged, paid, counted_at
      FROM claims_dailyfigure
      WHERE partner_id IS NULL AND (day > current_date - 2 * %(period)s OR status = ANY(%(owed)s))) AS figure
GROUP BY GROUPING SETS ((week, status), (period, payer_name, status), (period, reason, status), (age, status))
"""
WITHIN = """
SELECT place, sum(count)
FROM claims_dailyfigure, unnest(paid_within) WITH ORDINALITY AS each (count, place)
WHERE partner_id IS NULL AND day > current_date - 2 * %(period)s AND paid > 0
GROUP BY place ORDER BY place
"""


@dataclass(frozen=True, slots=True)
class Figure:
    """Sessions of one status and of one week, or of a payer or reason in a period, or of an age.

    What it is not about is None. Period 0 is the last ninety days, 1 those before.
    """

    week: date | None
    period: int | None
    age: int | None
    payer_name: str | None
    status: str
    reason: str | None
    sessions: int
    charged: Decimal
    paid: Decimal
    counted_at: datetime


@dataclass(frozen=True, slots=True)
class Share:
    """A line of a ranking: how much, the bar's length out of 100, the change in points, its rows."""

    title: str
    amount: Decimal
    percent: float
    length: float
    address: str
    tone: str = "lost"
    change: float | None = None
    remark: str = ""


@dataclass(slots=True)
class Pictures:
    """All of the home page's charts."""

    weeks: Chart
    table: list[tuple[date, list[Decimal]]]
    measure: str
    receivables: list[Share]
    owed: Decimal
    denied_by_payer: list[Share]
    denied_by_reason: list[Share]
    denied_rate: float
    denied_before: float | None
    """None where nothing was judged."""
    judged: int
    payment: Chart | None
    half_within: int
    most_within: int
    as_of: datetime | None
    legend: list[tuple[str, str]] = field(default_factory=list)


def sessions_at(**query: object) -> str:
    """Address the list of the sessions behind a number."""
    shown = {
        "from" if name == "since" else name: value for name, value in query.items() if value not in ("", None)
    }
    return f"{reverse('admin:sessions_app_session_changelist')}?{urlencode(shown)}"


def pictures(measure: str) -> Pictures:
    """Draw everything from two queries over counted days."""
    parameters: dict[str, Any] = {"period": PERIOD_DAYS, "owed": list(OWED)}
    with connection.cursor() as cursor:
        cursor.execute(FIGURES, parameters)
        figures = [Figure(*row) for row in cursor.fetchall()]
        cursor.execute(WITHIN, parameters)
        within = [int(count) for _, count in cursor.fetchall()]
    weeks, table = _weeks(figures, measure)
    recent = [each for each in figures if each.period == 0 and each.payer_name is not None]
    before = [each for each in figures if each.period == 1 and each.payer_name is not None]
    receivables = _receivables(figures)
    payment, half, most = _payment(within)
    return Pictures(
        weeks=weeks,
        table=table,
        measure=measure,
        receivables=receivables,
        owed=sum((share.amount for share in receivables), Decimal(0)),
        denied_by_payer=_denied_by_payer(recent, before),
        denied_by_reason=_denied_by_reason(each for each in figures if each.period == 0 and each.reason),
        denied_rate=_denial_rate(recent),
        denied_before=_denial_rate(before) if _judged(before) else None,
        judged=_judged(recent),
        payment=payment,
        half_within=half,
        most_within=most,
        as_of=max((each.counted_at for each in figures), default=None),
        legend=[(group.tone, group.title) for group in STATUS_GROUPS.values()],
    )


def _value(figure: Figure, measure: str) -> Decimal:
    return Decimal(getattr(figure, measure))


def _weeks(figures: Iterable[Figure], measure: str) -> tuple[Chart, list[tuple[date, list[Decimal]]]]:
    today = timezone.localdate()
    this_week = today - timedelta(days=today.weekday())
    mondays = [this_week - timedelta(weeks=ago) for ago in reversed(range(WEEKS))]
    group_of = {status: key for key, group in STATUS_GROUPS.items() for status in group.statuses}
    sums: dict[tuple[date, str], Decimal] = defaultdict(Decimal)
    for each in figures:
        if each.week and (key := group_of.get(ClaimStatus(each.status))) is not None:
            sums[each.week, key] += _value(each, measure)
    unit = "" if measure == "sessions" else "$"
    parts = [
        [
            Part(
                value=float(sums[monday, key]),
                tone=group.tone,
                words=f"Week of {monday:%b} {monday.day}: {unit}{sums[monday, key]:,.0f}, {group.title}",
                address=sessions_at(status=key, since=monday, to=monday + timedelta(days=6)),
            )
            for key, group in STATUS_GROUPS.items()
        ]
        for monday in mondays
    ]
    table = [(monday, [sums[monday, key] for key in STATUS_GROUPS]) for monday in mondays]
    return columns(parts, labels=[f"{monday:%b} {monday.day}" for monday in mondays], unit=unit), table


def _receivables(figures: Iterable[Figure]) -> list[Share]:
    sums = [Decimal(0)] * len(AGES)
    for each in figures:
        if each.age is not None and each.status in OWED:
            sums[each.age] += each.charged - each.paid
    total, most = sum(sums, Decimal(0)) or Decimal(1), max(*sums, Decimal(1))
    today = timezone.localdate()
    shares = []
    for (youngest, oldest, words, tone), amount in zip(AGES, sums, strict=True):
        address = sessions_at(
            status="with_payer",
            since=None if oldest is None else today - timedelta(days=oldest),
            to=today - timedelta(days=youngest),
        )
        shares.append(
            Share(words, amount, float(amount / total * 100), float(amount / most * 100), address, tone=tone)
        )
    return shares


def _judged(figures: Iterable[Figure]) -> int:
    return sum(each.sessions for each in figures if each.status in COUNTED_AS_JUDGED)


def _denial_rate(figures: Sequence[Figure]) -> float:
    denied = sum(each.sessions for each in figures if each.status in DENIED)
    return denied / (_judged(figures) or 1) * 100


def _denied_by_payer(recent: list[Figure], before: list[Figure]) -> list[Share]:
    payers = {each.payer_name for each in recent if each.payer_name is not None and each.status in DENIED}
    rates = {payer: _denial_rate([each for each in recent if each.payer_name == payer]) for payer in payers}
    earlier = {payer: [each for each in before if each.payer_name == payer] for payer in payers}
    highest = max([*rates.values(), 1.0])
    since = timezone.localdate() - timedelta(days=PERIOD_DAYS - 1)
    return [
        Share(
            payer,
            Decimal(0),
            rate,
            rate / highest * 100,
            sessions_at(status="denied", payer=payer, since=since),
            change=round(rate - _denial_rate(earlier[payer]), 1) if _judged(earlier[payer]) else None,
        )
        for payer, rate in sorted(rates.items(), key=lambda pair: (-pair[1], pair[0]))[:MOST_PAYERS]
    ]


def _denied_by_reason(recent: Iterable[Figure]) -> list[Share]:
    counts: dict[str, int] = defaultdict(int)
    for each in recent:
        if each.reason and each.status in DENIED:
            counts[each.reason] += each.sessions
    since = timezone.localdate() - timedelta(days=PERIOD_DAYS - 1)
    shares = []
    for reason, count in sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))[:MOST_REASONS]:
        group, _, carc = reason.rpartition("-")
        explained = explain_adjustment(group, carc)
        words = explained.words if explained.known else reason
        shares.append(
            Share(
                with_capital(words),
                Decimal(count),
                0,
                0,
                sessions_at(status="denied", reason=reason, since=since),
                remark=f"{reason} · {FOUND_OUT if explained.staff_fix else WHO_ACTS[explained.who_acts]}",
            )
        )
    return shares


def _payment(within: list[int]) -> tuple[Chart | None, int, int]:
    """Draw how many days payments took; the days within which half came, and nine in ten."""
    total = sum(within)
    if not total:
        return None, 0, 0
    since = timezone.localdate() - timedelta(days=2 * PERIOD_DAYS - 1)
    reached, half, most = 0, 0, 0
    parts = []
    for place, count in enumerate(within):
        tone = "move" if reached < total / 2 else "with" if reached < total * 0.9 else "wait"
        reached += count
        first = place * BUCKET_DAYS
        last = first + BUCKET_DAYS - 1
        half = half or (last if reached >= total / 2 else 0)
        most = most or (last if reached >= total * 0.9 else 0)
        is_last = place == len(within) - 1
        days = f"{first} days or more" if is_last else f"{first} to {last} days"
        rows = sessions_at(waited=f"{first}-{'' if is_last else last}", since=since)
        parts.append([Part(count, tone, f"{count:,} paid within {days}", rows)])
    labels = [str(place * BUCKET_DAYS) for place in range(len(within))]
    return columns(parts, labels=labels), half, most
