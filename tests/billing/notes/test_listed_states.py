"""Lists of diagnoses: every entry stands by its own remark, state and heading, however they are written."""

from collections.abc import Callable

import pytest

from billing.notes.result import NoteResult, Outcome

Coder = Callable[..., NoteResult]


def coded(result: NoteResult) -> list[str]:
    return [diagnosis.code for diagnosis in result.diagnoses] if result.outcome is Outcome.CODED else []


@pytest.mark.parametrize("marks", [("1.", "2."), ("(1)", "(2)"), ("#1", "#2"), ("a.", "b."), ("i.", "ii.")])
@pytest.mark.parametrize(
    "entry",
    [
        "Alcohol use disorder, mild",
        "Alcohol use disorder, mild [F10.10]",
        "Alcohol use disorder, mild (F10.10)",
        "Alcohol use disorder, mild - F10.10",
        "F10.10: Alcohol use disorder, mild",
    ],
)
@pytest.mark.parametrize(
    "standing", ["?", " (r/o)", " - rule out", " (mother)", " (family hx)", " - denied", " (resolved)"]
)
def test_a_remark_behind_an_entry_takes_it_back_under_any_mark(
    code: Coder, marks: tuple[str, str], entry: str, standing: str
) -> None:
    first, second = marks
    listed = f"Dx:\n{first} Panic disorder\n{second} {entry}{standing}\n"
    assert coded(code(f"Individual psychotherapy, 45 minutes.\n{listed}")) == ["F41.0"]


@pytest.mark.parametrize("parted", ["; ", " / ", " + ", ", "])
@pytest.mark.parametrize(
    "written", ["{}", "{} [F{}]", "{} (F{})"], ids=["name", "code in square brackets", "code in brackets"]
)
@pytest.mark.parametrize("standing", [" (r/o)", " - provisional", " (mother)", " (family hx)", " (past)"])
@pytest.mark.parametrize("at", [0, 1])
def test_a_remark_in_a_line_of_conditions_is_of_the_one_before_it(
    code: Coder, parted: str, written: str, standing: str, at: int
) -> None:
    conditions = [("Panic disorder", "41.0"), ("Kleptomania", "63.2"), ("Gambling disorder", "63.0")]
    entries = [written.format(*condition) for condition in conditions]
    entries[at] += standing
    left = [f"F{digits}" for place, (_, digits) in enumerate(conditions) if place != at]
    assert coded(code(f"Individual psychotherapy, 45 minutes.\nDx: {parted.join(entries)}\n")) == left


@pytest.mark.parametrize("ends", ["", "."])
@pytest.mark.parametrize("standing", [" - historical", " (resolved)", " (r/o)", " (mother)"])
def test_a_long_entry_that_tells_its_state_does_not_run_into_the_next(
    code: Coder, standing: str, ends: str
) -> None:
    entries = f"Major depressive disorder, recurrent, moderate{standing}\nPanic disorder\n"
    listed = f"Dx:\n{entries}Alcohol use disorder, mild{ends}\n\nPlan: return in 2 wks"
    assert coded(code(f"Individual psychotherapy, 45 minutes.\n{listed}")) == ["F41.0", "F10.10"]


def test_a_cell_with_its_own_state_says_nothing_of_the_others_in_its_row(code: Coder) -> None:
    note = "Individual psychotherapy, 45 minutes.\nDx: Panic disorder | Kleptomania (past) | PTSD\n"
    assert coded(code(note)) == ["F41.0", "F43.10"]


@pytest.mark.parametrize(
    ("parted", "code_column"),
    [
        ("; ", False),
        ("; ", True),
        ("\t", False),
        ("\t", True),
        ("   ", False),
        ("   ", True),
        (" | ", False),
        (" | ", True),
    ],
)
@pytest.mark.parametrize("state", ["Resolved", "R/O", "Inactive", "Provisional", "Resolved 2021"])
@pytest.mark.parametrize("at", [0, 1, 2])
def test_each_row_of_a_list_has_its_own_state(
    code: Coder, parted: str, code_column: bool, state: str, at: int
) -> None:
    conditions = [
        ("Panic disorder", "F41.0"),
        ("Major depressive disorder, recurrent, moderate", "F33.1"),
        ("Alcohol use disorder, mild", "F10.10"),
    ]
    rows = [
        parted.join([name, *([digits] if code_column else []), state if place == at else "Active"])
        for place, (name, digits) in enumerate(conditions)
    ]
    listed = "\n".join(["Diagnoses", *rows])
    left = [digits for place, (_, digits) in enumerate(conditions) if place != at]
    assert coded(code(f"Individual psychotherapy, 45 minutes.\nShe slept better.\n{listed}\n")) == left


@pytest.mark.parametrize(
    ("listed", "left"),
    [
        ("Bipolar II disorder | Panic disorder | r/o ADHD, inattentive", ["F31.81", "F41.0"]),
        ("(1) GAD (2) MDD, recurrent, moderate (3) kleptomania - resolved", ["F41.1", "F33.1"]),
        ("(1) GAD (2) MDD, recurrent, moderate - resolved (3) kleptomania", ["F41.1", "F63.2"]),
        ("GAD; insomnia, unspecified, stable", ["F41.1", "G47.00"]),
    ],
)
def test_a_list_in_one_line_is_read_entry_by_entry(code: Coder, listed: str, left: list[str]) -> None:
    assert coded(code(f"Individual psychotherapy, 45 minutes.\nDx: {listed}\n")) == left


@pytest.mark.parametrize(
    "said",
    ["formerly provisional, now confirmed", "was a rule-out; confirmed in May", "no longer provisional"],
)
def test_what_is_no_longer_provisional_is_not_left_out(code: Coder, said: str) -> None:
    result = code(f"Individual psychotherapy, 45 minutes.\nDx: PTSD; panic disorder ({said})\n")
    assert result.outcome is not Outcome.CODED or coded(result) == ["F43.10", "F41.0"]


@pytest.mark.parametrize(
    "said",
    [
        "prov", "poss", "years ago", "as a teen", "maternal", "brother has", "subclinical", "screen only",
        "lifetime, not current", "none at present", "over since 2018", "gone", "per client report only",
    ],
)  # fmt: skip
@pytest.mark.parametrize("written", ["{} - {}", "{} ({})", "{} [{}]", "{}: {}"])
def test_a_state_in_few_words_leaves_its_entry_out(code: Coder, written: str, said: str) -> None:
    listed = f"Diagnoses:\n1. Panic disorder\n2. {written.format('Kleptomania', said)}\n"
    assert coded(code(f"Individual psychotherapy, 45 minutes.\n{listed}")) == ["F41.0"]


@pytest.mark.parametrize(
    "said",
    ["on meds", "managed with meds", "stable on medication", "exacerbated by divorce", "following divorce"],
)
@pytest.mark.parametrize("written", ["{} - {}", "{} ({})", "{} [{}]", "{}: {}", "{}, {}"])
def test_how_a_condition_is_kept_or_came_about_leaves_it_as_it_is(
    code: Coder, written: str, said: str
) -> None:
    listed = f"Diagnoses:\n1. {written.format('Panic disorder', said)}\n2. Kleptomania\n"
    assert coded(code(f"Individual psychotherapy, 45 minutes.\n{listed}")) == ["F41.0", "F63.2"]


@pytest.mark.parametrize(
    "heading",
    [
        "Lifetime diagnoses:",
        "Not established:",
        "In relatives:",
        "Dx (not carried forward):",
        "Dx (client's twin):",
        "Diagnoses reported by client:",
        "School's diagnoses:",
        "Rule-outs:",
    ],
)
def test_a_list_that_is_another_time_s_or_another_s_is_left_out(code: Coder, heading: str) -> None:
    listed = f"{heading}\n1. Panic disorder\n2. PTSD\n"
    note = f"Individual psychotherapy, 45 minutes.\nDx: Gambling disorder\n\n{listed}"
    assert coded(code(note)) == ["F63.0"]
