from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from billing import codes
from billing.codes import CodeStatus, code_titles, judge_codes, normalize_code
from billing.icd10cm import CodeRow, ReleaseDates
from billing.models import CodeSetRelease
from tests.billing.small_release import ROWS, YEAR

COVERED = YEAR.valid_from + timedelta(days=100)
BEFORE = YEAR.valid_from - timedelta(days=1)
AFTER = YEAR.valid_to + timedelta(days=1)


def status_of(code: str, *, on: date) -> CodeStatus:
    (verdict,) = judge_codes([code], on=on)
    return verdict.status


@pytest.mark.parametrize(
    ("sent", "stored"),
    [("F41.1", "F41.1"), ("f411", "F41.1"), ("f41.1", "F41.1"), ("F99", "F99"), ("s060x0a", "S06.0X0A")],
)
def test_a_code_is_stored_with_its_dot_in_upper_case(sent: str, stored: str):
    assert normalize_code(sent) == stored


@pytest.mark.parametrize(
    "sent",
    [
        "",
        "F4",
        "F41.",
        "F4.11",
        "F41.11111",
        "F41..1",
        " F41.1",
        "F41.1 ",
        "F41.1\n",
        "41.1",
        "F41-1",
        "Ｆ41.1",
        "F4١",
    ],
)
def test_what_has_not_the_form_of_a_code_is_none(sent: str):
    assert normalize_code(sent) is None


@given(st.text(max_size=12))
def test_normalizing_twice_changes_nothing(text: str):
    once = normalize_code(text)
    assert once is None or normalize_code(once) == once


@pytest.mark.parametrize("on", [YEAR.valid_from, COVERED, YEAR.valid_to])
def test_a_code_in_force_on_the_date_is_billable(load, on: date):
    load()
    (verdict,) = judge_codes(["f411"], on=on)
    assert (verdict.status, verdict.normalized) == (CodeStatus.BILLABLE, "F41.1")
    assert (verdict.title, verdict.release) == ("Generalized anxiety disorder", "FY2026")


def test_a_code_that_does_not_exist_on_a_covered_date_is_unknown(load):
    load()
    assert status_of("F41.7", on=COVERED) is CodeStatus.UNKNOWN


@pytest.mark.parametrize("on", [BEFORE, COVERED, AFTER])
def test_a_heading_is_a_heading_on_any_date_and_lists_what_is_billable_under_it(load, on: date):
    load()
    (verdict,) = judge_codes(["F41"], on=on)
    assert verdict.status is CodeStatus.HEADING
    assert verdict.billable_children == ("F41.0", "F41.1", "F41.9")


def test_a_heading_lists_ten_codes_at_most(load):
    many = tuple(CodeRow(f"F50.{letter}", billable=True, title=letter) for letter in "ABCDEFGHIJKLM")
    load(rows=(*ROWS, CodeRow("F50", billable=False, title="Eating disorders"), *many))
    (verdict,) = judge_codes(["F50"], on=COVERED)
    assert verdict.billable_children == tuple(f"F50.{letter}" for letter in "ABCDEFGHIJ")


@pytest.mark.parametrize("on", [BEFORE, AFTER])
def test_on_an_uncovered_date_the_newest_release_says_whether_it_knows_the_code(load, on: date):
    load()
    assert status_of("F41.1", on=on) is CodeStatus.UNCOVERED_KNOWN
    assert status_of("F41.7", on=on) is CodeStatus.UNCOVERED_UNKNOWN


def test_with_no_release_loaded_only_the_form_counts(db):
    (verdict,) = judge_codes(["F41.1"], on=COVERED)
    assert (verdict.status, verdict.normalized, verdict.release) == (
        CodeStatus.UNCOVERED_UNKNOWN,
        "F41.1",
        None,
    )
    assert status_of("F41.", on=COVERED) is CodeStatus.MALFORMED


def test_a_letter_in_second_place_is_accepted_where_the_release_knows_the_code(load):
    load()
    assert status_of("QA0.8", on=COVERED) is CodeStatus.BILLABLE
    assert status_of("QB0.8", on=COVERED) is CodeStatus.MALFORMED


def test_of_two_releases_the_one_in_force_on_the_date_judges(load):
    load("FY2026")
    load(
        "FY2027",
        dates=ReleaseDates(date(2026, 10, 1), date(2027, 9, 30)),
        rows=(*ROWS, CodeRow("F41.7", billable=True, title="New this year")),
    )
    assert status_of("F41.7", on=date(2026, 9, 30)) is CodeStatus.UNKNOWN
    assert status_of("F41.7", on=date(2026, 10, 1)) is CodeStatus.BILLABLE


def test_of_two_releases_that_cover_the_date_the_later_judges(load):
    load("FY2026")
    april = tuple(row for row in ROWS if row.code != "F41.9")
    load("FY2026-April", dates=ReleaseDates(date(2026, 4, 1), YEAR.valid_to), rows=april)
    assert status_of("F41.9", on=date(2026, 3, 31)) is CodeStatus.BILLABLE
    assert status_of("F41.9", on=date(2026, 4, 1)) is CodeStatus.UNKNOWN


def test_an_inactive_release_judges_nothing(load):
    release = load()
    CodeSetRelease.objects.filter(pk=release.pk).update(active=False)
    assert status_of("F41.1", on=COVERED) is CodeStatus.UNCOVERED_UNKNOWN


def test_verdicts_come_in_the_order_asked_with_repetitions(load):
    load()
    asked = ["Z630", "F41", "f41.1", "F41.1", "?"]
    verdicts = judge_codes(asked, on=COVERED)
    assert [verdict.code for verdict in verdicts] == asked
    assert [verdict.normalized for verdict in verdicts] == ["Z63.0", "F41", "F41.1", "F41.1", ""]


def test_twelve_codes_cost_one_query_headings_included(load, django_assert_num_queries):
    load()
    status_of("A00.9", on=COVERED)  # the list of releases is read
    with django_assert_num_queries(1):
        judge_codes([row.code for row in ROWS[1:13]], on=COVERED)


def test_codes_asked_for_before_cost_no_query(load, django_assert_num_queries):
    load()
    judge_codes(["F41.1", "F41", "Z63.0"], on=COVERED)
    with django_assert_num_queries(0):
        judge_codes(["f411", "F41", "Z630"], on=AFTER)


def test_a_release_loaded_elsewhere_is_noticed_before_a_code_is_called_unknown(load):
    load()
    assert status_of("F41.7", on=AFTER) is CodeStatus.UNCOVERED_UNKNOWN
    kept_since = codes._kept.read_at
    load(
        "FY2027",
        dates=ReleaseDates(date(2026, 10, 1), date(2027, 9, 30)),
        rows=(*ROWS, CodeRow("F41.7", billable=True, title="New this year")),
    )
    codes._kept.read_at = kept_since  # as in a process that did not load it
    assert status_of("F41.7", on=AFTER) is CodeStatus.BILLABLE


def test_what_a_process_keeps_is_bounded(load, monkeypatch):
    load()
    monkeypatch.setattr(codes, "_KEPT_CODES", 3)
    for row in ROWS:
        status_of(row.code, on=COVERED)
    assert len(codes._kept.codes) <= 3


def test_titles_by_code_leave_out_what_is_unknown(load):
    load()
    assert code_titles(["f411", "F41.7", "nonsense"]) == {"f411": "Generalized anxiety disorder"}
