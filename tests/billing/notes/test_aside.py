"""What a page itself sets aside: struck words, what was only scheduled, the rows of other visits."""

from collections.abc import Callable

import pytest

from billing.notes.result import NoteResult, Outcome

Coder = Callable[..., NoteResult]
SESSION = "Dx: GAD\nIndividual psychotherapy.\n"


def coded(result: NoteResult) -> list[str]:
    return [diagnosis.code for diagnosis in result.diagnoses] if result.outcome is Outcome.CODED else []


def minutes(result: NoteResult) -> list[int | None]:
    return [each.minutes for each in result.procedures] if result.outcome is Outcome.CODED else []


@pytest.mark.parametrize(
    ("dx", "expected"),
    [
        ("~~PTSD~~ GAD", ["F41.1"]),
        ("MDD, ~~recurrent~~ single episode, moderate", ["F32.1"]),
        ("GAD ~~ PTSD", ["F41.1", "F43.10"]),
    ],
)
def test_a_struck_diagnosis_is_not_coded(code: Coder, dx: str, expected: list[str]) -> None:
    assert coded(code(f"Individual psychotherapy, 45 minutes.\nDx: {dx}")) == expected


@pytest.mark.parametrize(
    ("length", "expected"),
    [("~~45 min~~ 55 min", 55), ("--8:45-- 8:55 - 9:40", 45), ("--8:45 am-- 8:55 am - 9:40 am", 45)],
)
def test_a_struck_time_does_not_count(code: Coder, length: str, expected: int) -> None:
    assert minutes(code(f"{SESSION}{length}")) == [expected]


@pytest.mark.parametrize("length", ["-- 45 min --", "--45 min--", "10:00--10:45--"])
def test_dashes_around_a_length_strike_nothing(code: Coder, length: str) -> None:
    assert minutes(code(f"Dx: GAD\nIndividual psychotherapy {length}\nPlan: weekly")) == [45]


@pytest.mark.parametrize("actual", ["Actual", "Held", "Delivered"])
@pytest.mark.parametrize("scheduled", ["Scheduled", "Planned", "Booked"])
def test_the_column_of_scheduled_times_is_set_aside(code: Coder, scheduled: str, actual: str) -> None:
    table = f"|       | {scheduled} | {actual} |\n| Start | 9:00 | 9:10 |\n| End | 9:50 | 9:50 |"
    assert minutes(code(SESSION + table)) == [40]


@pytest.mark.parametrize("mark", ["3/11/24 (today)", "3/11/24 TODAY", "today 3/11/24"])
def test_of_a_table_of_visits_the_row_of_today_counts(code: Coder, mark: str) -> None:
    table = f"| Date | Start | Stop |\n| 3/4/24 | 9:00 am | 9:30 am |\n| {mark} | 10:00 am | 10:45 am |"
    assert minutes(code(SESSION + table)) == [45]


def test_the_mark_of_today_may_stand_in_a_column_of_its_own(code: Coder) -> None:
    table = (
        "Date     Service      Minutes   Topic\n"
        "04/08    Individual   55        work\n"
        "04/15    No show      0         -\n"
        "04/29    Individual   30        TODAY (called back to work)"
    )
    assert minutes(code(f"Dx: GAD\n{table}")) == [30]


@pytest.mark.parametrize("told", ["as of today still ill", "this session she cried", '"today I will"'])
def test_a_topic_that_tells_of_today_marks_no_row(code: Coder, told: str) -> None:
    rows = f"3/4     60         {told}\n3/11    45         seen\n3/18    40         seen"
    table = f"Date    Minutes    Topic\n{rows}"
    assert code(SESSION + table).outcome is Outcome.NEEDS_REVIEW


@pytest.mark.parametrize(
    "table",
    [
        "| Problem | Date | Minutes |\n| GAD | 3/4/24 today | 45 |\n| PTSD | 2/4/24 | 20 |",
        "| Diagnosis | Date | Time |\n| GAD | 3/4/24 | today |\n| PTSD | 3/1/24 | am |",
        "| Diagnosis | Day | Duration |\n| GAD | 3/4/24 | 6 mo, worse today |\n| PTSD | 3/1/24 | 2 y |",
    ],
)
def test_a_table_of_conditions_with_dates_is_none_of_visits(code: Coder, table: str) -> None:
    assert coded(code(f"Individual psychotherapy, 45 minutes.\n{table}")) == ["F41.1", "F43.10"]


@pytest.mark.parametrize(
    "table",
    [
        "Start   Stop   Min\n9:00    9:45   45",
        "| Time in | Time out |\n| 9:00 | 9:45 |",
        "Begin    End\n-----    -----\n9:00 AM     9:45 AM",
    ],
)
def test_a_start_and_an_end_beside_each_other_are_a_range(code: Coder, table: str) -> None:
    assert minutes(code(f"{SESSION}{table}\nPlan: weekly")) == [45]


@pytest.mark.parametrize(
    "amended", ["[amended 3/04 by author: 9:55]", "(corrected: 9:55)", "(actual end 9:55)"]
)
def test_an_end_that_a_bracket_puts_right_is_asked_about(code: Coder, amended: str) -> None:
    assert code(f"{SESSION}9:00 - 9:45 {amended}").outcome is Outcome.NEEDS_REVIEW


@pytest.mark.parametrize(
    "held",
    [
        "Homework\nMissed",
        "Last visit\nCancelled",
        "Last week:\nCancelled",
        "Prior appointment\nRescheduled to 3/4",
        "The group outing was\ncancelled.",
        "Her flight got\ncancelled today.",
        "Her wedding was  cancelled.  She cried.",
        "| 3/4 | cancelled |\n| 3/11 | seen |",
        "| Date | Status |\n|---|---|\n| 3/4/24 | Cancelled |\n| 3/11/24 | Held |",
        "BP 120/80  NS  IV",
    ],
)
def test_what_else_was_cancelled_or_missed_is_not_the_visit(code: Coder, held: str) -> None:
    assert minutes(code(f"Dx: GAD\nIndividual psychotherapy 45 minutes\n{held}\nPlan: weekly")) == [45]


@pytest.mark.parametrize(
    "status",
    [
        "Progress note\nCancelled",
        "Client: J.D.\n\nCXL",
        "| Status | Cancelled |",
        "Status    Cancelled",
        "Status\nCancelled",
        "| Date | Status |\n|---|---|\n| 3/4/24 | Cancelled |",
    ],
)
def test_the_visits_status_may_stand_in_a_cell(code: Coder, status: str) -> None:
    result = code(f"{status}\nIndividual psychotherapy 45 minutes\nDx: GAD")
    assert result.outcome is Outcome.NOT_BILLABLE


@pytest.mark.parametrize(("total", "expected"), [("60 min", []), ("50 min", [50])])
@pytest.mark.parametrize("part", [" | ", "        "])
def test_a_total_that_its_times_do_not_come_to_is_asked_about(
    code: Coder, part: str, total: str, expected: list[int]
) -> None:
    table = f"Start{part}End{part}Total\n3:00 PM{part}3:50 PM{part}{total}\n"
    assert minutes(code(SESSION + table)) == expected
