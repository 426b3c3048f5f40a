"""Providers: onboard, update."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from django.http import HttpRequest, HttpResponse

from partners.api.errors import Refusal
from partners.api.rendering import answer
from partners.api.viewset import PartnerViewSet
from providers.api import description, onboarding
from providers.api.serializers import OnboardingSerializer, OnboardingUpdateSerializer
from providers.models import Provider

_ONBOARDING, _UPDATE = OnboardingSerializer(), OnboardingUpdateSerializer()


class ProviderViewSet(PartnerViewSet):
    """The partner's therapists."""

    general_actions = frozenset({"create", "partial_update"})
    after_update: Callable[[Provider, Sequence[str]], None] | None = None
    """Told of what was updated, by its paths, in the same transaction."""

    @description.onboard
    def create(self, request: HttpRequest) -> HttpResponse:
        body = self.body(request)
        return self.once(request, body, lambda: self._onboard(body))

    def _onboard(self, body: bytes) -> HttpResponse:
        values = self.values(body, _ONBOARDING)
        try:
            outcome = onboarding.onboard(self.caller, **values)
        except onboarding.ProviderElsewhere:
            raise Refusal(409, description.ELSEWHERE) from None
        return answer(201 if outcome.status == "created" else 200, _mutation_result(outcome))

    @description.update
    def partial_update(self, request: HttpRequest, npi: str) -> HttpResponse:
        changes = self.values(self.body(request), _UPDATE)
        try:
            outcome = onboarding.update(self.caller, npi, changes=changes)
        except onboarding.ProviderUnknown:
            raise Refusal(404, description.UNKNOWN) from None
        except onboarding.ProviderElsewhere:
            raise Refusal(409, description.ELSEWHERE) from None
        if self.after_update is not None and (paths := _paths(changes)):
            self.after_update(outcome.provider, paths)
        return answer(200, _mutation_result(outcome))


def _paths(changes: Mapping[str, Any], *, within: str = "") -> list[str]:
    found: list[str] = []
    for name, value in changes.items():
        path = f"{within}{name}"
        found += _paths(value, within=f"{path}.") if isinstance(value, Mapping) else [path]
    return found


def _mutation_result(outcome: onboarding.Outcome) -> dict[str, str]:
    provider = outcome.provider
    return {
        "providerId": str(provider.id),
        "practiceId": str(provider.practice_id),
        "providerNpi": provider.npi,
        "practiceName": provider.practice.name,
        "status": outcome.status,
    }
