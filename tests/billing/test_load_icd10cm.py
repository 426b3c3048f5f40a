import csv
import json
from collections.abc import Iterable
from datetime import date
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from billing.codes import CodeStatus, judge_codes
from billing.icd10cm import (
    CodeRow,
    ReleaseDates,
    ReleaseSourceError,
    dates_of_release,
    name_of_package_release,
    read_order_file,
)
from billing.models import CodeSetRelease, DiagnosisCode
from billing.releases import check_rows
from tests.billing.small_release import ROWS

BEHAVIORAL = Path(__file__).resolve().parents[3] / "shared" / "data" / "icd10cm_behavioral.csv"


def order_file(folder: Path, rows: Iterable[CodeRow] = ROWS, *, name: str = "icd10cm-order-2027.txt") -> Path:
    path = folder / name
    lines = (
        f"{order:05} {row.code.replace('.', ''):7} {int(row.billable)} {row.title[:60]:60} {row.title}"
        for order, row in enumerate(rows, start=1)
    )
    path.write_text("\r\n".join(lines) + "\r\n")
    return path


def run(*arguments: str) -> dict[str, object]:
    output = StringIO()
    call_command("load_icd10cm", *arguments, "--json", stdout=output)
    return json.loads(output.getvalue())


@pytest.mark.parametrize(
    ("name", "dates"),
    [
        ("FY2027", ReleaseDates(date(2026, 10, 1), date(2027, 9, 30))),
        ("FY2027-April", ReleaseDates(date(2027, 4, 1), date(2027, 9, 30))),
        ("FY2026-April", ReleaseDates(date(2025, 10, 1), date(2026, 9, 30))),
        ("spring", None),
    ],
)
def test_the_usual_name_of_a_release_says_its_dates(name: str, dates: ReleaseDates | None):
    assert dates_of_release(name) == dates


def test_an_order_file_reads_back_as_its_rows(tmp_path):
    assert tuple(read_order_file(order_file(tmp_path))) == ROWS


def test_an_order_file_in_the_older_encoding_keeps_its_accents(tmp_path):
    path = tmp_path / "order.txt"
    line = f"00001 H8101   1 {'Menieres disease':60} Ménière's disease, right ear\n"
    path.write_bytes(line.encode("cp1252"))
    assert [row.title for row in read_order_file(path)] == ["Ménière's disease, right ear"]


def test_what_is_no_text_is_refused_in_words(tmp_path):
    path = tmp_path / "order.zip"
    path.write_bytes(b"PK\x03\x04\x81\x8f")
    with pytest.raises(ReleaseSourceError, match="is no text"):
        list(read_order_file(path))


@pytest.mark.parametrize(
    "line",
    [
        "code,billable,title",
        "00001 F411    2 Generalized anxiety disorder",
        "00001 411F    1 Generalized anxiety disorder",
        "00001 F411    1",
        "x     F411    1 Generalized anxiety disorder",
    ],
)
def test_a_line_that_is_none_is_named_by_its_number(tmp_path, line: str):
    path = order_file(tmp_path)
    path.write_text(path.read_text() + line + "\n")
    with pytest.raises(ReleaseSourceError, match=f"Line {len(ROWS) + 1} of icd10cm-order-2027.txt"):
        list(read_order_file(path))


@pytest.mark.parametrize(
    ("rows", "complaint"),
    [
        ((*ROWS, ROWS[4]), "twice"),
        (tuple(row for row in ROWS if not row.code.startswith("Z")), "begin with Z"),
        (tuple(row for row in ROWS if row.code != "F41"), "heading over F41"),
        ((), "begin with A, F, Z"),
    ],
)
def test_rows_that_are_no_whole_release_are_refused(rows: tuple[CodeRow, ...], complaint: str):
    with pytest.raises(ReleaseSourceError, match=complaint):
        check_rows(rows)


@pytest.mark.django_db
def test_loading_an_order_file_puts_its_release_in_force(tmp_path):
    result = run("--file", str(order_file(tmp_path)), "--release", "FY2027")
    assert result | {"seconds": 0} == {
        "release": "FY2027",
        "validFrom": "2026-10-01",
        "validTo": "2027-09-30",
        "codes": 13,
        "billable": 8,
        "outcome": "loaded",
        "seconds": 0,
    }
    (verdict,) = judge_codes(["F41.1"], on=date(2027, 1, 1))
    assert verdict.status is CodeStatus.BILLABLE


@pytest.mark.django_db
def test_loading_it_again_changes_nothing(tmp_path):
    path = str(order_file(tmp_path))
    run("--file", path, "--release", "FY2027")
    assert run("--file", path, "--release", "FY2027")["outcome"] == "already_loaded"
    assert (CodeSetRelease.objects.count(), DiagnosisCode.objects.count()) == (1, len(ROWS))


@pytest.mark.django_db
def test_a_dry_run_checks_and_writes_nothing(tmp_path):
    result = run("--file", str(order_file(tmp_path)), "--release", "FY2027", "--dry-run")
    assert (result["outcome"], result["codes"]) == ("dry_run", len(ROWS))
    assert not CodeSetRelease.objects.exists()


@pytest.mark.django_db
def test_a_damaged_file_leaves_nothing_behind(tmp_path):
    path = order_file(tmp_path, ROWS[:6])
    with pytest.raises(CommandError, match="Not a whole release"):
        run("--file", str(path), "--release", "FY2027")
    assert not CodeSetRelease.objects.exists()


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["--file", "{path}"], "--release"),
        (["--file", "{path}", "--release", "draft"], "--valid-from and --valid-to"),
        (
            [
                "--file",
                "{path}",
                "--release",
                "draft",
                "--valid-from",
                "2027-01-02",
                "--valid-to",
                "2027-01-01",
            ],
            "before",
        ),
        (["--file", "{path}.missing", "--release", "FY2027"], "can't be read"),
        (["--release", "FY1999"], "holds FY20"),
        (["--release", ""], "--release is empty"),
        (
            ["--file", "{path}", "--release", " ", "--valid-from", "2026-10-01", "--valid-to", "2027-09-30"],
            "empty",
        ),
    ],
)
def test_arguments_that_make_no_sense_are_refused_in_words(tmp_path, arguments: list[str], complaint: str):
    path = str(order_file(tmp_path))
    with pytest.raises(CommandError, match=complaint):
        run(*[argument.format(path=path) for argument in arguments])


@pytest.mark.django_db
def test_other_dates_for_a_loaded_release_are_refused(tmp_path):
    path = str(order_file(tmp_path))
    run("--file", path, "--release", "FY2027")
    with pytest.raises(CommandError, match="2026-10-01 to 2027-09-30"):
        run("--file", path, "--release", "FY2027", "--valid-to", "2027-03-31")


@pytest.mark.django_db
def test_without_a_file_the_release_of_the_package_is_loaded_whole():
    result = run()
    assert result["release"] == name_of_package_release()
    assert result["codes"] == DiagnosisCode.objects.count() > 90_000
    if not BEHAVIORAL.exists():
        pytest.skip(f"{BEHAVIORAL.name} is not beside the checkout")
    with BEHAVIORAL.open(newline="") as file:
        listed = {(row["code"], row["billable"] == "1") for row in csv.DictReader(file)}
    assert listed <= set(DiagnosisCode.objects.values_list("code", "billable"))
