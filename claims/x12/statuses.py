"""What a 277 says, as values: who answers, about what, and with which status codes."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from enum import StrEnum

from claims.x12.remittance import RemittanceName

REJECTED_CATEGORIES = frozenset({"A3", "A6", "A7", "A8"})


class StatusGuide(StrEnum):
    """Which of the two 277s it is: what came of a submission, or the answer to a question."""

    ACKNOWLEDGEMENT = "005010X214"
    INQUIRY_RESPONSE = "005010X212"


class ResponseLevel(StrEnum):
    """What a response is about."""

    BATCH = "batch"
    PROVIDER = "provider"
    CLAIM = "claim"


class ResponseAction(StrEnum):
    """STC03 of an acknowledgement."""

    ACCEPT = "WQ"
    REJECT = "U"


@dataclass(frozen=True, slots=True)
class StatusCode:
    """Category (code source 507), status (508) and, often, whom it is about."""

    category: str
    status: str
    entity: str = ""


@dataclass(frozen=True, slots=True)
class Status:
    """One STC: up to three codes; `action` is None in answers to an inquiry or where it was left out.

    `message` is what its sender wrote beside the codes, on one line; it may name a patient.
    """

    codes: tuple[StatusCode, ...]
    effective_date: date | None
    action: ResponseAction | None
    charge: Decimal | None
    payment: Decimal | None
    message: str = field(default="", repr=False)

    @property
    def is_rejected(self) -> bool:
        """Tell whether this refuses: action U, or its first category says so; further codes only explain."""
        return self.action is ResponseAction.REJECT or self.codes[0].category in REJECTED_CATEGORIES


@dataclass(frozen=True, slots=True)
class LineStatus:
    """What is said of one service line; the control number is the one that we gave it (REF*FJ)."""

    procedure_code: str
    modifiers: tuple[str, ...]
    charge: Decimal | None
    control_number: str
    statuses: tuple[Status, ...]


@dataclass(frozen=True, slots=True)
class StatusSource:
    """Who answers, and under which number of its own."""

    guide: StatusGuide
    party: str
    name: str
    identifier: str
    trace_number: str
    processed_on: date | None


@dataclass(frozen=True, slots=True)
class StatusResponse:
    """The answer about one batch, provider or claim.

    `trace_number` is TRN02: our batch reference, or in an acknowledgement our patient control number;
    `batch_reference` is the former for everything that stands below it. Patient data serve to look for the
    claim when no number matches, and stay out of `repr`.
    """

    source: StatusSource
    level: ResponseLevel
    trace_number: str
    statuses: tuple[Status, ...]
    provider_id: str
    batch_reference: str = ""
    patient_control_number: str = ""
    payer_control_number: str = ""
    service_from: date | None = None
    service_to: date | None = None
    lines: tuple[LineStatus, ...] = ()
    member_id: str = field(default="", repr=False)
    last_name: str = field(default="", repr=False)
    first_name: str = field(default="", repr=False)

    @property
    def names(self) -> tuple[RemittanceName, ...]:
        """The patient as an 835 names one; empty where nobody is named."""
        if not self.last_name:
            return ()
        return (RemittanceName("QC", self.last_name, self.first_name, self.member_id),)

    @property
    def is_rejected(self) -> bool:
        """Tell whether any status refuses what was answered about; those of single lines do not count."""
        return any(status.is_rejected for status in self.statuses)
