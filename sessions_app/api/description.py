"""The operations on sessions and payers, described."""

from drf_spectacular.utils import OpenApiParameter

from partners.api.description import Refused, invalid, operation, refused
from partners.api.reading import NOT_UPDATABLE
from providers.api.serializers import STATE
from sessions_app.api import answers
from sessions_app.api.listing import ListQuerySerializer
from sessions_app.api.payer_query import PayerQuerySerializer
from sessions_app.api.serializers import SessionUpdateSerializer, SubmissionSerializer

SESSION_ID = "01890a5d-ac96-774b-bcce-b302099a8057"
EXTERNAL_ID = "visit-2041"
RECEIVED = "Session received. Poll GET /api/v1/partner/sessions/{} for its status."
NOT_ONBOARDED = "No provider with this NPI is onboarded; POST it to providers first."
ID_USED = "This externalSessionId is already used."
UNKNOWN = "There is no session with this id."
NOT_UUID = "The session id in the path must be a UUID."
LOCKED = "The claim is being handed over or was submitted to a payer, so the session can't be changed."
SEARCH_FAILED = "The payer search failed; try again in a moment."
_ITEM = {
    "sessionId": SESSION_ID,
    "externalSessionId": EXTERNAL_ID,
    "status": "paid",
    "dateOfService": "2026-01-02",
    "createdAt": "2026-01-02T17:00:00.000000Z",
    "updatedAt": "2026-01-09T08:30:12.345678Z",
    "patient": {
        "firstName": "Jane",
        "lastName": "Doe",
        "fullName": "Jane Doe",
        "dateOfBirth": "1990-01-01",
        "memberId": "W123456789",
    },
    "payer": {"payerName": "Aetna", "payerId": "60054", "groupNumber": None},
    "provider": {
        "providerId": "01890a5d-ac96-774b-bcce-b302099a8051",
        "firstName": "Ana",
        "lastName": "Rivera",
        "fullName": "Ana Rivera",
        "npi": "1234567893",
        "credentials": "LCSW",
        "specialty": "Clinical social worker",
    },
    "claim": {
        "claimId": "01890a5d-ac96-774b-bcce-b302099a8059",
        "status": "paid",
        "submittedAt": "2026-01-02T17:15:02.000000Z",
        "lastUpdated": "2026-01-09T08:30:12.345678Z",
        "patientControlNumber": "K7QX2M9ZB4TD1",
        "payerClaimControlNumber": "2026002000123",
        "submissionMode": "test",
    },
}
_DETAIL = {
    **_ITEM,
    "message": "Aetna paid $180.00. Nothing to do.",
    "patientName": "Jane Doe",
    "events": [
        {"type": "session.received", "timestamp": "2026-01-02T17:00:00.000000Z"},
        {"type": "claim.paid", "timestamp": "2026-01-09T08:30:12.345678Z"},
    ],
    "timeline": [
        {
            "type": "session.received",
            "status": "processing",
            "summary": "Session received with 1 diagnosis code, 55 minutes.",
            "timestamp": "2026-01-02T17:00:00.000000Z",
        },
        {
            "type": "claim.paid",
            "status": "paid",
            "summary": "Aetna paid $180.00 of $180.00.",
            "timestamp": "2026-01-09T08:30:12.345678Z",
        },
    ],
}
_SUBMISSION = {
    "externalSessionId": EXTERNAL_ID,
    "patient": {
        "firstName": "Jane",
        "lastName": "Doe",
        "dateOfBirth": "1990-01-01",
        "gender": "F",
        "address": {"street": "1 Elm St", "city": "Austin", "state": "TX", "zip": "78702"},
        "insurance": {"memberId": "W123456789", "payerName": "Aetna", "payerId": "60054"},
    },
    "providerNpi": "1234567893",
    "session": {
        "dateOfService": "2026-01-02",
        "placeOfService": "telehealth",
        "durationMinutes": 55,
        "diagnosisCodes": [{"code": "F41.1"}],
    },
}
_UNKNOWN = refused("The partner has no session with this id.", UNKNOWN)
_BAD_ID = refused("The session id is no UUID, or there are query parameters.", NOT_UUID)
_ID = OpenApiParameter("sessionId", {"type": "string", "format": "uuid"}, OpenApiParameter.PATH)

submit = operation(
    "submitSession",
    summary="Submit a session for billing",
    description=(
        "A completed therapy session, in one of three ways: `diagnosisCodes` with `durationMinutes`, "
        "`diagnosisCodes` with `procedureCodes`, or a `noteText`; a note may accompany any of them. Unknown "
        "and repeated fields are refused. Free text is trimmed, and lengths count after trimming. "
        "`dateOfService` may not be in the future (today in Pacific/Guam); `dateOfBirth` may not be after it "
        "or before 1900. A diagnosis code stands once, a procedure code again only with another modifier. A "
        "fraction of a minute does not count. A procedure of quarter hours has as many units as have passed "
        "in `durationMinutes`, where it is the only one."
    ),
    tag="Sessions",
    body=SubmissionSerializer,
    body_example=_SUBMISSION,
    once=True,
    success={
        201: (
            answers.SubmissionResultSerializer,
            "The session was taken.",
            {
                "sessionId": SESSION_ID,
                "externalSessionId": EXTERNAL_ID,
                "status": "processing",
                "message": RECEIVED.format(SESSION_ID),
            },
        )
    },
    refusals={
        400: invalid("The body is invalid.", "patient.address.state", STATE[1]),
        404: refused("The NPI is not onboarded for this partner.", NOT_ONBOARDED),
        409: Refused(
            "The partner has used this externalSessionId before.",
            {"error": ID_USED, "sessionId": SESSION_ID},
            answers.DuplicateSessionSerializer,
        ),
    },
)
list_all = operation(
    "listSessions",
    summary="List sessions",
    description=(
        "Newest first. Filters combine: every word of `patientName` must occur in the full name, whatever "
        "its case and accents; `dateFrom` and `dateTo` include their day; the others match exactly. A "
        "page token is good for the filters that it was given for. An empty value counts as absent."
    ),
    tag="Sessions",
    parameters=[ListQuerySerializer],
    success={
        200: (answers.SessionPageSerializer, "One page.", {"items": [_ITEM], "nextPageToken": None}),
    },
    refusals={
        400: invalid("A query parameter or the page token is invalid.", "limit", "Must be from 1 to 100.")
    },
)
read_one = operation(
    "getSession",
    summary="Read a session",
    description="Status, claim and history of one session; poll it to follow the claim.",
    tag="Sessions",
    parameters=[_ID],
    success={200: (answers.SessionDetailSerializer, "The session.", _DETAIL)},
    refusals={400: _BAD_ID, 404: _UNKNOWN},
)
update = operation(
    "updateSession",
    summary="Correct a session",
    description=(
        "Possible until the claim begins to leave for the payer. Only supplied fields change; null clears an "
        "optional one. A supplied code array replaces all codes of its kind; an empty `procedureCodes` "
        "brings derivation from the minutes or the note back. Another `placeOfService` adds or takes back a "
        "95 that was added here, never one that was sent. What results must still satisfy every rule of a "
        "submission. `durationMinutes`, `noteText`, `externalSessionId` and `providerNpi` can't be updated."
    ),
    tag="Sessions",
    parameters=[_ID],
    body=SessionUpdateSerializer,
    body_example={"patient": {"insurance": {"memberId": "W987654321"}}},
    success={
        200: (
            answers.UpdateResultSerializer,
            "The session was corrected.",
            {"sessionId": SESSION_ID, "status": "updated", "message": "Session updated; the change is on …"},
        )
    },
    refusals={
        400: Refused(
            "The session id is no UUID (general body), or the update is invalid (validation body).",
            invalid("", "externalSessionId", NOT_UPDATABLE).example,
            answers.BadUpdateSerializer,
        ),
        404: _UNKNOWN,
        409: refused("The claim has begun to leave, or was submitted.", LOCKED),
    },
)
search_payers = operation(
    "searchPayers",
    summary="Search insurance payers",
    description=(
        "Carriers by name, in any order of words, by abbreviation or with a typo. Send `payerName` as the "
        "carrier's name and `payerId` with it."
    ),
    tag="Payers",
    parameters=[PayerQuerySerializer],
    success={
        200: (
            answers.PayerSearchSerializer,
            "At most 25 carriers, the likeliest first.",
            {"payers": [{"payerId": "60054", "payerName": "Aetna", "avatarUrl": None}]},
        )
    },
    refusals={
        400: refused("`q` is missing or shorter than 2 characters.", "q: Must be at least 2 characters."),
        500: refused("The payer directory failed.", SEARCH_FAILED),
    },
)
