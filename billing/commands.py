"""What the commands that load and read reference data have in common."""

import json
from argparse import ArgumentTypeError, RawDescriptionHelpFormatter
from datetime import date
from typing import Any, ClassVar

from django.core.management.base import BaseCommand, CommandParser


class ReferenceCommand(BaseCommand):
    """A command whose `examples` end its --help, line by line as written."""

    examples: ClassVar[str]

    def create_parser(self, prog_name: str, subcommand: str, **kwargs: Any) -> CommandParser:
        return super().create_parser(
            prog_name,
            subcommand,
            epilog=self.examples,
            formatter_class=RawDescriptionHelpFormatter,
            **kwargs,
        )


class LoadingCommand(ReferenceCommand):
    """A command that writes unless it has --dry-run, and tells in words or as JSON what it did."""

    def create_parser(self, prog_name: str, subcommand: str, **kwargs: Any) -> CommandParser:
        parser = super().create_parser(prog_name, subcommand, **kwargs)
        parser.add_argument("--dry-run", action="store_true", help="read and check, write nothing")
        parser.add_argument("--json", action="store_true", help="print the result as JSON")
        return parser

    def tell(self, result: dict[str, Any], words: str, *, as_json: bool) -> None:
        """Print one result."""
        self.stdout.write(json.dumps(result) if as_json else words)


def day(text: str) -> date:
    """The day that an argument names."""
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise ArgumentTypeError(f"{text!r} is no day; write YYYY-MM-DD.") from None
