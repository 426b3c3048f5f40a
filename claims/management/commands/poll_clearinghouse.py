"""`poll_clearinghouse [NAME…]`: fetch and apply what waits there."""

from argparse import ArgumentParser
from collections import Counter
from typing import Any

from claims import inbound, work_queue
from claims.clearinghouse.port import ClearinghouseError
from claims.gateways import gateway, gateway_names
from claims.models import InboundFile, PollCursor
from partners.commands import Answer, Exit, NotThere, SupportCommand


class Command(SupportCommand):
    help = (
        "Ask clearinghouses for new files now and apply them; a dry run asks as well, and leaves "
        "what is offered there. Exit code 4: one could not be asked, or something of its files was not "
        "applied, or waits for a person to say which claim it is about."
    )
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
            f"{row['gateway']}: {row['failure'] or 'answered'}; {_in_words(row)}, "
            f"last polled {row['polledAt'] or 'never'}"
            for row in rows
        ]
        return Answer(rows, lines, exit=Exit.DONE if all(map(_is_fine, rows)) else Exit.ATTENTION)

    def _poll(self, name: str, *, dry_run: bool) -> dict[str, Any]:
        files, failure = _offered(name) if dry_run else self._applied(name)
        cursor = PollCursor.objects.filter(pk=name).first()
        return {
            "gateway": name,
            "files": files,
            "waiting": sum(work_queue.unmatched_in(file["fileId"]) for file in files if file["fileId"]),
            "polledAt": cursor.polled_at.isoformat() if cursor and cursor.polled_at else None,
            "failure": failure,
            "dryRun": dry_run,
        }

    def _applied(self, name: str) -> tuple[list[dict[str, Any]], str]:
        fetched = inbound.fetch(name)
        for file_id in self.watched(fetched, total=len(fetched), what="files"):
            inbound.apply(file_id)
        states = InboundFile.objects.in_bulk(fetched)
        files = [{"fileId": pk, "name": states[pk].name, "state": states[pk].state} for pk in fetched]
        return files, PollCursor.objects.get(pk=name).failure


def _is_fine(row: dict[str, Any]) -> bool:
    states = {file["state"] for file in row["files"]}
    return not row["failure"] and not row["waiting"] and states <= {"offered", InboundFile.State.APPLIED}


def _in_words(row: dict[str, Any]) -> str:
    """How many files are in which state, and how many answers in them wait for a person."""
    states = Counter(file["state"] for file in row["files"])
    told = [f"{count} file{'s' if count > 1 else ''} {state}" for state, count in sorted(states.items())]
    if waiting := row["waiting"]:
        told.append(f"{waiting} answer{'s wait' if waiting > 1 else ' waits'} for a person")
    return ", ".join(told) or "no files"


def _offered(name: str) -> tuple[list[dict[str, Any]], str]:
    """What the clearinghouse offers next, asked for now and left there; or why not all of it could be had."""
    cursor = PollCursor.objects.filter(pk=name).first()
    try:
        fetched = gateway(name).fetch(cursor.cursor if cursor else "")
    except ClearinghouseError as error:
        return [], str(error)
    files = [{"fileId": None, "name": file.name, "state": "offered"} for file in fetched.files]
    return files, inbound.left_there(fetched.left)
