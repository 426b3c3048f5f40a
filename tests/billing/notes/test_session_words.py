"""Whether the words of a note, all together, tell of a session: what is learned, and what it does."""

from collections.abc import Callable
from typing import Any

import pytest

from billing.notes.decision.session_words import session_words
from billing.notes.learn_session_words import features_of, label_of, learn, weigh
from billing.notes.logistic import Row, total
from billing.notes.result import NoteResult, Outcome, Reason

Coder = Callable[..., NoteResult]
SESSION = "We practiced the breathing and reviewed the log. Mood brighter. She denies wanting to die."
NONE = "The gate was chained. Left a card in the mailbox and drove back to the clinic."


def note(**more: Any) -> dict[str, Any]:
    gold = {"cpt": None, "review": True} | {k: more.pop(k) for k in ("cpt", "review") if k in more}
    return {"duration_minutes": 45, "tags": [], "gold": gold} | more


def groups() -> dict[str, list[Row]]:
    held = (features_of(SESSION.lower().split()), False)
    none = (features_of(NONE.lower().split()), True)
    return {f"file {number}": [held] * 40 + [none] * 4 for number in range(6)}


@pytest.mark.parametrize(
    ("labelled", "expected"),
    [
        (note(cpt="90834", review=False), False),
        (note(), True),
        (note(duration_minutes=None), None),
        (note(duration_minutes=None, tags=["no_show"]), True),
        (note(tags=["under_16"]), None),
        (note(cpt="90847"), None),
    ],
)
def test_the_gold_says_whether_a_session_was_held(labelled: dict[str, Any], expected: bool | None) -> None:
    assert label_of(labelled) is expected


def test_words_of_no_session_weigh_more_than_words_of_one() -> None:
    weighed = weigh(groups()["file 0"] * 3)
    totals = [total(weighed, features_of(text.lower().split())) for text in (NONE, SESSION)]
    assert totals[0] > 0 > totals[1]


def test_the_same_notes_make_the_same_table() -> None:
    assert learn(groups()) == learn(groups())


@pytest.mark.parametrize(
    "told",
    [
        "Outreach: rode along to his house, gate chained, no truck. Neighbor said he was at the sale barn. "
        "Left an appointment card in the mailbox. Will try again next week.",
        "Client was a no-show per front desk. Called twice, no answer, left message re: the fee.",
        "Called the school counselor and caseworker about the custody order. Sent the release to be signed.",
    ],
)
def test_a_note_in_words_of_no_session_is_not_billed_by_the_minutes_sent(code: Coder, told: str) -> None:
    assert code(f"Dx: PTSD\n{told}", minutes=45).outcome is not Outcome.CODED


@pytest.mark.parametrize(
    "said",
    [
        "Her dietitian's appt was missed on both sides.",
        "Derm appt cancelled by her, on purpose, as agreed.",
    ],
)
def test_a_word_of_a_missed_visit_in_a_note_of_a_session_is_asked_about(code: Coder, said: str) -> None:
    text = (
        f"S: Slept better. {said} Two binges, both at night.\nO: Engaged, tearful once, mood down.\n"
        "A: Binge-eating disorder, moderate. Meal plan kept most days. No SI.\n"
        "I: We reviewed the food log and practiced the next step; she denies self-harm.\nP: Continue weekly."
    )
    result = code(text, minutes=45)
    assert (result.outcome, result.reasons) == (Outcome.NEEDS_REVIEW, (Reason.HELD_UNCLEAR,))
    assert [each.code for each in result.procedures] == ["90834"]


def test_the_packaged_table_leaves_a_plain_session_alone() -> None:
    words = session_words()
    assert words.tells_of_one(
        (2 * SESSION + " Reviewed the week. No thoughts of suicide.").lower().replace(".", " . ").split()
    )
    assert not words.tells_of_none(SESSION.lower().split())
