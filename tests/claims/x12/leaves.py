"""Walks the strings of a JSON value, so that a test reaches every field there is, also those to come."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any


def text_leaves(node: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """List the paths of all strings in a JSON value."""
    children = node.items() if isinstance(node, dict) else enumerate(node) if isinstance(node, list) else ()
    found = [path] if isinstance(node, str) else []
    return found + [leaf for key, child in children for leaf in text_leaves(child, (*path, key))]


def with_leaf(node: Any, path: tuple[Any, ...], change: Callable[[str], str]) -> Any:
    """Copy a JSON value with one of its strings changed."""
    copy = json.loads(json.dumps(node))
    parent = copy
    for key in path[:-1]:
        parent = parent[key]
    parent[path[-1]] = change(parent[path[-1]])
    return copy
