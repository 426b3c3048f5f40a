"""`show_session NUMBER`: everything about one session."""

from argparse import ArgumentParser
from typing import Any

from claims.support.finding import NUMBER, one_session
from claims.support.picture import lines_of, picture_of
from partners.commands import Answer, SupportCommand


class Command(SupportCommand):
    help = "Show a session with its codes, claims, answers, open work and history."
    example = "show_session 0190d3c2-7a51-7cc2-9a41-3a1f6f0c9d11"
    shows_patients = True

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("number", help=NUMBER)

    def answer(self, options: dict[str, Any]) -> Answer:
        session = one_session(options["number"])
        patient = self.record_patient_shown(options, session_ids=[session.pk])
        picture = picture_of(session, patient=patient)
        return Answer(picture, lines_of(picture))
