"""Lists as CSV, streamed row by row; each row's view is written down before it leaves."""

import csv
from collections.abc import Iterable, Iterator
from datetime import date, datetime
from decimal import Decimal
from typing import Any

from django.http import Http404, StreamingHttpResponse
from django.utils import timezone

from claims.admin.page import StaffRequest, page
from claims.admin.queue_filters import Filters
from claims.desk.view_records import record_export
from claims.models import WorkItem
from claims.staff_words import QUEUE_READINGS, at_the_desk
from claims.work_list import in_order, open_items

FORMULA_BEGINS = ("=", "+", "-", "@", "\t", "\r")
MOST_ROWS = 100_000
HEADING = (
    "Patient",
    "File by",
    "What is wrong",
    "Queue",
    "Payer",
    "Partner",
    "Seen",
    "Charge",
    "Open since",
    "With",
    "Partner's ID",
    "Session",
)
Cell = str | int | Decimal | date | datetime | None


class _Echo:
    """A file for the CSV writer that hands each line back."""

    def write(self, text: str) -> str:
        return text


def harmless(value: Cell) -> str:
    """Write a cell so that no spreadsheet takes it for a formula."""
    if isinstance(value, datetime):
        return timezone.localtime(value).isoformat(sep=" ", timespec="minutes")
    text = "" if value is None else str(value)
    return f"'{text}" if text.startswith(FORMULA_BEGINS) and not isinstance(value, Decimal | int) else text


def csv_answer(rows: Iterable[Iterable[Cell]], *, name: str) -> StreamingHttpResponse:
    """Stream rows as a CSV file of that name."""
    writer = csv.writer(_Echo())

    def lines() -> Iterator[str]:
        yield writer.writerow(HEADING)
        for row in rows:
            yield writer.writerow([harmless(value) for value in row])

    return StreamingHttpResponse(
        lines(),
        content_type="text/csv; charset=utf-8",
        headers={"Content-Disposition": f'attachment; filename="{name}.csv"', "Cache-Control": "no-store"},
    )


@page("claims.export_rows", methods=("POST",))
def export(request: StaffRequest, key: str) -> StreamingHttpResponse:
    """Export a queue as its filters show it."""
    if key not in QUEUE_READINGS:
        raise Http404
    items = Filters.read(request.GET).narrow(open_items(key, user=request.user), user=request.user)
    ids = list(in_order(items).values_list("pk", "session_id")[:MOST_ROWS])
    record_export(request.user, session_ids=[session for _, session in ids if session], detail=f"queue {key}")
    return csv_answer(_rows([pk for pk, _ in ids]), name=f"{key}-{timezone.localdate():%Y-%m-%d}")


def _rows(ids: list[int]) -> Iterator[list[Cell]]:
    items = in_order(WorkItem.objects.filter(pk__in=ids)).values_list(
        "session__patient_last_name",
        "session__patient_first_name",
        "file_by",
        "summary",
        "queue",
        "payer_name",
        "partner__name",
        "session__date_of_service",
        "charge",
        "opened_at",
        "assignee__username",
        "session__external_session_id",
        "session_id",
    )
    rows: Iterator[tuple[Any, ...]] = items.iterator(chunk_size=500)
    for last_name, first_name, file_by, summary, queue, *others, session_id in rows:
        yield [
            f"{last_name}, {first_name}" if session_id else "",
            file_by,
            at_the_desk(summary),
            QUEUE_READINGS[queue].title,
            *others,
            str(session_id) if session_id else "",
        ]
