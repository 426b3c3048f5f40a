"""Words that only tell of the day: no rule about services, lengths or diagnoses takes them for more."""

from collections.abc import Callable
from time import process_time

import pytest

from billing.notes.result import NoteResult

Coder = Callable[..., NoteResult]

TOLD = {
    "frequency": "Psychotherapy 45 min. Session frequency reduced to 30 min biweekly going forward.",
    "lunch": "Psychotherapy 45 min. The lunch hour was cut to 30 minutes at work, stress.",
    "children": "Psychotherapy 45 min. Her visit with her kids was cut to 30 minutes by her ex.",
    "exposure": "Psychotherapy 45 min. In session, exposure time extended to 20 minutes.",
    "worry time": "Psychotherapy 45 min. Session homework: worry time reduced to 15 min.",
    "workout": "Psychotherapy 45 min. Client's 60-min workout cut to 20.",
    "work": "Session of 45 minutes. Her work visit became 60 minutes.",
    "far family": "Psychotherapy 50 min\nFamily 3 hours away, lonely.",
    "family of two": "Psychotherapy 50 min\nFamily: two in Texas, distant.",
    "another group": "Psychotherapy 50 min\nGroup 90 minutes every Tuesday at IOP.",
    "an exercise": "Psychotherapy 50 min\nCouples 30 min exercise assigned for homework.",
    "next week": "Joint session with husband next week. Psychotherapy 45 min.",
    "declined": "Psychotherapy 45 min.\nJoint session with husband declined.",
    "a letter": "Client wrote a trauma narrative. 45 min psychotherapy.",
    "a call": "Mother call upset client. 45 min psychotherapy.",
    "a court": "Custody evaluation is stressing client. Psychotherapy 45 min.",
    "medication": "Psychotherapy 45 min.\nMeds: Started Zoloft 50 mg. Side effects: none.",
    "a work call": "Psychotherapy 45 min. Client left 10 minutes into the work call yesterday.",
}


@pytest.mark.parametrize("said", TOLD.values(), ids=TOLD.keys())
def test_what_is_told_of_the_day_changes_no_session(code: Coder, said: str) -> None:
    result = code(f"{said}\nDx: F41.1 GAD")
    assert [each.code for each in result.procedures] == ["90834"]


@pytest.mark.parametrize("said", ["Bipolar criteria not met, continue weekly.", "Plan: d/c today to home."])
def test_what_a_plan_says_takes_no_diagnosis_back(code: Coder, said: str) -> None:
    result = code(f"Individual psychotherapy, 45 minutes.\nDx: F41.1 GAD\n{said}")
    assert [each.code for each in result.diagnoses] == ["F41.1"]


def test_a_denial_takes_nothing_from_what_follows_it(code: Coder) -> None:
    result = code("Individual psychotherapy, 45 minutes.\nDx: PTSD criteria not met, GAD F41.1, OCD F42.2")
    assert [each.code for each in result.diagnoses] == ["F41.1", "F42.2"]


@pytest.mark.parametrize("said", ["refused to participate and sat quietly", "refused to participate today"])
def test_a_child_that_sat_there_was_there(code: Coder, said: str) -> None:
    result = code(f"Family therapy 50 min with parents and client. Child {said}.\nDx: F91.3 ODD")
    assert [each.code for each in result.procedures] == ["90847"]


COLUMNS = {
    "complexity": "Individual psychotherapy 45 min. Interactive complexity{}x conflict had to be managed.",
    "psychosis": "Individual 45 min. Dx: MDD recurrent severe, psychotic features{}x.",
    "refills": "Individual 45 min.{}Refilled Zoloft again.",
}


@pytest.mark.parametrize("said", COLUMNS.values(), ids=COLUMNS.keys())
def test_the_columns_of_a_form_take_no_time(code: Coder, said: str) -> None:
    code(said.format(" "))
    begin = process_time()
    code(said.format(" " * 3_000))
    assert process_time() - begin < 3
