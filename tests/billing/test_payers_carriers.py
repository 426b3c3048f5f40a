from collections import Counter

import pytest

from billing.models import ClaimFilingCode, Payer, PayerClass, PayerProfile, TelehealthModifierPolicy
from billing.payers.carriers import CARRIERS
from billing.payers.catalog import record_carriers
from billing.payers.names import search_text
from billing.rules.facts import PayerClass as RulesPayerClass
from billing.rules.facts import TelehealthModifier
from billing.rules.member_id_form import form_of
from billing.rules.tables.filing_codes import FITTING


def test_the_table_holds_the_carriers_that_therapy_claims_go_to():
    assert len(CARRIERS) >= 280
    classes = Counter(carrier.payer_class for carrier in CARRIERS)
    assert classes[PayerClass.BLUE] >= 55
    assert classes[PayerClass.MEDICAID] == 51
    assert classes[PayerClass.MEDICARE] >= 52


def test_no_payer_id_occurs_twice():
    assert len({carrier.payer_id for carrier in CARRIERS}) == len(CARRIERS)


def test_no_two_carriers_have_one_name():
    assert len({search_text(carrier.name) for carrier in CARRIERS}) == len(CARRIERS)


def test_every_carrier_is_a_valid_payer():
    for carrier in CARRIERS:
        payer = Payer(
            payer_id=carrier.payer_id,
            name=carrier.name,
            prominence=carrier.prominence,
            states=list(carrier.states),
        )
        payer.clean_fields(exclude=["search_text"])


def test_every_filing_code_fits_its_class():
    assert [
        carrier.payer_id
        for carrier in CARRIERS
        if carrier.filed_as() not in FITTING[RulesPayerClass(carrier.payer_class)]
    ] == []


def test_every_filing_limit_is_stated_with_its_basis():
    limits = {carrier.to_be_filed_within() for carrier in CARRIERS}
    assert all(30 <= limit.days <= 730 and 0 < len(limit.basis) <= 200 for limit in limits)


@pytest.mark.parametrize(
    ("pattern", "example"), sorted({carrier.member_id for carrier in CARRIERS if carrier.member_id[0]})
)
def test_a_member_id_pattern_takes_its_example(pattern: str, example: str):
    assert form_of(pattern).fullmatch(example)


def test_payer_classes_and_modifier_policies_are_those_of_the_claim_rules():
    assert set(PayerClass.values) == {str(payer_class) for payer_class in RulesPayerClass}
    assert set(TelehealthModifierPolicy.values) == {str(modifier) for modifier in TelehealthModifier}


@pytest.mark.django_db
def test_recording_the_table_again_adds_nothing_and_keeps_what_staff_changed():
    record_carriers()
    PayerProfile.objects.filter(payer__payer_id="60054").update(
        timely_filing_days=45, timely_filing_confirmed=True
    )
    assert record_carriers() == 0
    profile = PayerProfile.objects.get(payer__payer_id="60054")
    assert (profile.timely_filing_days, profile.timely_filing_confirmed) == (45, True)


@pytest.mark.django_db
def test_every_recorded_payer_has_a_profile_that_nobody_has_confirmed():
    record_carriers()
    assert not Payer.objects.filter(profile__isnull=True).exists()
    assert not PayerProfile.objects.filter(timely_filing_confirmed=True).exists()
    assert PayerProfile.objects.get(payer__payer_id="84980").claim_filing_code == ClaimFilingCode.BLUE
