"""What stands apart from what it belongs to: by blank lines, slashes, or on the line below."""

from collections.abc import Callable

import pytest

from billing.notes.result import NoteResult, Outcome, Reason

Coder = Callable[..., NoteResult]
SESSION = "Individual psychotherapy, 45 minutes.\n"


def coded(result: NoteResult) -> list[str]:
    return [diagnosis.code for diagnosis in result.diagnoses] if result.outcome is Outcome.CODED else []


@pytest.mark.parametrize("head", ["Diagnoses:\n\n", "Diagnoses:\n"])
@pytest.mark.parametrize("end", ["\n\nPlan: weekly.", "\nPlan: weekly.", ""])
@pytest.mark.parametrize("gap", ["\n\n", "\n\n\n"])
def test_bare_names_behind_blank_lines_stay_in_their_list(code: Coder, head: str, end: str, gap: str) -> None:
    page = f"{head}GAD{gap}PTSD, chronic{gap}Panic disorder{end}"
    assert coded(code(f"{SESSION}{page}")) == ["F41.1", "F43.12", "F41.0"]


@pytest.mark.parametrize(
    "page",
    [
        "Diagnosis: GAD\n\nPTSD\n\nPlan: weekly.",
        "Diagnoses:\n\nMDD, recurrent, moderate\n\nInsomnia\n\nPlan: weekly.",
    ],
)
def test_a_name_behind_a_blank_line_that_may_be_a_heading_is_asked_about(code: Coder, page: str) -> None:
    assert code(f"{SESSION}{page}").reasons == (Reason.DIAGNOSIS_UNREAD,)


@pytest.mark.parametrize("behind", ["PTSD ruled out", "PTSD symptoms discussed", "PTSD handout given."])
def test_a_line_that_tells_of_a_condition_is_no_entry(code: Coder, behind: str) -> None:
    assert coded(code(f"{SESSION}Diagnoses:\n\nGAD\n\n{behind}\n\nPlan: weekly.")) == ["F41.1"]


@pytest.mark.parametrize("doubt", [", r/o", ", rule out", " - possible", " F41.1, r/o"])
def test_a_doubt_between_two_lines_is_asked_about(code: Coder, doubt: str) -> None:
    assert coded(code(f"{SESSION}Dx: GAD{doubt}\nPTSD\nOCD\nPlan: weekly")) == []


def test_a_doubt_behind_an_entry_of_a_marked_list_is_its_own(code: Coder) -> None:
    assert coded(code(f"{SESSION}Dx:\n1. GAD, r/o\n2. PTSD\nPlan: weekly")) == ["F43.10"]


@pytest.mark.parametrize("visit", ["Individual vs.", "Office vs", "Follow-up vs."])
def test_a_visit_cut_short_is_no_alternative(code: Coder, visit: str) -> None:
    assert coded(code(f"45 minutes\n{visit}\nF41.1 GAD")) == ["F41.1"]


@pytest.mark.parametrize(
    "line", ["GAD / History / PTSD", "GAD / History: PTSD", "GAD / Past / PTSD / Plan / weekly"]
)
def test_a_heading_between_slashes_takes_back_what_follows(code: Coder, line: str) -> None:
    assert coded(code(f"{SESSION}Dx: {line}\nOCD")) == ["F41.1", "F42.2"]


@pytest.mark.parametrize("line", ["GAD / history / PTSD / current", "GAD | History | PTSD"])
def test_a_history_that_may_be_of_the_entry_before_is_asked_about(code: Coder, line: str) -> None:
    assert coded(code(f"{SESSION}Dx: {line}")) == []


@pytest.mark.parametrize(
    "said",
    ["PTSD F43.10, active until 2019.", "PTSD (active until June 2019)", "PTSD, was treated until 03/2019."],
)
def test_a_condition_that_lasted_until_a_year_is_of_the_past(code: Coder, said: str) -> None:
    assert coded(code(f"{SESSION}Dx: F41.1 GAD. {said}")) == ["F41.1"]


@pytest.mark.parametrize("state", ["Active until 2019", "Active through 03/2019"])
@pytest.mark.parametrize(
    "table",
    [
        "Diagnosis | Status\nGAD | Active\nPTSD | {}",
        "| Diagnosis | Status |\n| GAD | Active |\n| PTSD | {} |",
        "- GAD\n  Status: active\n- PTSD\n  Status: {}",
    ],
)
def test_a_state_with_an_end_is_not_coded(code: Coder, table: str, state: str) -> None:
    assert "F43.10" not in coded(code(f"{SESSION}{table.format(state)}"))


@pytest.mark.parametrize("state", ["Resolved", "Ruled out", "Inactive", "Rule out", "Not confirmed"])
@pytest.mark.parametrize(
    "fields",
    [
        "Diagnosis: GAD\nStatus: Active\nDiagnosis: PTSD\nStatus: {}",
        "Diagnosis 1: GAD\nICD-10: F41.1\nStatus 1: Active\nDiagnosis 2: PTSD\nICD-10: F43.10\nStatus 2: {}",
        "Primary diagnosis: GAD\nSecondary diagnosis: PTSD\nDiagnosis status: {}",
    ],
)
def test_the_field_of_a_state_below_takes_a_condition_back(code: Coder, fields: str, state: str) -> None:
    assert coded(code(f"{SESSION}{fields.format(state)}")) == ["F41.1"]


def test_a_state_that_leaves_it_open_is_asked_about_beside_a_sure_one(code: Coder) -> None:
    page = "- GAD\n  Status: active\n- PTSD\n  Status: active until 2019"
    assert code(f"{SESSION}{page}").reasons == (Reason.SPECIFIER_UNCLEAR,)


def test_a_status_that_may_be_of_the_chart_is_asked_about(code: Coder) -> None:
    assert code(f"{SESSION}Diagnosis: GAD\nStatus: Closed").reasons == (Reason.SPECIFIER_UNCLEAR,)


@pytest.mark.parametrize("status", ["Active", "Signed", "Improving", "Established", "Final"])
def test_a_status_that_ends_nothing_leaves_the_diagnosis(code: Coder, status: str) -> None:
    assert coded(code(f"{SESSION}Diagnosis: GAD\nStatus: {status}")) == ["F41.1"]


def test_an_entry_with_a_full_stop_ends_no_list(code: Coder) -> None:
    entries = "MDD, single episode, mild.\nPanic disorder.\n"
    assert coded(code(f"{SESSION}Dx list: {entries}")) == ["F32.0", "F41.0"]


def test_an_entry_that_tells_more_of_its_condition_is_asked_about(code: Coder) -> None:
    entries = "MDD, single episode, mild.\nPanic disorder improved.\n"
    assert code(f"{SESSION}Dx list: {entries}").reasons == (Reason.CONFLICT_CODES,)


@pytest.mark.parametrize(
    "rows",
    [
        "Problem   Code   Status GAD   F41.1   Active PTSD   F43.10   Resolved OCD   F42.2   Active",
        "Diagnosis   Status   Code GAD   Active   F41.1 PTSD   Ruled out   F43.10 OCD   Active   F42.2",
        "Diagnosis   Status GAD   Active PTSD   Resolved OCD   Active Plan: weekly",
        "Dx   Status   Since GAD   Active   2019 PTSD   Resolved   2016 OCD   Active   2020 Plan: weekly",
        "Code   Dx   Status F41.1   GAD   Active F43.10   PTSD   Resolved F42.2   OCD   Active",
        "PROBLEM LIST   1   GAD   F41.1   Active   2   PTSD   F43.10   Resolved   3   OCD   F42.2   Active",
    ],
)
def test_rows_in_blanks_that_run_into_one_line_are_told_apart(code: Coder, rows: str) -> None:
    result = code(f"{SESSION}{rows}")
    assert {each.code for each in result.diagnoses} == {"F41.1", "F42.2"}
