"""The two reads of sessions, by hand: one statement each, rows only, nothing computed again.

Every statement is scoped by `%(partner)s`, and records who reads what in the access record. Instants come as
the interface writes them (UTC, microseconds, Z).
"""

import time
from functools import lru_cache
from uuid import UUID

from partners.audit import What, recorded
from partners.identifiers import first_id, made_in
from partners.statements import FIRST
from sessions_app.patient_names import keyed

_INSTANT = """to_char({column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')"""


def _instant(column: str) -> str:
    return _INSTANT.format(column=column)


COLUMNS = f"""
    session.id::text,
    session.external_session_id,
    session.status,
    session.date_of_service::text,
    {_instant("session.created_at")},
    {_instant("session.updated_at")},
    session.patient_first_name,
    session.patient_last_name,
    session.patient_date_of_birth::text,
    session.member_id,
    session.payer_name,
    session.payer_id,
    session.group_number,
    provider.id::text,
    provider.first_name,
    provider.last_name,
    provider.npi,
    provider.credentials,
    provider.specialty,
    claim.id::text,
    claim.status,
    {_instant("claim.submitted_at")},
    {_instant("claim.last_updated_at")},
    claim.patient_control_number,
    claim.payer_control_number,
    claim.mode"""

PROVIDER_AND_CLAIM = """
JOIN providers_provider AS provider ON provider.id = session.provider_id
LEFT JOIN LATERAL (
    SELECT * FROM claims_claim
    WHERE claims_claim.session_id = session.id AND claims_claim.built_at IS NOT NULL
    ORDER BY claims_claim.version DESC LIMIT 1
) AS claim ON true"""

_DETAIL = f"""
WITH session AS MATERIALIZED (
    SELECT * FROM sessions_app_session WHERE partner_id = %(partner)s AND id = %(session)s
), seen AS ({recorded(What.DETAIL, shown="session")})
SELECT {COLUMNS},
    session.message,
    (SELECT json_agg(json_build_array(event.type, event.status, event.summary, {_instant("event.timestamp")})
                     ORDER BY event.id)::text
     FROM sessions_app_sessionevent AS event WHERE event.session_id = session.id {{month}})
FROM session {PROVIDER_AND_CLAIM}
"""  # noqa: S608 (only names of columns are put in)
_MOST_MONTHS = 24
"""For older sessions one statement serves all: there are only so many that a connection keeps."""


def detail(session_id: UUID) -> str:
    """The detail read. Parameters: those of `reader`, and `session`.

    The month of the session's history stands in the statement, so that the plan that PostgreSQL keeps holds
    this partition alone; with all of them in it, it would cost a third more.
    """
    month = made_in(session_id)
    return _detail_of(month if 0 <= _this_month() - month <= _MOST_MONTHS else None)


@lru_cache
def _detail_of(month: int | None) -> str:
    if month is None:
        return _DETAIL.format(month="")
    between = f"AND event.session_id >= '{first_id(month)}' AND event.session_id < '{first_id(month + 1)}'"
    return _DETAIL.format(month=between)


def _this_month() -> int:
    today = time.gmtime()
    return today.tm_year * 12 + today.tm_mon - 1


_FILTERS = {
    "status": "status = %(status)s",
    "providerNpi": "provider_id = (SELECT id FROM providers_provider WHERE npi = %(providerNpi)s "
    "AND partner_id = %(partner)s)",
    "dateFrom": "date_of_service >= %(dateFrom)s",
    "dateTo": "date_of_service <= %(dateTo)s",
    "externalSessionId": "external_session_id = %(externalSessionId)s",
}
_NEWEST = "ORDER BY created_at DESC, id DESC LIMIT %(limit)s"
_SHOWN = "(SELECT id FROM session ORDER BY created_at DESC, id DESC LIMIT %(limit)s - 1)"
_DATES = frozenset({"dateFrom", "dateTo"})
_SEARCH = """
SELECT set_config('app.page', coalesce(array_agg(found.id), ARRAY[]::uuid[])::text, true)
FROM ({found}) AS found"""
_FOUND = "WHERE partner_id = %(partner)s AND id = ANY (current_setting('app.page')::uuid[])"
"""Indexes alone find the ids of a page, without the rows that aren't on it; these are read then."""
_COMMON = """
    SELECT coalesce(sum(hits) ^ 2 > 32 * %(limit)s * sum(covered) / max(date_part('epoch', whole)), false)
    FROM (
        SELECT max(created_at) AS last, nullif(max(created_at) - min(created_at), '0') AS whole
        FROM sessions_app_session WHERE partner_id = %(partner)s
    ) AS life, generate_series(0, 11) AS twelfth, LATERAL (
        SELECT count(*) FILTER (WHERE {named}) AS hits,
            date_part('epoch', max(created_at) - min(created_at)) AS covered
        FROM (
            SELECT created_at, patient_search_name FROM sessions_app_session
            WHERE partner_id = %(partner)s AND created_at <= last - whole * twelfth / 12
            ORDER BY created_at DESC, id DESC LIMIT 64
        ) AS these
    ) AS sample"""
"""Whether to walk the newest sessions until a page is full is cheaper than to collect all that have the name.

768 names tell it, taken from twelve places of the organization's time out of the index of the newest:
how many have the name, and how much of that time they cover, which is their share of its sessions.
With h hits in a share c, a page of p is full after p * 768 / h entries; to collect h / c sessions by their
keys costs ten times as much each, and more where they lie on disk: the walk is given about twice its due.
"""
_NAMED = f"""
WITH common AS MATERIALIZED (SELECT ({_COMMON}) AS it)
(SELECT id FROM sessions_app_session WHERE {{all_of}} AND (SELECT it FROM common) {_NEWEST})
UNION ALL
(SELECT id FROM sessions_app_session WHERE {{all_of}} AND {{keys}} AND NOT (SELECT it FROM common) {_NEWEST})
"""  # noqa: S608 (only conditions of this module are put in)
"""One of the two is not begun. A common name is met on the way through the newest sessions; of any other, all
sessions are collected by its keys, and the newest taken."""
_AFTER = "(created_at, id) < (%(after_created_at)s, %(after_id)s)"


def page(filters: frozenset[str], *, name_words: int, keyed_words: int, continued: bool) -> str:
    """The page read, limit first: the inner query takes the page by the keyset index, the joins come after.

    A page by days is found by a statement of its own, since only a plan that was made for these values knows
    how many sessions the days have: it is small, and the large one keeps its plan.

    Parameters: those of `reader`, `limit` (one more than are shown), one for each filter, `word0`… as LIKE
    patterns, `keyed0`… for those that the index of names can find, and where the page continues another
    `after_created_at` and `after_id`.
    """
    conditions = ["partner_id = %(partner)s"]
    conditions += [condition for name, condition in _FILTERS.items() if name in filters]
    named = [f"patient_search_name LIKE %(word{number})s" for number in range(name_words)]
    keys = [
        keyed(f"%(keyed{number})s", partner="%(partner)s", words=keyed_words) for number in range(keyed_words)
    ]
    all_of = " AND ".join([*conditions, *named, *([_AFTER] if continued else [])])
    search, newest = "", f"WHERE {all_of} {_NEWEST}"
    found = f"SELECT id FROM sessions_app_session {newest}"  # noqa: S608 (as above)
    if keys:
        found = _NAMED.format(all_of=all_of, named=" AND ".join(named), keys=" AND ".join(keys))
    if filters & _DATES:
        search, newest = _SEARCH.format(found=found) + FIRST, _FOUND
    elif named:
        newest = f"WHERE partner_id = %(partner)s AND id = ANY (ARRAY({found}))"
    return f"""{search}
WITH session AS MATERIALIZED (
    SELECT * FROM sessions_app_session {newest}
), seen AS ({recorded(What.LIST, shown=_SHOWN)})
SELECT {COLUMNS}
FROM session {PROVIDER_AND_CLAIM}
ORDER BY session.created_at DESC, session.id DESC
"""  # noqa: S608 (only conditions of this module are put in)
