"""Which rate prices a service: nearest scope, closest fit, days; and what the database refuses."""

from datetime import date
from decimal import Decimal

import pytest
from django.db import IntegrityError, transaction
from django.db.backends.postgresql.psycopg_any import DateRange

from partners.models import Mode, Partner
from providers.charges import Order, Price, Service, license_class_of, price
from providers.models import ChargeRate, ChargeSchedule, Practice, Provider
from providers.sample_charges import load_sample_charges

pytestmark = pytest.mark.django_db
DAY = date(2030, 5, 6)


@pytest.fixture
def provider() -> Provider:
    return provider_of(Mode.LIVE)


def provider_of(mode: Mode) -> Provider:
    partner = Partner.objects.create(name="Harborlight", slug=f"harborlight-{mode}", mode=mode)
    practice = Practice.objects.create(
        partner=partner,
        name="Calm Harbor",
        tax_id="123456789",
        street="1 Main St",
        city="Austin",
        state="TX",
        zip="787011234",
        fingerprint=b"",
    )
    return Provider.objects.create(
        partner=partner,
        mode=mode,
        practice=practice,
        npi="1234567893",
        first_name="Ana",
        last_name="Rivera",
        taxonomy_code="101YM0800X",
    )


def schedule(scope: str, provider: Provider) -> ChargeSchedule:
    return ChargeSchedule.objects.create(
        name=scope,
        scope=scope,
        partner=provider.partner if scope != "service" else None,
        practice=provider.practice if scope == "practice" else None,
    )


def rate(of: ChargeSchedule, amount: str, code: str = "90837", **dimensions: object) -> ChargeRate:
    valid = dimensions.pop("valid", DateRange(date(2030, 1, 1), None))
    return ChargeRate.objects.create(
        schedule=of, procedure_code=code, unit_charge=Decimal(amount), valid=valid, **dimensions
    )


def price_of(provider: Provider, *modifiers: str, on: date = DAY, units: int = 1) -> Price | None:
    order = Order([Service("90837", modifiers, units)], provider, "60054", "telehealth", on)
    return price([order])[0][0]


def charged(provider: Provider, *modifiers: str, **details: object) -> Decimal | None:
    found = price_of(provider, *modifiers, **details)
    return found.charge if found else None


def test_the_practices_rate_beats_the_partners_and_the_services(provider: Provider) -> None:
    rate(schedule("service", provider), "150.00")
    rate(schedule("partner", provider), "165.00")
    rate(schedule("practice", provider), "180.00")
    found = price_of(provider)
    assert found is not None
    assert found.charge == Decimal("180.00")
    assert [each.unit_charge for each in found.beaten] == [Decimal("165.00"), Decimal("150.00")]


def test_within_a_scope_the_rate_that_names_more_wins(provider: Provider) -> None:
    practice = schedule("practice", provider)
    rate(practice, "180.00")
    rate(practice, "172.00", modifiers=["95"])
    rate(practice, "168.00", modifiers=["95"], payer_id="60054")
    assert charged(provider, "95") == Decimal("168.00")
    assert charged(provider) == Decimal("180.00")


@pytest.mark.parametrize(
    "other",
    [
        {"payer_id": "87726"},
        {"place_of_service": "office"},
        {"license_class": "doctoral"},
        {"modifiers": ["GT"]},
        {"valid": DateRange(date(2030, 6, 1), None)},
    ],
)
def test_a_rate_for_something_else_prices_nothing(provider: Provider, other: dict[str, object]) -> None:
    rate(schedule("practice", provider), "180.00", **other)
    assert charged(provider, "95") is None


def test_units_multiply(provider: Provider) -> None:
    rate(schedule("service", provider), "105.00")
    assert charged(provider, units=3) == Decimal("315.00")


def test_a_rate_serves_up_to_its_last_day(provider: Provider) -> None:
    service = schedule("service", provider)
    rate(service, "150.00", valid=DateRange(date(2030, 1, 1), date(2030, 5, 6)))
    rate(service, "160.00", valid=DateRange(date(2030, 5, 6), None))
    assert charged(provider, on=date(2030, 5, 5)) == Decimal("150.00")
    assert charged(provider, on=date(2030, 5, 6)) == Decimal("160.00")


def test_another_partners_rates_price_nothing(provider: Provider) -> None:
    rate(schedule("partner", provider_of(Mode.TEST)), "99.00")
    assert charged(provider) is None


def test_sample_charges_never_price_a_live_claim(provider: Provider) -> None:
    load_sample_charges()
    assert charged(provider) is None
    assert charged(provider_of(Mode.TEST)) == Decimal("180.00")


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ({}, {}),
        ({"modifiers": ["95"]}, {"modifiers": ["95"]}),
        ({"modifiers": ["95"]}, {"payer_id": "60054"}),
        ({"license_class": "master"}, {"place_of_service": "office"}),
    ],
)
def test_two_rates_that_could_fit_one_service_equally_are_refused(
    provider: Provider, first: dict[str, object], second: dict[str, object]
) -> None:
    of = schedule("practice", provider)
    rate(of, "180.00", **first)
    with pytest.raises(IntegrityError, match="rate_is_the_only_best"), transaction.atomic():
        rate(of, "170.00", **second)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ({}, {"modifiers": ["95"]}),
        ({"payer_id": "60054"}, {"payer_id": "87726"}),
        ({"modifiers": ["95"]}, {"modifiers": ["GT"]}),
        ({"modifiers": []}, {"modifiers": ["95"]}),
        (
            {"valid": DateRange(date(2030, 1, 1), date(2030, 2, 1))},
            {"valid": DateRange(date(2030, 2, 1), None)},
        ),
    ],
)
def test_rates_that_never_meet_stand_side_by_side(
    provider: Provider, first: dict[str, object], second: dict[str, object]
) -> None:
    of = schedule("practice", provider)
    rate(of, "180.00", **first)
    rate(of, "170.00", **second)
    assert of.rates.count() == 2


def test_a_rate_of_nothing_is_refused(provider: Provider) -> None:
    with pytest.raises(IntegrityError, match="rate_above_zero"), transaction.atomic():
        rate(schedule("service", provider), "0.00")


@pytest.mark.parametrize(
    ("taxonomy", "license_class"),
    [("2084P0800X", "prescriber"), ("103TC0700X", "doctoral"), ("1041C0700X", "master"), ("", "")],
)
def test_the_license_class_follows_from_the_taxonomy(taxonomy: str, license_class: str) -> None:
    assert license_class_of(taxonomy) == license_class
