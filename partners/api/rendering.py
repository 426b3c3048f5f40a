"""Answers: always JSON, whatever `Accept` says."""

from collections.abc import Iterable, Mapping

import orjson
from django.http import HttpResponse
from rest_framework.negotiation import BaseContentNegotiation
from rest_framework.parsers import BaseParser
from rest_framework.renderers import BaseRenderer
from rest_framework.request import Request


def answer(status: int, body: object, *, headers: Mapping[str, str] | None = None) -> HttpResponse:
    """An answer with this body as JSON."""
    return HttpResponse(
        orjson.dumps(body), status=status, content_type="application/json", headers=dict(headers or {})
    )


class AlwaysJson(BaseContentNegotiation):
    """The one parser and the one renderer there are."""

    def select_parser(self, request: Request, parsers: Iterable[BaseParser]) -> BaseParser:
        return next(iter(parsers))

    def select_renderer(
        self, request: Request, renderers: Iterable[BaseRenderer], format_suffix: str | None = None
    ) -> tuple[BaseRenderer, str]:
        renderer = next(iter(renderers))
        return renderer, renderer.media_type
