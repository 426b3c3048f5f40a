"""Charge rates from CSV: a plan first, then all of it or nothing."""

import json
from datetime import date
from decimal import Decimal
from io import StringIO
from pathlib import Path
from uuid import uuid4

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError
from django.db.backends.postgresql.psycopg_any import DateRange

from providers.charge_import import ChargeImportError, Plan, apply_import, plan_import, rates_after
from providers.models import ChargeRate, ChargeSchedule
from tests.operations.running import run

pytestmark = pytest.mark.django_db
HEADING = "code,amount,from,to,modifiers,place,payer_id,license"


@pytest.fixture
def schedule() -> ChargeSchedule:
    return ChargeSchedule.objects.create(name="The service", scope="service")


def planned(schedule: ChargeSchedule, *rows: str) -> Plan:
    return plan_import([HEADING, *rows], schedule=schedule)


def test_new_rates_are_planned_and_applied(schedule: ChargeSchedule) -> None:
    plan = planned(
        schedule, "90837,180.00,2030-01-01,,,,,", "90837,$172,2030-01-01,,95,telehealth,60054,master"
    )
    assert not schedule.rates.exists()
    apply_import(plan)
    assert schedule.rates.get(payer_id="60054").modifiers == ["95"]
    assert schedule.rates.count() == 2


def test_a_new_amount_ends_the_older_rate_on_the_day_before(schedule: ChargeSchedule) -> None:
    apply_import(planned(schedule, "90837,180.00,2030-01-01,,,,,"))
    plan = planned(schedule, "90837,190.00,2030-07-01,,,,,")
    assert list(plan.ended.values()) == [date(2030, 6, 30)]
    apply_import(plan)
    old, new = schedule.rates.order_by("valid")
    assert old.valid == DateRange(date(2030, 1, 1), date(2030, 7, 1))
    assert (new.unit_charge, new.valid.lower) == (Decimal("190.00"), date(2030, 7, 1))


def test_rates_that_end_are_written_together(schedule: ChargeSchedule, django_assert_num_queries) -> None:
    payers = ("60054", "62308", "87726")
    apply_import(planned(schedule, *(f"90837,180.00,2030-01-01,,,,{payer}," for payer in payers)))
    plan = planned(schedule, *(f"90837,190.00,2030-07-01,,,,{payer}," for payer in payers))
    with django_assert_num_queries(4):  # a savepoint, those that end, those that begin, its release
        apply_import(plan)
    assert schedule.rates.filter(valid__contains=date(2030, 6, 30), unit_charge=180).count() == 3
    assert schedule.rates.filter(valid__contains=date(2030, 7, 1), unit_charge=190).count() == 3


@pytest.mark.parametrize("turned", [False, True])
def test_two_periods_in_one_file_end_the_older_rate_before_the_first(
    schedule: ChargeSchedule, turned: bool
) -> None:
    apply_import(planned(schedule, "90837,180.00,2030-01-01,,,,,"))
    rows = ["90837,190.00,2030-07-01,2030-12-31,,,,", "90837,200.00,2031-01-01,,,,,"]
    plan = planned(schedule, *(reversed(rows) if turned else rows))
    after = [rate.valid for rate in rates_after(plan, schedule.rates.all())]
    apply_import(plan)
    standing = [(rate.valid.lower, rate.valid.upper) for rate in schedule.rates.order_by("valid")]
    assert standing == [
        (date(2030, 1, 1), date(2030, 7, 1)),
        (date(2030, 7, 1), date(2031, 1, 1)),
        (date(2031, 1, 1), None),
    ]
    assert sorted(after, key=lambda valid: valid.lower) == [DateRange(*each) for each in standing]


@pytest.mark.parametrize(
    ("rows", "gaps"),
    [
        (["90837,190,2030-07-01,2030-12-31,,,,"], [(date(2031, 1, 1), None)]),
        (["90837,190,2030-07-01,,,,,"], []),
        (["90837,190,2030-07-01,2030-12-31,,,,", "90837,200,2031-01-01,,,,,"], []),
        (
            ["90837,190,2030-07-01,2030-07-31,,,,", "90837,200,2030-09-01,,,,,"],
            [(date(2030, 8, 1), date(2030, 8, 31))],
        ),
        (["90837,190,2030-07-01,2030-12-31,,,60054,"], []),
    ],
)
def test_days_that_lose_their_rate_are_told(
    schedule: ChargeSchedule, rows: list[str], gaps: list[tuple[date, date | None]]
) -> None:
    apply_import(planned(schedule, "90837,180.00,2030-01-01,,,,,"))
    assert [(gap.first, gap.last) for gap in planned(schedule, *rows).gaps] == gaps


def test_a_rate_with_an_end_loses_no_more_than_its_days(schedule: ChargeSchedule) -> None:
    apply_import(planned(schedule, "90837,180.00,2030-01-01,2030-12-31,,,,"))
    inside = planned(schedule, "90837,190,2030-07-01,2030-07-31,,,,")
    assert [(gap.first, gap.last) for gap in inside.gaps] == [(date(2030, 8, 1), date(2030, 12, 31))]
    assert planned(schedule, "90837,190,2030-07-01,2031-07-31,,,,").gaps == []


def test_the_same_file_again_changes_nothing(schedule: ChargeSchedule) -> None:
    apply_import(planned(schedule, "90837,180.00,2030-01-01,,,,,"))
    again = planned(schedule, "90837,180.00,2030-01-01,,,,,")
    assert (again.unchanged, again.new, again.ended) == (1, [], {})


@pytest.mark.parametrize(
    ("row", "why"),
    [
        ("9083,180.00,2030-01-01,,,,,", "code"),
        ("90837,0,2030-01-01,,,,,", "amount"),
        ("90837,99999999999999,2030-01-01,,,,,", "amount: above 0 and up to 99,999,999.99, in whole cents."),
        ("90837,180.005,2030-01-01,,,,,", "amount"),
        ("90837,NaN,2030-01-01,,,,,", "amount"),
        ('90837,"180,00",2030-01-01,,,,,', "amount"),
        ("90837,1_80,2030-01-01,,,,,", "amount"),
        ("90837,180,01/01/2030,,,,,", "from"),
        ("90837,180,2030-01-02,2030-01-01,,,,", "to"),
        ("90837,180,2030-01-01,,955,,,", "modifiers"),
        ("90837,180,2030-01-01,,,home,,", "place"),
        ("90837,180,2030-01-01,,,,,intern", "license"),
    ],
)
def test_a_faulty_row_is_refused_by_column(schedule: ChargeSchedule, row: str, why: str) -> None:
    (refused,) = planned(schedule, row).refused
    assert refused.row == 2
    assert refused.why.startswith(why)


def test_an_amount_may_have_thousands_and_its_sign(schedule: ChargeSchedule) -> None:
    [rate] = planned(schedule, '90837,"$1,180.50",2030-01-01,,,,,').new
    assert rate.unit_charge == Decimal("1180.50")


def test_a_row_with_more_cells_than_the_heading_is_refused(schedule: ChargeSchedule) -> None:
    plan = plan_import(["code,from,amount", "90837,2030-01-01,1,180.00"], schedule=schedule)
    assert not plan.new
    assert "more cells" in plan.refused[0].why


def test_empty_cells_beyond_the_heading_are_nothing(schedule: ChargeSchedule) -> None:
    assert planned(schedule, "90837,180,2030-01-01,,,,,,, ").new


def test_rows_that_overlap_are_refused(schedule: ChargeSchedule) -> None:
    plan = planned(schedule, "90837,180,2030-01-01,2030-06-30,,,,", "90837,190,2030-03-01,,,,,")
    assert [(refused.row, refused.why) for refused in plan.refused] == [(3, "Overlaps row 2.")]


def test_an_overlap_with_a_row_that_has_no_end_says_what_to_give_it(schedule: ChargeSchedule) -> None:
    plan = planned(schedule, "90837,180,2030-01-01,,,,,", "90837,190,2030-03-01,,,,,")
    assert [refused.why for refused in plan.refused] == [
        'Overlaps row 2, which has no end: give row 2 a "to" before this one begins.'
    ]


def test_a_row_has_the_number_that_a_spreadsheet_shows(schedule: ChargeSchedule) -> None:
    plan = planned(schedule, "90837,180,2030-01-01,,,,,", "", "90834,x,2030-01-01,,,,,")
    assert [refused.row for refused in plan.refused] == [4]


def test_the_past_is_not_rewritten(schedule: ChargeSchedule) -> None:
    apply_import(planned(schedule, "90837,180,2030-07-01,,,,,"))
    plan = planned(schedule, "90837,190,2030-01-01,,,,,")
    assert len(plan.refused) == 1
    assert not plan.new


def test_two_rates_that_would_fit_equally_refuse_the_import_whole(schedule: ChargeSchedule) -> None:
    plan = planned(
        schedule, "90837,180,2030-01-01,,95,,,", "90837,170,2030-01-01,,,,60054,", "90834,1,2030-01-01,,,,,"
    )
    with pytest.raises(ChargeImportError, match="equally well"):
        apply_import(plan)
    assert not ChargeRate.objects.exists()


def test_columns_may_be_named_in_capitals(schedule: ChargeSchedule) -> None:
    plan = plan_import(["Code, Amount,FROM", "90837,180,2030-01-01"], schedule=schedule)
    assert [rate.procedure_code for rate in plan.new] == ["90837"]


@pytest.mark.parametrize("heading", ["", "code,amount", "code,amount,from,price"])
def test_a_file_without_its_columns_is_refused(schedule: ChargeSchedule, heading: str) -> None:
    with pytest.raises(ChargeImportError, match="must name the columns"):
        plan_import([heading], schedule=schedule)


def test_a_heading_that_is_no_csv_is_refused(schedule: ChargeSchedule) -> None:
    with pytest.raises(ChargeImportError, match="Not a CSV file"):
        plan_import(['"code"x,amount,from', "90837,180,2030-01-01"], schedule=schedule)


def test_a_last_day_that_stands_for_none_is_none(schedule: ChargeSchedule) -> None:
    [rate] = planned(schedule, "90837,180,2030-01-01,9999-12-31,,,,").new
    assert rate.valid.upper is None


@pytest.mark.parametrize("payer_id", ["6" * 81, "60\x0054"])
def test_a_payer_id_that_can_not_be_kept_is_refused_by_its_row(
    schedule: ChargeSchedule, payer_id: str
) -> None:
    plan = planned(schedule, f"90837,180,2030-01-01,,,,{payer_id},")
    assert [(each.row, each.why.partition(":")[0]) for each in plan.refused] == [(2, "payer_id")]
    apply_import(plan)


@pytest.mark.parametrize("heading", [f"code,amount,from,{'x' * 140_000}", HEADING])
def test_a_cell_that_never_ends_is_refused(schedule: ChargeSchedule, heading: str) -> None:
    with pytest.raises(ChargeImportError, match="Not a CSV file: field larger than"):
        plan_import([heading, f"90837,180,2030-01-01,,,,{'x' * 140_000},"], schedule=schedule)


def test_columns_that_are_unknown_or_missing_are_named(schedule: ChargeSchedule) -> None:
    with pytest.raises(ChargeImportError, match=r"doesn't know “modifier”, “until”, and misses from\."):
        plan_import(["code,amount,modifier,until"], schedule=schedule)


def test_a_column_that_is_named_twice_is_refused(schedule: ChargeSchedule) -> None:
    with pytest.raises(ChargeImportError, match=r"The import finds amount twice\."):
        plan_import(["code,amount,from,Amount", "90837,180,2030-01-01,170"], schedule=schedule)


def test_the_command_tells_of_days_that_lose_their_rate(tmp_path: Path) -> None:
    file = tmp_path / "rates.csv"
    file.write_text(f"{HEADING}\n90837,180.00,2030-01-01,,,,,\n")
    run("import_charges", str(file))
    file.write_text(f"{HEADING}\n90837,190.00,2030-07-01,2030-12-31,,,,\n")
    said = run("import_charges", str(file))
    assert said.code == 0
    assert "90837: no rate of this kind from 2031-01-01, where one that ends stood." in said.text


def test_the_command_reports_and_a_dry_run_writes_nothing(tmp_path: Path) -> None:
    file = tmp_path / "rates.csv"
    file.write_text(f"{HEADING}\n90837,180.00,2030-01-01,,,,,\n")
    out = StringIO()
    call_command("import_charges", str(file), "--dry-run", "--json", stdout=out)
    assert json.loads(out.getvalue())["new"] == 1
    assert not ChargeRate.objects.exists()
    assert not ChargeSchedule.objects.exists()
    call_command("import_charges", str(file), stdout=out)
    assert ChargeRate.objects.count() == 1


def test_the_command_says_what_is_wrong_with_the_file(tmp_path: Path) -> None:
    file = tmp_path / "rates.csv"
    file.write_bytes(b"\xff\xfe")
    with pytest.raises(CommandError, match=r"rates\.csv"):
        call_command("import_charges", str(file))
    assert not ChargeSchedule.objects.exists()


def test_refused_rows_an_unknown_owner_and_a_missing_file_have_their_exit_codes(tmp_path: Path) -> None:
    file = tmp_path / "rates.csv"
    file.write_text(f"{HEADING}\n90837,180.00,2030-01-01,,,,,\n90837,x,2030-01-01,,,,,\n")
    said = run("import_charges", str(file))
    assert (said.code, "row 3: amount" in said.text, ChargeRate.objects.count()) == (4, True, 1)
    assert run("import_charges", str(file), "--partner", "nobody").code == 3
    assert run("import_charges", str(file), "--practice", str(uuid4())).code == 3
    missing = run("import_charges", str(tmp_path / "no.csv"))
    assert (missing.code, missing.text) == (
        1,
        f"{tmp_path / 'no.csv'} can't be read: No such file or directory.",
    )
