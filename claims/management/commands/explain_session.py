"""`explain_session NUMBER`: why is it where it is, and what would move it?"""

from argparse import ArgumentParser
from typing import Any

from claims.support.explanation import explain
from claims.support.finding import NUMBER, one_session
from partners.commands import Answer, Exit, SupportCommand


class Command(SupportCommand):
    help = "Say why a session is where it is, and what would move it. Exit code 4: nothing will by itself."
    example = "explain_session ext-1001"

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("number", help=NUMBER)

    def answer(self, options: dict[str, Any]) -> Answer:
        found = explain(one_session(options["number"]))
        lines = [
            f"{found.session_id}: {found.where}",
            *(f"  because: {reason}" for reason in found.why),
            *(f"  to move it: {move}" for move in found.moves),
        ]
        return Answer(found.as_json(), lines, exit=Exit.ATTENTION if found.stuck else Exit.DONE)
