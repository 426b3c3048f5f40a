"""Which charge rate prices a service line, and why: the nearest scope first, then the closest fit."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from statistics import median
from uuid import UUID

from django.db.models import Q

from partners.models import Mode
from providers.models import ChargeRate, ChargeSchedule, Provider

LicenseClass = ChargeRate.LicenseClass
SCOPES = (ChargeSchedule.Scope.PRACTICE, ChargeSchedule.Scope.PARTNER, ChargeSchedule.Scope.SERVICE)
PRESCRIBER_TAXONOMIES = ("2084", "363L", "363A", "364S", "207", "208")


@dataclass(frozen=True, slots=True)
class Service:
    """What is to be priced: code, modifiers, units."""

    procedure_code: str
    modifiers: tuple[str, ...] = ()
    units: int = 1


@dataclass(frozen=True, slots=True)
class Price:
    """The charge of a line in dollars, the rate that gave it, and each rate that it beat, best first."""

    charge: Decimal
    rate: ChargeRate
    beaten: tuple[ChargeRate, ...]
    schedule_median: Decimal


def license_class_of(taxonomy_code: str) -> str:
    """The class of license that a taxonomy code stands for; empty when there is none to go by."""
    if not taxonomy_code:
        return LicenseClass.ANY
    if taxonomy_code.startswith(PRESCRIBER_TAXONOMIES):
        return LicenseClass.PRESCRIBER
    return LicenseClass.DOCTORAL if taxonomy_code.startswith("103") else LicenseClass.MASTER


def price(
    services: Sequence[Service], *, provider: Provider, payer_id: str, place_of_service: str, on: date
) -> list[Price | None]:
    """The price of each service on its date, None where no rate fits; one query for all."""
    rates = _rates_in_force(
        {service.procedure_code for service in services},
        mode=provider.mode,
        partner_id=provider.partner_id,
        practice_id=provider.practice_id,
        on=on,
    )
    license_class = license_class_of(provider.taxonomy_code or provider.inferred_taxonomy_code)
    return [
        _best(
            service,
            rates=[rate for rate in rates if rate.procedure_code == service.procedure_code],
            payer_id=payer_id,
            place_of_service=place_of_service,
            license_class=license_class,
        )
        for service in services
    ]


def _rates_in_force(
    codes: Iterable[str], *, mode: str, partner_id: UUID, practice_id: UUID, on: date
) -> list[ChargeRate]:
    schedules = (
        Q(schedule__scope="practice", schedule__practice_id=practice_id)
        | Q(schedule__scope="partner", schedule__partner_id=partner_id)
        | Q(schedule__scope="service")
    )
    rates = ChargeRate.objects.filter(schedules, procedure_code__in=sorted(codes), valid__contains=on)
    if mode == Mode.LIVE:
        rates = rates.filter(schedule__sample=False)
    return list(rates.select_related("schedule"))


def _best(
    service: Service, *, rates: list[ChargeRate], payer_id: str, place_of_service: str, license_class: str
) -> Price | None:
    """The fitting rate of the nearest scope that names most; at equal rank a real schedule beats a sample."""
    modifiers = sorted(service.modifiers)
    fitting = [
        rate
        for rate in rates
        if (rate.modifiers is None or rate.modifiers == modifiers)
        and rate.place_of_service in ("", place_of_service)
        and rate.payer_id in ("", payer_id)
        and rate.license_class in ("", license_class)
    ]
    if not fitting:
        return None
    ranked = sorted(fitting, key=_rank)
    return Price(
        charge=ranked[0].unit_charge * service.units,
        rate=ranked[0],
        beaten=tuple(ranked[1:]),
        schedule_median=Decimal(median(rate.unit_charge for rate in rates)),
    )


def _rank(rate: ChargeRate) -> tuple[int, bool, int]:
    schedule = rate.schedule
    return SCOPES.index(ChargeSchedule.Scope(schedule.scope)), schedule.sample, -dimensions_named(rate)


def dimensions_named(rate: ChargeRate) -> int:
    """How many of modifiers, place, payer and license the rate names: the more, the closer the fit."""
    return (
        (rate.modifiers is not None)
        + bool(rate.place_of_service)
        + bool(rate.payer_id)
        + bool(rate.license_class)
    )
