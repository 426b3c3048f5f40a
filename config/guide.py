"""`/guide`: docs/partner-guide.md as a page, in the small part of Markdown that it is written in."""

import re
from collections.abc import Iterator
from functools import cache
from html import escape
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.safestring import SafeString, mark_safe
from django.views.decorators.http import require_safe

_SPANS = re.compile(r"`([^`]+)`|\*\*([^*]+)\*\*")


@require_safe
def partner_guide(request: HttpRequest) -> HttpResponse:
    """The guide, for anyone."""
    return render(request, "partner_guide.html", {"content": _content()})


def introduce(result: dict[str, Any], **_: Any) -> dict[str, Any]:
    """The OpenAPI description begins with the guide: a partner reads both as one."""
    result["info"]["description"] = _text()
    return result


@cache
def _text() -> str:
    return (settings.BASE_DIR / "docs" / "partner-guide.md").read_text()


@cache
def _content() -> SafeString:
    return mark_safe("\n".join(to_html(_text())))  # noqa: S308 (every piece of text is escaped below)


def to_html(text: str) -> Iterator[str]:
    """Headings, paragraphs, tables and code blocks, escaped."""
    blocks = re.split(r"(```\w*\n.*?```)|\n{2,}", text, flags=re.DOTALL)
    for block in (block.strip("\n") for block in blocks if block and block.strip()):
        if block.startswith("```"):
            yield f"<pre><code>{escape(block.split(chr(10), 1)[1].removesuffix('```').rstrip())}</code></pre>"
        elif heading := re.fullmatch(r"(#{1,3}) (.+)", block):
            level = len(heading[1])
            yield f"<h{level}>{_inline(heading[2])}</h{level}>"
        elif block.startswith("|"):
            yield from _table(block.splitlines())
        else:
            yield f"<p>{_inline(block)}</p>"


def _table(lines: list[str]) -> Iterator[str]:
    head, _, *rows = ([_inline(cell.strip()) for cell in line.strip("|").split("|")] for line in lines)
    yield "<table><thead><tr>" + "".join(f"<th>{cell}</th>" for cell in head) + "</tr></thead><tbody>"
    for row in rows:
        yield "<tr>" + "".join(f"<td>{cell}</td>" for cell in row) + "</tr>"
    yield "</tbody></table>"


def _inline(text: str) -> str:
    def span(match: re.Match[str]) -> str:
        return f"<code>{match[1]}</code>" if match[1] else f"<strong>{match[2]}</strong>"

    return _SPANS.sub(span, escape(text, quote=False))
