"""One package writes the status of claims and sessions: a test over the syntax trees of all others."""

import ast
from pathlib import Path

import pytest

CHECKOUT = Path(__file__).resolve().parents[2]
APPLICATIONS = ("billing", "claims", "config", "partners", "providers", "sessions_app")
WRITERS = CHECKOUT / "claims" / "lifecycle"
WRITING_CALLS = {"update", "create", "get_or_create", "update_or_create", "Claim", "Session"}


def modules() -> list[Path]:
    found = [path for name in APPLICATIONS for path in sorted((CHECKOUT / name).rglob("*.py"))]
    return [path for path in found if WRITERS not in path.parents and "migrations" not in path.parts]


def status_writes(tree: ast.AST) -> list[int]:
    """Lines that assign to `.status`, or hand `status` to a call that writes rows."""
    lines = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign | ast.AugAssign | ast.AnnAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            if any(isinstance(target, ast.Attribute) and target.attr == "status" for target in targets):
                lines.append(node.lineno)
        if isinstance(node, ast.Call):
            name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            if name in WRITING_CALLS and any(keyword.arg == "status" for keyword in node.keywords):
                lines.append(node.lineno)
    return lines


@pytest.mark.parametrize(
    "source", ["row.status = 'paid'", "rows.update(status='paid')", "Claim(status='paid')"]
)
def test_a_write_is_noticed(source: str) -> None:
    assert status_writes(ast.parse(source))


def test_only_the_lifecycle_writes_a_status() -> None:
    # The HTTP status of a refusal, and what the demonstration last saw of a session.
    own = {"partners/api/errors.py", "config/local/demonstration.py"}
    found = {
        str(path.relative_to(CHECKOUT)): lines
        for path in modules()
        if (lines := status_writes(ast.parse(path.read_text())))
    }
    assert {path: lines for path, lines in found.items() if path not in own} == {}
