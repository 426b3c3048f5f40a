"""Signals: what the outside world says about a claim, as values that can be stored, compared and folded.

A signal is one statement of one party about one claim: one set of a 999, one claim of a 277CA or of an 835.
`claims.signals_from_x12` makes them of parsed files; `claims.fold` turns the set of them into a status.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from datetime import date
from decimal import Decimal
from enum import StrEnum
from typing import Any, Self


class SessionStatus(StrEnum):
    """What a partner sees of a session; there is no seventh value."""

    PROCESSING = "processing"
    SUBMITTED = "submitted"
    ACCEPTED = "accepted"
    REJECTED = "rejected"
    DENIED = "denied"
    PAID = "paid"


class ClaimStatus(StrEnum):
    """Where one claim version stands; `claim.status` in the interface."""

    QUEUED = "queued"
    HELD = "held"
    DISPATCHING = "dispatching"
    DISPATCH_UNKNOWN = "dispatch_unknown"
    SENT = "sent"
    TRANSPORT_REJECTED = "transport_rejected"
    CLEARINGHOUSE_ACCEPTED = "clearinghouse_accepted"
    CLEARINGHOUSE_REJECTED = "clearinghouse_rejected"
    FORWARDED = "forwarded"
    PAYER_ACCEPTED = "payer_accepted"
    PAYER_REJECTED = "payer_rejected"
    PAID = "paid"
    PARTIALLY_PAID = "partially_paid"
    PATIENT_RESPONSIBILITY = "patient_responsibility"
    DENIED = "denied"
    MEMBER_UNKNOWN = "member_unknown"
    REVERSED = "reversed"
    TAKEN_BACK = "taken_back"
    FORWARDED_OTHER_PAYER = "forwarded_other_payer"
    PER_INQUIRY = "per_inquiry"
    VOIDED = "voided"


NOT_LEFT = (ClaimStatus.QUEUED, ClaimStatus.HELD)
UNSETTLED = (ClaimStatus.DISPATCHING, ClaimStatus.DISPATCH_UNKNOWN)
"""Being handed over, or handed over with an outcome that nobody knows."""
REFUSED = (ClaimStatus.PAYER_REJECTED, ClaimStatus.CLEARINGHOUSE_REJECTED)
"""Turned away for what they say; a file that couldn't be read goes again, and its claims with it."""
REJECTED = (*REFUSED, ClaimStatus.TRANSPORT_REJECTED)
NOT_PAID = (ClaimStatus.DENIED, ClaimStatus.MEMBER_UNKNOWN, ClaimStatus.TAKEN_BACK)


class WorkflowState(StrEnum):
    """How far our own process has brought a claim version; the signals take over once it is sent."""

    QUEUED = "queued"
    HELD = "held"
    DISPATCHING = "dispatching"
    DISPATCH_UNKNOWN = "dispatch_unknown"
    SENT = "sent"


class EventType(StrEnum):
    """The `type` of an event and of a timeline entry."""

    SESSION_RECEIVED = "session.received"
    SESSION_UPDATED = "session.updated"
    SESSION_VALIDATED = "session.validated"
    SESSION_HELD = "session.held"
    SESSION_RELEASED = "session.released"
    SESSION_WARNING = "session.warning"
    CODES_DERIVED = "codes.derived"
    CODES_EXTRACTED = "codes.extracted"
    NOTE_CHECKED = "note.checked"
    CLAIM_CREATED = "claim.created"
    CLAIM_SUBMITTED = "claim.submitted"
    CLAIM_ACKNOWLEDGED = "claim.acknowledged"
    CLAIM_ACCEPTED = "claim.accepted"
    CLAIM_REJECTED = "claim.rejected"
    CLAIM_PAID = "claim.paid"
    CLAIM_DENIED = "claim.denied"
    CLAIM_REVERSED = "claim.reversed"
    CLAIM_ADJUSTED = "claim.adjusted"
    CLAIM_NOTED = "claim.noted"
    CLAIM_CORRECTED = "claim.corrected"
    CLAIM_VOIDED = "claim.voided"
    STAFF_NOTE = "staff.note"


class SignalKind(StrEnum):
    """The document that a signal was read from."""

    INTERCHANGE_ACKNOWLEDGEMENT = "TA1"
    IMPLEMENTATION_ACKNOWLEDGEMENT = "999"
    CLAIM_ACKNOWLEDGEMENT = "277CA"
    STATUS_INQUIRY = "277"
    REMITTANCE = "835"
    PROVIDER_ADJUSTMENT = "PLB"


FORWARD_BALANCE = "FB"
"""The reason (PLB03-1) of a balance that is carried over from or to another payment."""
MONEY_SIGNALS = frozenset({SignalKind.REMITTANCE, SignalKind.PROVIDER_ADJUSTMENT})
TYPED = "typed:"
"""What the natural key of a remittance begins with that staff typed; from where they have it follows."""


class Source:
    """The two senders of a 277CA, by the entity code of its loop 2100A; a remittance names its payer."""

    CLEARINGHOUSE = "AY"
    PAYER = "PR"


@dataclass(frozen=True, slots=True, kw_only=True)
class StatusCode:
    """A claim status of a 277: category (A3), status (33) and the entity that it speaks of (IL)."""

    category: str
    status: str = ""
    entity: str = ""

    def __str__(self) -> str:
        return ":".join(part for part in (self.category, self.status, self.entity) if part)


@dataclass(frozen=True, slots=True, kw_only=True)
class Adjustment:
    """An amount that the payer did not pay: group (CO, PR, OA, PI, CR), reason (CARC), amount in dollars."""

    group: str
    reason: str
    amount: Decimal

    def __str__(self) -> str:
        return f"{self.group}-{self.reason}"


@dataclass(frozen=True, slots=True, kw_only=True)
class LineOutcome:
    """What became of one service line; amounts in dollars, `allowed` only where the payer stated it."""

    control_number: str = ""
    procedure_code: str = ""
    modifiers: tuple[str, ...] = ()
    charge: Decimal = Decimal(0)
    paid: Decimal = Decimal(0)
    allowed: Decimal | None = None
    adjustments: tuple[Adjustment, ...] = ()
    remarks: tuple[str, ...] = ()
    statuses: tuple[StatusCode, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Signal:
    """One statement about one claim; for one claim, equal natural keys are the same statement come twice.

    `source` is AY (clearinghouse) or PR (payer) for a 277CA and the payer's identifier for a remittance.
    TA1 and 999 name no claim but our envelope: `interchange`, `group`, `transaction_set` are our own control
    numbers, and whoever stores the signal fills in the claim and the count of its `transmission`.
    `batch` holds together what one 835 payment or one 277CA answer says. `verdict` is TA104, IK501 or AK901
    (A, E, P, R, M, W, X) or STC03 (WQ, U). A TA1 or 999 tells in `remarks` what is wrong in our file. Amounts
    are dollars, None where the document has none. A provider-level adjustment stands in `adjustments`, group
    PLB, with what it adds to the payment. `words` are the messages that a 277 has beside its codes, for staff
    alone: they may name a patient, move nothing, and are stored encrypted beside the JSON.
    """

    kind: SignalKind
    source: str
    natural_key: str
    effective_date: date
    patient_control_number: str = ""
    payer_name: str = ""
    payer_control_number: str = ""
    interchange: str = ""
    group: str = ""
    transaction_set: str = ""
    transmission: int = 1
    batch: str = ""
    verdict: str = ""
    statuses: tuple[StatusCode, ...] = ()
    claim_status_code: str = ""
    charge: Decimal | None = None
    paid: Decimal | None = None
    patient_responsibility: Decimal | None = None
    allowed: Decimal | None = None
    adjustments: tuple[Adjustment, ...] = ()
    remarks: tuple[str, ...] = ()
    lines: tuple[LineOutcome, ...] = ()
    words: tuple[str, ...] = field(default=(), repr=False, compare=False)

    @property
    def moved(self) -> Decimal | None:
        """What it pays, or a provider-level adjustment moves either way; None where it is about no money."""
        if self.kind is SignalKind.PROVIDER_ADJUSTMENT:
            return abs(sum((each.amount for each in self.adjustments), Decimal(0)))
        return self.paid

    @property
    def trace_number(self) -> str:
        """The number of the check or transfer that a remittance came with; empty where it came in no file."""
        if self.kind not in MONEY_SIGNALS:
            return ""
        return self.batch.removeprefix(f"{self.source}|").rpartition("|")[0]

    @property
    def origin(self) -> str:
        """From where staff have it who typed it; empty where it came in a file."""
        return self.natural_key.split(":")[1] if self.natural_key.startswith(TYPED) else ""

    @property
    def carries_balance(self) -> bool:
        """Whether it only carries a balance over between payments, and so is about no claim."""
        reasons = {each.reason for each in self.adjustments}
        return self.kind is SignalKind.PROVIDER_ADJUSTMENT and reasons == {FORWARD_BALANCE}

    @property
    def every_adjustment(self) -> tuple[Adjustment, ...]:
        """Adjustments of the claim and of all its lines."""
        return self.adjustments + tuple(each for line in self.lines for each in line.adjustments)

    @property
    def every_status(self) -> tuple[StatusCode, ...]:
        """Status codes of the claim and of all its lines, each once."""
        return tuple(
            dict.fromkeys(self.statuses + tuple(each for line in self.lines for each in line.statuses))
        )

    @property
    def every_remark(self) -> tuple[str, ...]:
        """Remark codes of the claim and of all its lines, each once."""
        return tuple(
            dict.fromkeys(self.remarks + tuple(each for line in self.lines for each in line.remarks))
        )

    def of_claim(self, patient_control_number: str, *, transmission: int = 1) -> Self:
        """Name the claim that an acknowledgement of an envelope is about."""
        return replace(self, patient_control_number=patient_control_number, transmission=transmission)

    def as_columns(self) -> dict[str, Any]:
        """Give the columns of the row that stores it."""
        return {
            "natural_key": self.natural_key,
            "kind": self.kind,
            "patient_control_number": self.patient_control_number,
            "effective_date": self.effective_date,
            "payload": self.as_json(),
            "words": "\n".join(self.words) or None,
        }

    def as_json(self) -> dict[str, Any]:
        """Give a JSON object of what is set but the words; money and dates are strings."""
        stored = _as_json(self)
        stored.pop("words", None)
        return stored

    @classmethod
    def from_json(cls, stored: Mapping[str, Any]) -> Self:
        """Read back what `as_json` gave.

        Raises KeyError, TypeError or ValueError where `stored` is not of that shape.
        """
        values = dict(stored)
        values["kind"] = SignalKind(values["kind"])
        values["effective_date"] = date.fromisoformat(values["effective_date"])
        for name in ("charge", "paid", "patient_responsibility", "allowed"):
            if name in values:
                values[name] = _money(values[name])
        values["lines"] = tuple(_line(each) for each in values.get("lines", ()))
        return cls(**_with_codes(values))


def _as_json(value: Any) -> dict[str, Any]:
    stored = {}
    for each in fields(value):
        content = getattr(value, each.name)
        if content is None or content == () or content == "":
            continue
        stored[each.name] = _plain(content)
    return stored


def _plain(content: Any) -> Any:
    if isinstance(content, str | int):
        return str(content) if isinstance(content, StrEnum) else content
    if isinstance(content, Decimal):
        return str(content)
    if isinstance(content, date):
        return content.isoformat()
    if isinstance(content, tuple):
        return [_plain(each) for each in content]
    return _as_json(content)


def _with_codes(values: dict[str, Any]) -> dict[str, Any]:
    """Turn the stored lists that claims and lines have in common back into tuples of values."""
    values["adjustments"] = tuple(
        Adjustment(group=each["group"], reason=each["reason"], amount=_money(each["amount"]))
        for each in values.get("adjustments", ())
    )
    values["remarks"] = tuple(values.get("remarks", ()))
    values["statuses"] = tuple(StatusCode(**each) for each in values.get("statuses", ()))
    return values


def _line(stored: Mapping[str, Any]) -> LineOutcome:
    values = dict(stored)
    for name in ("charge", "paid", "allowed"):
        if name in values:
            values[name] = _money(values[name])
    values["modifiers"] = tuple(values.get("modifiers", ()))
    return LineOutcome(**_with_codes(values))


def _money(text: object) -> Decimal:
    if not isinstance(text, str):
        raise TypeError("an amount must be stored as a string")
    amount = Decimal(text)
    if not amount.is_finite():
        raise ValueError("an amount must be a finite number")
    return amount
