"""Looks into JSON that someone else wrote: what is absent or of another type reads as empty."""

from __future__ import annotations

import json
from typing import Any

from claims.x12.tokens import X12Error

Node = dict[str, Any]


class ReportError(X12Error):
    """The content is no report; the message names no part of it."""


def parse(content: bytes) -> Node:
    """Read a JSON object with every number as it was written; raises ReportError."""
    try:
        root = json.loads(content, parse_float=str, parse_int=str, parse_constant=str)
    except ValueError:
        raise ReportError("The content is no JSON.") from None
    if not isinstance(root, dict):
        raise ReportError("The content is no JSON object.")
    return root


def text(node: Node, name: str) -> str:
    """Give a string, or a whole number as one."""
    value = node.get(name)
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    return value.strip() if isinstance(value, str) else ""


def child(node: Node, name: str) -> Node:
    """Give an object."""
    value = node.get(name)
    return value if isinstance(value, dict) else {}


def children(node: Node, name: str) -> list[Node]:
    """Give the objects of a list."""
    value = node.get(name)
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


def texts(node: Node, name: str) -> list[str]:
    """Give the strings of a list."""
    value = node.get(name)
    return [item for item in value if isinstance(item, str)] if isinstance(value, list) else []


def first_of(node: Node, *names: tuple[str, str]) -> tuple[str, str]:
    """Give the first number there is with its qualifier; `names` are pairs of qualifier and field."""
    return next(((qualifier, value) for qualifier, name in names if (value := text(node, name))), ("", ""))
