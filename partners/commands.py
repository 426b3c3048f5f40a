"""What every command for support engineers has in common: examples, JSON, exit codes, care with patients."""

import json
import sys
from argparse import ArgumentParser, ArgumentTypeError, RawDescriptionHelpFormatter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from enum import IntEnum
from pathlib import Path
from typing import Any, ClassVar, TypeVar
from uuid import UUID

from django.core.management.base import BaseCommand, CommandError, CommandParser

from partners.audit import record_command
from partners.keyring import KeyringError

Thing = TypeVar("Thing")


class Exit(IntEnum):
    """What a command's exit code means, the same for all of them."""

    DONE = 0
    FAILED = 1
    USAGE = 2
    NOT_FOUND = 3
    ATTENTION = 4


EXIT_CODES = (
    "exit codes: 0 done; 1 failed or refused, nothing was changed; 2 wrong arguments; 3 there is no such "
    "thing; 4 done, but something needs a person"
)


@dataclass(frozen=True, slots=True)
class Answer:
    """What a command found or did: for a program, and in lines for a person."""

    document: dict[str, Any] | list[Any]
    lines: Iterable[str] = ()
    exit: Exit = Exit.DONE


class NotThere(CommandError):
    """There is no such thing."""

    def __init__(self, words: str) -> None:
        super().__init__(words, returncode=Exit.NOT_FOUND)


class SupportCommand(BaseCommand):
    """A command that answers in lines or, with --json, in one document; it ends with one of `Exit`.

    `example` is shown by --help. `changes` gives it --dry-run, `shows_patients` gives it --phi: without that
    it prints no name, member ID, note, date of birth or diagnosis, and with it the use is recorded.
    """

    example: ClassVar[str] = ""
    changes: ClassVar[bool] = False
    shows_patients: ClassVar[bool] = False

    def create_parser(self, prog_name: str, subcommand: str, **kwargs: Any) -> CommandParser:
        parser = super().create_parser(
            prog_name,
            subcommand,
            formatter_class=RawDescriptionHelpFormatter,
            epilog=f"example:\n  manage.py {self.example}\n\n{EXIT_CODES}",
            **kwargs,
        )
        parser.add_argument("--json", action="store_true", help="print one JSON document")
        if self.changes:
            parser.add_argument(
                "--dry-run", action="store_true", help="say what would be done, change nothing"
            )
        if self.shows_patients:
            parser.add_argument("--phi", action="store_true", help="show patient data; this is recorded")
        return parser

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the command's own arguments."""

    def answer(self, options: dict[str, Any]) -> Answer:
        """Do the work; CommandError says in words why it can't be done."""
        raise NotImplementedError

    def handle(self, *args: Any, **options: Any) -> None:
        if empty := [name for name, value in options.items() if _is_blank(value)]:
            words = f"Empty: {', '.join(sorted(empty))}. Was a variable of the shell not set?"
            raise CommandError(words, returncode=Exit.USAGE)
        if odd := [name for name, value in options.items() if any(map(_is_no_text, _each(value)))]:
            words = f"Not UTF-8: {', '.join(sorted(odd))}. Type it anew."
            raise CommandError(words, returncode=Exit.USAGE)
        try:
            answer = self.answer(options)
        except KeyringError as error:
            raise CommandError(
                f"A stored value can't be read: {error} manage.py doctor says more."
            ) from error
        if options["json"]:
            self.stdout.write(json.dumps(answer.document, indent=2, default=str))
        else:
            for line in answer.lines:
                self.stdout.write(line)
        if answer.exit is not Exit.DONE:
            sys.exit(answer.exit)

    def record_patient_shown(self, options: dict[str, Any], *, session_ids: Iterable[UUID]) -> bool:
        """Whether patient data may be printed; the use is put on record first."""
        if not options["phi"]:
            return False
        record_command(session_ids, command=type(self).__module__.rpartition(".")[2])
        return True

    def watched(self, things: Iterable[Thing], *, total: int, what: str) -> Iterator[Thing]:
        """The things, one by one, with a bar on the terminal while they are worked through."""
        shown = self.stderr.isatty()
        for number, thing in enumerate(things, start=1):
            yield thing
            if shown:
                filled = 30 * number // max(total, 1)
                bar = "#" * filled + "." * (30 - filled)
                self.stderr.write(f"\r[{bar}] {number:,} of {total:,} {what}", ending="")
        if shown and total:
            self.stderr.write("")


def _is_blank(value: Any) -> bool:
    """Whether what was given, or one of a list, says nothing: taken for left out, it would mean all."""
    return any(isinstance(each, str | Path) and not str(each).strip() for each in _each(value))


def _is_no_text(value: Any) -> bool:
    """Whether it stands for bytes that are no UTF-8: no table holds any, and asked for it fails."""
    return isinstance(value, str) and any("\ud800" <= letter <= "\udfff" for letter in value)


def _each(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


def table(rows: Sequence[Sequence[object]], *, headings: Sequence[str]) -> list[str]:
    """Lines of columns, as wide as their widest value."""
    cells = [[str(value) for value in row] for row in [headings, *rows]]
    widths = [max(len(row[column]) for row in cells) for column in range(len(headings))]
    return [
        "  ".join(value.ljust(width) for value, width in zip(row, widths, strict=True)).rstrip()
        for row in cells
    ]


def day(text: str) -> date:
    """The day that an argument names."""
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise ArgumentTypeError(f"{text!r} is no day; write YYYY-MM-DD.") from None


def refuse_turned_days(first: date | None, last: date | None) -> None:
    """CommandError where --from is after --to: nothing would fit, as if nothing were there."""
    if first and last and first > last:
        raise CommandError(f"--from {first} is after --to {last}.", returncode=Exit.USAGE)
