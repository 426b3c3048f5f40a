"""`claim_edi NUMBER [--phi]`: a claim as it was handed over."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import CommandError

from claims.models import Claim, TransmittedClaim
from claims.support.finding import NUMBER, one_session
from partners.commands import Answer, Exit, NotThere, SupportCommand
from partners.models import Mode


class Command(SupportCommand):
    help = (
        "Print the 837P of a session's newest claim, exactly as it was handed over: its own transaction set "
        "in the envelope of its file. The claims of others in the same file are left out, so GE01 may count "
        "more sets than are shown; export_evidence writes the file whole. All of a live claim is patient "
        "data, so --phi has to be given; a test organization's patients are invented."
    )
    example = "claim_edi 0190d3c2-7a51-7cc2-9a41-3a1f6f0c9d11 --phi --lines"
    shows_patients = True

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("number", help=NUMBER)
        parser.add_argument("--claim-version", type=int, help="an older claim version")
        parser.add_argument("--lines", action="store_true", help="break the line after each segment")

    def answer(self, options: dict[str, Any]) -> Answer:
        session = one_session(options["number"])
        sent = TransmittedClaim.objects.filter(claim__session=session).select_related("transmission")
        if (version := options["claim_version"]) is not None:
            if not Claim.objects.filter(session=session, version=version).exists():
                raise NotThere(f"There is no version {version}.")
            sent = sent.filter(claim__version=version)
        newest = sent.order_by("-claim__version", "-ordinal").first()
        if newest is None:
            if version is not None:
                raise NotThere(f"Version {version} was not written yet.")
            raise NotThere("No claim of this session was written yet.")
        invented = session.partner.mode == Mode.TEST
        if not self.record_patient_shown(options, session_ids=[session.pk]) and not invented:
            raise CommandError("A live claim is nothing but patient data: give --phi.", returncode=Exit.USAGE)
        segments = _of_claim(newest)
        document = {
            "file": newest.transmission.file_name,
            "claimsInFile": newest.transmission.claims.count(),
            "content": "".join(segments),
        }
        return Answer(document, segments if options["lines"] else ["".join(segments)])


def _of_claim(sent: TransmittedClaim) -> list[str]:
    """The segments of a file's envelope and of the transaction set that holds this claim."""
    kept, ours = [], True
    for segment in sent.transmission.content.split("~")[:-1]:
        kind, *elements = segment.split("*")
        if kind == "ST":
            ours = int(elements[1]) == int(sent.transaction_control_number)
        elif kind in ("GE", "IEA"):
            ours = True
        if ours:
            kept.append(f"{segment}~")
    return kept
