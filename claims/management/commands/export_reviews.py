"""`export_reviews FILE --phi`: notes with the codes that people confirmed, one JSON object a line."""

import os
from argparse import ArgumentParser
from itertools import islice
from pathlib import Path
from typing import Any

import orjson
from django.core.management.base import CommandError

from claims.desk.reviews import reviewed_notes
from partners.commands import Answer, Exit, SupportCommand

BATCH = 200


class Command(SupportCommand):
    help = (
        "Write confirmed notes in the format that `evaluate_coder` reads. The file holds clinical notes, so "
        "--phi has to be given; it is made readable for its owner alone, and is never overwritten."
    )
    example = "export_reviews reviews.jsonl --phi"
    shows_patients = True

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path, help="a new file")

    def answer(self, options: dict[str, Any]) -> Answer:
        file: Path = options["file"]
        if not options["phi"]:
            raise CommandError("The file is nothing but patient data: give --phi.", returncode=Exit.USAGE)
        try:
            handle = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        except FileExistsError:
            raise CommandError(
                f"{file} is already there; choose another name.", returncode=Exit.USAGE
            ) from None
        except OSError as error:
            raise CommandError(f"{file} can't be written: {error.strerror}.") from None
        count, notes = 0, reviewed_notes()
        try:
            with os.fdopen(handle, "wb") as written:
                while batch := list(islice(notes, BATCH)):
                    self.record_patient_shown(options, session_ids=[note.session_id for note in batch])
                    written.writelines(orjson.dumps(note.as_json()) + b"\n" for note in batch)
                    count += len(batch)
        except BaseException as error:
            file.unlink()
            if isinstance(error, OSError):
                raise CommandError(f"{file} can't be written: {error.strerror}.") from None
            raise
        return Answer({"to": str(file), "notes": count}, [f"{count} reviewed notes written."])
