"""`issue_api_key PARTNER`: a new key, printed once."""

from argparse import ArgumentParser
from datetime import timedelta
from ipaddress import ip_network
from typing import Any

from django.core.management.base import CommandError
from django.utils import timezone

from partners.commands import Answer, Exit, SupportCommand
from partners.keys import issue_key
from partners.management.finding import find_partner
from partners.models import ApiKey

MOST_DAYS = 36_500
LONGEST_NAME = int(ApiKey._meta.get_field("name").max_length or 0)


class Command(SupportCommand):
    help = "Issue an API key to a partner. It is shown now and never again."
    example = "issue_api_key riverside-therapy --name nightly --expires-in-days 365"

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

    def answer(self, options: dict[str, Any]) -> Answer:
        days = options["expires_in_days"]
        if days is not None and not 1 <= days <= MOST_DAYS:
            raise CommandError(f"--expires-in-days must be between 1 and {MOST_DAYS}.", returncode=Exit.USAGE)
        if not 1 <= len(options["name"].strip()) <= LONGEST_NAME:
            words = f"--name must have between 1 and {LONGEST_NAME} characters."
            raise CommandError(words, returncode=Exit.USAGE)
        expires_at = None if days is None else timezone.now() + timedelta(days=days)
        try:
            networks = [str(ip_network(network)) for network in options["networks"]]
        except ValueError as error:
            raise CommandError(f"--from: {error}.", returncode=Exit.USAGE) from None
        issued = issue_key(
            find_partner(options["partner"]),
            name=options["name"].strip(),
            expires_at=expires_at,
            read_only=options["read_only"],
            allowed_networks=networks,
        )
        return Answer({"apiKey": issued.text, "prefix": issued.record.prefix}, [issued.text])
