"""The interface's shapes in pydantic, for the peers: the same fields, limits and refusals as ours."""

from datetime import UTC, date, datetime, timedelta
from typing import Annotated, Literal
from uuid import UUID

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, StringConstraints, model_validator


def text(longest: int) -> type[str]:
    """Free text, trimmed."""
    return Annotated[
        str,
        StringConstraints(
            strip_whitespace=True, min_length=1, max_length=longest, pattern=r"^[^\x00-\x1f]*$"
        ),
    ]


def coded(pattern: str) -> type[str]:
    """A coded value."""
    return Annotated[str, StringConstraints(pattern=f"^(?:{pattern})$")]


def _in_the_past(day: date) -> date:
    if day > (datetime.now(UTC) + timedelta(hours=10)).date():
        raise ValueError("Must not be in the future.")
    return day


class Strict(BaseModel):
    model_config = ConfigDict(extra="forbid")


class Address(Strict):
    street: text(55)
    line2: text(55) | None = None
    city: text(30)
    state: coded("[A-Za-z]{2}")
    zip: coded("[0-9]{5}")


class Insurance(Strict):
    memberId: text(50)
    payerName: text(60)
    payerId: text(80) | None = None
    groupNumber: text(50) | None = None


class Patient(Strict):
    firstName: text(35)
    lastName: text(60)
    dateOfBirth: Annotated[date, Field(ge=date(1900, 1, 1))]
    gender: Literal["F", "M", "U"]
    address: Address
    insurance: Insurance


class DiagnosisCode(Strict):
    code: coded(r"[A-Za-z][0-9][0-9A-Za-z](?:\.?[0-9A-Za-z]{1,4})?")
    description: text(255) | None = None
    modifier: text(255) | None = None


class ProcedureCode(Strict):
    code: coded("[0-9]{4}[0-9A-Za-z]|[A-Va-v][0-9]{4}")
    description: text(255) | None = None
    modifier: coded("[0-9A-Za-z]{2}") | None = None


class TherapySession(Strict):
    dateOfService: Annotated[date, AfterValidator(_in_the_past)]
    placeOfService: Literal["office", "telehealth"] | None = "office"
    durationMinutes: Annotated[float, Field(gt=0, le=1440)] | None = None
    noteText: Annotated[str, StringConstraints(strip_whitespace=True, max_length=100_000)] | None = None
    diagnosisCodes: Annotated[list[DiagnosisCode], Field(max_length=12)] = []
    procedureCodes: Annotated[list[ProcedureCode], Field(max_length=50)] = []

    @model_validator(mode="after")
    def _combination(self) -> "TherapySession":
        coded_ = self.diagnosisCodes and (self.durationMinutes is not None or self.procedureCodes)
        if not coded_ and not self.noteText:
            raise ValueError("No accepted combination of codes, minutes and note.")
        return self


class Submission(Strict):
    externalSessionId: text(255) | None = None
    patient: Patient
    providerNpi: coded("[0-9]{10}")
    session: TherapySession


class SubmissionResult(BaseModel):
    sessionId: UUID
    externalSessionId: str | None
    status: str
    message: str


class PatientSummary(BaseModel):
    firstName: str
    lastName: str
    fullName: str
    dateOfBirth: date
    memberId: str


class PayerSummary(BaseModel):
    payerName: str | None
    payerId: str | None
    groupNumber: str | None


class ProviderSummary(BaseModel):
    providerId: UUID
    firstName: str
    lastName: str
    fullName: str
    npi: str
    credentials: str | None
    specialty: str | None


class ClaimSummary(BaseModel):
    claimId: UUID
    status: str
    submittedAt: datetime | None
    lastUpdated: datetime
    patientControlNumber: str | None
    payerClaimControlNumber: str | None
    submissionMode: str | None


class SessionItem(BaseModel):
    sessionId: UUID
    externalSessionId: str | None
    status: str
    dateOfService: date
    createdAt: datetime
    updatedAt: datetime
    patient: PatientSummary
    payer: PayerSummary
    provider: ProviderSummary
    claim: ClaimSummary | None


class SessionPage(BaseModel):
    items: list[SessionItem]
    nextPageToken: str | None


class Event(BaseModel):
    type: str
    timestamp: datetime


class TimelineEntry(Event):
    status: str | None
    summary: str


class SessionDetail(SessionItem):
    message: str
    patientName: str
    events: list[Event]
    timeline: list[TimelineEntry]
