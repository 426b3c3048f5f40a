"""The payer table of our own: carriers that therapy claims go to, written down as facts.

A migration records them; after adding some here, add a migration that records again: it adds what is missing.
"""

from billing.payers.carriers.blues import BLUES
from billing.payers.carriers.carrier import Carrier, TimelyFiling
from billing.payers.carriers.government import GOVERNMENT
from billing.payers.carriers.medicaid import MEDICAID
from billing.payers.carriers.medicare import MEDICARE
from billing.payers.carriers.national import NATIONAL
from billing.payers.carriers.regional import REGIONAL

CARRIERS: tuple[Carrier, ...] = (*NATIONAL, *BLUES, *GOVERNMENT, *MEDICARE, *MEDICAID, *REGIONAL)

__all__ = ["CARRIERS", "Carrier", "TimelyFiling"]
