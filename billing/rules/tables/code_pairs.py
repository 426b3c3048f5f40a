"""Pairs of procedure codes that one patient's day cannot hold (NCCI policy manual, chapter 11)."""

from itertools import product

from billing.rules.tables.procedures import CRISIS, FAMILY, INDIVIDUAL, TIMED

NEVER_WITH_CRISIS = frozenset({"90785", "90845", "90846", "90847", "90849", "90853"})
CRISIS_PAIRS = frozenset(frozenset(pair) for pair in product(CRISIS, NEVER_WITH_CRISIS))
TIMED_WITH_CRISIS = frozenset(frozenset(pair) for pair in product(CRISIS, TIMED))
"""Modifier indicator 0: no modifier makes the pair payable."""

SEPARATE_ONLY = frozenset(
    {frozenset(pair) for pair in product(INDIVIDUAL, FAMILY)}
    | {frozenset({code, "90853"}) for code in INDIVIDUAL}
    | {frozenset(FAMILY)}
)
"""Payable where a modifier says that they were separate sessions."""

SEPARATE_MODIFIERS = frozenset({"59", "XE", "XS", "XP", "XU"})
