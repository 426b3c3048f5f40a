"""A sandbox's storage without a database."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from claims.clearinghouse.sandbox import AnswerFile, Delivery, KeyReusedError


class InMemoryMailbox:
    """A mailbox that lasts as long as the process."""

    def __init__(self) -> None:
        self._digests: dict[str, str] = {}
        self._attempts: dict[str, int] = {}
        self._deliveries: dict[str, Delivery] = {}
        self._answers: dict[str, AnswerFile] = {}

    def record_attempt(self, key: str, *, digest: str) -> int:
        if self._digests.setdefault(key, digest) != digest:
            raise KeyReusedError
        self._attempts[key] = self._attempts.get(key, 0) + 1
        return self._attempts[key]

    def accept(self, delivery: Delivery) -> None:
        if delivery.key not in self._deliveries:
            self._deliveries[delivery.key] = delivery
            self._answers.update({answer.name: answer for answer in delivery.answers})

    def reference_of(self, key: str) -> str | None:
        delivery = self._deliveries.get(key)
        return delivery.reference if delivery else None

    def interchange_with(self, payer_control_number: str) -> str | None:
        for delivery in self._deliveries.values():
            if payer_control_number in delivery.payer_control_numbers:
                return delivery.x12
        return None

    def due(self, now: datetime, *, limit: int) -> Sequence[AnswerFile]:
        ready = [answer for answer in self._answers.values() if answer.available_at <= now]
        return sorted(ready, key=lambda answer: (answer.available_at, answer.name))[:limit]

    def take(self, name: str) -> None:
        self._answers.pop(name, None)
