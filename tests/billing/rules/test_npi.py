"""The NPI's check digit."""

import csv
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from billing.rules.npi import npi_is_valid

DATA = Path(__file__).resolve().parents[4] / "shared" / "data" / "npis.csv"


@pytest.mark.parametrize("npi", ["1234567893", "1999999984", "2000000002"])
def test_a_fitting_check_digit(npi: str) -> None:
    assert npi_is_valid(npi)


@pytest.mark.parametrize(
    "npi",
    [
        "",
        "1234567890",
        "123456789",
        "12345678931",
        "3123456789",
        "0000000000",
        "1111111111",
        "12345 67893",
        "1234567893 ",
        "1234567893\n",
        "123456789X",
        "１２３４５６７８９３",
    ],
)
def test_anything_else(npi: str) -> None:
    assert not npi_is_valid(npi)


@given(st.from_regex(r"[12][0-9]{8}", fullmatch=True))
@settings(max_examples=100)
def test_exactly_one_last_digit_fits(first_nine: str) -> None:
    assert sum(npi_is_valid(f"{first_nine}{digit}") for digit in range(10)) == 1


@given(st.from_regex(r"[12][0-9]{8}", fullmatch=True), st.integers(0, 9), st.integers(1, 9))
@settings(max_examples=100)
def test_one_mistyped_digit_is_found(first_nine: str, place: int, shift: int) -> None:
    npi = next(f"{first_nine}{digit}" for digit in range(10) if npi_is_valid(f"{first_nine}{digit}"))
    mistyped = npi[:place] + str((int(npi[place]) + shift) % 10) + npi[place + 1 :]
    assert not npi_is_valid(mistyped)


def test_the_sample_list_agrees() -> None:
    if not DATA.exists():
        pytest.skip("npis.csv is not beside the project")
    with DATA.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert [row["npi"] for row in rows if npi_is_valid(row["npi"]) != (row["valid"] == "1")] == []
