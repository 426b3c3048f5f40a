"""Rules about what is billed twice: by other claims for the same patient and day, or within the claim."""

from collections.abc import Iterator

from billing.rules.facts import ClaimFacts
from billing.rules.rule import HOLDS, WARNS, Actor, Complaint, Rule, hold, procedure_path, warn
from billing.rules.tables.procedures import name_of

_VOID = "8"


def not_sent_before(facts: ClaimFacts) -> Iterator[Complaint]:
    """The payer denies the second claim for one service (CARC 18)."""
    if facts.version.frequency == _VOID:
        return
    for position, line in enumerate(facts.procedures):
        others = [other for other in facts.others_of_day if line.code in other.procedure_codes]
        if others:
            bills = (
                f"Another session that waits here, sent before this one, bills {name_of(line.code)}"
                if all(other.waits for other in others)
                else f"Another session already bills {name_of(line.code)}"
            )
            yield hold(
                procedure_path(position),
                f"{bills} for this patient, therapist and day, and the payer would deny a second claim. If "
                "both took place, staff can let this one go on; if the other ends, it goes on by itself.",
                who_acts=Actor.STAFF,
                about_another=True,
            )


def one_therapist_a_day(facts: ClaimFacts) -> Iterator[Complaint]:
    """Two therapists of one practice rarely see a patient on one day."""
    for other in facts.other_claims:
        if (
            other.stands
            and other.same_practice
            and other.date_of_service == facts.session.date_of_service
            and other.provider_npi != facts.provider.npi
        ):
            yield warn(
                "session.dateOfService",
                "Another therapist of this practice bills the same patient on the same day. Compare both "
                "with the records if that is a surprise.",
                who_acts=Actor.PARTNER,
            )
            return


def each_line_once(facts: ClaimFacts) -> Iterator[Complaint]:
    """Two lines of one code differ in their modifiers; the payer takes an equal one for a mistake."""
    lines: set[tuple[str, frozenset[str]]] = set()
    for position, line in enumerate(facts.procedures):
        same = line.code, frozenset(line.modifiers)
        if same in lines:
            yield hold(
                procedure_path(position),
                f"Another line of this session bills {name_of(line.code)} with the same modifiers. Send one "
                "of them, or each with modifiers of its own.",
            )
        lines.add(same)


RULES = (
    Rule("DUP-001", HOLDS, "The same service of the same day is not billed already", not_sent_before),
    Rule(
        "DUP-002", WARNS, "No other therapist of the practice bills the patient that day", one_therapist_a_day
    ),
    Rule("DUP-003", HOLDS, "No two lines bill the same code with the same modifiers", each_line_once),
)
