"""docs/partner-guide.md: a page at `/guide`, and the head of the OpenAPI description."""

from functools import cache
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.safestring import SafeString, mark_safe
from django.views.decorators.http import require_safe
from markdown_it import MarkdownIt


@require_safe
def partner_guide(request: HttpRequest) -> HttpResponse:
    """The guide, for anyone."""
    return render(request, "partner_guide.html", {"content": _content()})


def introduce(result: dict[str, Any], **_: Any) -> dict[str, Any]:
    """Begin the OpenAPI description with the guide, folded: a partner reads both as one."""
    result["info"]["description"] = f"<details><summary>Partner guide</summary>\n\n{_text()}\n</details>"
    return result


@cache
def _text() -> str:
    return (settings.BASE_DIR / "docs" / "partner-guide.md").read_text()


@cache
def _content() -> SafeString:
    page: str = MarkdownIt("commonmark", {"html": False}).enable("table").render(_text())
    return mark_safe(page)  # noqa: S308 (with `html` off, tags in the text are escaped)
