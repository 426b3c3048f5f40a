"""The sandbox clearinghouse's storage, in PostgreSQL: it lasts, and every worker sees the same."""

from collections.abc import Sequence
from datetime import datetime

from django.db import transaction
from django.db.models import F
from django.utils import timezone

from claims.clearinghouse.sandbox.mailbox import AnswerFile, Delivery, KeyReusedError
from claims.models import SandboxAnswer, SandboxSubmission


class DatabaseMailbox:
    """`claims.clearinghouse.sandbox.mailbox.Mailbox` over two tables."""

    def record_attempt(self, key: str, *, digest: str) -> int:
        with transaction.atomic():
            SandboxSubmission.objects.bulk_create(
                [SandboxSubmission(key=key, digest=digest)], ignore_conflicts=True
            )
            row = SandboxSubmission.objects.select_for_update().only("digest", "attempts").get(pk=key)
            if row.digest != digest:
                raise KeyReusedError
            SandboxSubmission.objects.filter(pk=key).update(attempts=F("attempts") + 1)
            return row.attempts + 1

    def accept(self, delivery: Delivery) -> None:
        with transaction.atomic():
            taken = SandboxSubmission.objects.filter(pk=delivery.key, reference="").update(
                reference=delivery.reference,
                content=delivery.x12,
                payer_control_numbers=list(delivery.payer_control_numbers),
            )
            if taken:
                SandboxAnswer.objects.bulk_create(
                    SandboxAnswer(name=answer.name, content=answer.content, available_at=answer.available_at)
                    for answer in delivery.answers
                )

    def reference_of(self, key: str) -> str | None:
        return (
            SandboxSubmission.objects.filter(pk=key)
            .exclude(reference="")
            .values_list("reference", flat=True)
            .first()
        )

    def interchange_with(self, payer_control_number: str) -> str | None:
        return (
            SandboxSubmission.objects.filter(payer_control_numbers__contains=[payer_control_number])
            .values_list("content", flat=True)
            .first()
        )

    def due(self, now: datetime, *, limit: int) -> Sequence[AnswerFile]:
        rows = SandboxAnswer.objects.filter(available_at__lte=now, taken_at=None)
        return [
            AnswerFile(row.name, row.content, row.available_at)
            for row in rows.order_by("available_at", "id")[:limit]
        ]

    def take(self, name: str) -> None:
        SandboxAnswer.objects.filter(name=name, taken_at=None).update(taken_at=timezone.now())
