"""Lengths that a page tells in a table: planned and held, and the rows of several visits."""

from collections.abc import Callable

import pytest

from billing.notes.result import NoteResult, Outcome

Coder = Callable[..., NoteResult]


def procedures(result: NoteResult) -> list[str]:
    return [each.code for each in result.procedures] if result.outcome is Outcome.CODED else []


@pytest.mark.parametrize(
    "page",
    [
        "Minutes planned: 60\nMinutes held: 45",
        "| Minutes planned | Minutes held |\n| 60 | 45 |",
        "Minutes planned   Minutes held\n60                45",
        "Date | Planned min | Held min\n05/01/2026 | 60 | 45",
    ],
)
def test_the_minutes_held_are_read_beside_those_planned(code: Coder, page: str) -> None:
    assert procedures(code(f"Individual session\n{page}\nDx: GAD F41.1")) == ["90834"]


ROWS = "| {} | Start | End | {} |\n| 04/24/2026 | 09:00 | 09:45 | {} |\n| 05/01/2026 | 10:00 | 10:53 | {} |"


@pytest.mark.parametrize(
    ("column", "before", "now"),
    [
        ("This visit", "", "x"),
        ("This note", "[ ]", "[x]"),
        ("Note", "earlier", "documented here"),
        ("Status", "billed", "current"),
        ("Status", "signed", "draft"),
    ],
)
def test_the_row_of_this_visit_is_told_by_its_mark_or_by_those_of_the_others(
    code: Coder, column: str, before: str, now: str
) -> None:
    page = ROWS.format("Date", column, before, now)
    assert procedures(code(f"Individual session. Dx: GAD F41.1\n{page}")) == ["90837"]


def test_the_row_of_this_visit_is_told_by_its_date(code: Coder) -> None:
    page = ROWS.format("Date", "Room", "2", "3")
    assert procedures(code(f"Date of service: 05/01/2026\nIndividual session. Dx: GAD F41.1\n{page}")) == [
        "90837"
    ]


@pytest.mark.parametrize(("first", "second"), [("2", "3"), ("billed", "scheduled"), ("x", "x")])
def test_rows_of_which_none_is_known_as_this_visits_are_asked_about(
    code: Coder, first: str, second: str
) -> None:
    page = ROWS.format("Date", "Room", first, second)
    assert procedures(code(f"Individual session. Dx: GAD F41.1\n{page}")) == []
