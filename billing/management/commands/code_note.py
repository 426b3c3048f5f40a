"""Codes clinical notes from a file or from standard input and prints what the coder found."""

import sys
from argparse import ArgumentParser, ArgumentTypeError
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Any

import orjson
from django.conf import settings
from django.core.management.base import CommandError

from billing.commands import ReferenceCommand
from billing.note_file import MOST_MINUTES, PLACES, read_notes
from billing.notes.coder import code_note, prepare
from billing.notes.codeset import CodeSet
from billing.notes.result import NoteResult
from billing.notes_codeset import current_codeset

_EXAMPLES = """
FILE holds one JSON object a line with "text", and if wanted "id", "place" (office or telehealth),
"duration_minutes" and "date_of_service"; other keys, such as gold labels, are not read. Without FILE one
plain note is read from standard input. The output quotes the notes: treat it like them.

Examples:
  manage.py code_note notes.jsonl --json
  manage.py code_note --place telehealth --minutes 45 < note.txt
"""


class Command(ReferenceCommand):
    help = "Code clinical notes: diagnoses, procedures, evidence, and the reasons where a person must look."
    examples = _EXAMPLES

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "file", nargs="?", type=Path, help="JSON lines; without it one note from standard input"
        )
        parser.add_argument("--json", action="store_true", help="print one result a line as JSON")
        parser.add_argument("--place", choices=PLACES, help="for a note from standard input")
        parser.add_argument(
            "--minutes", type=_minutes, help="for a note from standard input: durationMinutes"
        )

    def handle(
        self, *, file: Path | None, json: bool, place: str | None, minutes: int | None, **options: Any
    ) -> None:
        """Code every note and print as we go."""
        if file is not None and (place or minutes is not None):
            raise CommandError("In a file each line has its own place and duration_minutes.", returncode=2)
        codes = current_codeset()
        if not len(codes):
            raise CommandError("No ICD-10-CM release is loaded: run load_icd10cm first.")
        notes: Iterator[dict[str, Any]]
        if file is None:
            text = _from_standard_input()
            note = {"text": text, "place": place, "duration_minutes": minutes}
            notes = iter([note] if text.strip() else [])
        else:
            prepare()
            notes = _read(file)
        found = False
        for note in notes:
            found = True
            result = _code(note, codes)
            self.stdout.write(_as_json(note, result) if json else _in_words(note, result))
        if not found:
            raise CommandError("There is no note to code.")


def _minutes(text: str) -> int:
    if not text.isdecimal() or not 1 <= int(text) <= MOST_MINUTES:
        raise ArgumentTypeError(f"give 1 to {MOST_MINUTES}.")
    return int(text)


def _from_standard_input() -> str:
    try:
        return sys.stdin.buffer.read().decode()
    except UnicodeDecodeError as error:
        raise CommandError(f"Byte {error.start + 1:,} of the note is not UTF-8: convert it first.") from None


def _read(file: Path) -> Iterator[dict[str, Any]]:
    for number, note in read_notes(file):
        yield note | {"date_of_service": _day(note.get("date_of_service"), number)}


def _day(value: Any, line: int) -> date | None:
    try:
        return date.fromisoformat(value) if value else None
    except (TypeError, ValueError):
        raise CommandError(f'Line {line}: "date_of_service" must be a day, YYYY-MM-DD.') from None


def _code(note: dict[str, Any], codes: CodeSet) -> NoteResult:
    return code_note(
        note["text"],
        place=note.get("place"),
        duration_minutes=note.get("duration_minutes"),
        date_of_service=note.get("date_of_service"),
        codes=codes,
        threshold=settings.NOTE_CODER_THRESHOLD,
    )


def _as_json(note: dict[str, Any], result: NoteResult) -> str:
    found = result.as_dict()
    if "id" in note:
        found = {"id": note["id"], **found}
    return orjson.dumps(found).decode()


def _in_words(note: dict[str, Any], result: NoteResult) -> str:
    name = f"{note['id']}: " if "id" in note else ""
    lines = [f"{name}{result.outcome.value} ({', '.join(result.reasons) or 'no open question'})"]
    for diagnosis in result.diagnoses:
        quotes = "; ".join(evidence.quote for evidence in diagnosis.evidence)
        lines.append(f"  {diagnosis.rank}. {diagnosis.code}  {diagnosis.confidence:.2f}  {quotes}")
    for procedure in result.procedures:
        code = f"{procedure.code}-{procedure.modifier}" if procedure.modifier else procedure.code
        quotes = "; ".join(evidence.quote for evidence in procedure.evidence)
        lines.append(f"  {code}  {procedure.confidence:.2f}  {quotes}")
    lines += [f"  not coded: {each.concept} ({each.why})" for each in result.rejected]
    lines += [f"  candidate: {each.code} ({each.why})" for each in result.candidates]
    lines += [f"  warning: {warning}" for warning in result.warnings]
    return "\n".join(lines)
