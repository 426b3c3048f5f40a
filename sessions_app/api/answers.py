"""The shapes of answers about sessions, for the OpenAPI description; `shapes` makes them from rows."""

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from partners.api.description import IssueSerializer
from partners.api.fields import Choice
from sessions_app.models import SessionStatus

CLAIM_STATUSES = (
    "queued",
    "held",
    "dispatching",
    "dispatch_unknown",
    "sent",
    "transport_rejected",
    "clearinghouse_accepted",
    "clearinghouse_rejected",
    "forwarded",
    "payer_accepted",
    "payer_rejected",
    "paid",
    "partially_paid",
    "patient_responsibility",
    "denied",
    "member_unknown",
    "reversed",
    "taken_back",
    "forwarded_other_payer",
    "per_inquiry",
    "voided",
)
EVENT_TYPES = (
    "session.received",
    "session.updated",
    "session.validated",
    "session.held",
    "session.released",
    "session.warning",
    "codes.derived",
    "codes.extracted",
    "note.checked",
    "claim.created",
    "claim.submitted",
    "claim.acknowledged",
    "claim.accepted",
    "claim.rejected",
    "claim.paid",
    "claim.denied",
    "claim.reversed",
    "claim.adjusted",
    "claim.noted",
    "claim.corrected",
    "claim.voided",
    "staff.note",
)


def _words_or_null(*words: str) -> dict[str, Any]:
    return {"anyOf": [{"type": "string", "enum": list(words)}]}


@extend_schema_field(_words_or_null(*CLAIM_STATUSES))
class ClaimStatusOrNull(serializers.CharField):
    """Where the claim stands."""


@extend_schema_field(_words_or_null("test", "production"))
class SubmissionModeOrNull(serializers.CharField):
    """Whether the claim can reach a payer."""


@extend_schema_field(_words_or_null(*SessionStatus.values))
class SessionStatusOrNull(serializers.CharField):
    """The session's status after an entry that sets it."""


class SubmissionResultSerializer(serializers.Serializer):
    """The session was taken; poll it."""

    sessionId = serializers.UUIDField()
    externalSessionId = serializers.CharField(allow_null=True)
    status = Choice(["processing"])
    message = serializers.CharField()


class DuplicateSessionSerializer(serializers.Serializer):
    """The external session id is taken, by this session."""

    error = serializers.CharField()
    sessionId = serializers.UUIDField()


class UpdateResultSerializer(serializers.Serializer):
    """The session was corrected."""

    sessionId = serializers.UUIDField()
    status = Choice(["updated"])
    message = serializers.CharField()


class BadUpdateSerializer(serializers.Serializer):
    """The general or the validation error body."""

    error = serializers.CharField()
    issues = IssueSerializer(many=True, required=False)


class PatientSummarySerializer(serializers.Serializer):
    """The patient, in short."""

    firstName = serializers.CharField(allow_null=True)
    lastName = serializers.CharField(allow_null=True)
    fullName = serializers.CharField(allow_null=True)
    dateOfBirth = serializers.DateField(allow_null=True)
    memberId = serializers.CharField(allow_null=True)


class PayerSummarySerializer(serializers.Serializer):
    """The payer as stored."""

    payerName = serializers.CharField(allow_null=True)
    payerId = serializers.CharField(allow_null=True)
    groupNumber = serializers.CharField(allow_null=True)


class ProviderSummarySerializer(serializers.Serializer):
    """The therapist, from onboarding."""

    providerId = serializers.UUIDField()
    firstName = serializers.CharField()
    lastName = serializers.CharField()
    fullName = serializers.CharField(allow_null=True)
    npi = serializers.CharField(allow_null=True)
    credentials = serializers.CharField(allow_null=True)
    specialty = serializers.CharField(allow_null=True)


class ClaimSummarySerializer(serializers.Serializer):
    """The newest claim that was built."""

    claimId = serializers.UUIDField(help_text="Of this version of the claim.")
    status = ClaimStatusOrNull(allow_null=True)
    submittedAt = serializers.DateTimeField(allow_null=True)
    lastUpdated = serializers.DateTimeField(
        allow_null=True, help_text="When the last answer came, or the last step was ours."
    )
    patientControlNumber = serializers.CharField(allow_null=True)
    payerClaimControlNumber = serializers.CharField(allow_null=True)
    submissionMode = SubmissionModeOrNull(allow_null=True)


class SessionItemSerializer(serializers.Serializer):
    """A session in the list."""

    sessionId = serializers.UUIDField()
    externalSessionId = serializers.CharField(allow_null=True)
    status = Choice(SessionStatus.values)
    dateOfService = serializers.DateField()
    createdAt = serializers.DateTimeField()
    updatedAt = serializers.DateTimeField()
    patient = PatientSummarySerializer()
    payer = PayerSummarySerializer()
    provider = ProviderSummarySerializer()
    claim = ClaimSummarySerializer(allow_null=True)


class SessionPageSerializer(serializers.Serializer):
    """One page, newest first."""

    items = SessionItemSerializer(many=True)
    nextPageToken = serializers.CharField(allow_null=True)


class EventSerializer(serializers.Serializer):
    """What happened, for machines."""

    type = Choice(EVENT_TYPES)
    timestamp = serializers.DateTimeField()


class TimelineEntrySerializer(serializers.Serializer):
    """What happened, for people; `status` where the session's status was set by it."""

    type = Choice(EVENT_TYPES)
    status = SessionStatusOrNull(allow_null=True)
    summary = serializers.CharField()
    timestamp = serializers.DateTimeField()


class SessionDetailSerializer(SessionItemSerializer):
    """A session with its message and history, oldest entry first."""

    message = serializers.CharField()
    patientName = serializers.CharField(allow_null=True)
    events = EventSerializer(many=True)
    timeline = TimelineEntrySerializer(many=True)


class PayerHitSerializer(serializers.Serializer):
    """A carrier."""

    payerId = serializers.CharField()
    payerName = serializers.CharField()
    avatarUrl = serializers.CharField(allow_null=True)


class PayerSearchSerializer(serializers.Serializer):
    """At most 25 carriers, the likeliest first."""

    payers = PayerHitSerializer(many=True)
