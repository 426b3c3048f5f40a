"""`doctor`: is everything in order?"""

from typing import Any

from claims.support.checks import State, examine
from partners.commands import Answer, Exit, SupportCommand


class Command(SupportCommand):
    help = (
        "Look at configuration, database, migrations, months, clocks, broker, worker, beat, queues, code "
        "sets, clearinghouses and keys. Each line is ok, warn or fail, with what to do. Exit code 1: "
        "something fails; 4: warnings only."
    )
    example = "doctor --json"
    requires_system_checks: list[str] = []

    def answer(self, options: dict[str, Any]) -> Answer:
        found = list(examine())
        states = {line.state for line in found}
        lines = [
            f"{line.state.upper():<5} {line.name:<16} {line.words}"
            + (f" -> {line.remedy}" if line.remedy else "")
            for line in found
        ]
        document = [
            {"check": line.name, "state": line.state.value, "words": line.words, "remedy": line.remedy}
            for line in found
        ]
        if State.FAIL in states:
            return Answer(document, lines, exit=Exit.FAILED)
        return Answer(document, lines, exit=Exit.ATTENTION if State.WARN in states else Exit.DONE)
