"""`find_session [NUMBER]`: which sessions fit."""

from argparse import ArgumentParser
from typing import Any

from claims.models import Claim
from claims.support.finding import MOST_FOUND, NUMBER, Search, claims_of, find_sessions, refuse_unknown_rule
from partners.commands import Answer, Exit, SupportCommand, day, refuse_turned_days, table
from partners.management.finding import find_partner
from sessions_app.models import SessionStatus


class Command(SupportCommand):
    help = f"List the sessions that fit all that is given, newest first, at most {MOST_FOUND}."
    example = "find_session --partner riverside-therapy --step held --rule INS-005"
    shows_patients = True

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("number", nargs="?", help=NUMBER)
        parser.add_argument("--partner", help="ID or slug")
        parser.add_argument("--status", choices=SessionStatus.values)
        parser.add_argument("--step", choices=Claim.Step.values, help="of any claim version")
        parser.add_argument("--payer", help="ID, or the name as the partner sent it")
        parser.add_argument("--rule", help="a claim rule that holds it, as INS-005; or restored")
        parser.add_argument("--from", dest="served_from", type=day, metavar="DATE")
        parser.add_argument("--to", dest="served_to", type=day, metavar="DATE")

    def answer(self, options: dict[str, Any]) -> Answer:
        names = ("number", "status", "step", "payer", "rule", "served_from", "served_to")
        partner = find_partner(options["partner"]) if options["partner"] else None
        refuse_turned_days(options["served_from"], options["served_to"])
        if options["rule"]:
            refuse_unknown_rule(options["rule"])
        sessions, more = find_sessions(Search(**{name: options[name] for name in names}, partner=partner))
        patient = self.record_patient_shown(options, session_ids=[session.pk for session in sessions])
        versions = claims_of(sessions)
        rows = []
        for session in sessions:
            claim = versions[session.pk][-1]
            row = {
                "sessionId": str(session.pk),
                "externalSessionId": session.external_session_id,
                "partner": session.partner.slug,
                "status": session.status,
                "claimStatus": claim.status,
                "step": claim.step,
                "payer": session.payer_name,
                "dateOfService": session.date_of_service.isoformat(),
                "patientControlNumber": claim.patient_control_number,
                "fileBy": claim.file_by.isoformat() if claim.file_by else None,
            }
            if patient:
                row["patient"] = f"{session.patient_first_name} {session.patient_last_name}"
            rows.append(row)
        lines = ["No session fits."]
        if rows:
            cells = [[value or "-" for value in row.values()] for row in rows]
            lines = table(cells, headings=list(rows[0]))
        if more:
            last = f"The newest {MOST_FOUND} of more; narrow by --partner, --payer, --from or --to."
            lines.append(last)
            if options["json"]:
                self.stderr.write(last)
        return Answer(rows, lines, exit=Exit.DONE if rows else Exit.NOT_FOUND)
