"""`issue_api_key PARTNER`: a new key, printed once."""

import json
from argparse import ArgumentParser
from datetime import timedelta
from ipaddress import ip_network
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from partners.keys import issue_key
from partners.management.finding import find_partner


class Command(BaseCommand):
    help = "Issue an API key to a partner. It is shown now and never again."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("partner", help="Id or slug.")
        parser.add_argument("--name", default="default", help="What the key is for.")
        parser.add_argument("--expires-in-days", type=int, metavar="DAYS")
        parser.add_argument("--read-only", action="store_true", help="The key may read and not write.")
        parser.add_argument(
            "--from",
            dest="networks",
            nargs="+",
            default=[],
            metavar="NETWORK",
            help="The key works from these networks alone, such as 203.0.113.0/24.",
        )
        parser.add_argument("--json", action="store_true", help="Print one JSON object.")

    def handle(self, *args: Any, **options: Any) -> None:
        days = options["expires_in_days"]
        if days is not None and days < 1:
            raise CommandError("--expires-in-days must be at least 1.")
        expires_at = None if days is None else timezone.now() + timedelta(days=days)
        try:
            networks = [str(ip_network(network)) for network in options["networks"]]
        except ValueError as error:
            raise CommandError(f"--from: {error}.") from None
        issued = issue_key(
            find_partner(options["partner"]),
            name=options["name"],
            expires_at=expires_at,
            read_only=options["read_only"],
            allowed_networks=networks,
        )
        if options["json"]:
            self.stdout.write(json.dumps({"apiKey": issued.text, "prefix": issued.record.prefix}))
        else:
            self.stdout.write(issued.text)
