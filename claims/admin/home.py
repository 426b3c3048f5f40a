"""Home: the work, not a list of models."""

from dataclasses import dataclass
from typing import Any

from django.urls import reverse
from django.utils import timezone

from claims.admin.addresses import address_of
from claims.admin.charts import spark
from claims.admin.figures import MEASURES, pictures
from claims.admin.navigation import WORK, counts
from claims.admin.opened_from import OpenedFrom
from claims.admin.page import StaffRequest
from claims.desk.view_records import record_list
from claims.models import InboundFile, WorkItem
from claims.staff_words import AFTER, BEFORE, DEADLINES, FILES, QUEUE_READINGS, STATUS_GROUPS, QueueReading
from claims.work_list import NEW_DAYS, Tally, awake, common_causes, in_order, open_items, recent

DEADLINES_SHOWN = 4
FILES_SHOWN = 6


@dataclass(frozen=True, slots=True)
class QueueLine:
    """A queue on the home page."""

    key: str
    reading: QueueReading
    numbers: Tally
    address: str
    points: str
    last_point: tuple[float, float]
    new_today: int


def dashboard(request: StaffRequest, context: dict[str, Any]) -> dict[str, Any]:
    """What the home page is drawn from; who does no claims work gets the frame alone."""
    context["title"] = "Home"
    if not request.user.has_perm(WORK):
        return context
    today = timezone.localdate()
    numbers = counts(request)
    lately = recent(request.user)
    measure = request.GET.get("show", "")
    near = in_order(open_items(DEADLINES, user=request.user).filter(awake()).select_related("session"))
    nearest = list(near.defer("session__member_id", "session__message")[:DEADLINES_SHOWN])
    record_list(request.user, session_ids=[item.session_id for item in nearest], detail="home")
    return context | {
        "today": f"{today:%A, %B} {today.day}",
        "now": timezone.localtime(),
        "open_count": sum(each.open for each in numbers.values()),
        "due_count": sum(each.due for each in numbers.values()),
        "mine_count": sum(each.mine for each in numbers.values()),
        "closed_by_me": lately.closed_by_me,
        "queue_groups": [(group, _lines(group, numbers, lately.opened)) for group in (BEFORE, AFTER, FILES)],
        "deadlines": [
            (item, address_of(item, user=request.user, came=OpenedFrom(DEADLINES))) for item in nearest
        ],
        "measures": MEASURES,
        "pictures": pictures(measure if measure in MEASURES else "sessions"),
        "status_titles": [group.title for group in STATUS_GROUPS.values()],
        "files": [_told(file) for file in _files()],
        "causes": common_causes(),
    }


def _lines(group: str, numbers: Any, opened: Any) -> list[QueueLine]:
    lines = []
    for queue in WorkItem.Queue:
        reading = QUEUE_READINGS[queue]
        if reading.group != group:
            continue
        new = opened.get(queue, [0] * (NEW_DAYS + 1))
        points, last = spark(new)
        lines.append(
            QueueLine(
                key=queue.value,
                reading=reading,
                numbers=numbers.get(queue, Tally()),
                address=reverse("desk:queue", args=[queue.value]),
                points=points,
                last_point=last,
                new_today=new[-1],
            )
        )
    return lines


def _files() -> list[InboundFile]:
    files = InboundFile.objects.exclude(state=InboundFile.State.RECEIVED).defer("sha256")
    return list(files.order_by("-received_at", "-id")[:FILES_SHOWN])


def _told(file: InboundFile) -> tuple[InboundFile, str]:
    """Say in a line what a file was and what it changed."""
    sets = [entry for entry in file.report.get("sets", []) if isinstance(entry, dict)]
    kinds = sorted({str(entry.get("kind", "")) for entry in sets if entry.get("kind")})
    new = sum(int(entry.get("new", 0)) for entry in sets)
    unmatched = sum(int(entry.get("unmatched", 0)) for entry in sets)
    refused = sum("refused" in entry or "failed" in entry for entry in sets)
    if file.state == InboundFile.State.REFUSED and not sets:
        return file, f"{file.kind} from {file.gateway}: refused as a whole."
    parts = [f"{new:,} answer{'' if new == 1 else 's'} taken in"]
    if unmatched:
        parts.append(f"{unmatched:,} without a claim")
    if refused:
        parts.append(f"{refused} part{'' if refused == 1 else 's'} refused")
    return file, f"{', '.join(kinds) or file.kind} from {file.gateway}: {', '.join(parts)}."
