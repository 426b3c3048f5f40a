"""What day it is where a practice is: the time zone of each US state and territory.

A state in two zones takes the one in which a day begins last, so that a claim never leaves before its date of
service has begun there; but Alaska takes that of its mainland, an hour ahead of the western Aleutians.
"""

from datetime import date, datetime, time
from zoneinfo import ZoneInfo

STATES_OF_ZONE = {
    "America/New_York": "CT DC DE GA MA MD ME NC NH NJ NY OH PA RI SC VA VT WV",
    "America/Chicago": "AL AR IA IL IN KY LA MI MN MO MS OK TN WI FL",
    "America/Denver": "CO KS MT NE NM ND SD TX UT WY",
    "America/Phoenix": "AZ",
    "America/Los_Angeles": "CA ID NV OR WA",
    "America/Anchorage": "AK",
    "Pacific/Honolulu": "HI",
    "America/Puerto_Rico": "PR VI",
    "Pacific/Guam": "GU MP",
    "Pacific/Pago_Pago": "AS",
}
ZONE_OF_STATE = {state: ZoneInfo(zone) for zone, states in STATES_OF_ZONE.items() for state in states.split()}
LAST_ZONE = ZoneInfo("Pacific/Pago_Pago")


def zone_of(state: str) -> ZoneInfo:
    """The zone of a state; one that is not known takes the zone in which a day begins last."""
    return ZONE_OF_STATE.get(state.upper(), LAST_ZONE)


def day_begins(day: date, *, state: str) -> datetime:
    """The instant at which a day begins in a state."""
    return datetime.combine(day, time.min, tzinfo=zone_of(state))
