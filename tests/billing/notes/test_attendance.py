"""The field of a form that tells whether anybody came."""

from collections.abc import Callable

import pytest

from billing.notes.result import NoteResult, Outcome, Reason

Coder = Callable[..., NoteResult]


@pytest.mark.parametrize(
    "field",
    [
        "Attendance: absent",
        "Attendance: Absent (no call)",
        "Attendance: unexcused absence",
        "Attendance status - absent, excused",
        "Attendance: no",
        "Attended: No",
        "Client present: No",
        "Attendance | Absent",
        "Attendance: [ ] present [x] absent",
    ],
)
@pytest.mark.parametrize("service", ["Individual therapy", "Group therapy"])
def test_a_visit_that_nobody_attended_is_not_billed(code: Coder, field: str, service: str) -> None:
    result = code(f"{service}, 50 min\n{field}\nDx: F41.1 GAD")
    assert (result.outcome, result.reasons) == (Outcome.NOT_BILLABLE, (Reason.NOT_RENDERED,))


@pytest.mark.parametrize(
    "field",
    [
        "Attendance: present",
        "Attendance: [x] present [ ] absent",
        "Attendance: absent twice this month, here today",
        "Attendance: 7 present, 2 absent",
        "Attendance: no concerns",
        "School attendance: absent 3 days",
        "Suicidal ideation  Present: No",
        "Parent present: No",
    ],
)
def test_a_word_of_absence_that_is_not_of_the_visit_leaves_it_held(code: Coder, field: str) -> None:
    assert code(f"Individual therapy, 50 min\n{field}\nDx: F41.1 GAD").outcome is Outcome.CODED


def test_a_family_without_the_patient_was_seen_all_the_same(code: Coder) -> None:
    result = code("Family therapy, 50 min, parents only\nClient attendance: absent\nDx F41.1")
    assert [procedure.code for procedure in result.procedures] == ["90846"]
