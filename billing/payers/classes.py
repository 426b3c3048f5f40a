"""What a payer's name gives away of its class, where no list says it."""

from itertools import pairwise

from billing.models import PayerClass
from billing.payers.names import STATE_WORDS, words_of

_BLUE_BRANDS = frozenset(
    {"anthem", "carefirst", "highmark", "premera", "regence", "wellmark", "bluecard", "excellus"}
)
_MEDICAID_BRANDS = frozenset(
    {
        "ahcccs",
        "badgercare",
        "husky",
        "kancare",
        "mainecare",
        "masshealth",
        "medicaid",
        "soonercare",
        "tenncare",
    }
)
_ORIGINAL = frozenset(
    {"cgs", "dmerc", "ngs", "noridian", "novitas", "original", "palmetto", "railroad", "traditional", "wps"}
)
"""Original Medicare: its contractors, and what it is called itself."""
_PLANS = frozenset(
    {"advantage", "blue", "choice", "complete", "dsnp", "dual", "gold", "hmo", "plan", "plans", "plus", "ppo",
     "preferred", "prime", "select", "senior", "snp", "solutions", "value"}
)  # fmt: skip
"""In the names of the plans that private payers offer in place of it."""
_PLACES = STATE_WORDS | {"medicare", "central", "east", "north", "northern", "south", "southern", "west"}


def class_of_name(name: str) -> PayerClass:
    """The class that a payer's name gives away; commercial where it gives nothing away."""
    words = words_of(name)
    held = set(words)
    if "fep" in held or {"federal", "employee"} <= held or {"federal", "employees"} <= held:
        return PayerClass.FEDERAL_EMPLOYEES
    is_blue = held & _BLUE_BRANDS or ("blue" in held and held & {"cross", "shield", *STATE_WORDS})
    if is_blue and ("medicare" not in held or held & {"commercial", "supplement"}):
        return PayerClass.BLUE
    if held & _MEDICAID_BRANDS or {"medi", "cal"} <= held:
        return PayerClass.MEDICAID
    if any(word.startswith("medicare") for word in words):
        return _of_medicare(words)
    if "tricare" in held:
        return PayerClass.TRICARE
    if held & {"champva", "vaccn", "veterans"} or words[:3] == ("va", "community", "care"):
        return PayerClass.VETERANS
    if held & {"hmo", "kaiser"}:
        return PayerClass.HMO
    return PayerClass.COMMERCIAL


def _of_medicare(words: tuple[str, ...]) -> PayerClass:
    held = set(words)
    if held & {"medigap", "supp", "supplement"}:
        return PayerClass.COMMERCIAL
    if "advantage" in held:
        return PayerClass.MEDICARE_ADVANTAGE
    parts = set(pairwise(words)) & {("part", "a"), ("part", "b")}
    of_a_place = words[0] == "medicare" or held <= _PLACES
    if parts or held & _ORIGINAL or (of_a_place and held.isdisjoint(_PLANS)):
        return PayerClass.MEDICARE
    return PayerClass.MEDICARE_ADVANTAGE
