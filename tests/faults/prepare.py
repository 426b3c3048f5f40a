"""Fills the migrated database of the fault tests: codes, charges, partners; prints the partners' keys."""

import json
import sys
from datetime import UTC, datetime, timedelta
from decimal import Decimal

from django.db.backends.postgresql.psycopg_any import DateRange

from billing.models import CodeSetRelease, DiagnosisCode
from partners.keys import issue_key
from partners.models import Partner
from providers.models import ChargeRate, ChargeSchedule
from providers.sample_charges import load_sample_charges

CODES = {"F41.1": "Generalized anxiety", "F41.9": "Anxiety", "F32.9": "Depressive episode"}
CHARGES = {"90832": "101.00", "90834": "141.00", "90837": "181.00"}
PARTNERS = {"rehearsing": ("test", 0), "live": ("live", 0), "patient": ("live", 3), "crowded": ("live", 0)}
"""By name: mode, and how many seconds a session of theirs may be corrected."""


def main() -> None:
    today = datetime.now(UTC).date()
    year = timedelta(days=365)
    release = CodeSetRelease.objects.create(
        name="Faults", valid_from=today - year, valid_to=today + year, source="invented for a test"
    )
    DiagnosisCode.objects.bulk_create(
        DiagnosisCode(release=release, code=code, title=title, billable=True) for code, title in CODES.items()
    )
    load_sample_charges()
    keys = {}
    for name, (mode, delay) in PARTNERS.items():
        partner = Partner.objects.create(
            name=name, slug=name, mode=mode, submission_delay=timedelta(seconds=delay), rate_limit=0
        )
        keys[name] = issue_key(partner).text
        if mode == "live":
            schedule = ChargeSchedule.objects.create(name=name, scope="partner", partner=partner)
            ChargeRate.objects.bulk_create(
                ChargeRate(
                    schedule=schedule,
                    procedure_code=code,
                    unit_charge=Decimal(charge),
                    valid=DateRange(today - year, None),
                )
                for code, charge in CHARGES.items()
            )
    sys.stdout.write(json.dumps(keys) + "\n")
