"""Medicare's quarterly coding edits from the official files; every row here is invented."""

from datetime import date
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from billing.models import NcciPair, NcciUnits

pytestmark = pytest.mark.django_db
HEADING = (
    "A notice of somebody's rights\n"
    "Column1/Column2 Edits\n"
    "Column 1\tColumn 2\t*=in existence\tEffective\tDeletion\tModifier\tPTP Edit Rationale\n"
    "\t\tprior to 1996\tDate\tDate\t0=not allowed\t\n"
)
PAIRS = HEADING + (
    "90837\t96127\t\t20240101\t*\t1\tinvented\n"
    "90837\t96127\t\t20200101\t20221231\t0\tinvented\n"
    "90853\t96130\t\t20250101\t20250101\t0\ttaken back from its first day\n"
    "20610\t20604\t\t20200101\t*\t0\tof no therapist\n"
)
UNITS = (
    '"A notice of somebody\'s rights",,,\n'
    '"HCPCS/\nCPT Code",Practitioner Services MUE Values,MUE Adjudication Indicator,MUE Rationale\n'
    "96127,3,3 Date of Service Edit: Clinical,invented\n"
    "20610,2,2 Date of Service Edit: Policy,of no therapist\n"
)


def load(path: Path, name: str, text: str, **options: Any) -> None:
    file = path / name
    file.write_text(text)
    call_command("load_ncci", str(file), **options)


def test_pairs_keep_their_days_and_only_those_of_behavioural_health_are_kept(tmp_path: Path, capsys):
    load(tmp_path, "ccipra-f1.txt", PAIRS)
    assert list(
        NcciPair.objects.order_by("valid_from").values_list("column_one", "modifier_indicator", "valid_to")
    ) == [("90837", "0", date(2022, 12, 31)), ("90837", "1", None)]
    assert "2 pairs, 0 codes with their most units; 1 edits touch no" in capsys.readouterr().out


def test_the_next_quarter_ends_a_pair_and_adds_none_twice(tmp_path: Path):
    load(tmp_path, "ccipra-f1.txt", PAIRS)
    load(tmp_path, "ccipra-f1.txt", PAIRS.replace("20240101\t*", "20240101\t20261231"))
    assert NcciPair.objects.get(valid_from="2024-01-01").valid_to == date(2026, 12, 31)
    assert NcciPair.objects.count() == 2


def test_the_next_quarter_takes_a_pair_back(tmp_path: Path):
    load(tmp_path, "ccipra-f1.txt", PAIRS)
    load(tmp_path, "ccipra-f1.txt", PAIRS.replace("20240101\t*", "20240101\t20240101"))
    assert NcciPair.objects.get().valid_from == date(2020, 1, 1)


def test_the_quarter_of_most_units_stands_in_the_files_name(tmp_path: Path):
    load(tmp_path, "MCR_MUE_PractitionerServices_Eff_01-01-2026.csv", UNITS)
    units = NcciUnits.objects.get()
    assert (units.code, units.most_units, units.valid_from) == ("96127", 3, date(2026, 1, 1))


def test_most_units_without_a_quarter_are_refused(tmp_path: Path):
    with pytest.raises(CommandError, match="--valid-from"):
        load(tmp_path, "mue.csv", UNITS)
    load(tmp_path, "mue.csv", UNITS, valid_from=date(2026, 4, 1))
    assert NcciUnits.objects.get().valid_from == date(2026, 4, 1)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "holds no edits"),
        ("nothing,of,the,kind\n", "holds no edits"),
        (PAIRS + "90837\tgarbled\n", "Line 9 of edits.txt"),
        (PAIRS + "90837\t96130\t\t2024-01-01\t*\t1\tx\n", "Line 9 of edits.txt"),
        (PAIRS + "90837\t96130\t\t20240101\t*\t7\tx\n", "Line 9 of edits.txt"),
        (PAIRS + "90837\t96130\t\t20260231\t*\t0\tx\n", "Line 9 of edits.txt"),
        (f"90837,{'x' * 140_000}", "Line 1 of edits.txt: field larger than field limit"),
    ],
)
def test_a_wrong_file_is_refused_whole(tmp_path: Path, text: str, why: str):
    with pytest.raises(CommandError, match=why):
        load(tmp_path, "edits.txt", text)
    assert not NcciPair.objects.exists()


def test_a_day_that_no_month_has_is_refused(tmp_path: Path):
    with pytest.raises(CommandError, match="Eff_13-01-2026 in the name"):
        load(tmp_path, "MUE_Eff_13-01-2026.csv", UNITS)


def test_a_dry_run_writes_nothing(tmp_path: Path):
    load(tmp_path, "ccipra-f1.txt", PAIRS, dry_run=True)
    assert not NcciPair.objects.exists()


@pytest.mark.parametrize("command", ["load_ncci", "load_icd10cm"])
def test_a_day_that_is_none_is_told_in_words(command: str) -> None:
    with pytest.raises(CommandError, match=r"'soon' is no day; write YYYY-MM-DD\."):
        call_command(command, "--valid-from=soon")
