"""Home: the work, not a list of models."""

from typing import Any

from django.http import HttpRequest


def dashboard(request: HttpRequest, context: dict[str, Any]) -> dict[str, Any]:
    """What the home page is drawn from."""
    return context
