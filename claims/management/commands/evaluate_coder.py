"""`manage.py evaluate_coder FILE.jsonl | --from-reviews`: measures the note coder on gold-labelled notes."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

import orjson
from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from billing.note_file import Field, is_list_of_texts, is_text, read_notes
from billing.notes.accuracy import GOALS, Accuracy, NoteScore, measure
from billing.notes.coder import code_note, prepare
from billing.notes_codeset import current_codeset
from claims.desk.reviews import reviewed_notes

NEEDED = {"id", "text", "place", "duration_minutes", "gold"}
LABELS: tuple[Field, ...] = (
    ("gold", lambda value: isinstance(value, dict), "an object"),
    ("gold.dx", is_list_of_texts, "a list of texts"),
    ("gold.cpt", lambda value: value is None or is_text(value), "text or null"),
    ("gold.modifiers", is_list_of_texts, "a list of texts"),
    ("gold.addons", is_list_of_texts, "a list of texts"),
    ("gold.review", lambda value: isinstance(value, bool), "true or false"),
    ("tags", lambda value: value is None or is_list_of_texts(value), "a list of texts"),
)


class Command(BaseCommand):
    help = (
        "Measure the note coder on a file of gold-labelled notes (one JSON object a line), or on the notes "
        "whose codes people confirmed or corrected, and list what it got wrong, phenomenon by phenomenon. "
        "The output names notes by their id and quotes none."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        notes = parser.add_mutually_exclusive_group(required=True)
        notes.add_argument("file", nargs="?", type=Path)
        notes.add_argument(
            "--from-reviews",
            action="store_true",
            help="the notes that the coder held and people decided: all of them count as rightly held, and "
            "their phenomena are the reasons why they were",
        )
        parser.add_argument("--json", action="store_true", help="print one JSON object")

    def handle(self, *, file: Path | None, json: bool, **options: Any) -> None:
        """Measure, then print the table and the notes that differ."""
        codes = current_codeset()
        if not len(codes):
            raise CommandError("No ICD-10-CM release is loaded: run load_icd10cm first.")
        notes = _read(file) if file else [note.as_json() for note in reviewed_notes()]
        if not notes:
            raise CommandError("There are no notes to measure on.")
        prepare()
        accuracy = measure(
            notes,
            engine=lambda text, place, minutes: code_note(
                text,
                place=place,
                duration_minutes=minutes,
                codes=codes,
                threshold=settings.NOTE_CODER_THRESHOLD,
            ),
            codes=codes,
        )
        self.stdout.write(_as_json(accuracy) if json else _as_table(accuracy))


def _read(file: Path) -> list[dict[str, Any]]:
    notes = []
    for number, note in read_notes(file, more=LABELS):
        if missing := NEEDED - note.keys():
            raise CommandError(f"Line {number} needs {', '.join(sorted(missing))}.")
        notes.append(note | {"tags": note.get("tags") or []})
    return notes


def _as_json(accuracy: Accuracy) -> str:
    return orjson.dumps(
        {
            "measures": accuracy.measures(),
            "goals": {name: {"is": sign, "goal": goal} for name, (sign, goal) in GOALS.items()},
            "tags": {
                tag: {"notes": total, "wrong": wrong} for tag, (total, wrong) in accuracy.by_tag().items()
            },
            "wrong": [_difference(score) for score in accuracy.wrong()],
        }
    ).decode()


def _as_table(accuracy: Accuracy) -> str:
    lines = []
    for name, value in accuracy.measures().items():
        goal = GOALS.get(name)
        verdict = ""
        if goal is not None:
            sign, wanted = goal
            met = value >= wanted if sign == ">=" else value <= wanted
            verdict = f"{sign} {wanted:g}  {'met' if met else 'MISSED'}"
        lines.append(f"{name:<28}{value:>10.4f}  {verdict}".rstrip())
    wrong = accuracy.wrong()
    if wrong:
        lines.append("")
        lines += [f"{tag:<28}{bad:>4} of {total} wrong" for tag, (total, bad) in accuracy.by_tag().items()]
        lines.append("")
        for score in wrong:
            found = _difference(score)
            lines.append(
                f"{score.id}: found {found['found']}, gold {found['gold']}, reasons {found['reasons']}"
            )
    return "\n".join(lines)


def _difference(score: NoteScore) -> dict[str, Any]:
    return {
        "id": score.id,
        "found": {
            "dx": list(score.dx),
            "cpt": score.cpt,
            "modifiers": list(score.modifiers),
            "addons": list(score.addons),
            "review": score.reviewed,
        },
        "gold": score.gold,
        "reasons": list(score.reasons),
        "tags": list(score.tags),
    }
