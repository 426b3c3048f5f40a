"""An invented charge schedule, so that a fresh installation's test organizations can rehearse claims.

It is marked as a sample, and a sample never prices a live organization's claim.
"""

from datetime import date
from decimal import Decimal

from django.db import transaction
from django.db.backends.postgresql.psycopg_any import DateRange

from providers.models import ChargeRate, ChargeSchedule

SAMPLE_FROM = date(2015, 10, 1)
SAMPLE_CHARGES = {
    "90785": "25.00",
    "90791": "220.00",
    "90792": "260.00",
    "90832": "100.00",
    "90833": "95.00",
    "90834": "140.00",
    "90836": "120.00",
    "90837": "180.00",
    "90838": "160.00",
    "90839": "210.00",
    "90840": "105.00",
    "90845": "150.00",
    "90846": "150.00",
    "90847": "165.00",
    "90849": "60.00",
    "90853": "55.00",
    "90863": "75.00",
    "96127": "15.00",
    "96130": "180.00",
    "96131": "140.00",
    "98966": "30.00",
    "98967": "45.00",
    "98968": "60.00",
    "99213": "125.00",
    "99214": "170.00",
    "H0004": "35.00",
}


def load_sample_charges() -> int:
    """Make the sample schedule and its rates where they are missing; how many rates were made."""
    with transaction.atomic():
        schedule, _ = ChargeSchedule.objects.get_or_create(
            scope=ChargeSchedule.Scope.SERVICE,
            sample=True,
            partner=None,
            practice=None,
            defaults={"name": "Sample charges (test organizations only)"},
        )
        present = set(schedule.rates.values_list("procedure_code", flat=True))
        missing = [
            ChargeRate(
                schedule=schedule,
                procedure_code=code,
                unit_charge=Decimal(amount),
                valid=DateRange(SAMPLE_FROM, None),
            )
            for code, amount in SAMPLE_CHARGES.items()
            if code not in present
        ]
        ChargeRate.objects.bulk_create(missing)
    return len(missing)
