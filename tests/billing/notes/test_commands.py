"""`code_note` on a loaded release."""

import json
from io import BytesIO, StringIO, TextIOWrapper
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from billing.management.commands import code_note as code_note_command
from billing.notes.codeset import CodeSet

NOTE = {
    "id": "one",
    "text": "Dx: Generalized anxiety disorder\nIndividual session, 45 minutes.",
    "place": "telehealth",
    "duration_minutes": 45,
    "gold": {"dx": ["F41.1"], "cpt": "90834", "modifiers": ["95"], "addons": [], "review": False},
    "tags": ["anxiety"],
}


@pytest.fixture(autouse=True)
def loaded(monkeypatch: pytest.MonkeyPatch, codes: CodeSet) -> None:
    """The whole tabular list stands for the loaded release."""
    monkeypatch.setattr(code_note_command, "current_codeset", lambda: codes)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "notes.jsonl"
    path.write_text(json.dumps(NOTE) + "\n\n" + json.dumps(NOTE | {"id": "two"}) + "\n")
    return path


def run(*arguments: str) -> str:
    out = StringIO()
    call_command(*arguments, stdout=out)
    return out.getvalue()


def test_code_note_prints_one_result_a_line_with_its_id(file: Path) -> None:
    results = [json.loads(line) for line in run("code_note", str(file), "--json").splitlines()]
    assert [result["id"] for result in results] == ["one", "two"]
    assert [(p["code"], p["modifier"]) for p in results[0]["procedures"]] == [("90834", "95")]
    assert results[0]["outcome"] == "coded"


def test_code_note_reads_a_note_from_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", TextIOWrapper(BytesIO(NOTE["text"].encode())))
    result = json.loads(run("code_note", "--json", "--place", "office"))
    assert [d["code"] for d in result["diagnoses"]] == ["F41.1"]
    assert result["procedures"][0]["modifier"] is None


def test_code_note_says_which_byte_of_standard_input_is_not_utf_8(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", TextIOWrapper(BytesIO("Dx: Café anxiety".encode("latin-1"))))
    with pytest.raises(CommandError, match=r"Byte 8 of the note is not UTF-8: convert it first\."):
        run("code_note")


@pytest.mark.parametrize("content", ["", " \n\n"])
def test_code_note_says_that_there_is_no_note(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, content: str
) -> None:
    path = tmp_path / "notes.jsonl"
    path.write_text(content)
    monkeypatch.setattr("sys.stdin", TextIOWrapper(BytesIO(content.encode())))
    for words in ([str(path)], []):
        with pytest.raises(CommandError, match=r"There is no note to code\."):
            run("code_note", *words)


@pytest.mark.parametrize("minutes", ["0", "-45", "1441"])
def test_code_note_takes_the_minutes_that_a_session_can_have(minutes: str) -> None:
    with pytest.raises(CommandError, match="--minutes: give 1 to 1440"):
        run("code_note", "--minutes", minutes)


def test_code_note_in_words_names_codes_and_quotes(file: Path) -> None:
    words = run("code_note", str(file))
    assert "one: coded" in words
    assert "90834-95" in words


@pytest.mark.parametrize(
    ("content", "message"), [("{", "Line 1 is not JSON."), ("{}", 'Line 1 has no "text".'), ("[]", "no")]
)
def test_code_note_says_what_is_wrong_with_a_line(tmp_path: Path, content: str, message: str) -> None:
    path = tmp_path / "bad.jsonl"
    path.write_text(content)
    with pytest.raises(CommandError, match=message):
        run("code_note", str(path))


@pytest.mark.parametrize(
    ("odd", "message"),
    [
        ({"text": 5}, '"text" must be text'),
        ({"duration_minutes": "45"}, '"duration_minutes" must be a number from 1 to 1440, or null'),
        ({"duration_minutes": True}, '"duration_minutes" must be a number'),
        ({"duration_minutes": 0}, '"duration_minutes" must be a number'),
        ({"place": "home"}, '"place" must be office, telehealth or null'),
        ({"place": ["office"]}, '"place" must be'),
    ],
)
def test_code_note_names_line_and_field_of_an_odd_value(
    tmp_path: Path, odd: dict[str, object], message: str
) -> None:
    path = tmp_path / "odd.jsonl"
    path.write_text(json.dumps(NOTE) + "\n\n" + json.dumps(NOTE | odd))
    with pytest.raises(CommandError, match=f"Line 3: {message}"):
        run("code_note", str(path))


def test_minutes_with_a_fraction_count_as_those_that_have_passed(tmp_path: Path) -> None:
    path = tmp_path / "fraction.jsonl"
    path.write_text(json.dumps(NOTE | {"text": "Dx: GAD. Individual therapy.", "duration_minutes": 37.9}))
    [procedure] = json.loads(run("code_note", str(path), "--json"))["procedures"]
    assert procedure["code"] == "90832"


@pytest.mark.parametrize("option", [("--minutes", "45"), ("--place", "office")])
def test_options_for_a_note_from_standard_input_are_refused_beside_a_file(
    file: Path, option: tuple[str, str]
) -> None:
    with pytest.raises(CommandError, match="each line has its own"):
        run("code_note", str(file), *option)
