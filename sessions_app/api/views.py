"""Sessions: submit, list, read, update."""

import re
from typing import ClassVar, NoReturn
from uuid import UUID

from django.http import HttpRequest, HttpResponse

from claims import intake
from partners.api.errors import Refusal
from partners.api.rendering import answer
from partners.api.viewset import PartnerViewSet
from partners.audit import reader
from partners.request_ids import current_request_id
from partners.statements import fetch_one
from sessions_app.api import description, listing, shapes, statements
from sessions_app.api.reading import read_correction, read_quickly, read_slowly
from sessions_app.submission import Submission

_UUID = re.compile(r"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}")
_UPDATED = (
    "Session updated; the change is on the next claim submission. Poll GET /api/v1/partner/sessions/{} for "
    "its status."
)
_UNCHANGED = (
    "No field was sent, so nothing changed; a held session is checked again. Poll GET "
    "/api/v1/partner/sessions/{} for its status."
)


class SessionViewSet(PartnerViewSet):
    """The partner's therapy sessions."""

    general_actions = frozenset({"retrieve"})
    without_transaction = frozenset({"list", "retrieve", "create"})
    query_serializers: ClassVar = {"list": listing.ListQuerySerializer()}

    @description.list_all
    def list(self, request: HttpRequest) -> HttpResponse:
        try:
            return answer(200, listing.list_sessions(self.caller, self.query))
        except listing.QueryInvalid as invalid:
            self.refuse(invalid.issues)

    @description.submit
    def create(self, request: HttpRequest) -> HttpResponse:
        if (wait := intake.seconds_to_wait(self.caller.partner_id)) is not None:
            raise Refusal(
                503,
                "The service is catching up with what it has; try again later.",
                headers={"Retry-After": str(wait)},
            )
        body = self.body(request)
        return self.once(request, body, lambda: self._submit(body))

    def _submit(self, body: bytes) -> HttpResponse:
        submission = read_quickly(body) or self._read_slowly(body)
        sender = intake.Sender(
            partner_id=self.caller.partner_id,
            mode=self.caller.mode,
            submission_delay=self.caller.submission_delay,
            request_id=current_request_id.get(),
        )
        try:
            session_id = intake.receive(submission, sender=sender)
        except intake.ProviderNotOnboarded:
            raise Refusal(404, description.NOT_ONBOARDED) from None
        except intake.SessionExists as known:
            raise Refusal(409, description.ID_USED, sessionId=str(known.session_id)) from None
        return answer(
            201,
            {
                "sessionId": str(session_id),
                "externalSessionId": submission.external_session_id,
                "status": "processing",
                "message": description.RECEIVED.format(session_id),
            },
        )

    @description.read_one
    def retrieve(self, request: HttpRequest, sessionId: str) -> HttpResponse:  # noqa: N803 (as in the interface)
        identifier = self._session_id(sessionId)
        row = fetch_one(
            statements.detail(identifier),
            {**reader(self.caller), "session": identifier},
            partner_id=self.caller.partner_id,
        )
        if row is None:
            _refuse_unknown()
        return answer(200, shapes.detail(row))

    @description.update
    def partial_update(self, request: HttpRequest, sessionId: str) -> HttpResponse:  # noqa: N803 (as in the interface)
        identifier = self._session_id(sessionId)
        correction, issues = read_correction(self.document(self.body(request)))
        if issues:
            self.refuse(issues)
        try:
            intake.correct(identifier, partner_id=self.caller.partner_id, correction=correction)
        except intake.SessionUnknown:
            _refuse_unknown()
        except intake.SessionLocked:
            raise Refusal(409, description.LOCKED) from None
        except intake.CorrectionInvalid as invalid:
            self.refuse(invalid.issues)
        words = _UPDATED if correction.paths else _UNCHANGED
        return answer(
            200,
            {"sessionId": str(identifier), "status": "updated", "message": words.format(identifier)},
        )

    def _read_slowly(self, body: bytes) -> Submission:
        submission, issues = read_slowly(self.document(body))
        if submission is None:
            self.refuse(issues)
        return submission

    def _session_id(self, text: str) -> UUID:
        if not _UUID.fullmatch(text):
            raise Refusal(400, description.NOT_UUID)
        return UUID(text)


def _refuse_unknown() -> NoReturn:
    raise Refusal(404, description.UNKNOWN)
