"""`stats`: what the last days brought."""

from argparse import ArgumentParser
from datetime import timedelta
from typing import Any

from django.core.management.base import CommandError
from django.db.models import Count, Q, Sum
from django.utils import timezone

from claims.models import Claim, WorkItem
from partners.commands import Answer, Exit, SupportCommand
from partners.management.finding import find_partner
from sessions_app.models import Session

MOST_DAYS = 36_500
MOST_KINDS = 20


class Command(SupportCommand):
    help = (
        "Count the sessions received in the last days by status and the money, and all that is open now, "
        "whenever it began."
    )
    example = "stats --days 7 --partner riverside-therapy"

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--days", type=int, default=1, help="how far back (default 1)")
        parser.add_argument("--partner", help="ID or slug; by default all")

    def answer(self, options: dict[str, Any]) -> Answer:
        if not 1 <= options["days"] <= MOST_DAYS:
            raise CommandError(f"--days must be between 1 and {MOST_DAYS}.", returncode=Exit.USAGE)
        since = timezone.now() - timedelta(days=options["days"])
        sessions, items = (
            Session.objects.filter(created_at__gte=since),
            WorkItem.objects.filter(closed_at=None),
        )
        if options["partner"]:
            partner = find_partner(options["partner"])
            sessions, items = sessions.filter(partner=partner), items.filter(partner=partner)
        kinds = items.values_list("queue", "reason").annotate(count=Count("pk"))
        kinds = kinds.order_by("-count", "queue", "reason")
        left_out = max(kinds.count() - MOST_KINDS, 0)
        claims = Claim.objects.filter(session__in=sessions)
        document: dict[str, Any] = {
            "since": since.isoformat(),
            "sessions": _counted(sessions, "status"),
            "claims": _counted(claims, "status"),
            "open": [
                {"queue": queue, "reason": reason, "count": count}
                for queue, reason, count in kinds[:MOST_KINDS]
            ],
            "openKindsLeftOut": left_out,
            "money": {
                name: str(value or 0)
                for name, value in claims.aggregate(
                    charged=Sum("total_charge", filter=Q(submitted_at__isnull=False)),
                    paid=Sum("paid"),
                    patientOwes=Sum("patient_owes"),
                ).items()
            },
        }
        lines = [f"since {since:%Y-%m-%d %H:%M} UTC"]
        for what in ("sessions", "claims"):
            lines += [f"{what:<9} {status:<24} {count:>9,}" for status, count in document[what].items()]
        lines.append(
            "open now, whenever they began" + (f" ({left_out:,} rarer kinds left out)" if left_out else "")
        )
        lines += [
            f"open      {row['queue']:<10} {row['reason']:<13} {row['count']:>9,}" for row in document["open"]
        ]
        lines += [f"money     {name:<24} {value:>9}" for name, value in document["money"].items()]
        return Answer(document, lines)


def _counted(rows: Any, column: str) -> dict[str, int]:
    return dict(rows.values_list(column).annotate(count=Count("pk")).order_by("-count", column))
