"""`purge`: remove what is past its time by the retention schedule."""

from typing import Any

from django.core.management.base import CommandError

from claims.retention import PurgeIncomplete, purge
from partners.commands import Answer, Exit, SupportCommand


class Command(SupportCommand):
    help = (
        "Remove what is past its time: coded notes, sessions that never became a claim, "
        "drafts, idempotency records, addresses of keys, the sandbox's files, access records. Claims that "
        "were sent stay whole, and so does everything under a legal hold. Beat runs this every day; "
        "settings …_RETENTION_DAYS say when."
    )
    example = "purge --dry-run"
    changes = True

    def answer(self, options: dict[str, Any]) -> Answer:
        try:
            outcomes = purge(dry_run=options["dry_run"])
        except PurgeIncomplete as incomplete:
            raise CommandError(str(incomplete), returncode=Exit.ATTENTION) from None
        verb = "would go" if options["dry_run"] else "purged"
        lines = [
            f"{each.kind}: {each.rows:,} {verb} after {each.days:,} days"
            if each.days
            else f"{each.kind}: kept"
            for each in outcomes
        ]
        return Answer([vars(each) for each in outcomes], lines)
