"""`claim_edi NUMBER [--phi]`: a claim as it was handed over."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import CommandError

from claims.management.commands.show_session import NUMBER
from claims.models import Transmission
from claims.support.finding import one_session
from partners.commands import Answer, Exit, NotThere, SupportCommand
from partners.models import Mode


class Command(SupportCommand):
    help = (
        "Print the 837P that carried a session's newest claim, exactly as it was handed over. All of a live "
        "claim is patient data, so --phi has to be given; a test organization's patients are invented."
    )
    example = "claim_edi 0190d3c2-7a51-7cc2-9a41-3a1f6f0c9d11 --phi --lines"
    shows_patients = True

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("number", help=NUMBER)
        parser.add_argument("--claim-version", type=int, help="an older claim version")
        parser.add_argument("--lines", action="store_true", help="break the line after each segment")

    def answer(self, options: dict[str, Any]) -> Answer:
        session = one_session(options["number"])
        sent = Transmission.objects.filter(claims__claim__session=session)
        if options["claim_version"]:
            sent = sent.filter(claims__claim__version=options["claim_version"])
        newest = sent.order_by("-claims__claim__version", "-created_at").first()
        if newest is None:
            raise NotThere("No claim of this session was written yet.")
        invented = session.partner.mode == Mode.TEST
        if not self.record_patient_shown(options, session_ids=[session.pk]) and not invented:
            raise CommandError("A live claim is nothing but patient data: give --phi.", returncode=Exit.USAGE)
        content = newest.content.replace("~", "~\n") if options["lines"] else newest.content
        return Answer({"file": newest.file_name, "content": newest.content}, [content])
