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


@pytest.mark.parametrize(
    "state",
    [
        "denies panic attacks this week",
        "monitoring for relapse",
        "working on exposure",
        "no panic",
        "not improved",
        "no change",
        "partial response",
        "error rate down",
    ],
)
def test_treatment_told_as_a_state_takes_nothing_back(code: Coder, state: str) -> None:
    below = f"Diagnoses:\n1. GAD\n   Status: {state}\n2. PTSD\n   Status: improving\n"
    beside = f"| Diagnosis | Status |\n| GAD | {state} |\n| PTSD | improving |\n"
    assert coded(code(SESSION + below)) == ["F41.1", "F43.10"]
    assert coded(code(SESSION + beside)) == ["F41.1", "F43.10"]


@pytest.mark.parametrize("state", ["mother reports less", "likely worse in winter", "Monitor"])
def test_a_state_that_may_take_back_is_asked_about(code: Coder, state: str) -> None:
    page = f"{SESSION}| Diagnosis | Status |\n| GAD | {state} |\n| PTSD | improving |"
    assert code(page).outcome is Outcome.NEEDS_REVIEW


@pytest.mark.parametrize(
    "state",
    [
        "resolved in March after CBT",
        "ruled out at intake",
        "removed 06/2025 - wrong chart",
        "never confirmed by testing",
        "Not met",
        "dx closed 02/02",
        "no longer active",
        "query to PCP",
    ],
)
def test_a_state_in_free_words_takes_a_condition_back(code: Coder, state: str) -> None:
    beside = f"{SESSION}| Diagnosis | Status |\n| GAD | Active |\n| PTSD | {state} |"
    below = f"{SESSION}Diagnoses:\n1. GAD\n   status: active\n2. PTSD\n   status: {state}"
    assert coded(code(beside)) == ["F41.1"]
    assert coded(code(below)) == ["F41.1"]


@pytest.mark.parametrize(
    "table",
    [
        "| Sibling | Diagnosis | Status |\n| Anna | PTSD | Active |\n| Bob | OCD | Active |",
        "| Member | Diagnosis | Status |\n| J.D. | PTSD | Active |\n| K.L. | OCD | Active |",
        "| Family member | Condition | Status |\n| Mother | MDD | Active |\n| Bob | OCD | Current |",
        "| Name | Condition | Current |\n| Mom | MDD | yes |\n| Bob | OCD | yes |",
        "| Medication | Indication | Status |\n| Prozac | MDD | Active |\n| Luvox | OCD | Current |",
        "| Screener | Condition | Status |\n| MDQ | Bipolar II | Active |",
    ],
)
def test_a_state_lifts_no_row_of_somebody_or_something_else(code: Coder, table: str) -> None:
    assert coded(code(f"{SESSION}{table}\nDx: GAD")) == ["F41.1"]


@pytest.mark.parametrize(
    "rows",
    [
        "| Informant | Mother |\n| Diagnosis | GAD |",
        "| Family history | Negative |\n| Dx | GAD |\n| Plan | weekly |",
        "| Risk | No |\n| New | No |\n| Code | F41.1 |",
        "History\tNegative\nDiagnosis\tGAD",
        "Informant     Mother\nDiagnosis     GAD\nPlan     weekly",
    ],
)
def test_labels_beside_their_values_are_no_names_of_columns(code: Coder, rows: str) -> None:
    assert coded(code(SESSION + rows)) == ["F41.1"]


@pytest.mark.parametrize("answer", ["Hallucinations\nDenied", "Previous records\nReviewed"])
@pytest.mark.parametrize("label", ["", "Axis I\n", "Treatment focus\n"])
def test_the_answer_to_the_label_above_is_no_heading(code: Coder, answer: str, label: str) -> None:
    assert coded(code(f"{SESSION}{answer}\n{label}F41.1 Generalized anxiety disorder")) == ["F41.1"]


@pytest.mark.parametrize("heading", ["Ruled out", "Past", "Inactive", "Differential", "Family history"])
def test_a_flat_heading_takes_back_the_lines_under_it(code: Coder, heading: str) -> None:
    assert coded(code(f"{SESSION}Dx: GAD\n{heading}\nPTSD\nOCD")) == ["F41.1"]


def test_a_flat_word_of_who_was_there_is_asked_about(code: Coder) -> None:
    assert code(f"{SESSION}Attending\nPartner\nF43.10 PTSD\nF41.1 GAD").outcome is Outcome.NEEDS_REVIEW


def test_bullets_beside_a_heading_over_them_are_not_stated_by_it(code: Coder) -> None:
    assert coded(code(f"{SESSION}* Family\n* GAD\n* PTSD")) == []


@pytest.mark.parametrize("column", ["Primary", "Primary?", "New"])
def test_a_no_to_the_rank_takes_nothing_back(code: Coder, column: str) -> None:
    page = f"{SESSION}| Diagnosis | {column} |\n| GAD | Yes |\n| PTSD | No |"
    assert coded(code(page)) == ["F41.1", "F43.10"]


def test_the_rank_orders_the_rows(code: Coder) -> None:
    page = f"{SESSION}| Diagnosis | Rank |\n| PTSD | secondary |\n| GAD | primary |"
    assert coded(code(page)) == ["F41.1", "F43.10"]


@pytest.mark.parametrize("row", [ROWS["pipes"], ROWS["blanks"]])
def test_of_what_is_and_was_only_what_is_is_coded(code: Coder, row: Callable[[list[str]], str]) -> None:
    page = "\n".join(map(row, [["Current", "Past"], ["GAD", "PTSD"]]))
    assert "F43.10" not in [each.code for each in code(SESSION + page).diagnoses]


def test_a_mark_under_now_counts_beside_one_under_a_relative(code: Coder) -> None:
    table = "| Condition | Current | Past | Mother |\n| GAD | x | x | x |\n| MDD | | | x |\n| PTSD | | x | |"
    assert coded(code(SESSION + table)) == ["F41.1"]


@pytest.mark.parametrize(
    "rows",
    [
        '"dx","status"\n"GAD","active"\n"PTSD","resolved 2019, in June"',
        '{"dx": "GAD", "status": "active"}\n{"dx": "PTSD", "status": "resolved"}',
        "current.dx = GAD\npast.dx = PTSD\nfamily.dx = MDD\nplan.next = weekly",
    ],
)
def test_rows_of_values_are_read_by_their_keys(code: Coder, rows: str) -> None:
    assert coded(code(f"{SESSION}Diagnoses:\n{rows}")) == ["F41.1"]


@pytest.mark.parametrize(
    "outline",
    [
        "Diagnoses:\n1.1 Current\n1.1.1 GAD\n1.2 Past\n1.2.1 PTSD",
        "Diagnoses:\n1.1 Current\n  1.1.1 GAD\n1.2 Ruled out\n  1.2.1 PTSD",
    ],
)
def test_an_outline_by_numbers_is_nested(code: Coder, outline: str) -> None:
    assert coded(code(SESSION + outline)) == ["F41.1"]


def test_a_heading_over_a_table_speaks_of_its_rows(code: Coder) -> None:
    table = "| Condition | Since |\n| PTSD | 2012 |\n| OCD | 2015 |"
    assert coded(code(f"{SESSION}Dx: GAD\n\nRuled out:\n{table}")) == ["F41.1"]


def test_a_table_and_an_assessment_at_odds_are_asked_about(code: Coder) -> None:
    table = "| Condition | Status |\n| GAD | Active |\n| PTSD | Active |"
    page = f"{SESSION}{table}\nAssessment: GAD improving. PTSD resolved."
    assert code(page).outcome is Outcome.NEEDS_REVIEW
