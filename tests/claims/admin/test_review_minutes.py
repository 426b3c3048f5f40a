"""Note review where the minutes that were sent and those of the note disagree: both codes; either counts."""

import re

import pytest

from claims.models import NoteReview, WorkItem
from sessions_app.models import SessionCode
from tests.cast import REMOVED, Api
from tests.claims.admin.staff import Desk, newest
from tests.claims.process import run_until_quiet

HALF_HOUR = "Individual psychotherapy, start 1:00 PM end 1:30 PM. Duration 30 minutes.\nDx: GAD F41.1"
HOUR = "Individual psychotherapy, start 1:00 PM end 2:00 PM. Duration 60 minutes.\nDx: GAD F41.1"
CRISIS = (
    "PSYCHOTHERAPY FOR CRISIS, 1:00 PM to {}. Suicidal intent. Safety plan written, admission arranged.\n"
    "Dx: GAD F41.1"
)


def held(partner: Api, note: str, *, minutes: object) -> WorkItem:
    """A note that waits for a person, sent with these minutes and no codes."""
    session_id = partner.submitted(
        session__diagnosisCodes=REMOVED, session__noteText=note, session__durationMinutes=minutes
    )
    run_until_quiet()
    return WorkItem.objects.get(session_id=session_id, queue="notes", closed_at=None)


def offered(page: str) -> list[tuple[str, str, str]]:
    """Each code that is offered, the number of its words in the note, and why."""
    return re.findall(
        r'<b class="mono">(9083\d)</b> [^<]*(?:<sup>(\d)</sup>)?<small>([^<]*)</small>',
        page.partition("</legend>")[2].partition("</fieldset>")[0],
    )


@pytest.mark.parametrize(
    ("minutes", "note", "expected"),
    [
        (60, HALF_HOUR, [("90837", "2", "60 minutes, as sent."), ("90832", "3", "30 minutes, in the note.")]),
        (30, HOUR, [("90832", "2", "30 minutes, as sent."), ("90837", "3", "60 minutes, in the note.")]),
    ],
)
def test_both_codes_are_offered_each_with_its_own_minutes(
    partner: Api, billing: Desk, minutes: int, note: str, expected: list[tuple[str, str, str]]
) -> None:
    item = held(partner, note, minutes=minutes)
    assert offered(billing.get("desk:review", item.pk).content.decode()) == expected


def test_the_notes_words_are_evidence_of_the_notes_minutes_alone(partner: Api, billing: Desk) -> None:
    page = billing.get("desk:review", held(partner, HALF_HOUR, minutes=60).pk).content.decode()
    marked = dict(re.findall(r'<mark[^>]*title="(9083\d)">([^<]*)', page))
    assert marked == {"90837": "Individual psychotherapy", "90832": "1:00 PM end 1:30 PM"}


@pytest.mark.parametrize(("minutes", "note"), [(60, HALF_HOUR), (30, HOUR)])
@pytest.mark.parametrize("code", ["90832", "90837"])
def test_what_a_person_confirmed_is_not_held_again(
    partner: Api, billing: Desk, minutes: int, note: str, code: str
) -> None:
    item = held(partner, note, minutes=minutes)
    billing.post("desk:review", item.pk, procedure=code, answer="confirm")
    run_until_quiet()
    assert newest(item.session_id).status == "paid"
    assert [each["code"] for each in NoteReview.objects.get().offered if each["kind"] == "procedure"] == [
        *({60: ["90837", "90832"], 30: ["90832", "90837"]}[minutes])
    ]


@pytest.mark.parametrize(("minutes", "until"), [(60, "2:50 PM"), (110, "2:00 PM")])
@pytest.mark.parametrize("longer", [True, False])
def test_the_half_hours_that_are_in_question_may_go_with_a_crisis(
    partner: Api, billing: Desk, minutes: int, until: str, longer: bool
) -> None:
    item = held(partner, CRISIS.format(until), minutes=minutes)
    billing.post(
        "desk:review", item.pk, procedure=["90839", "90840"] if longer else "90839", answer="confirm"
    )
    rows = SessionCode.objects.filter(session=item.session, kind="procedure").order_by("position")
    assert [(row.code, row.units) for row in rows] == [("90839", 1), *([("90840", 2)] if longer else [])]
    run_until_quiet()
    assert newest(item.session_id).status == "paid"


def test_a_code_that_neither_length_allows_is_held(partner: Api, billing: Desk) -> None:
    three_quarters = HALF_HOUR.replace("1:30", "1:45").replace("30 min", "45 min")
    item = held(partner, three_quarters, minutes=30)
    billing.post("desk:review", item.pk, procedure="other", other_procedure="90837", answer="confirm")
    run_until_quiet()
    assert newest(item.session_id).status == "held"


def test_what_only_the_note_is_long_enough_for_goes(partner: Api, billing: Desk) -> None:
    item = held(partner, CRISIS.format("2:00 PM"), minutes=20)
    billing.post("desk:review", item.pk, procedure="90839", answer="confirm")
    run_until_quiet()
    assert newest(item.session_id).status == "paid"


def test_a_length_told_in_passing_is_asked_about_and_its_sentence_marked(partner: Api, billing: Desk) -> None:
    said = "Her ride pulled up at 2:30, half an hour into our time, and we had to stop there."
    note = f"Individual psychotherapy. Worked on the fear of the elevator. {said}\nDx: GAD F41.1"
    page = billing.get("desk:review", held(partner, note, minutes=60).pk).content.decode()
    assert "How long was it?" in page
    assert [code for code, _, _ in offered(page)] == ["90837", "90832", "90834"]
    assert re.findall(r'<mark[^>]*title="perhaps another length">([^<]*)', page) == [said]


@pytest.mark.parametrize("code", ["90837", "90834", "90832"])
def test_a_length_told_in_passing_is_settled_in_one_click(partner: Api, billing: Desk, code: str) -> None:
    said = "Her ride pulled up at 2:30, half an hour into our time, and we had to stop there."
    item = held(partner, f"Individual psychotherapy. {said}\nDx: GAD F41.1", minutes=60)
    billing.post("desk:review", item.pk, procedure=code, answer="confirm")
    run_until_quiet()
    assert newest(item.session_id).status == "paid"
