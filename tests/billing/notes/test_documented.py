"""How the length of a session, what it was and how the patient was reached are documented, as tables."""

from collections.abc import Callable
from pathlib import Path

from billing.notes.result import NoteResult, Outcome

Coder = Callable[..., NoteResult]
ASKED = "?"
DX = "\nDx: Generalized anxiety disorder."
PLACES = {"o": "office", "t": "telehealth"}


def rows(name: str) -> list[list[str]]:
    lines = (Path(__file__).parent / name).read_text(encoding="utf-8").splitlines()
    return [line.replace("\\n", "\n").split("\t") for line in lines if not line.startswith("#")]


def minutes_of(result: NoteResult) -> str:
    return str(result.procedures[0].minutes) if result.outcome is Outcome.CODED else ASKED


def procedures_of(result: NoteResult) -> str:
    if result.outcome is not Outcome.CODED:
        return ASKED
    codes = "+".join(procedure.code for procedure in result.procedures)
    return " ".join(filter(None, (codes, result.procedures[0].modifier)))


def test_the_length_of_a_session_is_read_or_asked_for(code: Coder) -> None:
    found = {
        said: (minutes, minutes_of(code(f"Individual psychotherapy.\n{said}{DX}")))
        for minutes, said in rows("lengths.txt")
    }
    assert {said: both for said, both in found.items() if both[0] != both[1]} == {}


def test_the_service_and_the_way_of_meeting_are_read_or_asked_for(code: Coder) -> None:
    found = {
        said: (codes, procedures_of(code(said + DX, place=PLACES[place])))
        for codes, place, said in rows("services.txt")
    }
    assert {said: both for said, both in found.items() if both[0] != both[1]} == {}


def test_what_may_be_no_session_with_the_patient_is_asked_about(code: Coder) -> None:
    found = {
        said: (
            codes,
            procedures_of(code(said, place=PLACES[place], minutes=int(minutes) if minutes else None)),
        )
        for codes, place, minutes, said in rows("in_doubt.txt")
    }
    assert {said: both for said, both in found.items() if both[0] != both[1].partition(" ")[0]} == {}
