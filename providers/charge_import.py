"""Charge rates from a CSV file: first a plan that a person can read, then all of it in one transaction.

Columns: code, amount, from, and optionally to (last day; 9999-12-31 is none), modifiers (blank-separated),
place (office or telehealth), payer_id, license (prescriber, doctoral, master). A rate is never edited: a new
amount ends the older rate on the day before and starts another.
"""

import csv
import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field
from datetime import date, timedelta
from decimal import Decimal
from hashlib import sha256
from typing import Any

from django.db import IntegrityError, transaction
from django.db.backends.postgresql.psycopg_any import DateRange

from billing.rules.tables.procedures import has_form
from partners.models import Partner
from providers.models import ChargeRate, ChargeSchedule, Practice

COLUMNS = ("code", "amount", "from", "to", "modifiers", "place", "payer_id", "license")
REQUIRED = ("code", "amount", "from")
MOST_ROWS = 10_000
AT_ONCE = 500
LONGEST_PAYER_ID = int(ChargeRate._meta.get_field("payer_id").max_length or 0)
HIGHEST_CHARGE = Decimal("99999999.99")
AMOUNT_FORM = re.compile(r"\$? ?((?:[0-9]+|[0-9]{1,3}(?:,[0-9]{3})+)(?:\.[0-9]*)?)")
MODIFIER_FORM = re.compile(r"[0-9A-Z]{2}")
ONE_DAY = timedelta(days=1)
Scope = ChargeSchedule.Scope


class ChargeImportError(Exception):
    """The file can't be read at all."""


@dataclass(frozen=True, slots=True)
class Refused:
    """A row that will not be imported, and why; rows count as a spreadsheet shows them, the heading first."""

    row: int
    why: str


@dataclass(frozen=True, slots=True)
class Gap:
    """Days that a rate which ends leaves without one; `last` is None where it had no end."""

    ended: ChargeRate
    first: date
    last: date | None


@dataclass(slots=True)
class Plan:
    """What an import would do to one schedule."""

    schedule: ChargeSchedule
    new: list[ChargeRate] = field(default_factory=list)
    ended: dict[ChargeRate, date] = field(default_factory=dict)
    """Rates that end, with their last day."""
    unchanged: int = 0
    refused: list[Refused] = field(default_factory=list)
    gaps: list[Gap] = field(default_factory=list)

    def summary(self) -> str:
        """The plan in one line."""
        return (
            f"{len(self.new)} new, {len(self.ended)} end an older rate, {self.unchanged} unchanged, "
            f"{len(self.refused)} refused"
        )

    @property
    def seen(self) -> str:
        """What of the plan depends on the rates that stand, in short: a confirmation names it."""
        ended = sorted((str(rate.pk), last_day.isoformat()) for rate, last_day in self.ended.items())
        told = repr((ended, self.unchanged, [refused.row for refused in self.refused]))
        return sha256(told.encode()).hexdigest()


def own_schedule(*, partner: Partner | None, practice: Practice | None) -> ChargeSchedule:
    """The schedule of a practice, else of a partner, else of the whole service; begun where there is none."""
    scope = Scope.PRACTICE if practice else Scope.PARTNER if partner else Scope.SERVICE
    schedule, _ = ChargeSchedule.objects.get_or_create(
        scope=scope,
        partner=practice.partner if practice else partner,
        practice=practice,
        sample=False,
        defaults={"name": f"Charges of {practice or partner or 'the service'}"[:100]},
    )
    return schedule


def plan_import(lines: Iterable[str], *, schedule: ChargeSchedule) -> Plan:
    """Read the rows and compare them with the schedule; writes nothing."""
    plan = Plan(schedule)
    standing: dict[tuple[object, ...], list[ChargeRate]] = defaultdict(list)
    for rate in schedule.rates.all():
        standing[_same(rate)].append(rate)
    seen: dict[tuple[object, ...], list[tuple[int, ChargeRate]]] = {}
    for number, row in _rows(lines):
        try:
            rate = _read(row, schedule)
        except ValueError as error:
            plan.refused.append(Refused(number, str(error)))
            continue
        clash = next(((at, other) for at, other in seen.get(_same(rate), []) if _meet(rate, other)), None)
        if clash is not None:
            plan.refused.append(Refused(number, _overlap(rate, *clash)))
            continue
        seen.setdefault(_same(rate), []).append((number, rate))
        _fit(plan, rate, standing[_same(rate)], number)
    for rate in plan.new:
        standing[_same(rate)].append(rate)
    for ended in plan.ended:
        plan.gaps += _gaps(ended, standing[_same(ended)])
    return plan


def apply_import(plan: Plan) -> None:
    """Carry the plan out, all or nothing; ChargeImportError when the schedule has changed meanwhile."""
    try:
        with transaction.atomic():
            for rate, last_day in plan.ended.items():
                rate.valid = DateRange(rate.valid.lower, last_day + ONE_DAY)
            ChargeRate.objects.bulk_update(plan.ended, ["valid"], batch_size=AT_ONCE)
            ChargeRate.objects.bulk_create(plan.new)
    except IntegrityError:
        raise ChargeImportError(
            "Two rates would fit one service equally well, or the schedule was changed meanwhile. Nothing "
            "was imported; look at the preview again."
        ) from None


def rates_after(plan: Plan, rates: Iterable[ChargeRate]) -> list[ChargeRate]:
    """These rates as they would be with the plan carried out; nothing is written."""
    kept = []
    for rate in rates:
        if (last_day := plan.ended.get(rate)) is not None:
            rate.valid = DateRange(rate.valid.lower, last_day + ONE_DAY)
        kept.append(rate)
    return [*kept, *plan.new]


def _overlap(rate: ChargeRate, row: int, other: ChargeRate) -> str:
    if other.valid.upper is None and other.valid.lower < rate.valid.lower:
        return f'Overlaps row {row}, which has no end: give row {row} a "to" before this one begins.'
    return f"Overlaps row {row}."


def _rows(lines: Iterable[str]) -> Iterator[tuple[int, dict[str | None, Any]]]:
    """The rows below the heading, numbered as a spreadsheet shows them; ChargeImportError where it is no such
    file."""
    reader = csv.DictReader(lines, strict=True)
    try:
        reader.fieldnames = [name.strip().lower() for name in reader.fieldnames or ()]
        _check_heading(reader.fieldnames)
        for count, row in enumerate(reader, 1):
            if count > MOST_ROWS:
                raise ChargeImportError(f"At most {MOST_ROWS:,} rows at a time.")
            yield reader.line_num, row
    except csv.Error as error:
        raise ChargeImportError(f"Not a CSV file: {error}.") from None


def _check_heading(found: Collection[str]) -> None:
    missing = [name for name in REQUIRED if name not in found]
    unknown = [name for name in found if name not in COLUMNS]
    twice = [name for name in COLUMNS if list(found).count(name) > 1]
    if missing or unknown or twice:
        named = ", ".join(f"“{name[:30]}”" for name in unknown[:5])
        faults = [f"doesn't know {named}"] if unknown else []
        faults += [f"finds {', '.join(twice)} twice"] if twice else []
        faults += [f"misses {', '.join(missing)}"] if missing else []
        raise ChargeImportError(
            f"The first line must name the columns {', '.join(COLUMNS)} ({', '.join(REQUIRED)} are needed). "
            f"The import {', and '.join(faults)}."
        )


def _read(row: dict[str | None, Any], schedule: ChargeSchedule) -> ChargeRate:
    if any(cell.strip() for cell in row.get(None, ())):
        raise ValueError("It has more cells than the heading; an amount with a comma needs quotes.")
    cells = {name: (row.get(name) or "").strip() for name in COLUMNS}
    code = cells["code"].upper()
    if not has_form(code):
        raise ValueError("code: five characters, like 90837.")
    modifiers = sorted(set(cells["modifiers"].upper().split())) or None
    if any(not MODIFIER_FORM.fullmatch(modifier) for modifier in modifiers or []):
        raise ValueError("modifiers: two characters each, like 95.")
    if cells["place"] not in ("", "office", "telehealth"):
        raise ValueError("place: office, telehealth or nothing.")
    if cells["license"] not in ChargeRate.LicenseClass.values:
        raise ValueError("license: prescriber, doctoral, master or nothing.")
    if len(cells["payer_id"]) > LONGEST_PAYER_ID or not cells["payer_id"].isprintable():
        raise ValueError(f"payer_id: at most {LONGEST_PAYER_ID} characters, as in the list of payers.")
    first, last = _day(cells["from"], "from"), _day(cells["to"], "to") if cells["to"] else None
    if last is not None and last < first:
        raise ValueError("to: lies before from.")
    if last == date.max:  # 9999-12-31, as exports write that there is none
        last = None
    return ChargeRate(
        schedule=schedule,
        procedure_code=code,
        modifiers=modifiers,
        place_of_service=cells["place"],
        payer_id=cells["payer_id"],
        license_class=cells["license"],
        unit_charge=_amount(cells["amount"]),
        valid=DateRange(first, last + ONE_DAY if last else None),
    )


def _amount(text: str) -> Decimal:
    found = AMOUNT_FORM.fullmatch(text)
    if found is None:
        raise ValueError("amount: dollars and cents, like 180.00.")
    amount = Decimal(found[1].replace(",", ""))
    if not 0 < amount <= HIGHEST_CHARGE or amount != round(amount, 2):
        raise ValueError(f"amount: above 0 and up to {HIGHEST_CHARGE:,}, in whole cents.")
    return amount


def _day(text: str, name: str) -> date:
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise ValueError(f"{name}: a day like 2030-01-31.") from None


def _same(rate: ChargeRate) -> tuple[object, ...]:
    return (
        rate.procedure_code,
        tuple(rate.modifiers) if rate.modifiers is not None else None,
        rate.place_of_service,
        rate.payer_id,
        rate.license_class,
    )


def _meet(one: ChargeRate, other: ChargeRate) -> bool:
    """Tell whether two open-ended ranges of days overlap."""
    return (one.valid.upper is None or other.valid.lower < one.valid.upper) and (
        other.valid.upper is None or one.valid.lower < other.valid.upper
    )


def _gaps(ended: ChargeRate, alike: Iterable[ChargeRate]) -> Iterator[Gap]:
    """The stretches of an ended rate that none of its like takes over."""
    end = ended.valid.upper
    followers = (rate.valid for rate in alike if rate.pk != ended.pk and _meet(ended, rate))
    after: date | None = None
    for follower in sorted(followers, key=lambda valid: valid.lower):
        if after is not None and after < follower.lower:
            yield Gap(ended, after, follower.lower - ONE_DAY)
        after = follower.upper
        if after is None:
            return
    if after is not None and (end is None or after < end):
        yield Gap(ended, after, end - ONE_DAY if end else None)


def _fit(plan: Plan, rate: ChargeRate, alike: Iterable[ChargeRate], number: int) -> None:
    """End what an open later rate supersedes; refuse what would rewrite the past."""
    overlapping = [old for old in alike if _meet(rate, old)]
    if any(old.unit_charge == rate.unit_charge and old.valid == rate.valid for old in overlapping):
        plan.unchanged += 1
        return
    if any(old.valid.lower >= rate.valid.lower for old in overlapping):
        plan.refused.append(Refused(number, "A rate that starts on that day or later stands already."))
        return
    for old in overlapping:
        plan.ended[old] = min(plan.ended.get(old, date.max), rate.valid.lower - ONE_DAY)
    plan.new.append(rate)
