"""Finds sessions fast at any size: by number, by name, or page by page under filters; counts nothing.

A session's id grows with time, so the newest come first by id, and a page begins after the last id before it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any
from uuid import UUID

from django.db import OperationalError, connection, transaction
from psycopg.errors import QueryCanceled

from claims.staff_words import STATUS_GROUPS
from claims.work_queue import WITH_REASONS
from sessions_app.member_index import member_indexes
from sessions_app.patient_names import SHORTEST_KEYED, keyed, pattern, words_of

MOST_MILLISECONDS = 280
SHORT_RANGE = timedelta(days=14)
"""Up to here the days are the way in; beyond, the newest sessions are walked until the page is full."""
MOST_FOUND = 50
MOST_NAMED = 1000
SHORTEST_BEGINNING = 6
MOST_DAYS_WAITED = 30


class TooSlow(Exception):
    """These filters would take too long; one more of them helps."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which sessions a list shows; what is empty or None doesn't matter."""

    statuses: tuple[str, ...] = ()
    partner_id: UUID | None = None
    payer_name: str = ""
    first_day: date | None = None
    last_day: date | None = None
    reason: str = ""
    """Why the newest work on it was opened, done or not: a rule, a CARC, a status code."""
    waited: tuple[int, int | None] | None = None
    """Days from the service to the first payment, both ends, MOST_DAYS_WAITED apart; None for no last one."""

    def conditions(self) -> tuple[str, dict[str, Any]]:
        """What the session's own columns must be."""
        parts, values = ["true"], {}
        for name, column, comparison in (
            ("partner_id", "partner_id", "="),
            ("payer_name", "payer_name", "="),
            ("first_day", "date_of_service", ">="),
            ("last_day", "date_of_service", "<="),
        ):
            if value := getattr(self, name):
                parts.append(f"session.{column} {comparison} %({name})s")
                values[name] = value
        return " AND ".join(parts), values


BY_CLAIM = """
(SELECT claim.session_id AS id FROM claims_claim AS claim
 JOIN sessions_app_session AS session ON session.id = claim.session_id
 WHERE {of_claim} AND claim.session_id < %(after)s AND {conditions}
   AND NOT EXISTS (SELECT FROM claims_claim AS newer
                   WHERE newer.session_id = claim.session_id AND newer.version > claim.version)
 ORDER BY claim.session_id DESC LIMIT %(limit)s)
"""
BY_REASON = """
SELECT item.session_id AS id FROM claims_workitem AS item
JOIN sessions_app_session AS session ON session.id = item.session_id
JOIN LATERAL (SELECT status, paid_after_days FROM claims_claim WHERE session_id = session.id
              ORDER BY version DESC LIMIT 1) AS claim ON true
WHERE item.reason = %(reason)s AND item.session_id < %(after)s AND {conditions} AND ({of_claim})
  AND item.queue = ANY(%(queues)s)
  AND NOT EXISTS (SELECT FROM claims_workitem AS newer WHERE newer.session_id = item.session_id
                  AND newer.id > item.id AND newer.queue = ANY(%(queues)s))
ORDER BY item.session_id DESC LIMIT %(limit)s
"""
BY_DAYS = """
WITH days AS MATERIALIZED (
    SELECT session.id FROM sessions_app_session AS session
    WHERE session.partner_id IN (SELECT id FROM partners_partner)
      AND session.id < %(after)s AND {conditions}
)
SELECT id FROM days ORDER BY id DESC LIMIT %(limit)s
"""
NEWEST = """
SELECT session.id FROM sessions_app_session AS session
WHERE session.id < %(after)s AND {conditions} ORDER BY session.id DESC LIMIT %(limit)s
"""
BEFORE_ALL = UUID(int=(1 << 128) - 1)


def newest_sessions(wanted: Wanted, *, after: UUID | None, limit: int) -> list[UUID]:
    """Ids of the newest sessions that fit, behind `after`; TooSlow where that would take too long."""
    conditions, values = wanted.conditions()
    values |= {"after": after or BEFORE_ALL, "limit": limit}
    ways, of_claims = _by_claim(wanted)
    values |= of_claims
    if wanted.reason:
        values |= {"reason": wanted.reason, "queues": WITH_REASONS}
        statement = BY_REASON.format(of_claim=" OR ".join(ways) or "true", conditions=conditions)
    elif ways:
        union = " UNION ALL ".join(BY_CLAIM.format(of_claim=way, conditions=conditions) for way in ways)
        statement = f"SELECT id FROM ({union}) AS page ORDER BY id DESC LIMIT %(limit)s"  # noqa: S608 (texts of ours)
    elif (
        wanted.first_day
        and wanted.last_day
        and timedelta() <= wanted.last_day - wanted.first_day <= SHORT_RANGE
    ):
        statement = BY_DAYS.format(conditions=conditions)
    else:
        statement = NEWEST.format(conditions=conditions)
    try:
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute("SELECT set_config('statement_timeout', %s, true)", [str(MOST_MILLISECONDS)])
            cursor.execute(statement, values)
            return [pk for (pk,) in cursor.fetchall()]
    except OperationalError as error:
        if isinstance(error.__cause__, QueryCanceled):
            raise TooSlow from error
        raise


def _by_claim(wanted: Wanted) -> tuple[list[str], dict[str, Any]]:
    """Conditions on the claim, each of which has an index in the order of sessions; none where none is asked.

    A page is merged of one walk for each status, or for each day of waiting, that fits.
    """
    if wanted.waited is None:
        values = {f"status_{place}": status for place, status in enumerate(wanted.statuses)}
        return [f"claim.status = %({name})s" for name in values], values
    first, last = wanted.waited
    and_status = " AND claim.status = ANY(%(statuses)s)" if wanted.statuses else ""
    if last is None:
        return [f"claim.paid_after_days >= %(waited)s{and_status}"], {
            "waited": first,
            "statuses": list(wanted.statuses),
        }
    days = range(first, last + 1)
    values = {f"waited_{day}": day for day in days}
    return [f"claim.paid_after_days = %({name})s{and_status}" for name in values], values | {
        "statuses": list(wanted.statuses)
    }


NUMBERS = """
SELECT session_id AS id FROM claims_claim WHERE patient_control_number = %(upper)s
UNION SELECT session_id FROM claims_claim WHERE payer_control_number = %(text)s
UNION SELECT id FROM sessions_app_session
      WHERE partner_id IN (SELECT id FROM partners_partner) AND external_session_id = %(text)s
"""
"""Ours for the claim, the payer's and the partner's; each by its index."""
BY_NUMBER = f"""
{NUMBERS}
UNION SELECT session_id FROM claims_claim WHERE id = %(uuid)s
UNION (SELECT id FROM sessions_app_session WHERE member_id_index = ANY(%(members)s)
       ORDER BY date_of_service DESC LIMIT %(limit)s)
UNION SELECT id FROM sessions_app_session WHERE id = %(uuid)s
ORDER BY id DESC LIMIT %(limit)s
"""  # noqa: S608 (texts of ours)
BY_NAME = """
WITH named AS MATERIALIZED (
    SELECT session.id FROM partners_partner AS partner, LATERAL (
        SELECT id FROM sessions_app_session WHERE partner_id = partner.id AND {conditions}
        LIMIT (SELECT greatest(%(most)s / count(*), %(limit)s) FROM partners_partner)
    ) AS session LIMIT %(most)s
)
SELECT id FROM named ORDER BY id DESC LIMIT %(limit)s
"""
BY_BEGINNING = """
SELECT session_id FROM claims_claim WHERE patient_control_number LIKE %(beginning)s
ORDER BY patient_control_number LIMIT %(limit)s
"""


@dataclass(frozen=True, slots=True)
class Found:
    """Sessions that a text names, the newest first; `how` says by what: number, name or beginning."""

    ids: Sequence[UUID]
    how: str = ""
    more: bool = False


def find_sessions(text: str) -> Found:
    """Look at the text as a number first, whole; then as a name, then as the beginning of a claim number.

    What has a digit is rather the beginning of a number than a name, and is looked for as that before.
    """
    text = " ".join(text.replace("\x00", "").split())
    if not text:
        return Found(())
    limit = MOST_FOUND + 1
    number = {
        "text": text,
        "upper": text.upper(),
        "members": member_indexes(text),
        "uuid": uuid_in(text),
        "limit": limit,
    }
    if ids := _ids(BY_NUMBER, number):
        return _found(ids, "number")
    ways = [("name", _named), ("beginning", _begun)]
    if any(character.isdigit() for character in text):
        ways.reverse()
    for how, look in ways:
        if ids := look(text, limit):
            return _found(ids, how)
    return Found(())


def numbered(text: str) -> list[UUID]:
    """Sessions whose claim has this number, of ours or of the payer's, or that a partner names so."""
    return _ids(NUMBERS, {"text": text, "upper": text.upper()})


def _found(ids: list[UUID], how: str) -> Found:
    return Found(ids[:MOST_FOUND], how=how, more=len(ids) > MOST_FOUND)


def _begun(text: str, limit: int) -> list[UUID]:
    if len(text) < SHORTEST_BEGINNING or not (text.isascii() and text.isalnum()):
        return []
    return _ids(BY_BEGINNING, {"beginning": f"{text.upper()}%", "limit": limit})


def _named(text: str, limit: int) -> list[UUID]:
    """Each organization's own, by the keys of its names; of common names as many of each."""
    words = words_of(text)[:5]
    if all(len(word) == 1 for word in words):
        return []
    values: dict[str, Any] = {"most": MOST_NAMED, "limit": limit}
    conditions = []
    with_keys = sum(len(word) >= SHORTEST_KEYED for word in words)
    for place, word in enumerate(words):
        initial, name = (" ", "' ' || patient_search_name") if len(word) == 1 else ("", "patient_search_name")
        values |= {f"pattern_{place}": pattern(initial + word), f"word_{place}": word}
        conditions.append(f"{name} LIKE %(pattern_{place})s")
        if len(word) >= SHORTEST_KEYED:
            conditions.append(keyed(f"%(word_{place})s", partner="partner.id", words=with_keys))
    return _ids(BY_NAME.format(conditions=" AND ".join(conditions)), values)


def _ids(statement: str, values: Mapping[str, Any]) -> list[UUID]:
    with connection.cursor() as cursor:
        cursor.execute(statement, values)
        return list(dict.fromkeys(pk for (pk,) in cursor.fetchall()))


def uuid_in(text: str) -> UUID | None:
    """The ID that a text is; None where it is none."""
    try:
        return UUID(text)
    except ValueError:
        return None


def statuses_named(name: str) -> tuple[str, ...]:
    """The claim statuses that a filter's word stands for: a group's, or the one of that name."""
    if name in STATUS_GROUPS:
        return tuple(status.value for status in STATUS_GROUPS[name].statuses)
    known = {status.value for group in STATUS_GROUPS.values() for status in group.statuses} | {"voided"}
    return (name,) if name in known else ()
