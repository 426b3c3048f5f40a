"""Payers' codes in plain words."""

import csv
import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from billing.adjustment_reasons import COLLECT, REASONS
from billing.adjustment_words import Explanation, WhoActs, explain_adjustment, explain_remark, explain_status
from billing.remark_reasons import REMARKS
from billing.status_reasons import CATEGORIES, ENTITIES, STATUSES

DATA = Path(__file__).resolve().parents[3] / "shared" / "data"
ENTRIES = [
    pytest.param(entry, id=f"{name}-{code}")
    for name, table in (("carc", REASONS), ("rarc", REMARKS), ("status", STATUSES))
    for code, entry in table.items()
]


def _official(name: str, column: str) -> set[str]:
    path = DATA / name
    if not path.exists():
        pytest.skip(f"{name} is not beside the project")
    with path.open(encoding="utf-8", newline="") as file:
        return {row[column] for row in csv.DictReader(file)}


def test_a_missing_authorization_is_the_partners() -> None:
    found = explain_adjustment("CO", "197")
    assert found == Explanation(
        code="CO-197",
        words="no authorization is on file",
        context="written down under the contract; the patient doesn't owe it",
        who_acts=WhoActs.PARTNER,
        fix="Ask the payer whether it grants one afterwards; this service sends no authorization numbers.",
        known=True,
    )
    assert found.sentence == "No authorization is on file (CO-197)."


def test_the_deductible_is_the_patients() -> None:
    found = explain_adjustment("PR", "1")
    assert (found.who_acts, found.context) == (WhoActs.PATIENT, "the patient owes it")


def test_a_contractual_write_off_needs_nobody() -> None:
    assert explain_adjustment("CO", "45").who_acts is WhoActs.NOBODY


def test_what_needs_nobody_is_the_patients_under_patient_responsibility() -> None:
    found = explain_adjustment("PR", "45")
    assert (found.who_acts, found.fix) == (WhoActs.PATIENT, "Collect it from the patient.")


@pytest.mark.parametrize("group", ["CO", "PI"])
def test_what_the_payer_puts_on_the_practice_is_not_collected_from_the_patient(group: str) -> None:
    found = explain_adjustment(group, "179")
    assert found.who_acts is WhoActs.WE
    assert "Collect" not in found.fix
    assert explain_adjustment("PR", "179").who_acts is WhoActs.PATIENT


@pytest.mark.parametrize("written", ["045", " 45 ", "45"])
def test_a_reason_is_known_however_it_is_written(written: str) -> None:
    assert explain_adjustment("co", written) == explain_adjustment("CO", "45")


@pytest.mark.parametrize("group", ["CO", "XX"])
def test_an_unknown_reason_is_not_told_as_what_its_group_means(group: str) -> None:
    found = explain_adjustment(group, "987")
    assert (found.words, found.known) == (f"{group}-987", False)
    assert found.sentence == f"Only the code tells the reason ({group}-987)."
    assert found.who_acts is WhoActs.UNKNOWN


def test_a_psychiatric_reduction_needs_nobody_unless_the_patient_owes_it() -> None:
    assert explain_adjustment("CO", "122").words == "the plan pays less for mental health care"
    assert explain_adjustment("CO", "122").who_acts is WhoActs.NOBODY
    assert explain_adjustment("PR", "122").who_acts is WhoActs.PATIENT


def test_a_remark_in_words() -> None:
    found = explain_remark("n382")
    assert (found.code, found.who_acts) == ("N382", WhoActs.PARTNER)
    assert found.sentence == "The member ID is missing or wrong (N382)."


def test_an_unknown_remark_is_the_bare_code() -> None:
    assert explain_remark("N9999").words == "N9999"


def test_a_status_names_whom_it_is_about() -> None:
    found = explain_status("A7", "164", "IL")
    assert found.code == "A7:164:IL"
    assert found.words == "the member ID of the insured person isn't what the payer has"
    assert found.context == "sent back: something is wrong"
    assert found.who_acts is WhoActs.PARTNER


@pytest.mark.parametrize(
    ("entity", "who"), [("85", "billing practice"), ("82", "therapist"), (None, "party named")]
)
def test_an_npi_problem_names_whose(entity: str | None, who: str) -> None:
    assert explain_status("A7", "562", entity).words == f"the payer doesn't know the NPI of the {who}"


def test_an_unknown_status_keeps_its_category() -> None:
    found = explain_status("A3", "9999", "QC")
    assert (found.words, found.context, found.known) == (
        "A3:9999:QC",
        "sent back before anyone judged it",
        False,
    )


@pytest.mark.parametrize("entry", ENTRIES)
def test_an_entry_has_words_an_actor_and_a_fix_in_the_house_voice(entry: tuple[str, str, str]) -> None:
    words, who_acts, fix = entry
    assert who_acts in set(WhoActs)
    assert words[0].islower()
    assert not words.endswith(".")
    assert fix[0].isupper()
    assert fix.endswith(".")
    assert not re.search(r"\b(please|invalid)\b", f"{words} {fix}", re.IGNORECASE)
    assert "{" not in words.replace("{who}", "")


@pytest.mark.parametrize("entry", [each for each in ENTRIES if each.values[0][1] == "partner"])
def test_a_partner_is_never_told_to_send_the_claim_again(entry: tuple[str, str, str]) -> None:
    assert not re.search(r"replacement|send the claim|send it again|^Correct", entry[2])


@pytest.mark.parametrize("entry", [each for each in ENTRIES if each.values[0][1] == "patient"])
def test_what_the_patient_is_to_do_the_partner_asks_for_or_collects(entry: tuple[str, str, str]) -> None:
    assert entry[2] == COLLECT or entry[2].startswith("Ask the patient ")


def test_staff_are_told_to_send_what_the_partner_found_out() -> None:
    found = explain_status("A7", "164", "IL")
    assert found.fix == "Compare it with the insurance card."
    assert found.staff_fix == (
        "Ask the partner to compare it with the insurance card, then correct it and send the claim again."
    )
    assert explain_adjustment("CO", "197").staff_fix == ""
    assert explain_adjustment("CO", "16").staff_fix == ""


def test_the_tables_cover_what_a_therapy_claim_meets() -> None:
    assert len(REASONS) >= 60
    assert len(STATUSES) >= 40
    assert set(CATEGORIES) >= {f"A{number}" for number in range(9)}
    assert set(ENTITIES) >= {"IL", "QC", "PR", "85", "82", "41", "AY"}


SEEN_IN_THERAPY = """
1 2 3 4 5 6 8 9 11 15 16 18 19 20 22 23 24 26 27 29 31 32 35 39 45 49 50 55 58 59 95 96 97 100 102
104 107 109 119 122 125 129 131 133 136 137 140 144 146 147 149 150 151 152 161 163 165 166 167 170
171 172 177 181 182 183 185 186 187 192 193 197 198 200 204 206 207 208 209 210 216 222 223 226 227
231 234 236 238 242 243 245 246 250 251 252 253 256 257 258 260 267 272 273 275 276 277 279 281 284
286 287 288 296 299 300 301 302 303 A0 A1 B1 B7 B8 B9 B10 B11 B12 B13 B14 B15 B16 B20 B22 P12 P14
"""


@pytest.mark.parametrize("code", SEEN_IN_THERAPY.split())
def test_what_payers_of_therapy_give_as_reasons_has_words(code: str) -> None:
    assert explain_adjustment("CO", code).known


def test_every_reason_exists() -> None:
    assert set(REASONS) <= _official("carc.csv", "code")


def test_every_remark_exists() -> None:
    assert set(REMARKS) <= _official("rarc.csv", "code")


def test_every_status_exists() -> None:
    assert set(STATUSES) <= _official("claim_status_codes.csv", "code")


def test_every_category_exists_and_none_is_left_out_of_the_acknowledgements() -> None:
    official = _official("claim_status_category.csv", "code")
    assert set(CATEGORIES) <= official
    assert {code for code in official if code.startswith("A")} <= set(CATEGORIES)


@given(st.text(max_size=6), st.text(max_size=6), st.text(max_size=4))
@settings(max_examples=100)
def test_no_code_is_too_odd_to_explain(first: str, second: str, third: str) -> None:
    for found in (
        explain_adjustment(first, second),
        explain_remark(second),
        explain_status(first, second, third),
    ):
        assert found.fix.endswith(".")
