"""The values that the claim is built from, after the repairs."""

from datetime import date, timedelta

import pytest

from billing.rules.facts import (
    Address,
    ClaimFacts,
    CodeSource,
    Mode,
    OriginalState,
    PayerCandidate,
    PayerClass,
    PayerMatch,
    PayerMatchOutcome,
    TelehealthModifier,
)
from billing.rules.registry import Severity, check
from tests.billing.rules.cast import NPI, a_claim, line, lines, note, profile, telehealth


def _repaired(facts: ClaimFacts) -> ClaimFacts:
    return check(facts).repaired


def _modifiers(facts: ClaimFacts) -> list[tuple[str, ...]]:
    return [procedure.modifiers for procedure in _repaired(facts).procedures]


def test_the_member_id_loses_blanks_and_dashes() -> None:
    coverage = _repaired(a_claim(coverage={"member_id": "qzx 987-654"})).coverage
    assert (coverage.member_id, coverage.member_id_on_card) == ("QZX987654", "qzx 987-654")


def test_a_name_without_any_letter_left_is_only_told_by_the_rule_that_holds_it() -> None:
    result = check(a_claim(patient={"first_name": "李"}))
    assert [(each.rule_id, each.path) for each in result.blocking] == [("ADR-004", "patient.firstName")]
    assert result.warnings == ()


def test_lost_letters_are_told_with_their_field() -> None:
    (warning,) = check(a_claim(patient={"last_name": "Quackenbush 李"})).warnings
    assert "in patient.lastName" in warning.message


def test_lost_letters_of_a_name_that_no_update_changes_are_not_asked_for_again() -> None:
    (warning,) = check(a_claim(provider={"last_name": "Quackenbush 李"})).warnings
    assert "Send" not in warning.message
    assert "billing staff" in warning.message


def test_letters_lost_from_a_payers_name_are_told_only_where_the_claim_has_that_name() -> None:
    named = {"payer_name": "Aetna 李"}
    assert check(a_claim(coverage=named)).warnings == ()
    (warning,) = check(
        a_claim(coverage=named, payer_match=PayerMatch(PayerMatchOutcome.EXACT, "60054"))
    ).warnings
    assert warning.path == "patient.insurance.payerName"


def test_the_payer_id_is_filled_from_the_only_payer_of_that_name() -> None:
    coverage = _repaired(a_claim(coverage={"payer_id": None, "payer_name": "Aetna Inc"})).coverage
    assert (coverage.payer_id, coverage.payer_name) == ("60054", "Aetna")


@pytest.mark.parametrize(("many", "words"), [(2, "Two payers fit"), (5, "Five payers or more fit")])
def test_who_could_be_meant_is_told_to_be_cut_short_where_it_is(many: int, words: str) -> None:
    candidates = tuple(PayerCandidate(f"1000{number}", f"Payer {number}") for number in range(many))
    match = PayerMatch(PayerMatchOutcome.CANDIDATES, candidates=candidates)
    found = check(a_claim(coverage={"payer_id": None}, payer_match=match)).blocking
    assert [each.message.split(" the payer's name: ")[0] for each in found] == [words]


def test_leading_zeros_come_back() -> None:
    match = PayerMatch(PayerMatchOutcome.EXACT, "00621", "BCBS of Illinois")
    assert _repaired(a_claim(coverage={"payer_id": "621"}, payer_match=match)).coverage.payer_id == "00621"


@pytest.mark.parametrize(
    ("payer_class", "chosen", "sent"),
    [
        (PayerClass.BLUE, "CI", "BL"),
        (PayerClass.BLUE, None, "BL"),
        (PayerClass.MEDICARE, None, "MB"),
        (PayerClass.MEDICAID, "CI", "MC"),
        (PayerClass.MEDICAID_MANAGED, "HM", "HM"),
        (PayerClass.MEDICARE_ADVANTAGE, None, "16"),
        (PayerClass.TRICARE, None, "CH"),
        (PayerClass.VETERANS, None, "VA"),
        (PayerClass.FEDERAL_EMPLOYEES, None, "FI"),
        (PayerClass.OTHER_FEDERAL, None, "OF"),
        (PayerClass.HMO, None, "HM"),
        (PayerClass.PPO, None, "12"),
        (PayerClass.POINT_OF_SERVICE, None, "13"),
        (PayerClass.EXCLUSIVE_PROVIDER, None, "14"),
        (PayerClass.INDEMNITY, None, "15"),
        (PayerClass.COMMERCIAL, "12", "12"),
        (PayerClass.COMMERCIAL, None, "CI"),
        (None, "HM", "HM"),
        (None, None, "CI"),
    ],
)
def test_the_filing_code_fits_the_payer(
    payer_class: PayerClass | None, chosen: str | None, sent: str
) -> None:
    facts = a_claim(profile=profile(payer_class=payer_class, filing_code=chosen))
    assert _repaired(facts).coverage.filing_code == sent


def test_a_payer_that_nobody_knows_has_the_filing_code_for_that() -> None:
    facts = a_claim(payer_match=PayerMatch(PayerMatchOutcome.UNKNOWN), mode=Mode.TEST)
    assert _repaired(facts).coverage.filing_code == "ZZ"


def test_a_practice_with_the_therapists_npi_is_solo() -> None:
    assert _repaired(a_claim(practice={"npi": NPI})).practice.npi is None


def test_the_taxonomy_comes_from_the_words_where_none_was_sent() -> None:
    provider = _repaired(a_claim(provider={"taxonomy_code": None, "specialty": "Psychologist"})).provider
    assert (provider.taxonomy_code, provider.taxonomy_inferred) == ("103T00000X", True)


@pytest.mark.parametrize(
    ("looked_up", "sent"), [(None, "787010000"), ("787011234", "787011234"), ("100011234", "787010000")]
)
def test_a_short_zip_is_looked_up_or_padded(looked_up: str | None, sent: str) -> None:
    short = {"address": Address("100 Main St", "Austin", "TX", "78701"), "zip_plus_four": looked_up}
    assert _repaired(a_claim(practice=short)).practice.address.zip == sent


def test_an_impossible_phone_number_is_left_out() -> None:
    assert _repaired(a_claim(practice={"phone": "0005550123"})).practice.phone is None


def test_accents_come_off_before_the_text_is_cut() -> None:
    patient = _repaired(a_claim(patient={"first_name": "ß" * 20, "last_name": "Müller"})).patient
    assert (patient.first_name, patient.last_name) == ("s" * 35, "Muller")


def test_nothing_that_separates_segments_is_left() -> None:
    facts = a_claim(
        patient={"last_name": "Doe~SE*1:2^3"}, coverage={"group_number": "G*1~", "payer_name": "Aet:na"}
    )
    fixed = _repaired(facts)
    texts = f"{fixed.patient.last_name} {fixed.coverage.group_number} {fixed.coverage.payer_name}"
    assert not set("*:^~") & set(texts)


def test_telehealth_lines_get_95_where_nothing_else_is_said() -> None:
    assert _modifiers(telehealth("90834", line("90785", "HO"))) == [("95",), ("HO",)]


def test_office_lines_get_nothing() -> None:
    assert _modifiers(lines("90834")) == [()]


def test_a_code_from_an_audio_only_note_gets_93() -> None:
    facts = telehealth(line("90834", source=CodeSource.NOTE), note=note(audio_only=True))
    assert _modifiers(facts) == [("93",)]


@pytest.mark.parametrize(
    ("policy", "sent"),
    [
        (TelehealthModifier.NINETY_FIVE, ("95",)),
        (TelehealthModifier.GT, ("GT",)),
        (TelehealthModifier.NONE, ()),
    ],
)
def test_the_payer_chooses_the_telehealth_modifier(policy: TelehealthModifier, sent: tuple[str, ...]) -> None:
    session = telehealth("90834", line("90785", "95"), profile=profile(telehealth_modifier=policy))
    assert _modifiers(session) == [sent, sent]


@pytest.mark.parametrize(("wanted", "code"), [(None, "10"), ("02", "02"), ("11", "11"), ("00", "10")])
def test_telehealth_is_place_10_unless_the_payer_wants_another(wanted: str | None, code: str) -> None:
    facts = telehealth("90834", profile=profile(telehealth_place_of_service=wanted))
    assert _repaired(facts).session.place_of_service_code == code


@pytest.mark.parametrize(
    ("day", "wanted", "code"),
    [
        (date(2021, 12, 31), None, "02"),
        (date(2021, 12, 31), "10", "02"),
        (date(2021, 12, 31), "11", "11"),
        (date(2022, 1, 1), None, "10"),
        (date(2022, 1, 1), "02", "02"),
    ],
)
def test_telehealth_is_place_02_before_there_was_a_place_10(day: date, wanted: str | None, code: str) -> None:
    session = {"date_of_service": day}
    facts = telehealth("90834", session=session, profile=profile(telehealth_place_of_service=wanted))
    assert _repaired(facts).session.place_of_service_code == code


def test_office_is_place_11() -> None:
    assert _repaired(a_claim()).session.place_of_service_code == "11"


@pytest.mark.parametrize(
    ("frequency", "original", "sent"),
    [
        ("1", OriginalState.NONE, "1"),
        ("7", OriginalState.REJECTED, "1"),
        ("1", OriginalState.ADJUDICATED, "7"),
        ("7", OriginalState.ADJUDICATED, "7"),
        ("8", OriginalState.ADJUDICATED, "8"),
    ],
)
def test_the_frequency_follows_from_what_became_of_the_original(
    frequency: str, original: OriginalState, sent: str
) -> None:
    version = {"frequency": frequency, "original": original, "payer_control_number": "1"}
    assert _repaired(a_claim(version=version)).version.frequency == sent


def test_a_facility_at_the_practices_address_is_left_out() -> None:
    practice = a_claim().practice.address
    shouted = Address(
        practice.street.upper() + ".", practice.city, practice.state, practice.zip[:5], practice.line2
    )
    assert _repaired(a_claim(format={"service_facility": shouted})).format.service_facility is None


def test_a_repair_of_the_patients_data_keeps_the_value_to_itself() -> None:
    result = check(a_claim(coverage={"member_id": "QZX 987"}, patient={"last_name": "Zoë"}))
    changes = [change for finding in result.of(Severity.REPAIR) for change in finding.changes]
    assert changes
    assert all(change.value is None for change in changes)


def test_what_is_already_right_is_left_as_it_is() -> None:
    repaired = _repaired(a_claim())
    assert repaired.patient == a_claim().patient
    assert repaired.practice == a_claim().practice
    assert repaired.today - repaired.session.date_of_service == timedelta(days=3)
