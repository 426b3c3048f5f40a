"""The probability of a code: of the kind of its evidence, or of the next wider kind that was seen."""

from billing.notes.calibrate import BORROWED, calibrate, jeffreys_lower_bound
from billing.notes.codeset import CodeSet
from billing.notes.decision.confidence import probability, table


def test_a_kind_never_seen_has_the_probability_of_its_wider_kind():
    assert probability("dx", "B", "dx", "never seen") == table()["dx.B.dx"]
    assert probability("dx", "B", "nowhere", "never seen") == table()["dx.B"]
    assert probability("dx", "never", "dx", "anxiety") == 0.5


def note(number: int, text: str, *, right: bool) -> dict[str, object]:
    gold = {"dx": ["F41.1" if right else "F40.01"], "cpt": "90834", "review": False}
    body = f"{text}\nIndividual psychotherapy, 45 minutes. Note {number}."
    return {"text": body, "place": "office", "duration_minutes": None, "gold": gold}


def test_a_group_that_was_wrong_before_is_less_sure_than_its_section(codes: CodeSet):
    field = "Diagnosis: Generalized anxiety disorder"
    notes = [note(number, field, right=number > 1) for number in range(10)]
    made = calibrate(notes, codes=codes)["probability"]
    wider = made["dx.B.dx"]
    assert made["dx.B.dx.anxiety"] == jeffreys_lower_bound(8 + BORROWED * wider, 10 + BORROWED)
    assert made["dx.B.dx.anxiety"] < 0.97


def test_a_group_that_was_always_right_is_as_sure_as_its_section_or_surer(codes: CodeSet):
    notes = [note(number, "Diagnosis: Generalized anxiety disorder", right=True) for number in range(10)]
    notes += [note(number, "Diagnosis: PTSD", right=False) for number in range(4)]
    made = calibrate(notes, codes=codes)["probability"]
    assert made["dx.B.dx.anxiety"] >= made["dx.B.dx"] > made["dx.B.dx.trauma"]
