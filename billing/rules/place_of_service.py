"""Rules about the place of service on the claim."""

from collections.abc import Iterator
from dataclasses import replace

from billing.rules.facts import ClaimFacts, PlaceOfService
from billing.rules.rule import HOLDS, REPAIRS, Actor, Change, Complaint, Rule, hold, procedure_path, repaired
from billing.rules.tables.places_of_service import (
    AT_HOME_SINCE,
    OFFICE,
    PLACES_OF_SERVICE,
    TELEHEALTH,
    TELEHEALTH_AT_HOME,
)

_PATH = "session.placeOfService"


def map_place(facts: ClaimFacts) -> tuple[ClaimFacts, tuple[Complaint, ...]]:
    """Office is 11; telehealth is 10, at home (02 before 2022), unless the payer wants another."""
    usual, wanted = OFFICE, None
    if facts.session.place_of_service is PlaceOfService.TELEHEALTH:
        at_home = facts.session.date_of_service >= AT_HOME_SINCE
        usual = TELEHEALTH_AT_HOME if at_home else TELEHEALTH
        wanted = facts.profile.telehealth_place_of_service if facts.profile else None
        if wanted == TELEHEALTH_AT_HOME:
            wanted = usual
    code = wanted if wanted in PLACES_OF_SERVICE and wanted else usual
    changed = replace(facts, session=replace(facts.session, place_of_service_code=code))
    if code in (usual, facts.session.place_of_service_code):
        return changed, ()
    return changed, (
        repaired(
            f"This payer wants telehealth under place of service {code} ({PLACES_OF_SERVICE[code]}), and the "
            "claim follows.",
            Change(_PATH, code),
        ),
    )


def one_place(facts: ClaimFacts) -> Iterator[Complaint]:
    """All lines of a claim took place where the claim says."""
    claim_place = facts.session.place_of_service_code
    for position, line in enumerate(facts.procedures):
        if line.place_of_service_code not in (None, claim_place):
            yield hold(
                procedure_path(position),
                "The line has another place of service than the claim. Send services of another place as a "
                "session of their own.",
                who_acts=Actor.STAFF,
            )


RULES = (
    Rule("POS-001", REPAIRS, "The place of service is the one that the payer wants", repair=map_place),
    Rule("POS-002", HOLDS, "All lines have the claim's place of service", one_place),
)
