"""`export_evidence NUMBER`: everything that was sent, received and done for a session, with its hashes."""

import os
import zipfile
from argparse import ArgumentParser
from pathlib import Path
from shutil import rmtree
from typing import Any

from django.core.management.base import CommandError

from claims.desk.evidence import EvidenceFile, collect, sessions_in
from claims.support.finding import NUMBER, one_session
from partners.audit import record_command
from partners.commands import Answer, Exit, SupportCommand


class Command(SupportCommand):
    help = (
        "Write the evidence file of a session: the exact bytes of every file sent and received for each "
        "version of its claim, the versions' differences, timeline, changes, access record, and a manifest "
        "of hashes. It is full of patient data, also of others: the files of a clearinghouse are whole. "
        "The export is put on record with all of them. --to ends in .zip for a zip file, else names a new "
        "folder."
    )
    example = "export_evidence 0190d3c2-7a51-7cc2-9a41-3a1f6f0c9d11 --to evidence.zip"

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("number", help=NUMBER)
        parser.add_argument("--to", required=True, type=Path, help="a new folder, or a new file in .zip")

    def answer(self, options: dict[str, Any]) -> Answer:
        session, target = one_session(options["number"]), options["to"]
        try:
            if target.exists():
                raise CommandError(f"{target} is there already.", returncode=Exit.USAGE)
            record_command(sessions_in(session), command="export_evidence")
            files = collect(session)
            (_write_zip if target.suffix == ".zip" else _write_folder)(target, files)
        except OSError as error:
            raise CommandError(f"{target} can't be written: {error.strerror}.") from None
        changed = [file.path for file in files if not file.intact]
        document = {"sessionId": str(session.pk), "to": str(target), "files": len(files), "changed": changed}
        lines = [f"{len(files)} files in {target}."]
        lines += [f"{path} is not what was stored: its hash differs." for path in changed]
        return Answer(document, lines, exit=Exit.ATTENTION if changed else Exit.DONE)


def _write_folder(target: Path, files: list[EvidenceFile]) -> None:
    target.mkdir(mode=0o700)
    try:
        for file in files:
            path = target / file.path
            path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            with open(path, "xb", opener=_private) as output:
                output.write(file.content)
    except BaseException:
        rmtree(target, ignore_errors=True)
        raise


def _write_zip(target: Path, files: list[EvidenceFile]) -> None:
    with open(target, "xb", opener=_private) as output:
        try:
            with zipfile.ZipFile(output, "w", zipfile.ZIP_DEFLATED) as archive:
                for file in files:
                    archive.writestr(file.path, file.content)
            output.flush()
        except BaseException:
            target.unlink()
            raise


def _private(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)
