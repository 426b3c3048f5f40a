"""What the commands that load and read reference data have in common."""

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


def day(text: str) -> date:
    """The day that an argument names."""
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise ArgumentTypeError(f"{text!r} is no day; write YYYY-MM-DD.") from None
