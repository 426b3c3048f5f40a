"""A length is read however it is written and wherever it stands, and held against the request's minutes."""

from collections.abc import Callable

import pytest

from billing.notes.result import NoteResult, Outcome, Reason

Coder = Callable[..., NoteResult]
LENGTHS = {
    "45 min": 45, "45m": 45, "x45 min": 45, "45-minute session": 45, "50 min individual": 50, "~45 min": 45,
    "Individual psychotherapy x 45 min": 45, "Session length: 45 min": 45, "Time spent: 45 minutes": 45,
    "F2F 45 min": 45, "Met for 45 minutes": 45, "Session lasted 45 minutes": 45, "approx 45 min": 45,
    "We met for forty-five minutes": 45, "Three quarters of an hour": 45, "0.75 hr": 45, "half an hour": 30,
    "2:00-2:45 pm": 45, "2-2:45p": 45, "Start 2:00 pm, end 2:45 pm": 45, "1400-1445": 45,
    "In 2:00 out 2:45": 45,
    "Started at 2:00 and finished at 2:45": 45, "2:00PM-2:45PM (45 min)": 45, "10 to 10:50": 50,
    "Time in: 3:10 pm Time out: 3:58 pm": 48, "90834, 45 min": 45, "52 minutes of psychotherapy": 52,
    "Minutes: 45": 45, "individual tx, 16 minutes": 16,
}  # fmt: skip
NOTES = {
    "first": "{}. Individual psychotherapy.\nS: Slept better.\nA: GAD.\nP: Return 2 wks.",
    "in the title": "Individual psychotherapy, {}\nS: Slept better.\nA: GAD.\nP: Return 2 wks.",
    "last": "Individual psychotherapy.\nS: Slept better.\nA: GAD.\nP: Return 2 wks.\n{}",
    "in the middle": "Individual psychotherapy. She slept better and worries. {}. GAD, improving. Two weeks.",
    "observed": "Individual psychotherapy.\nS: Slept better.\nO: {}. Calm.\nA: GAD.\nP: Return 2 wks.",
    "in the plan": "Individual psychotherapy.\nS: Slept better.\nA: GAD.\nP: Return 2 wks. {}.",
    "alone": "{}. Talked about rent and sleep. GAD. Thought record done. Back in 2 wks.",
    "in columns": "S: Slept better.\nA: GAD.\nP: 2 wks.\nService: Individual psychotherapy   {}",
}


@pytest.mark.parametrize("note", NOTES.values(), ids=NOTES.keys())
def test_it_is_read(code: Coder, note: str) -> None:
    found = {}
    for length, minutes in LENGTHS.items():
        result = code(note.format(length))
        if (result.outcome, [each.minutes for each in result.procedures]) != (Outcome.CODED, [minutes]):
            found[length] = result.reasons
    assert found == {}


@pytest.mark.parametrize("note", NOTES.values(), ids=NOTES.keys())
def test_a_request_that_says_more_is_asked_about(code: Coder, note: str) -> None:
    results = {length: code(note.format(length), minutes=60) for length in LENGTHS}
    assert [length for length, result in results.items() if result.outcome is Outcome.CODED] == []


@pytest.mark.parametrize(
    "said", ["Walked. 30 min daily.", "Last session 60 min.", "Homework: 20 min.", "Mood ok."]
)
def test_other_lengths_do_not_dispute_the_request(code: Coder, said: str) -> None:
    result = code(f"Individual psychotherapy. GAD. {said}", minutes=45)
    assert (result.outcome, Reason.DURATION_AGAINST_NOTE in result.reasons) == (Outcome.CODED, False)


@pytest.mark.parametrize(
    ("said", "minutes"),
    [
        ("I recorded 0.8 of an hour of individual psychotherapy.", 48),
        (
            "Twenty-five minutes of individual therapy was enough. He has a 60-minute meeting on Fridays.",
            25,
        ),
        ("I saw Bea, who turned five last month, for forty-five minutes of individual play therapy.", 45),
        ("She had 39 minutes with me, all of it individual therapy.", 39),
        ("Individual therapy. With her help we started at 9:45 and finished at 10:30.", 45),
        ("Individual. He joined from his room in Ohio at 9:04 and we signed off at 9:58.", 54),
    ],
)
def test_the_length_of_this_session_is_told_in_its_sentence(code: Coder, said: str, minutes: int) -> None:
    result = code(f"{said}\nDx: Panic disorder", place="telehealth")
    assert [procedure.minutes for procedure in result.procedures] == [minutes]
