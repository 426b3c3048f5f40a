"""What the arrangement of a page says of a condition: the heading over it, the cells of its row."""

from collections.abc import Callable

import pytest

from billing.notes.result import NoteResult, Outcome

Coder = Callable[..., NoteResult]
SESSION = "Individual psychotherapy, 45 minutes.\n"


def coded(result: NoteResult) -> list[str]:
    return [diagnosis.code for diagnosis in result.diagnoses] if result.outcome is Outcome.CODED else []


NESTS = [
    ("- ", "  - "),
    ("* ", "    * "),
    ("\u2022 ", "  \u25e6 "),
    ("\u2022\t", "\t\u25e6\t"),
    ("\u2022 ", "   o "),
    ("1. ", "   a. "),
    ("1) ", "   i) "),
    ("", "\t"),
    ("", "- "),
    ("- ", "    "),
]
TAKES_BACK = [
    "Ruled out",
    "R/O",
    "Past dx",
    "History of",
    "Mother",
    "Family history",
    "Maternal grandmother",
    "Brother (deceased)",
    "Provisional",
    "Differential",
    "Considered and not met",
    "Inactive",
    "Possible",
]


@pytest.mark.parametrize(("outer", "inner"), NESTS)
@pytest.mark.parametrize("heading", TAKES_BACK)
@pytest.mark.parametrize("colon", [":", ""])
def test_a_heading_takes_back_what_is_nested_under_it(
    code: Coder, outer: str, inner: str, heading: str, colon: str
) -> None:
    page = f"{SESSION}Dx: GAD\n{outer}{heading}{colon}\n{inner}PTSD (F43.10)\n{inner}Bipolar II disorder\n"
    assert coded(code(page)) == ["F41.1"]


@pytest.mark.parametrize(("outer", "inner"), NESTS)
@pytest.mark.parametrize("heading", ["Diagnoses:", "Current diagnoses:", "Diagnoses"])
def test_a_heading_that_states_leaves_them_stated(code: Coder, outer: str, inner: str, heading: str) -> None:
    page = f"{SESSION}{outer}{heading}\n{inner}PTSD\n{inner}Bipolar II disorder\n"
    assert coded(code(page)) == ["F43.10", "F31.81"]


@pytest.mark.parametrize(
    "heading", ["Ruled out:", "Ruled out", "R/O:", "Past dx:", "Family history:", "Mother:", "Provisional:"]
)
@pytest.mark.parametrize(("outer", "inner"), [("- ", "  - "), ("1. ", "   a. "), ("\u2022 ", "\t\u25e6 ")])
@pytest.mark.parametrize("next_", ["GAD", "Current:\n{inner}GAD"])
def test_the_nest_ends_where_the_page_goes_out_again(
    code: Coder, heading: str, outer: str, inner: str, next_: str
) -> None:
    behind = next_.format(inner=inner)
    page = f"{SESSION}Diagnoses:\n{outer}{heading}\n{inner}PTSD\n{outer}{behind}\nPlan: weekly"
    assert coded(code(page)) == ["F41.1"]


ROWS = {
    "pipes": lambda cells: f"| {' | '.join(cells)} |",
    "pipes only": lambda cells: "|".join(cells),
    "tabs": lambda cells: "\t".join(cells),
    "blanks": lambda cells: "".join(cell.ljust(24) for cell in cells).rstrip(),
    "commas": lambda cells: ",".join(cells),
}
HEADS = ["", "Diagnoses:\n", "Assessment:\n"]


@pytest.mark.parametrize("row", ROWS.values(), ids=ROWS.keys())
@pytest.mark.parametrize("head", HEADS)
@pytest.mark.parametrize(
    "status", ["Resolved", "Rule out", "R/O", "Inactive", "Provisional", "Resolved 2019", "Not met", "Mother"]
)
@pytest.mark.parametrize(
    "table",
    [
        [["GAD (F41.1)", "Active"], ["PTSD (F43.10)", "{}"]],
        [
            ["Diagnosis", "Code", "Status", "Onset"],
            ["PTSD", "F43.10", "{}", "2015"],
            ["GAD", "F41.1", "Active", "2019"],
        ],
        [["{}", "PTSD", "F43.10"], ["Active", "GAD", "F41.1"]],
        [["1", "F41.1", "Active"], ["2", "F43.10", "{}"]],
    ],
)
def test_a_cell_takes_back_the_condition_of_its_row(
    code: Coder, row: Callable[[list[str]], str], head: str, status: str, table: list[list[str]]
) -> None:
    rows = "\n".join(row([cell.format(status) for cell in cells]) for cells in table)
    assert coded(code(f"{SESSION}{head}{rows}\nPlan: weekly")) == ["F41.1"]


@pytest.mark.parametrize("row", ROWS.values(), ids=ROWS.keys())
@pytest.mark.parametrize("status", ["Active", "Current", "Confirmed"])
def test_a_row_that_is_current_stays(code: Coder, row: Callable[[list[str]], str], status: str) -> None:
    table = [["Diagnosis", "Code", "Onset", "Status"], ["PTSD", "F43.10", "Childhood", status]]
    page = "\n".join(map(row, [*table, ["GAD", "F41.1", "2019", status]]))
    assert coded(code(f"{SESSION}{page}\nPlan: weekly")) == ["F43.10", "F41.1"]


@pytest.mark.parametrize("row", [ROWS["pipes"], ROWS["tabs"], ROWS["commas"]])
def test_a_mark_stands_for_the_name_of_its_column(code: Coder, row: Callable[[list[str]], str]) -> None:
    table = [["Diagnosis", "Active", "R/O", "Hx"], ["GAD", "x", "", ""], ["PTSD", "", "x", ""]]
    page = "\n".join(map(row, [*table, ["OCD", "", "", "x"]]))
    assert coded(code(f"{SESSION}{page}\nPlan: weekly")) == ["F41.1"]


@pytest.mark.parametrize("head", ["Dx: ", "Dx: | ", "Diagnoses\n"])
def test_rows_that_run_into_one_line_are_told_apart(code: Coder, head: str) -> None:
    line = "GAD (F41.1) | Active | PTSD (F43.10) | Resolved | OCD (F42.2) | Active |"
    assert coded(code(f"{SESSION}{head}{line}")) == ["F41.1", "F42.2"]


def test_a_remission_told_in_a_column_is_coded(code: Coder) -> None:
    page = "| Diagnosis | Status |\n| Alcohol use disorder, moderate | In remission |"
    assert coded(code(f"{SESSION}{page}")) == ["F10.21"]


@pytest.mark.parametrize(
    "entries", ["1. F41.1 GAD\n\n2. F43.10 PTSD", "1. GAD\n\n2. PTSD", "1) GAD\n\n2) PTSD"]
)
@pytest.mark.parametrize("head", ["Diagnoses:\n", "Diagnoses:\n\n", "Diagnosis: "])
def test_a_blank_line_between_numbers_ends_no_list(code: Coder, entries: str, head: str) -> None:
    assert coded(code(f"{SESSION}S: Good week.\n{head}{entries}\n\nPlan: weekly")) == ["F41.1", "F43.10"]


@pytest.mark.parametrize(
    "qualified",
    ["; rule out\nPTSD", ", history of\nPTSD", "; possible\nPTSD", "; mother has\nPTSD", "; no\nPTSD"],
)
def test_a_qualifier_at_a_lines_end_tells_of_the_next(code: Coder, qualified: str) -> None:
    assert coded(code(f"{SESSION}Diagnosis: GAD{qualified}\nPlan: weekly")) == ["F41.1"]
