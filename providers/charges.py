"""Which charge rate prices a service line, and why: the nearest scope first, then the closest fit."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from statistics import median

from django.db.backends.postgresql.psycopg_any import DateRange
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


@dataclass(frozen=True, slots=True)
class Order:
    """The services of one session, to be priced together."""

    services: Sequence[Service]
    provider: Provider
    payer_id: str
    place_of_service: str
    on: date
    license_class: str | None = None
    """In place of the provider's own."""


def price(
    orders: Sequence[Order], *, change: Callable[[Sequence[ChargeRate]], Sequence[ChargeRate]] = lambda it: it
) -> list[list[Price | None]]:
    """The price of each service of each order, None where no rate fits; one query for all orders.

    `change` gives the rates as they would be, for those that serve now.
    """
    rates = change(_rates_for(orders))
    return [_prices(order, rates) for order in orders]


def _prices(order: Order, rates: Sequence[ChargeRate]) -> list[Price | None]:
    provider = order.provider
    license_class = order.license_class
    if license_class is None:
        license_class = license_class_of(provider.taxonomy_code or provider.inferred_taxonomy_code)
    in_force = [
        rate
        for rate in rates
        if order.on in rate.valid
        and (rate.schedule.practice_id in (None, provider.practice_id))
        and (rate.schedule.partner_id in (None, provider.partner_id))
        and not (rate.schedule.sample and provider.mode == Mode.LIVE)
    ]
    return [
        _best(
            service,
            rates=[rate for rate in in_force if rate.procedure_code == service.procedure_code],
            payer_id=order.payer_id,
            place_of_service=order.place_of_service,
            license_class=license_class,
        )
        for service in order.services
    ]


def _rates_for(orders: Sequence[Order]) -> list[ChargeRate]:
    """Every rate that may serve one of these orders."""
    codes = {service.procedure_code for order in orders for service in order.services}
    if not codes:
        return []
    schedules = (
        Q(schedule__scope="practice", schedule__practice__in={order.provider.practice_id for order in orders})
        | Q(schedule__scope="partner", schedule__partner__in={order.provider.partner_id for order in orders})
        | Q(schedule__scope="service")
    )
    days = [order.on for order in orders]
    return list(
        ChargeRate.objects.filter(
            schedules, procedure_code__in=codes, valid__overlap=DateRange(min(days), max(days), "[]")
        ).select_related("schedule")
    )


def _best(
    service: Service, *, rates: list[ChargeRate], payer_id: str, place_of_service: str, license_class: str
) -> Price | None:
    """The fitting rate of the nearest scope: a real schedule before a sample, then what names most."""
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
