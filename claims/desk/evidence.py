"""The evidence file of a session: every byte sent and received for each version of its claim, and the story.

Each file is listed in `manifest.json` with its SHA-256; `chain` there folds the hashes in order, so that one
number stands for the whole. Files of a clearinghouse may speak of other patients too: the folder is for the
service's own counsel and auditors, never for a partner.
"""

import hashlib
import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime
from decimal import Decimal
from typing import Any
from uuid import UUID

from django.db.models import Model, QuerySet
from django.utils import timezone

from claims.models import (
    Claim,
    ClaimChange,
    ClaimSignal,
    InboundFile,
    LedgerEntry,
    LegalHold,
    TransmittedClaim,
    TypedRemittance,
)
from partners.audit_chain import as_values
from partners.fields import EncryptedField
from partners.models import AccessRecord, AccessSeal
from sessions_app.models import (
    Session,
    SessionChange,
    SessionCode,
    SessionCodeChange,
    SessionEvent,
    SessionNote,
)

NOT_EXPORTED = {"lease", "lease_until", "fingerprint", "member_id_index", "patient_search_name"}


@dataclass(frozen=True)
class EvidenceFile:
    """One file of the export; `stored_hash` is what was written down when the bytes were first stored."""

    path: str
    content: bytes
    stored_hash: bytes | None = None

    @property
    def intact(self) -> bool:
        """Whether the bytes are those of which the hash was stored."""
        return self.stored_hash is None or hashlib.sha256(self.content).digest() == self.stored_hash


def collect(session: Session) -> list[EvidenceFile]:
    """Every file of the session's evidence, the manifest last."""
    files = [*_of_session(session), *_of_claims(session), *_of_answers(session), *_of_access(session)]
    return [*files, EvidenceFile("manifest.json", _json(_manifest(session, files)))]


def sessions_in(session: Session) -> list[UUID]:
    """Whose data the files hold: the session's, and of all others that were sent or answered with it."""
    sent = TransmittedClaim.objects.filter(transmission__claims__claim__session=session)
    answered = ClaimSignal.objects.filter(inbound_file__signals__claim__session=session, claim__isnull=False)
    others = {*sent.values_list("claim__session", flat=True)}
    others |= {*answered.values_list("claim__session", flat=True)}
    return [session.pk, *sorted(others - {session.pk})]


def _of_session(session: Session) -> Iterator[EvidenceFile]:
    yield EvidenceFile("session.json", _json(_row(session)))
    yield _rows("codes.json", SessionCode.objects.filter(session=session).order_by("kind", "position"))
    yield _rows("timeline.json", SessionEvent.objects.filter(session=session).order_by("id"))
    yield _rows("changes-session.json", SessionChange.objects.filter(pgh_obj=session).order_by("pgh_id"))
    yield _rows("changes-codes.json", SessionCodeChange.objects.filter(session=session).order_by("pgh_id"))
    yield _rows("changes-claims.json", ClaimChange.objects.filter(session=session).order_by("pgh_id"))
    yield _rows("legal-holds.json", LegalHold.objects.filter(session=session).order_by("id"))
    note = SessionNote.objects.filter(session=session).first()
    if note is not None:
        yield EvidenceFile("note/note.json", _json(_row(note)))


def _of_claims(session: Session) -> Iterator[EvidenceFile]:
    before: dict[str, Any] = {}
    for claim in Claim.objects.filter(session=session).order_by("version").prefetch_related("lines"):
        folder = f"claims/{claim.version:02d}"
        draft = claim.draft()
        yield EvidenceFile(f"{folder}/claim.json", _json({**_row(claim), "snapshot": draft}))
        yield EvidenceFile(f"{folder}/lines.json", _json([_row(line) for line in claim.lines.all()]))
        if before and draft:
            yield EvidenceFile(f"{folder}/differences.json", _json(differences(before, draft)))
        before = draft or before
        sent = TransmittedClaim.objects.filter(claim=claim).select_related("transmission").order_by("ordinal")
        for each in sent:
            transmission = each.transmission
            start = f"{folder}/sent/{each.ordinal:02d}-{transmission.file_name}"
            yield EvidenceFile(start, transmission.content.encode(), bytes(transmission.sha256))
            yield EvidenceFile(f"{start}.json", _json(_row(transmission, without={"content", "answer"})))
            if transmission.answer is not None:
                yield EvidenceFile(f"{start}.answer", transmission.answer.encode())


def _of_answers(session: Session) -> Iterator[EvidenceFile]:
    signals = ClaimSignal.objects.filter(claim__session=session).order_by("id")
    yield _rows("answers.json", signals)
    yield _rows("ledger.json", LedgerEntry.objects.filter(claim__session=session).order_by("id"))
    if typed := TypedRemittance.objects.filter(claim__session=session).order_by("id"):
        yield _rows("typed-remittances.json", typed)
    for file in InboundFile.objects.filter(signals__in=signals).distinct().order_by("id"):
        name = "".join(letter if letter.isalnum() or letter in "._-" else "_" for letter in file.name)
        yield EvidenceFile(f"received/{file.pk:09d}-{name}", file.content, bytes(file.sha256))


def _of_access(session: Session) -> Iterator[EvidenceFile]:
    records = list(AccessRecord.objects.filter(session_ids__contains=[session.pk]).order_by("id"))
    yield EvidenceFile("access/records.json", _json([as_values(record) for record in records]))
    if records:
        last = records[-1].pk
        seals = AccessSeal.objects.filter(last_record__gte=records[0].pk, first_record__lte=last).order_by(
            "id"
        )
        yield _rows("access/seals.json", seals)


def differences(before: Any, after: Any, path: str = "") -> list[dict[str, Any]]:
    """What differs between two versions, by path; a value that only one has is null in the other."""
    if isinstance(before, dict) and isinstance(after, dict):
        names = [*before, *(name for name in after if name not in before)]
        pairs = [(name, before.get(name), after.get(name)) for name in names]
    elif isinstance(before, list) and isinstance(after, list):
        longest = max(len(before), len(after))
        pairs = [
            (str(at), *(part[at] if at < len(part) else None for part in (before, after)))
            for at in range(longest)
        ]
    else:
        return [] if before == after else [{"path": path, "before": before, "after": after}]
    return [
        found for name, one, other in pairs for found in differences(one, other, f"{path}.{name}".lstrip("."))
    ]


def _manifest(session: Session, files: Iterable[EvidenceFile]) -> dict[str, Any]:
    listed, chain = [], b"\0" * 32
    for file in files:
        digest = hashlib.sha256(file.content).digest()
        chain = hashlib.sha256(chain + file.path.encode() + b"\0" + digest).digest()
        entry: dict[str, Any] = {"path": file.path, "bytes": len(file.content), "sha256": digest.hex()}
        if file.stored_hash is not None:
            entry["asStored"] = file.intact
        listed.append(entry)
    return {
        "session": str(session.pk),
        "partner": str(session.partner_id),
        "exportedAt": timezone.now().astimezone(UTC).isoformat(),
        "files": listed,
        "chain": chain.hex(),
        "chainOf": "SHA-256 of: the digest before (at first 32 zero bytes), path, zero byte, file's SHA-256",
    }


def _rows(path: str, rows: QuerySet[Any]) -> EvidenceFile:
    return EvidenceFile(path, _json([_row(row) for row in rows]))


def _row(row: Model, *, without: set[str] | None = None) -> dict[str, Any]:
    """The row's columns by name; encrypted ones in plain text."""
    left_out = NOT_EXPORTED | (without or set())
    return {
        field.attname: _plain(getattr(row, field.attname), encrypted=isinstance(field, EncryptedField))
        for field in row._meta.concrete_fields
        if field.name not in left_out
    }


def _plain(value: Any, *, encrypted: bool) -> Any:
    if isinstance(value, bytes | memoryview) and not encrypted:
        return bytes(value).hex()
    return value


def _json(value: Any) -> bytes:
    return json.dumps(value, indent=2, default=_text, ensure_ascii=False).encode() + b"\n"


def _text(value: object) -> str:
    if isinstance(value, datetime | date):
        return value.isoformat()
    if isinstance(value, Decimal | UUID):
        return str(value)
    raise TypeError(f"{type(value).__name__} has no form in the evidence file")
