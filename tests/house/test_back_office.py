"""Page modules change nothing by themselves: every change is a function of the process."""

import ast
from pathlib import Path

import pytest

from tests.house.test_tree import PROJECT

PAGES = sorted(
    [
        *(PROJECT / "claims" / "admin").glob("*.py"),
        *(PROJECT / app / "admin.py" for app in ("sessions_app", "providers", "partners")),
    ]
)
WRITES = {
    "save",
    "update",
    "delete",
    "bulk_create",
    "bulk_update",
    "create",
    "get_or_create",
    "update_or_create",
}
OF_VALUES = {"values", "context", "parts", "shown", "counts", "fields", "sections", "found", "outcome"}


@pytest.mark.parametrize("module", PAGES, ids=lambda path: str(path.relative_to(PROJECT)))
def test_no_page_module_writes_rows(module: Path):
    writes = [
        f"line {call.lineno}: .{call.func.attr}()"
        for call in ast.walk(ast.parse(module.read_text()))
        if isinstance(call, ast.Call)
        and isinstance(call.func, ast.Attribute)
        and call.func.attr in WRITES
        and not (isinstance(call.func.value, ast.Name) and call.func.value.id in OF_VALUES)
    ]
    assert writes == []
