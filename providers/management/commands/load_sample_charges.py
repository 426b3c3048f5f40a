import json
from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from providers.sample_charges import load_sample_charges


class Command(BaseCommand):
    help = (
        "Makes the invented charge schedule that test organizations use; it never prices a live claim. "
        "Example: manage.py load_sample_charges --json"
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--json", action="store_true", help="print the result as JSON")

    def handle(self, *_args: Any, **options: Any) -> None:
        made = load_sample_charges()
        self.stdout.write(json.dumps({"made": made}) if options["json"] else f"{made} sample rates made.")
