"""`rotate_keys`: bring every encrypted value under the first key of FIELD_KEYS."""

from typing import Any

from django.core.management.base import CommandError

from billing.rules.characters import bare_member_id
from partners.commands import Answer, SupportCommand
from partners.keyring import field_ring
from partners.rotation import PUT_BACK, BlindIndex, counts_by_key, encrypted_columns, reencrypt

INDEXES = {("sessions_app_session", "member_id"): BlindIndex("member_id_index", form=bare_member_id)}


class Command(SupportCommand):
    help = (
        "Re-encrypt what an older key encrypted: notes, member IDs with their blind index, frozen claims, "
        "files sent and received, secrets of authenticators. The service may run meanwhile; a run that was "
        "interrupted is simply started again. Every process must have the new key first in FIELD_KEYS "
        "before (SECURITY.md says in which steps); the old one may go after, except that nobody can check "
        "any more who made the seals of the access record that it signed."
    )
    example = "rotate_keys --dry-run"
    changes = True

    def answer(self, options: dict[str, Any]) -> Answer:
        ring = field_ring()
        counted = [(column, counts_by_key(column)) for column in encrypted_columns(INDEXES)]
        found_keys = {key_id for _, counts in counted for key_id in counts}
        if lost := sorted(found_keys - ring.secrets.keys()):
            named = ", ".join(repr(key_id) for key_id in lost)
            raise CommandError(f"Values are under {named}, which FIELD_KEYS lacks. {PUT_BACK}")
        rows = []
        for column, counts in counted:
            old = sum(count for key_id, count in counts.items() if key_id != ring.current)
            done = 0 if options["dry_run"] else self._bring(column, old)
            rows.append({"table": column.table, "column": column.column, "old": old, "reencrypted": done})
        found, done = (sum(int(str(row[name])) for row in rows) for name in ("old", "reencrypted"))
        dry = options["dry_run"]
        lines = [
            f"{row['table']}.{row['column']}: {row['old']:,} under older keys, "
            + ("would be moved" if dry else f"{row['reencrypted']:,} moved")
            for row in rows
            if row["old"]
        ]
        were, outcome = ("are", "they would be brought") if dry else ("were", f"{done:,} are now")
        lines.append(f"{found:,} values {were} under older keys; {outcome} under {ring.current!r}.")
        document = {"key": ring.current, "old": found, "reencrypted": done, "columns": rows, "dryRun": dry}
        return Answer(document, lines)

    def _bring(self, column: Any, old: int) -> int:
        done = 0
        for changed in reencrypt(column):
            done += changed
            if self.stderr.isatty():
                self.stderr.write(f"\r{column.table}.{column.column} {done:,} of {old:,}", ending="")
        return done
