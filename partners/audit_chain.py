"""The chain over the access records: seal what is new, and prove that nothing sealed was changed.

A seal covers a run of records of one day. Its digest folds SHA-256 over the digest of the seal before it and
each record in order; its signature is an HMAC of the digest, so that whoever can write to the database but
has no key of the service can't make a new chain.
"""

import hashlib
import hmac
import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, date
from itertools import groupby
from uuid import UUID

from django.db import OperationalError, connection, transaction
from django.db.models import Max

from partners.keyring import KeyringError, derived_key, field_ring
from partners.models import AccessRecord, AccessSeal

BEGINNING = b"\0" * 32
MOST_RECORDS = 10_000
LOCK_PATIENCE = "1s"
_PURPOSE = b"access-record"


@dataclass(frozen=True)
class Verdict:
    """What a walk along the chain found; `faults` is empty where nothing was changed."""

    seals: int
    records: int
    unsealed: int
    unsigned: int
    first_day: date | None
    last_day: date | None
    head: str
    faults: tuple[str, ...] = field(default=())

    @property
    def intact(self) -> bool:
        """Whether nothing was changed, and a seal of a known key vouches for the chain."""
        return not self.faults and (self.unsigned < self.seals or not self.seals)


def seal_records() -> int:
    """Seal every record that can have no late-comer before it; the number of records.

    0 where writers kept the table busy: the next call seals them.
    """
    try:
        last_final = _last_final_record()
    except OperationalError:
        return 0
    sealed = 0
    while batch := _seal_batch(last_final):
        sealed += batch
    return sealed


def verify_chain(*, expected_head: str = "") -> Verdict:
    """Recompute the whole chain; `expected_head` is a digest noted elsewhere that must be part of it.

    Seals of keys that FIELD_KEYS has lost can only be the oldest: they are counted, not condemned.
    """
    faults: list[str] = []
    seals = list(AccessSeal.objects.order_by("id"))
    previous = seals[0].previous_digest if seals else BEGINNING
    if expected_head and expected_head not in {bytes(seal.digest).hex() for seal in seals}:
        faults.append(f"The digest {expected_head} is not part of the chain.")
    records = unsigned = signed = 0
    covered = seals[0].first_record - 1 if seals else 0
    for seal in seals:
        if bytes(seal.previous_digest) != bytes(previous):
            faults.append(f"Seal {seal.pk} of {seal.day} does not follow the one before it.")
        rows = AccessRecord.objects.filter(pk__gt=covered, pk__lte=seal.last_record).order_by("pk")
        digest, count = _fold(bytes(seal.previous_digest), rows.iterator(chunk_size=2000))
        if count != seal.records:
            faults.append(f"Seal {seal.pk} of {seal.day} covers {seal.records} records; {count} are there.")
        elif digest != bytes(seal.digest):
            faults.append(f"A record under seal {seal.pk} of {seal.day} was changed.")
        signature = _signature(bytes(seal.digest), key_id=seal.signed_by)
        if signature is None:
            unsigned += 1
            if signed:
                faults.append(
                    f"Seal {seal.pk} of {seal.day} names a key that FIELD_KEYS lacks, behind known ones."
                )
        elif not hmac.compare_digest(signature, bytes(seal.signature)):
            faults.append(f"Seal {seal.pk} of {seal.day} was not made by this service.")
        else:
            signed += 1
        previous, covered, records = seal.digest, seal.last_record, records + count
    if seals and AccessRecord.objects.filter(pk__lt=seals[0].first_record).exists():
        faults.append("There are records before the beginning of the chain.")
    return Verdict(
        seals=len(seals),
        records=records,
        unsealed=AccessRecord.objects.filter(pk__gt=covered).count(),
        unsigned=unsigned,
        first_day=seals[0].day if seals else None,
        last_day=seals[-1].day if seals else None,
        head=bytes(previous).hex(),
        faults=tuple(faults),
    )


def as_values(record: AccessRecord) -> dict[str, object]:
    """A record as it is sealed and exported."""
    return {
        "id": record.pk,
        "at": record.at.astimezone(UTC).isoformat(timespec="microseconds"),
        "partner": _text(record.partner_id),
        "key": _text(record.key_id),
        "user": _text(record.user_id),
        "what": record.what,
        "sessions": [str(session_id) for session_id in record.session_ids],
        "detail": record.detail,
        "request": record.request_id,
    }


def _last_final_record() -> int:
    """The highest id below which nobody is still writing: the lock waits for all who have begun."""
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SELECT set_config('lock_timeout', %s, true)", [LOCK_PATIENCE])
        cursor.execute("LOCK TABLE partners_accessrecord IN SHARE MODE")
        return AccessRecord.objects.aggregate(last=Max("pk"))["last"] or 0


@transaction.atomic
def _seal_batch(last_final: int) -> int:
    with connection.cursor() as cursor:
        cursor.execute("LOCK TABLE partners_accessseal IN EXCLUSIVE MODE")  # one sealer at a time
    newest = AccessSeal.objects.order_by("-id").first()
    digest = bytes(newest.digest) if newest else BEGINNING
    waiting = AccessRecord.objects.filter(pk__gt=newest.last_record if newest else 0, pk__lte=last_final)
    rows = list(waiting.order_by("pk")[:MOST_RECORDS])
    key_id = field_ring().current
    for day, run in _days(rows):
        previous = digest
        digest, count = _fold(previous, run)
        signature = _signature(digest, key_id=key_id)
        assert signature is not None
        AccessSeal.objects.create(
            day=day,
            first_record=run[0].pk,
            last_record=run[-1].pk,
            records=count,
            previous_digest=previous,
            digest=digest,
            signature=signature,
            signed_by=key_id,
        )
    return len(rows)


def _days(rows: list[AccessRecord]) -> Iterator[tuple[date, list[AccessRecord]]]:
    for day, run in groupby(rows, key=lambda record: record.at.astimezone(UTC).date()):
        yield day, list(run)


def _fold(digest: bytes, records: Iterable[AccessRecord]) -> tuple[bytes, int]:
    count = 0
    for record in records:
        line = json.dumps(as_values(record), sort_keys=True, separators=(",", ":"))
        digest = hashlib.sha256(digest + line.encode()).digest()
        count += 1
    return digest, count


def _signature(digest: bytes, *, key_id: str) -> bytes | None:
    """None where the ring no longer has the key."""
    try:
        return hmac.new(derived_key(_PURPOSE, key_id=key_id), digest, hashlib.sha256).digest()
    except KeyringError:
        return None


def _text(value: object | None) -> str | None:
    return None if value is None else str(value)


def purge_records(before: date, *, held: Iterable[UUID] = (), dry_run: bool = False) -> int:
    """Forget the beginning of the chain: sealed days before this one, whole; the rest stays provable.

    Only a beginning can go: from the first record that names a held session, all stay.
    """
    seals = AccessSeal.objects.filter(day__lt=before)
    kept = AccessRecord.objects.filter(session_ids__overlap=list(held)).order_by("pk").first()
    if kept is not None:
        seals = seals.filter(last_record__lt=kept.pk)
    last = seals.order_by("-id").first()
    if last is None:
        return 0
    old = AccessRecord.objects.filter(pk__lte=last.last_record)
    if dry_run:
        return old.count()
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SELECT set_config('app.purging', 'on', true)")
        cursor.execute("DELETE FROM partners_accessrecord WHERE id <= %s", [last.last_record])
        deleted: int = cursor.rowcount
        cursor.execute("DELETE FROM partners_accessseal WHERE id <= %s", [last.pk])
        cursor.execute("SELECT set_config('app.purging', '', true)")
    return deleted
