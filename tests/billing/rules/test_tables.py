"""The tables against the published lists, where those lie beside the project."""

import csv
from pathlib import Path

import pytest

from billing.rules import combinations, ncci
from billing.rules.facts import PayerClass
from billing.rules.registry import check
from billing.rules.tables.code_pairs import CRISIS_PAIRS, SEPARATE_ONLY, TIMED_WITH_CRISIS
from billing.rules.tables.filing_codes import FILING_CODES, FITTING
from billing.rules.tables.places_of_service import PLACES_OF_SERVICE
from billing.rules.tables.procedures import (
    ADD_ON_TO,
    LABELS,
    MINUTES,
    has_form,
    in_code_set,
    is_evaluation_and_management,
    name_of,
)
from billing.rules.tables.states import ZIP_PREFIXES, zip_is_in_state
from billing.rules.tables.taxonomies import TAXONOMIES
from tests.billing.rules.cast import lines

DATA = Path(__file__).resolve().parents[4] / "shared" / "data"


def _rows(name: str) -> list[dict[str, str]]:
    path = DATA / name
    if not path.exists():
        pytest.skip(f"{name} is not beside the project")
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def test_places_of_service_are_the_published_ones() -> None:
    assert sorted(PLACES_OF_SERVICE) == sorted(row["code"] for row in _rows("place_of_service.csv"))


def test_filing_codes_are_those_of_a_professional_claim() -> None:
    published = {row["code"] for row in _rows("claim_filing_indicator.csv") if "SBR09" in row["used_in"]}
    assert set(FILING_CODES) == published


def test_every_class_of_payers_has_known_filing_codes() -> None:
    assert set(FITTING) == set(PayerClass)
    assert {code for codes in FITTING.values() for code in codes} <= set(FILING_CODES)


def test_the_filing_codes_of_known_payers_fit_their_class() -> None:
    classes = {
        "blue": PayerClass.BLUE,
        "medicare": PayerClass.MEDICARE,
        "medicare_advantage": PayerClass.MEDICARE_ADVANTAGE,
        "medicaid": PayerClass.MEDICAID,
        "medicaid_managed": PayerClass.MEDICAID_MANAGED,
        "tricare": PayerClass.TRICARE,
        "va": PayerClass.VETERANS,
        "hmo": PayerClass.HMO,
        "commercial": PayerClass.COMMERCIAL,
    }
    for row in _rows("payers_core.csv"):
        if row["kind"] in classes:
            assert row["claim_filing_indicator"] in FITTING[classes[row["kind"]]], row["payer_name"]


def test_the_published_taxonomies_are_known() -> None:
    assert {row["code"] for row in _rows("nucc_taxonomy_behavioral.csv")} <= set(TAXONOMIES)


@pytest.mark.parametrize("code", TAXONOMIES)
def test_a_taxonomy_has_its_form(code: str) -> None:
    assert len(code) == 10
    assert code.endswith("X")


def test_the_behavioural_procedures_have_a_label() -> None:
    assert {row["code"] for row in _rows("cpt_behavioral.csv")} <= set(LABELS)


def test_the_minutes_are_the_published_ones() -> None:
    for row in _rows("cpt_behavioral.csv"):
        if row["code"] in MINUTES:
            last = int(row["minutes_to"]) if row["minutes_to"] else None
            assert MINUTES[row["code"]] == (int(row["minutes_from"]), last)


def test_add_ons_stand_beside_the_published_code() -> None:
    published = {row["code"]: row["needs_same_day"] for row in _rows("cpt_behavioral.csv")}
    for code, primaries in ADD_ON_TO.items():
        if code in published:
            assert published[code] in primaries


def test_pairs_that_are_never_paid_are_published_so() -> None:
    published = {
        frozenset({row["code_1"], row["code_2"]}): row["modifier_indicator"]
        for row in _rows("cpt_pairs_behavioral.csv")
    }
    listed = [pair for pair in CRISIS_PAIRS | TIMED_WITH_CRISIS if pair in published]
    assert len(listed) >= 10
    assert all(published[pair] == "0" for pair in listed)
    assert all(published[pair] == "1" for pair in SEPARATE_ONLY if pair in published)


def test_every_published_pair_is_found() -> None:
    rules = (*combinations.RULES, *ncci.RULES)
    silent = [
        (row["code_1"], row["code_2"])
        for row in _rows("cpt_pairs_behavioral.csv")
        if not check(lines(row["code_1"], row["code_2"]), rules=rules).findings
    ]
    assert silent == []


@pytest.mark.parametrize("code", LABELS)
def test_a_procedure_has_its_form(code: str) -> None:
    assert has_form(code)
    assert in_code_set(code)


@pytest.mark.parametrize("code", ["00000", "00099", "09999", "69991", "99999", "9083", "W1234", "908371"])
def test_what_is_no_procedure(code: str) -> None:
    assert not (has_form(code) and in_code_set(code))


@pytest.mark.parametrize(
    ("code", "visit"), [("99213", True), ("99408", False), ("90834", False), ("H0004", False)]
)
def test_what_is_a_medical_visit(code: str, visit: bool) -> None:
    assert is_evaluation_and_management(code) is visit


def test_a_code_never_stands_alone_where_it_has_a_name() -> None:
    assert name_of("90837") == "90837 (psychotherapy, 60 minutes)"
    assert name_of("A1234") == "A1234"


def test_all_states_and_territories_are_there() -> None:
    states = 50
    district, territories, associated, military = 1, 5, 3, 3
    assert len(ZIP_PREFIXES) == states + district + territories + associated + military


@pytest.mark.parametrize(
    ("zip_code", "state"),
    [("10001", "NY"), ("00501", "NY"), ("06390", "NY"), ("90210", "CA"), ("02108", "MA"), ("00901", "PR"),
     ("99501", "AK"), ("20001", "DC"), ("20101", "VA"), ("33101", "FL"), ("88510", "TX"), ("96910", "GU")],
)  # fmt: skip
def test_a_zip_lies_in_its_state_and_not_in_another(zip_code: str, state: str) -> None:
    assert zip_is_in_state(zip_code, state=state)
    assert zip_is_in_state(f"{zip_code}1234", state=state)
    assert not zip_is_in_state(zip_code, state="WA")


def test_no_prefix_belongs_to_two_states_but_for_a_few_towns() -> None:
    owners: dict[int, set[str]] = {}
    for state, ranges in ZIP_PREFIXES.items():
        for first, last in ranges:
            for prefix in range(first, last + 1):
                owners.setdefault(prefix, set()).add(state)
    shared = {prefix for prefix, states in owners.items() if len(states) > 1}
    assert shared == {63, 834, 967, 969}
