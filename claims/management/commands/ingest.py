"""`ingest FILE…`: take clearinghouse files in by hand."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.db import transaction

from claims import inbound, work_queue
from claims.clearinghouse.port import FileKind, InboundFile
from claims.gateways import BUILDERS
from claims.models import InboundFile as StoredFile
from partners.commands import Answer, Exit, NotThere, SupportCommand

MOST_LISTED = 5
MOST_BYTES = 256 * 1024 * 1024
WOULD_BE = {
    StoredFile.State.RECEIVED: "would be tried again",
    StoredFile.State.APPLIED: "would be applied",
    StoredFile.State.PARTLY: "would be applied in part",
    StoredFile.State.REFUSED: "would be refused",
}


class Command(SupportCommand):
    help = (
        "Store files of a clearinghouse and apply them, as polling does: TA1, 999, 277CA, 277, 835. A file "
        "that is here already is not stored again; --again applies one anew that was not applied in full. "
        "Exit code 4: something in them was not applied, now or before, or waits for a person to say which "
        "claim it is about; a dry run ends as the real one would."
    )
    example = "ingest inbox/*.835 --gateway sftp"
    changes = True

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("files", nargs="+", type=Path, metavar="file")
        parser.add_argument("--gateway", help="whose files they are (default: by hand)")
        parser.add_argument("--kind", choices=[kind.value for kind in FileKind], default=FileKind.X12.value)
        parser.add_argument(
            "--again",
            action="store_true",
            help="apply a file anew that was refused or applied in part; what is posted stays posted once",
        )

    def answer(self, options: dict[str, Any]) -> Answer:
        gateway = options["gateway"] or "by hand"
        if options["gateway"] and gateway not in BUILDERS:
            raise NotThere(f"There is no clearinghouse {gateway!r}: {', '.join(BUILDERS)}.")
        paths = options["files"]
        rows = [
            self._take(path, gateway=gateway, kind=FileKind(options["kind"]), options=options)
            for path in self.watched(paths, total=len(paths), what="files")
        ]
        lines = [f"{row['name']}: {row['state']}. {row['did']}" for row in rows]
        if all(row["state"] == "unreadable" for row in rows):
            missing = all(map(_is_missing, paths))
            return Answer(rows, lines, exit=Exit.NOT_FOUND if missing else Exit.FAILED)
        fine = all(
            row["state"] in ("applied", "would be applied", "known") and not row["waiting"] for row in rows
        )
        return Answer(rows, lines, exit=Exit.DONE if fine else Exit.ATTENTION)

    def _take(self, path: Path, *, gateway: str, kind: FileKind, options: dict[str, Any]) -> dict[str, Any]:
        name = path.name.encode(errors="replace").decode()
        row: dict[str, Any] = {
            "name": name,
            "fileId": None,
            "state": "unreadable",
            "did": "",
            "waiting": 0,
            "report": {},
        }
        try:
            if path.exists() and not path.is_file():
                return row | {"did": "It is no ordinary file: save what it gives as one first."}
            if path.stat().st_size > MOST_BYTES:
                return row | {"did": "It is larger than 256 MiB."}
            content = path.read_bytes()
        except OSError as error:
            return row | {"did": f"It can't be read: {error.strerror}."}
        fetched = InboundFile(name=name, content=content, kind=kind, reference=name)
        if not options["dry_run"]:
            return row | _apply(gateway, fetched, again=options["again"])
        with transaction.atomic():
            found = _apply(gateway, fetched, again=options["again"])
            transaction.set_rollback(True)
        return row | found | {"fileId": None, "state": WOULD_BE.get(found["state"], found["state"])}


def _is_missing(path: Path) -> bool:
    try:
        return not path.exists()
    except OSError:  # it is, or can't be, where nobody may look
        return False


def _apply(gateway: str, fetched: InboundFile, *, again: bool) -> dict[str, Any]:
    waiting = inbound.store(gateway, [fetched])
    if not waiting and again:
        waiting = inbound.take_again(fetched)
    if not waiting:
        file = inbound.stored(fetched).get()
        return _with_what_waits(_known(file), file.pk)
    report = inbound.apply(waiting[0])
    state = StoredFile.objects.values_list("state", flat=True).get(pk=waiting[0])
    found = {"fileId": waiting[0], "state": state, "did": _in_words(report), "report": report}
    return _with_what_waits(found, waiting[0])


def _with_what_waits(found: dict[str, Any], file_id: int) -> dict[str, Any]:
    waiting = work_queue.unmatched_in(file_id)
    words = f" {waiting} wait{'' if waiting > 1 else 's'} for a person: manage.py match_remittance."
    return found | {"waiting": waiting, "did": found["did"] + (words if waiting else "")}


def _known(file: StoredFile) -> dict[str, Any]:
    if file.state == StoredFile.State.APPLIED:
        return {"state": "known", "did": "The same content was taken in before."}
    words = (
        f"It was taken in before, and not applied in full: {_in_words(file.report)} --again applies it anew."
    )
    return {"fileId": file.pk, "state": file.state, "did": words, "report": file.report}


def _in_words(report: dict[str, Any]) -> str:
    """What became of the sets, what is missing and what was odd; refusals alike are told together."""
    refused: dict[tuple[str, str], list[str]] = {}
    sentences: list[str] = []
    odd: list[str] = []
    for each in report.get("sets", []):
        if "refused" in each:
            refused.setdefault((each["kind"], each["refused"].rstrip(".")), []).append(each["number"])
        else:
            sentences.append(f"{each['kind']} {each['number']}: {_fate(each)}.")
        odd += [problem for problem in each.get("problems", []) if problem != each.get("refused")]
    odd += report.get("notes", [])
    sentences += [f"{kind} {_listed(numbers)}: {why}." for (kind, why), numbers in refused.items()]
    sentences += [
        f"{problem[:1].upper()}{problem[1:].rstrip('.')}." for problem in report.get("problems", [])
    ]
    if odd:
        sentences.append(f"Noted: {'; '.join(dict.fromkeys(odd))}.")
    return " ".join(sentences)


def _fate(entry: dict[str, Any]) -> str:
    if "failed" in entry:
        return f"{entry['failed']}{'; it is tried again' if 'again' in entry else ''}"
    counts = [f"{entry[name]} {name}" for name in ("new", "repeated", "unmatched") if entry.get(name)]
    return ", ".join(counts) or "nothing about a claim"


def _listed(numbers: list[str]) -> str:
    more = f" and {len(numbers) - MOST_LISTED} more" if len(numbers) > MOST_LISTED else ""
    return ", ".join(numbers[:MOST_LISTED]) + more
