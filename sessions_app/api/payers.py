"""Payer search."""

from typing import ClassVar

from django.http import HttpRequest, HttpResponse

from billing.payers.directory import PayerDirectoryError, search
from partners.api.errors import Refusal
from partners.api.rendering import answer
from partners.api.viewset import PartnerViewSet
from partners.issues import Issue
from sessions_app.api import description
from sessions_app.api.payer_query import SHORTEST_QUERY, PayerQuerySerializer


class PayerViewSet(PartnerViewSet):
    """Insurance carriers."""

    without_transaction = frozenset({"search"})
    general_actions = frozenset({"search"})
    query_serializers: ClassVar = {"search": PayerQuerySerializer()}

    @description.search_payers
    def search(self, request: HttpRequest) -> HttpResponse:
        text = self.query["q"]
        if len(text) < SHORTEST_QUERY:
            self.refuse([Issue("q", f"Must be at least {SHORTEST_QUERY} characters.")])
        try:
            hits = search(text)
        except PayerDirectoryError:
            raise Refusal(500, description.SEARCH_FAILED) from None
        payers = [
            {"payerId": hit.payer_id, "payerName": hit.payer_name, "avatarUrl": hit.avatar_url or None}
            for hit in hits
        ]
        return answer(200, {"payers": payers})
