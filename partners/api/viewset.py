"""The base of every partner endpoint: who calls, how often, with what; and how it is refused."""

import re
import time
from collections.abc import Callable, Sequence
from typing import Any, ClassVar, NoReturn, cast

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from rest_framework.exceptions import PermissionDenied
from rest_framework.permissions import SAFE_METHODS
from rest_framework.viewsets import ViewSet

from partners.api.errors import Refusal, busy, general_refusal, validation_refusal
from partners.api.fields import Text
from partners.api.idempotency import KEY_FORM, answer_once
from partners.api.limits import Allowance, count_request
from partners.api.parsing import Unreadable, check_headers, read_body, read_json, read_query
from partners.api.reading import StrictSerializer, read
from partners.auth import ApiKeyAuthentication, Caller
from partners.isolation import as_partner
from partners.issues import Issue
from partners.visits import Busy, visit_of

_NO_CONTROLS = re.compile(r"[^\x00-\x1f]*")
_LONG_SECONDS = 1.0


class PartnerViewSet(ViewSet):
    """Operations in the name of one partner: a transaction of the partner's own around each."""

    metadata_class = None
    query_serializers: ClassVar[dict[str, StrictSerializer]] = {}
    general_actions: ClassVar[frozenset[str]] = frozenset()
    """Actions whose 400 has the general body; the others' has the validation body."""

    without_transaction: ClassVar[frozenset[str]] = frozenset()
    """Actions whose statements are each the partner's transaction of its own, or touch no partner's rows."""

    authenticator = ApiKeyAuthentication()
    caller: Caller
    allowance: Allowance | None = None
    query: dict[str, Any]

    def initialize_request(self, request: Any, *args: Any, **kwargs: Any) -> Any:
        """Django's request as it is: caller, query and body are read below, without DRF's wrapper."""
        self.action = self.action_map.get(request.method.lower(), "")
        return request

    @property
    def default_response_headers(self) -> dict[str, str]:
        """None: each answer says what it has to."""
        return {}

    def initial(self, request: HttpRequest, *args: Any, **kwargs: Any) -> None:
        """Who calls and how often, then what is wrong with the query."""
        self.admit(request)
        if self.action:
            self.query = self._read_query(request)
            if request.method not in SAFE_METHODS:
                self._check_headers(request)
                self._fetch_body(request)
            if self.action not in self.without_transaction:
                method = str(request.method).lower()
                setattr(self, method, as_partner(self.caller.partner_id)(getattr(self, method)))

    def admit(self, request: HttpRequest) -> None:
        """401, then 429, then 503 where the partner has its share of this process, then 403."""
        self._recognize(request)
        self.allowance = count_request(self.caller)
        if self.allowance.spent:
            raise Refusal(
                429,
                f"More than {self.allowance.limit:,} requests in a minute; try again in "
                f"{self.allowance.reset} seconds.",
                headers={"Retry-After": str(self.allowance.reset)},
            )
        if (visit := visit_of(request)) is not None:
            try:
                visit.count_for(str(self.caller.partner_id))
            except Busy:
                raise busy() from None
        self.check_permissions(cast(Any, request))

    def _recognize(self, request: HttpRequest) -> None:
        self.caller, _ = self.authenticator.authenticate(request)
        request.user = cast(Any, self.caller)  # for the log

    def _check_headers(self, request: HttpRequest) -> None:
        """Refuse what the headers show before the body is waited for."""
        try:
            check_headers(request)
        except Unreadable as error:
            self.refuse([Issue("", str(error))])
        key = request.META.get("HTTP_IDEMPOTENCY_KEY")
        if request.method == "POST" and key is not None and not KEY_FORM.fullmatch(key):
            self.refuse([Issue("Idempotency-Key", "Must be 1 to 255 visible ASCII characters.")])

    def _fetch_body(self, request: HttpRequest) -> None:
        """Have the body here before a transaction begins."""
        if (visit := visit_of(request)) is None:
            return
        began = time.monotonic()
        try:
            visit.fetch_body(str(self.caller.partner_id), known=True, most=settings.MAX_BODY_BYTES)
        except Busy:
            raise busy() from None
        if time.monotonic() - began > _LONG_SECONDS:  # the key may have ended meanwhile
            self._recognize(request)
            self.check_permissions(cast(Any, request))

    def permission_denied(
        self, request: HttpRequest, message: str | None = None, code: str | None = None
    ) -> NoReturn:
        raise PermissionDenied(message)

    def finalize_response(self, request: HttpRequest, response: Any, *args: Any, **kwargs: Any) -> Any:
        if self.allowance is not None:
            self.allowance.write_on(response)
        return response

    def refuse(self, issues: Sequence[Issue]) -> NoReturn:
        """400 with all of these issues, in the body that this operation has for it."""
        raise (general_refusal if self.action in self.general_actions else validation_refusal)(issues)

    def body(self, request: HttpRequest) -> bytes:
        """The request's bytes."""
        try:
            return read_body(request)
        except Unreadable as error:
            self.refuse([Issue("", str(error))])

    def once(self, request: HttpRequest, body: bytes, act: Callable[[], HttpResponse]) -> HttpResponse:
        """What `act` answers, or answered before, where the caller sent an Idempotency-Key."""
        key = request.META.get("HTTP_IDEMPOTENCY_KEY")
        if key is None:
            return act()
        return answer_once(key, caller=self.caller, path=request.path, body=body, act=act)

    def values(self, body: bytes, serializer: StrictSerializer) -> dict[str, Any]:
        """The body as the serializer reads it; 400 with every issue."""
        values, issues = read(serializer, self.document(body))
        if issues:
            self.refuse(issues)
        return values

    def document(self, body: bytes) -> Any:
        """The body's JSON document; 400 when there is none."""
        try:
            return read_json(body)
        except Unreadable as error:
            self.refuse([Issue("", str(error))])

    def _read_query(self, request: HttpRequest) -> dict[str, Any]:
        sent, faults = read_query(request)
        serializer = self.query_serializers.get(self.action)
        if serializer is None:
            values: dict[str, Any] = {}
            issues = [Issue(name, "Unknown query parameter.") for name in sent]
        else:
            values, issues = _read_parameters(serializer, sent)
        faulty = {issue.path for issue in faults}
        issues = faults + [issue for issue in issues if issue.path not in faulty]
        if issues:
            self.refuse(issues)
        return values


class NowhereViewSet(PartnerViewSet):
    """Addresses under the partner interface that have no operation: 404 once the caller is known."""

    schema = None

    def initial(self, request: HttpRequest, *args: Any, **kwargs: Any) -> None:
        self.admit(request)
        self.retrieve(request)

    def retrieve(self, request: HttpRequest, **parts: str) -> HttpResponse:
        with_slash = request.path_info.endswith("/")
        raise Refusal(
            404, f"There is nothing at this address{'; addresses end without a slash' if with_slash else ''}."
        )


def _trimmed(value: str) -> str:
    """Without spaces at its ends; empty where it is nothing but blanks of any script, controls aside."""
    return value.strip(" ") if value.strip() or not _NO_CONTROLS.fullmatch(value) else ""


def _read_parameters(
    serializer: StrictSerializer, sent: dict[str, str]
) -> tuple[dict[str, Any], list[Issue]]:
    """The query's values; a parameter of ours without a value counts as absent."""
    fields = serializer.fields
    trimmed = {
        name: _trimmed(value) if isinstance(fields.get(name), Text) else value for name, value in sent.items()
    }
    unknown = {name for name in sent if name not in fields}
    values, issues = read(
        serializer, {name: value for name, value in trimmed.items() if value or name in unknown}
    )
    worded = [
        Issue(issue.path, "Unknown query parameter.") if issue.path in unknown else issue for issue in issues
    ]
    return values, worded
