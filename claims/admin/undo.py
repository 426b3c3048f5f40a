"""What was done just now and can be taken back: said once, on the next page, with the button."""

from typing import Any

from django.http import HttpRequest

KEY = "undo"


def offer(request: HttpRequest, words: str, *, address: str, **fields: str | list[str]) -> None:
    """Say on the next page what was done, beside a button that posts these fields to the address."""
    pairs = [
        (name, value)
        for name, values in fields.items()
        for value in ([values] if isinstance(values, str) else values)
    ]
    request.session[KEY] = {"words": words, "address": address, "fields": pairs}


def take_offer(request: HttpRequest) -> dict[str, Any] | None:
    """What the last page left to be said; only once."""
    offered: dict[str, Any] | None = request.session.pop(KEY, None)
    return offered
