from datetime import date

import pytest

from billing.icd10cm import ReleaseDates
from billing.models import CodeSetRelease
from billing.notes.codeset import CodeStatus
from billing.notes_codeset import _codeset, current_codeset
from tests.billing.small_release import ROWS, YEAR

NEXT_YEAR = ReleaseDates(date(2026, 10, 1), date(2027, 9, 30))


@pytest.fixture(autouse=True)
def forgotten_codesets() -> None:
    _codeset.cache_clear()


def test_note_coding_gets_every_code_of_the_release(load):
    load()
    codes = current_codeset(on=YEAR.valid_from)
    assert list(codes.rows()) == [(row.code, row.billable, row.title) for row in ROWS]
    assert codes.release == "FY2026"


def test_it_gets_the_release_in_force_on_the_day_else_the_newest(load):
    load("FY2026")
    load("FY2027", dates=NEXT_YEAR)
    assert current_codeset(on=YEAR.valid_to).release == "FY2026"
    assert current_codeset(on=NEXT_YEAR.valid_from).release == "FY2027"
    assert current_codeset().release == current_codeset(on=date(2000, 1, 1)).release == "FY2027"


def test_it_can_tell_that_the_release_is_older_than_the_session(load):
    load()
    assert current_codeset(on=NEXT_YEAR.valid_from).is_older_than(NEXT_YEAR.valid_from)


def test_the_second_time_costs_no_query(load, django_assert_num_queries):
    load()
    first = current_codeset()
    with django_assert_num_queries(0):
        assert current_codeset() == first


def test_corrected_dates_count(load):
    release = load()
    CodeSetRelease.objects.filter(pk=release.pk).update(valid_to=date(2026, 12, 31))
    assert current_codeset().effective_through == date(2026, 12, 31)


def test_a_release_that_was_not_packed_is_read_from_its_rows(load):
    release = load()
    CodeSetRelease.objects.filter(pk=release.pk).update(packed=b"")
    assert len(current_codeset()) == len(ROWS)


def test_with_nothing_loaded_no_code_is_known(db):
    assert current_codeset().status("F41.1") is CodeStatus.UNKNOWN
