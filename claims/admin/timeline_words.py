"""A session's events as staff read them: a title and a tone for each kind."""

from dataclasses import dataclass

from claims.signals import EventType


@dataclass(frozen=True, slots=True)
class Told:
    """A kind of event in words, with its tone."""

    title: str
    tone: str


TOLD = {
    EventType.SESSION_RECEIVED: Told("Received", "wait"),
    EventType.SESSION_UPDATED: Told("Corrected", "wait"),
    EventType.SESSION_VALIDATED: Told("Checked", "wait"),
    EventType.SESSION_HELD: Told("Held", "hold"),
    EventType.SESSION_RELEASED: Told("Released", "move"),
    EventType.SESSION_WARNING: Told("A rule warned", "hold"),
    EventType.CODES_DERIVED: Told("Coded from the minutes", "read"),
    EventType.CODES_EXTRACTED: Told("Coded from the note", "read"),
    EventType.NOTE_CHECKED: Told("Note compared with the codes", "read"),
    EventType.CLAIM_CREATED: Told("Claim built", "wait"),
    EventType.CLAIM_SUBMITTED: Told("Sent to the clearinghouse", "move"),
    EventType.CLAIM_ACKNOWLEDGED: Told("The clearinghouse answered", "move"),
    EventType.CLAIM_ACCEPTED: Told("The payer took the claim", "with"),
    EventType.CLAIM_REJECTED: Told("Rejected", "back"),
    EventType.CLAIM_PAID: Told("Paid", "good"),
    EventType.CLAIM_DENIED: Told("Denied", "lost"),
    EventType.CLAIM_REVERSED: Told("Payment reversed", "odd"),
    EventType.CLAIM_ADJUSTED: Told("Money moved", "part"),
    EventType.CLAIM_NOTED: Told("Noted", "wait"),
    EventType.CLAIM_CORRECTED: Told("Sent again", "move"),
    EventType.CLAIM_VOIDED: Told("Voided", "void"),
    EventType.STAFF_NOTE: Told("Written to the partner", "with"),
}


def told(kind: str) -> Told:
    """The words for an event's type."""
    return TOLD.get(EventType(kind)) or Told(kind, "wait")
