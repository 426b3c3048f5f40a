"""`poll_clearinghouse [NAME…]`: fetch and apply what waits there."""

from argparse import ArgumentParser
from typing import Any

from claims import inbound
from claims.gateways import gateway_names
from claims.models import InboundFile, PollCursor
from partners.commands import Answer, Exit, NotThere, SupportCommand


class Command(SupportCommand):
    help = "Ask clearinghouses for new files now and apply them. Exit code 4: one could not be asked."
    example = "poll_clearinghouse stedi"
    changes = True

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("names", nargs="*", metavar="name", help="default: every one in use")

    def answer(self, options: dict[str, Any]) -> Answer:
        known = gateway_names()
        names = options["names"] or known
        if strange := sorted(set(names) - set(known)):
            raise NotThere(f"Not in use: {', '.join(strange)}. In use: {', '.join(known)}.")
        rows = [self._poll(name, dry_run=options["dry_run"]) for name in names]
        lines = [
            f"{row['gateway']}: {row['failure'] or 'answered'}; {len(row['files'])} files applied, "
            f"last polled {row['polledAt'] or 'never'}"
            for row in rows
        ]
        return Answer(rows, lines, exit=Exit.ATTENTION if any(row["failure"] for row in rows) else Exit.DONE)

    def _poll(self, name: str, *, dry_run: bool) -> dict[str, Any]:
        fetched = [] if dry_run else inbound.fetch(name)
        for file_id in self.watched(fetched, total=len(fetched), what="files"):
            inbound.apply(file_id)
        states = InboundFile.objects.in_bulk(fetched)
        cursor = PollCursor.objects.filter(pk=name).first()
        return {
            "gateway": name,
            "files": [{"fileId": pk, "name": states[pk].name, "state": states[pk].state} for pk in fetched],
            "polledAt": cursor.polled_at.isoformat() if cursor and cursor.polled_at else None,
            "failure": cursor.failure if cursor else "",
        }
