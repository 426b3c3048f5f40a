"""`make_sessions N`: invented sessions in any number, for measuring."""

from argparse import ArgumentParser
from time import perf_counter
from typing import Any
from uuid import uuid4

from django.conf import settings
from django.core.management.base import CommandError

from claims.support.made.sessions import AT_ONCE, Maker, tidy_up
from partners.commands import Answer, Exit, SupportCommand
from partners.models import Mode, Partner

MOST_MADE = 10_000_000


class Command(SupportCommand):
    help = (
        "Make invented sessions of the last year, with codes, claims, interchanges, answers, history and "
        "open work, in every state. For measuring; refused in production and where there is a live partner."
    )
    example = "make_sessions 100000"
    changes = True

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("count", type=int)
        parser.add_argument("--seed", type=int, default=837, help="the same seed makes the same sessions")

    def answer(self, options: dict[str, Any]) -> Answer:
        count = options["count"]
        if not 1 <= count <= MOST_MADE:
            raise CommandError(f"Give a number from 1 to {MOST_MADE:,}.", returncode=Exit.USAGE)
        if settings.PRODUCTION or Partner.objects.filter(mode=Mode.LIVE).exists():
            raise CommandError("This database has live organizations, or is in production: nothing is made.")
        if options["dry_run"]:
            return Answer({"made": 0, "seconds": 0.0}, [f"{count:,} sessions would be made."])
        started = perf_counter()
        maker = Maker(total=count, run=f"made-{uuid4().hex[:8]}", seed=options["seed"])
        chunks = self.watched(
            maker.make(), total=-(-count // AT_ONCE), what=f"chunks of {AT_ONCE:,} sessions"
        )
        made = max(chunks)
        tidy_up()
        seconds = round(perf_counter() - started, 1)
        return Answer({"made": made, "seconds": seconds}, [f"{made:,} sessions made in {seconds:,} s."])
