"""Walks through what Stedi has processed, a page at a time, from a cursor that the caller keeps."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

from claims.clearinghouse.port import ClearinghouseError, Outcome
from claims.clearinghouse.stedi.json_tree import child, text
from claims.clearinghouse.stedi.transport import Transport

POLLING_PATH = "/2023-08-01/polling/transactions"
PAGE_SIZE = 50
FIRST_LOOK_BACK = timedelta(days=30)
SHORTEST_LOOK_BACK = timedelta(minutes=2)
SINCE, PAGE = "since:", "page:"

_INQUIRY_ANSWER = "005010X212"


@dataclass(frozen=True, slots=True)
class PolledItem:
    """One processed transaction; `kind` is its set identifier, empty where it is not for us.

    `processed_at` is None where that can't be read.
    """

    transaction_id: str
    kind: str
    processed_at: datetime | None
    raw: dict[str, Any] = field(repr=False)


class Polling:
    """The transactions of one mode (`test` or `production`), oldest first."""

    def __init__(
        self, transport: Transport, core_url: str, *, mode: str, clock: Callable[[], datetime]
    ) -> None:
        self._transport = transport
        self._url = core_url + POLLING_PATH
        self._mode = mode
        self._clock = clock

    def page(self, cursor: str) -> tuple[list[PolledItem], str]:
        """Read the page at a cursor (empty on the first call), and give the cursor of the next.

        An empty page leaves the place where more will appear.
        """
        cursor = cursor or cursor_since(self._clock() - FIRST_LOOK_BACK)
        params = {"pageSize": str(PAGE_SIZE)}
        if cursor.startswith(PAGE):
            params["pageToken"] = cursor.removeprefix(PAGE)
        else:
            since = datetime.fromisoformat(cursor.removeprefix(SINCE))
            # Stedi takes no start younger than a minute.
            since = min(since, self._clock() - SHORTEST_LOOK_BACK)
            params["startDateTime"] = f"{since.astimezone(UTC):%Y-%m-%dT%H:%M:%SZ}"
        body = self._transport.get(self._url, params).body or {}
        found = body.get("items")
        if not isinstance(found, list):
            raise ClearinghouseError("unreadable_answer", outcome=Outcome.NOT_TAKEN)
        token = body.get("nextPageToken")
        following = f"{PAGE}{token}" if isinstance(token, str) and token else _after(found, cursor)
        return list(_items(found, self._mode)), following


def cursor_since(instant: datetime) -> str:
    """The cursor that begins after an instant."""
    return f"{SINCE}{instant.isoformat()}"


def _items(found: list[Any], mode: str) -> Iterator[PolledItem]:
    """Pick what came in for our mode; the rest keeps its place, so that a page is never taken for empty."""
    for raw in found:
        if not isinstance(raw, dict):
            continue
        metadata = child(child(raw, "x12"), "metadata")
        kind = text(child(metadata, "transaction"), "transactionSetIdentifier")
        ours = text(raw, "direction") == "INBOUND" and text(raw, "mode") == mode
        if not ours or text(child(metadata, "functionalGroup"), "release").startswith(_INQUIRY_ANSWER):
            kind = ""
        yield PolledItem(text(raw, "transactionId"), kind, _instant(text(raw, "processedAt")), raw)


def _after(found: list[Any], cursor: str) -> str:
    """Where to go on when no token was given: a second before the newest item, so that none is missed."""
    times = [
        time for item in found if isinstance(item, dict) and (time := _instant(text(item, "processedAt")))
    ]
    return cursor_since(max(times) - timedelta(seconds=1)) if times else cursor


def _instant(written: str) -> datetime | None:
    try:
        instant = datetime.fromisoformat(written)
    except ValueError:
        return None
    return instant if instant.tzinfo else None
