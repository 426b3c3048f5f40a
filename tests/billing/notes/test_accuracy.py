"""The goals of the specification on every labelled set, and the arithmetic of the table."""

from typing import Any

import pytest

from billing.notes.accuracy import GOALS, Accuracy, measure
from billing.notes.calibrate import jeffreys_lower_bound
from billing.notes.coder import code_note
from billing.notes.codeset import CodeSet
from tests.billing.notes.conftest import written_notes
from tests.billing.notes.written.build_notes import HERE, parse_notes

NOT_SPEED = {name: goal for name, goal in GOALS.items() if name not in ("notes_per_second", "p99_ms")}


def accuracy_on(notes: list[dict[str, Any]], codes: CodeSet) -> Accuracy:
    return measure(
        notes,
        engine=lambda text, place, minutes: code_note(
            text, place=place, duration_minutes=minutes, codes=codes
        ),
        codes=codes,
    )


def missed(accuracy: Accuracy) -> dict[str, float]:
    found = accuracy.measures()
    return {
        name: found[name]
        for name, (sign, goal) in NOT_SPEED.items()
        if not (found[name] >= goal if sign == ">=" else found[name] <= goal)
    }


def test_the_development_set_meets_every_goal(
    development_notes: list[dict[str, Any]], codes: CodeSet
) -> None:
    assert missed(accuracy_on(development_notes, codes)) == {}


@pytest.mark.parametrize(
    "name", ["first", "second", "third", "fourth", "fifth", "sixth", "seventh", "held_out"]
)
def test_the_written_notes_meet_every_goal(name: str, codes: CodeSet) -> None:
    assert missed(accuracy_on(written_notes(name), codes)) == {}


def test_the_written_notes_are_what_their_texts_say() -> None:
    names = sorted(path.stem for path in HERE.glob("*.txt"))
    assert [name for name in names if parse_notes(name) != written_notes(name)] == []


def test_notes_by_other_authors_are_right_where_no_person_is_asked(codes: CodeSet) -> None:
    notes = [note for number in range(1, 116) for note in written_notes(f"others_{number}")]
    found = accuracy_on(notes, codes).measures()
    assert found["claim_exact_selective"] >= 0.97
    assert found["traps_coded"] <= 0.005
    assert found["coverage"] >= 0.88
    assert found["invalid_codes"] == 0
    assert found["offsets_valid"] == 1


def test_sessions_that_were_not_held_are_asked_about(codes: CodeSet) -> None:
    notes = [note for number in (158, 160, 161, 162, 163, 164) for note in written_notes(f"others_{number}")]
    found = accuracy_on(notes, codes).measures()
    assert found["review_when_right"] >= 0.97
    assert found["coverage"] >= 0.88


def test_lengths_that_differ_from_the_minutes_sent_are_asked_about(codes: CodeSet) -> None:
    sets = (159, 160, 165, 169, 171, 172, 173)
    notes = [note for number in sets for note in written_notes(f"others_{number}")]
    found = accuracy_on(notes, codes).measures()
    assert found["review_when_right"] >= 0.9
    assert found["coverage"] >= 0.85


def test_the_table_counts_what_it_says(codes: CodeSet) -> None:
    note = {
        "id": "x",
        "text": "Dx: GAD; PTSD\nIndividual session, 45 minutes.",
        "place": "office",
        "duration_minutes": None,
        "gold": {"dx": ["F41.1"], "cpt": "90834", "modifiers": [], "addons": [], "review": False},
        "tags": ["negation"],
    }
    accuracy = accuracy_on([note], codes)
    found = accuracy.measures()
    assert found["dx_micro_f1_forced"] == pytest.approx(2 / 3)
    assert found["dx_exact_forced"] == 0
    assert found["dx_primary_forced"] == 1
    assert found["cpt_with_modifier_forced"] == 1
    assert found["coverage"] == 1
    assert found["claim_exact_selective"] == 0
    assert found["traps_coded"] == pytest.approx(1 / 2)
    assert [score.id for score in accuracy.wrong()] == ["x"]
    assert accuracy.by_tag() == {"negation": (1, 1)}


def test_the_bound_grows_with_evidence_and_stays_below_one() -> None:
    bounds = [jeffreys_lower_bound(n, n) for n in (1, 10, 100)]
    assert bounds == sorted(bounds)
    assert all(0.5 < bound < 1 for bound in bounds)
    assert jeffreys_lower_bound(5, 10) < 0.5
