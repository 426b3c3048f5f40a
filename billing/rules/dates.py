"""Rules about the date of service and the payer's time limit."""

from collections.abc import Iterator
from datetime import date, timedelta

from billing.rules.facts import ClaimFacts
from billing.rules.rule import HOLDS, WARNS, Actor, Complaint, Rule, Severity, hold, warn

_PATH = "session.dateOfService"
_ICD_10_BEGAN = date(2015, 10, 1)
_NEAR = 0.75


def not_in_future(facts: ClaimFacts) -> Iterator[Complaint]:
    """A session has taken place.

    Somewhere in the United States the next day may have begun already: a session of that day waits until the
    practice's own day has come, and only later ones are held.
    """
    if facts.session.date_of_service > facts.today + timedelta(days=1):
        yield hold(
            _PATH, "The date of service lies in the future. Send the day on which the session took place."
        )


def after_icd_10(facts: ClaimFacts) -> Iterator[Complaint]:
    """ICD-10-CM codes are for services since October 1, 2015."""
    if facts.session.date_of_service < _ICD_10_BEGAN:
        yield hold(
            _PATH,
            "The date of service lies before October 1, 2015, when ICD-10 diagnoses began. Compare it with "
            "the record.",
        )


def after_onboarding(facts: ClaimFacts) -> Iterator[Complaint]:
    """A therapist usually treats after joining the practice."""
    joined = facts.provider.onboarded_on
    if joined is not None and facts.session.date_of_service < joined:
        yield warn(
            _PATH,
            "The date of service lies before the therapist was onboarded here. That is fine for older "
            "sessions of the same practice; otherwise compare both.",
        )


def _days_since_service(facts: ClaimFacts) -> int:
    return (facts.today - facts.session.date_of_service).days


def deadline_is_far(facts: ClaimFacts) -> Iterator[Complaint]:
    """Three quarters of the payer's time to file are not used up."""
    limit = facts.profile.timely_filing_days if facts.profile else None
    if limit is None:
        return
    used = _days_since_service(facts)
    if limit * _NEAR <= used <= limit:
        left = limit - used
        days = "1 day is" if left == 1 else f"{left} days are"
        yield warn(
            _PATH,
            f"Of the payer's {limit} days to file, {days} left. If anything holds this session, it is best "
            "corrected soon.",
            who_acts=Actor.PARTNER,
        )


def deadline_is_kept(facts: ClaimFacts) -> Iterator[Complaint]:
    """A claim after the payer's limit needs a reason for the delay."""
    profile = facts.profile
    if profile is None or profile.timely_filing_days is None or facts.version.delay_reason_code:
        return
    over = _days_since_service(facts) - profile.timely_filing_days
    if over <= 0:
        return
    days = "1 day" if over == 1 else f"{over} days"
    if profile.timely_filing_confirmed:
        message = (
            f"The payer's limit of {profile.timely_filing_days} days to file passed {days} ago. Override "
            "this with the reason for the delay, which the claim then names, or with proof that it was filed "
            "in time."
        )
        yield Complaint(_PATH, message, Actor.STAFF, Severity.BLOCK)
    else:
        message = (
            f"The limit of {profile.timely_filing_days} days to file that we assume for this payer passed "
            f"{days} ago. It may deny the claim; confirm the payer's limit."
        )
        yield Complaint(_PATH, message, Actor.STAFF, Severity.WARN)


RULES = (
    Rule("DOS-001", HOLDS, "The date of service is not in the future", not_in_future),
    Rule("DOS-002", HOLDS, "The date of service is October 1, 2015 or later", after_icd_10),
    Rule("DOS-003", WARNS, "The date of service is after the therapist's onboarding", after_onboarding),
    Rule(
        "TFL-001", WARNS, "Less than three quarters of the payer's time to file has passed", deadline_is_far
    ),
    Rule("TFL-002", HOLDS + WARNS, "The payer's time to file has not passed", deadline_is_kept),
)
