"""What the NPI registry says, from its files and its API; people and NPIs are invented."""

import json
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from billing.models import NpiRecord
from claims.models import SetUpChange
from partners.models import Mode
from tests.cast import NPI, OTHER_NPI, partner_api
from tests.operations.running import result, run

pytestmark = pytest.mark.django_db
FULL = "npidata_pfile_20050523-20260208.csv"
WEEKLY = "npidata_pfile_20260209-20260215.csv"
HEADER = (
    "NPI",
    "Entity Type Code",
    "NPI Deactivation Date",
    "NPI Reactivation Date",
    "Healthcare Provider Taxonomy Code_1",
    "Healthcare Provider Taxonomy Code_2",
    "Healthcare Provider Primary Taxonomy Switch_1",
)


@pytest.fixture(autouse=True)
def ours() -> None:
    """A live therapist with a practice; a test organization's NPIs are nobody's."""
    partner_api("Live", mode=Mode.LIVE).onboarded()
    partner_api("Test").onboarded(provider__npi="1999999976")


def file(folder: Path, *rows: tuple[str, ...], name: str = FULL) -> Path:
    path = folder / name
    lines = (",".join(f'"{cell}"' for cell in row) for row in (HEADER, *rows))
    path.write_text("\n".join(lines) + "\n")
    return path


def row(npi: str, off: str = "", on: str = "", *taxonomies: str) -> tuple[str, ...]:
    first, second = (*taxonomies, "", "")[:2]
    return (npi, "1", off, on, first, second, "Y")


def loaded(path: Path, *options: str) -> Any:
    return result("load_nppes", str(path), *options).document


def test_taxonomies_and_who_is_switched_off_are_loaded(tmp_path: Path) -> None:
    path = file(
        tmp_path,
        row("1000000004", "", "", "207R00000X"),
        row(NPI, "", "", "101YM0800X", "1041C0700X"),
        row(OTHER_NPI, "03/01/2025", "", ""),
    )
    answer = loaded(path)
    assert answer["deactivated"] == [OTHER_NPI]
    assert set(NpiRecord.objects.values_list("npi", "found", "deactivated", "checked_on")) == {
        (NPI, True, False, date(2026, 2, 8)),
        (OTHER_NPI, True, True, date(2026, 2, 8)),
    }
    assert NpiRecord.objects.get(npi=NPI).taxonomies == ["101YM0800X", "1041C0700X"]


def test_who_was_switched_on_again_is_active(tmp_path: Path) -> None:
    loaded(file(tmp_path, row(NPI, "03/01/2025", "04/01/2025"), row(OTHER_NPI)))
    assert not NpiRecord.objects.filter(deactivated=True).exists()


def test_only_a_full_file_says_that_an_npi_is_missing(tmp_path: Path) -> None:
    assert loaded(file(tmp_path, row(NPI), name=WEEKLY))["notInRegistry"] == []
    assert NpiRecord.objects.count() == 1
    assert loaded(file(tmp_path, row(NPI), name=FULL.replace("0208", "0301")))["notInRegistry"] == [OTHER_NPI]
    assert not NpiRecord.objects.get(npi=OTHER_NPI).found


def test_only_what_the_registry_says_otherwise_is_a_change_of_the_set_up(tmp_path: Path) -> None:
    loaded(file(tmp_path, row(NPI), row(OTHER_NPI)))
    loaded(file(tmp_path, row(NPI), row(OTHER_NPI, "03/01/2026"), name=FULL.replace("0208", "0301")))
    change = SetUpChange.objects.get(table_name="billing_npirecord")
    assert (change.name, change.was, change.became) == (
        OTHER_NPI,
        {"deactivated": False},
        {"deactivated": True},
    )


def test_an_older_file_leaves_what_is_newer(tmp_path: Path) -> None:
    NpiRecord.objects.create(npi=NPI, source="looked up", checked_on=date(2026, 3, 1))
    assert loaded(file(tmp_path, row(NPI, "03/01/2025"), row(OTHER_NPI)))["newerHere"] == 1
    assert not NpiRecord.objects.get(npi=NPI).deactivated


def test_an_answer_of_the_api_is_loaded(tmp_path: Path) -> None:
    path = tmp_path / "answer.json"
    taxonomies = [{"code": "101YM0800X", "primary": True}]
    results = [{"number": NPI, "basic": {"status": "A"}, "taxonomies": taxonomies}]
    path.write_text(json.dumps({"result_count": 1, "results": results}))
    assert loaded(path)["loaded"] == 1
    assert NpiRecord.objects.get().taxonomies == ["101YM0800X"]


@pytest.mark.parametrize(
    ("name", "text", "why"),
    [
        ("registry.csv", "NPI\n", "leave it the name"),
        (FULL, "NPI,Something\n", "has no column"),
        ("answer.json", "{", "damaged"),
        ("answer.json", "[" * 100_000, "damaged"),
        ("answer.json", '{"Errors": []}', "no results"),
        ("answer.json", '{"results": [{}]}', "without an NPI"),
        ("answer.json", json.dumps({"results": [{"number": NPI, "basic": None}]}), "breaks off"),
        (
            "answer.json",
            json.dumps({"results": [{"number": NPI, "basic": {}, "taxonomies": None}]}),
            "breaks",
        ),
        (FULL.replace("20260208", "20260231"), ",".join(HEADER), "damaged"),
        (FULL, ",".join(HEADER) + f"\n{NPI},1\n", "breaks off"),
        (FULL, ",".join(HEADER) + f"\n{NPI},1,2025-01-01,,,,\n", "damaged"),
    ],
)
def test_what_the_registry_never_wrote_is_refused(tmp_path: Path, name: str, text: str, why: str) -> None:
    path = tmp_path / name
    path.write_text(text)
    ended = run("load_nppes", str(path))
    assert ended.code == 1
    assert why in ended.text
    assert not NpiRecord.objects.exists()


def test_a_file_that_is_not_there_is_said_plainly(tmp_path: Path) -> None:
    ended = run("load_nppes", str(tmp_path / "no.csv"))
    assert (ended.code, ended.text) == (1, f"{tmp_path / 'no.csv'} can't be read: No such file or directory.")


def test_a_dry_run_writes_nothing(tmp_path: Path) -> None:
    assert loaded(file(tmp_path, row(NPI), row(OTHER_NPI)), "--dry-run")["loaded"] == 2
    assert not NpiRecord.objects.exists()
