"""`create_partner NAME`: a new partner organization."""

from argparse import ArgumentParser
from datetime import timedelta
from typing import Any

from django.core.exceptions import ValidationError
from django.core.management.base import CommandError
from django.utils.text import slugify

from partners.commands import Answer, Exit, SupportCommand
from partners.models import USUAL_DELAY, Mode, Partner


class Command(SupportCommand):
    help = "Create a partner organization and print what identifies it."
    example = "create_partner 'Riverside Therapy' --mode live --json"

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("name")
        parser.add_argument("--slug", help="Short name; by default made from the name.")
        parser.add_argument("--mode", choices=Mode.values, default=Mode.TEST.value)
        parser.add_argument(
            "--submission-delay",
            type=int,
            default=USUAL_DELAY // timedelta(seconds=1),
            metavar="SECONDS",
            help="How long a claim waits for corrections after the last change: 0 to 2592000 (30 days).",
        )
        parser.add_argument(
            "--rate-limit",
            type=int,
            metavar="N",
            help="Requests a minute; 0 means no limit; by default the service's own.",
        )

    def answer(self, options: dict[str, Any]) -> Answer:
        partner = Partner(
            name=options["name"].strip(),
            slug=options["slug"] or _free_slug(options["name"]),
            mode=options["mode"],
            submission_delay=_delay(options["submission_delay"]),
            rate_limit=options["rate_limit"],
        )
        try:
            partner.full_clean()
        except ValidationError as error:
            faults = "; ".join(f"{field}: {' '.join(texts)}" for field, texts in error.message_dict.items())
            raise CommandError(faults, returncode=Exit.USAGE) from error
        partner.save()
        result = {
            "partnerId": str(partner.id),
            "slug": partner.slug,
            "name": partner.name,
            "mode": partner.mode,
        }
        return Answer(result, [f"{name}: {value}" for name, value in result.items()])


def _delay(seconds: int) -> timedelta:
    try:
        return timedelta(seconds=seconds)
    except OverflowError:
        return timedelta.max


def _free_slug(name: str) -> str:
    stem = slugify(name)[:50] or "partner"
    taken = set(Partner.objects.filter(slug__startswith=stem).values_list("slug", flat=True))
    number, slug = 1, stem
    while slug in taken:
        number += 1
        slug = f"{stem}-{number}"
    return slug
