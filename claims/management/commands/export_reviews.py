"""`manage.py export_reviews FILE`: notes with the codes that people confirmed, one JSON object a line."""

import os
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

import orjson
from django.core.management.base import BaseCommand, CommandError

from claims.reviews import reviewed_notes


class Command(BaseCommand):
    help = (
        "Write confirmed notes in the format that `evaluate_coder` reads. The file holds clinical notes: it "
        "is made readable for its owner alone, and is never overwritten."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path)

    def handle(self, *args: Any, file: Path, **options: Any) -> None:
        try:
            handle = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        except FileExistsError:
            raise CommandError(f"{file} is already there; choose another name.") from None
        count = 0
        with os.fdopen(handle, "wb") as written:
            for note in reviewed_notes():
                written.write(orjson.dumps(note.as_json()) + b"\n")
                count += 1
        self.stdout.write(f"{count} reviewed notes written.")
