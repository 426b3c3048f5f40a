"""`evaluate_coder` on a file of gold labels, and on what people confirmed and corrected."""

import json
from datetime import timedelta
from io import StringIO
from pathlib import Path

import pytest
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command

from claims.desk import reviews
from sessions_app.models import SessionNote
from tests.cast import REMOVED, Api, partner_api
from tests.claims.process import run_until_quiet

pytestmark = pytest.mark.usefixtures("release")
NOTE = {
    "id": "one",
    "text": "Dx: Generalized anxiety disorder\nIndividual session, 45 minutes.",
    "place": "telehealth",
    "duration_minutes": 45,
    "gold": {"dx": ["F41.1"], "cpt": "90834", "modifiers": ["95"], "addons": [], "review": False},
    "tags": ["anxiety"],
}
OPEN_NOTE = "Client seems low. Rule out major depression. Talked about work. 50 minutes, individual therapy."


@pytest.fixture
def partner(sample_charges: None) -> Api:
    return partner_api("Harborlight", submission_delay=timedelta()).onboarded()


def run(*arguments: str) -> str:
    out = StringIO()
    call_command("evaluate_coder", *arguments, stdout=out)
    return out.getvalue()


def confirm(partner: Api, *, diagnosis: str, place: str = "office") -> str:
    """A note that was held, and the codes that a person then confirmed."""
    session_id = partner.submitted(
        session__diagnosisCodes=REMOVED,
        session__durationMinutes=50,
        session__placeOfService=place,
        session__noteText=OPEN_NOTE,
    )
    run_until_quiet()
    reviews.confirm(
        session_id,
        diagnoses=[diagnosis],
        procedures=[("90834", "")],
        offered=[],
        user=User.objects.get_or_create(username="biller")[0],
    )
    return session_id


def test_a_file_gives_the_table(tmp_path: Path) -> None:
    path = tmp_path / "notes.jsonl"
    path.write_text(json.dumps(NOTE) + "\n\n" + json.dumps(NOTE | {"id": "two"}) + "\n")
    lines = [line for line in run(str(path)).splitlines() if not line.startswith(("notes_per", "p99"))]
    assert any(line.startswith("dx_micro_f1_forced") for line in lines)
    assert not [line for line in lines if "MISSED" in line]


def test_wrong_notes_are_listed_by_tag(tmp_path: Path) -> None:
    path = tmp_path / "wrong.jsonl"
    path.write_text(json.dumps(NOTE | {"gold": NOTE["gold"] | {"dx": ["F41.0"]}}))
    found = json.loads(run(str(path), "--json"))
    assert found["tags"] == {"anxiety": {"notes": 1, "wrong": 1}}
    assert found["wrong"][0]["id"] == "one"
    assert found["measures"]["notes"] == 1


def test_a_missing_file_is_named() -> None:
    with pytest.raises(CommandError, match="can't be read"):
        run("/nowhere/notes.jsonl")


def test_a_line_without_its_keys_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "short.jsonl"
    path.write_text(json.dumps({"id": "one", "text": "Dx: GAD", "gold": NOTE["gold"]}))
    with pytest.raises(CommandError, match="Line 1 needs duration_minutes, place"):
        run(str(path))


@pytest.mark.parametrize(
    ("odd", "message"),
    [
        ({"duration_minutes": "45"}, '"duration_minutes" must be a number from 1 to 1440, or null'),
        ({"text": None}, '"text" must be text'),
        ({"place": 5}, '"place" must be office, telehealth or null'),
        ({"gold": []}, '"gold" must be an object'),
        ({"gold": {}}, '"gold.dx" must be a list of texts'),
        ({"gold": NOTE["gold"] | {"dx": "F41.1"}}, '"gold.dx" must be a list of texts'),
        ({"gold": NOTE["gold"] | {"cpt": 90834}}, '"gold.cpt" must be text or null'),
        ({"gold": NOTE["gold"] | {"modifiers": [95]}}, '"gold.modifiers" must be a list of texts'),
        ({"gold": NOTE["gold"] | {"addons": None}}, '"gold.addons" must be a list of texts'),
        ({"gold": NOTE["gold"] | {"review": "no"}}, '"gold.review" must be true or false'),
        ({"tags": "anxiety"}, '"tags" must be a list of texts'),
    ],
)
def test_an_odd_value_is_named_by_line_and_field(
    tmp_path: Path, odd: dict[str, object], message: str
) -> None:
    path = tmp_path / "odd.jsonl"
    path.write_text(json.dumps(NOTE) + "\n\n" + json.dumps(NOTE | odd) + "\n")
    with pytest.raises(CommandError, match=f"Line 3: {message}"):
        run(str(path))


def test_a_line_that_is_no_json_is_named(tmp_path: Path) -> None:
    path = tmp_path / "cut.jsonl"
    path.write_text(json.dumps(NOTE) + "\n{")
    with pytest.raises(CommandError, match="Line 2 is not JSON"):
        run(str(path))


def test_notes_come_from_a_file_or_from_reviews(tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="required"):
        run()
    with pytest.raises(CommandError, match="not allowed"):
        run("notes.jsonl", "--from-reviews")


def test_a_correction_measures_what_the_coder_had_proposed(partner: Api) -> None:
    confirm(partner, diagnosis="F41.1")
    confirm(partner, diagnosis="F32.9")
    found = json.loads(run("--from-reviews", "--json"))
    measures = found["measures"]
    assert measures["notes"] == 2
    assert measures["review_when_right"] == 1.0
    assert measures["cpt_with_modifier_forced"] == 1.0
    assert measures["dx_exact_forced"] < 1.0
    wrong = {tuple(each["gold"]["dx"]): each for each in found["wrong"]}
    assert ("F41.1",) in wrong


def test_a_bare_telehealth_line_is_labelled_as_it_is_billed(partner: Api) -> None:
    confirm(partner, diagnosis="F32.9", place="telehealth")
    assert [note.modifiers for note in reviews.reviewed_notes()] == [["95"]]


def test_the_output_quotes_no_note(partner: Api) -> None:
    confirm(partner, diagnosis="F41.1")
    for shown in (run("--from-reviews"), run("--from-reviews", "--json")):
        assert "Talked about work" not in shown
        assert "seems low" not in shown


def test_without_reviews_there_is_nothing_to_measure(partner: Api) -> None:
    confirm(partner, diagnosis="F41.1")
    SessionNote.objects.update(text=None)
    with pytest.raises(CommandError, match="no notes"):
        run("--from-reviews")
