"""How staff read statuses and queues: words, tone and glyph; each in one place."""

from collections.abc import Iterable
from dataclasses import dataclass

from billing.rules.modifiers import BY_SOUND
from claims.models import WorkItem
from claims.signals import NOT_LEFT, NOT_PAID, REJECTED, UNSETTLED, ClaimStatus
from sessions_app.models import PlaceOfService

Queue = WorkItem.Queue


@dataclass(frozen=True, slots=True)
class Reading:
    """The words for a status and its tone, which is a class of the style sheet and the name of a glyph."""

    words: str
    tone: str


PAYMENT_METHODS = {
    "ACH": "Bank transfer (ACH)",
    "BOP": "As the bank chose",
    "CHK": "Check",
    "FWT": "Wire transfer",
    "NON": "No payment",
}
"""How a payer pays, by BPR04 of its remittance."""
STATUS_READINGS = {
    ClaimStatus.QUEUED: Reading("Waiting to be sent", "wait"),
    ClaimStatus.HELD: Reading("Held by a rule", "hold"),
    ClaimStatus.DISPATCHING: Reading("Being sent", "move"),
    ClaimStatus.DISPATCH_UNKNOWN: Reading("Outcome unknown", "odd"),
    ClaimStatus.SENT: Reading("Sent", "move"),
    ClaimStatus.TRANSPORT_REJECTED: Reading("Our file was refused", "odd"),
    ClaimStatus.CLEARINGHOUSE_ACCEPTED: Reading("With the clearinghouse", "move"),
    ClaimStatus.CLEARINGHOUSE_REJECTED: Reading("Rejected by the clearinghouse", "back"),
    ClaimStatus.FORWARDED: Reading("Passed to the payer", "move"),
    ClaimStatus.PAYER_ACCEPTED: Reading("With the payer", "with"),
    ClaimStatus.PAYER_REJECTED: Reading("Rejected by the payer", "back"),
    ClaimStatus.PAID: Reading("Paid", "good"),
    ClaimStatus.PARTIALLY_PAID: Reading("Paid in part", "part"),
    ClaimStatus.PATIENT_RESPONSIBILITY: Reading("The patient owes it", "part"),
    ClaimStatus.DENIED: Reading("Denied", "lost"),
    ClaimStatus.MEMBER_UNKNOWN: Reading("Patient not known", "lost"),
    ClaimStatus.REVERSED: Reading("Payment reversed", "odd"),
    ClaimStatus.TAKEN_BACK: Reading("Taken back", "lost"),
    ClaimStatus.FORWARDED_OTHER_PAYER: Reading("With another payer", "with"),
    ClaimStatus.PER_INQUIRY: Reading("Answered on inquiry", "with"),
    ClaimStatus.VOIDED: Reading("Voided", "void"),
}


def status_reading(status: str, *, queue: str = "") -> Reading:
    """Read a claim's status; the queue tells the three kinds of `held` apart."""
    if status == ClaimStatus.HELD and queue in (Queue.NOTES, Queue.REFUSED):
        title = "Note to review" if queue == Queue.NOTES else QUEUE_READINGS[queue].title
        return Reading(title, QUEUE_READINGS[queue].tone)
    if status in STATUS_READINGS:
        return STATUS_READINGS[ClaimStatus(status)]
    return Reading(status.replace("_", " ").capitalize(), "wait")


@dataclass(frozen=True, slots=True)
class StatusGroup:
    """Statuses that a chart and a filter take together."""

    title: str
    tone: str
    statuses: tuple[ClaimStatus, ...]


STATUS_GROUPS = {
    "paid": StatusGroup("Paid", "good", (ClaimStatus.PAID,)),
    "part": StatusGroup(
        "Paid in part or left to the patient",
        "part",
        (ClaimStatus.PARTIALLY_PAID, ClaimStatus.PATIENT_RESPONSIBILITY),
    ),
    "denied": StatusGroup("Denied", "lost", NOT_PAID),
    "rejected": StatusGroup("Rejected", "back", REJECTED),
    "with_payer": StatusGroup(
        "With the payer",
        "with",
        (
            ClaimStatus.SENT,
            ClaimStatus.CLEARINGHOUSE_ACCEPTED,
            ClaimStatus.FORWARDED,
            ClaimStatus.PAYER_ACCEPTED,
            ClaimStatus.FORWARDED_OTHER_PAYER,
            ClaimStatus.PER_INQUIRY,
            ClaimStatus.REVERSED,
        ),
    ),
    "not_sent": StatusGroup(
        "Held or not sent yet",
        "hold",
        (*NOT_LEFT, *UNSETTLED),
    ),
}


@dataclass(frozen=True, slots=True)
class QueueReading:
    """A queue as staff read it."""

    title: str
    tone: str
    group: str
    short: str
    """A line under the title on the home page."""
    lead: str
    """What to do about it, at the head of the queue's own page."""
    empty: str


BEFORE, AFTER, FILES = "Before a claim leaves", "After it left", "Files"
DEADLINES, MINE = "deadlines", "mine"
DUE_DAYS = 14
URGENT_DAYS = 6

QUEUE_READINGS: dict[str, QueueReading] = {
    Queue.HELD: QueueReading(
        "Held by a rule",
        "hold",
        BEFORE,
        "A claim rule stopped it",
        "A claim rule stopped these before they were sent. Put right what it says and they go on.",
        "Nothing is held.",
    ),
    Queue.NOTES: QueueReading(
        "Notes to review",
        "read",
        BEFORE,
        "The coder wasn't sure",
        "The note leaves a code open. Answer its question and the session goes on.",
        "No note waits for an answer.",
    ),
    Queue.REFUSED: QueueReading(
        "Refused by clearinghouse",
        "hold",
        BEFORE,
        "Its edits stopped the claim before it left",
        "The clearinghouse's own edits stopped these at its door. Correct and release: no payer saw them.",
        "The clearinghouse has refused nothing.",
    ),
    Queue.REJECTED: QueueReading(
        "Rejected",
        "back",
        AFTER,
        "Refused before it was judged: fix, send again",
        "The payer or the clearinghouse sent these back before anyone judged them. "
        "Fix and send again; there is nothing to appeal.",
        "Nothing is rejected.",
    ),
    Queue.DENIED: QueueReading(
        "Denied",
        "lost",
        AFTER,
        "The payer judged it and paid nothing",
        "The payer judged these and paid nothing. The reason says who must act.",
        "Nothing is denied.",
    ),
    Queue.SILENT: QueueReading(
        "No answer",
        "wait",
        AFTER,
        "Nothing back in the usual time",
        "Sent, and nothing came back in the usual time. Ask whoever has it.",
        "Nobody is late with an answer.",
    ),
    Queue.ANSWERS: QueueReading(
        "Answers to look at",
        "with",
        AFTER,
        "An answer needs a person's eye",
        "These answers don't fit what we know. Look at each; it closes when its claim moves on, or "
        "when you say that it is done.",
        "No answer is waiting to be looked at.",
    ),
    Queue.UNMATCHED: QueueReading(
        "Unmatched answers",
        "odd",
        FILES,
        "They name a claim that we can't find",
        "Answers that name a claim we can't find. Match each to its claim, largest amount first.",
        "Every answer has found its claim.",
    ),
    Queue.TRANSPORT: QueueReading(
        "Transport failures",
        "odd",
        FILES,
        "A file was refused: resend it",
        "A file was refused, ours or theirs. The report says why; most go out again as they are.",
        "Every file went through.",
    ),
    DEADLINES: QueueReading(
        "Filing deadlines",
        "lost",
        "",
        "",
        f"Open work whose time to file ends within {DUE_DAYS} days.",
        f"No filing deadline within {DUE_DAYS} days.",
    ),
    MINE: QueueReading(
        "My work",
        "with",
        "",
        "",
        "What you have taken, from every queue.",
        "You have taken nothing. Take what you have open, or choose rows of a queue and take them.",
    ),
}


ANSWER_IT = "Answer its question."
CORRECT_PLACE = "Correct the place; if it is as sent, answer the question about the note."
_OF_THE_MINUTES = "the procedureCodes of the minutes that the note documents"
_OPEN_CODES = (
    "diagnosisCodes",
    "procedureCodes",
    "diagnosisCodes and procedureCodes",
    _OF_THE_MINUTES,
    f"diagnosisCodes and {_OF_THE_MINUTES}",
)
AT_THE_DESK = {
    "send its procedureCodes and the session goes on": "correct its procedures and the session goes on",
    "send its procedureCodes": "correct its procedures",
    "Send procedureCodes of the service": "Correct its procedures to those of the service",
    "Send procedureCodes, like": "Correct its procedures: enter one, like",
    "Staff read the note and say which minutes are true.": ANSWER_IT,
    **{f"Staff read the note; sending {codes} settles it too.": ANSWER_IT for codes in _OPEN_CODES},
    **{
        f"Send the placeOfService that is true; if it is as sent, send {codes}.": CORRECT_PLACE
        for codes in _OPEN_CODES
    },
    "tell billing staff which, and they end the other": "end the other",
    "if the minutes are wrong, tell billing staff, who let it go on": "if the partner's minutes are wrong, "
    "override it and say which are true",
    "Choose one, send its payerId, and": "Choose one and",
    "Look it up with the payer search and send the payerId that it gives.": "Look it up on the correction "
    "form, and choose it there.",
    "send that one's payerId": "enter that one's payer ID",
    "Send payerId.": "Enter the payer ID.",
    "Tell billing staff what you find out.": "The partner tells us what it finds out.",
    "Billing staff take care of it. Nothing to do.": "It is for us to put right.",
    "That is our fault, and billing staff send it again. Nothing to do.": "That is our fault: send it again.",
    "Tell billing staff how the registry spells it.": "A lead changes it on the therapist's page to how the "
    "NPI registry spells it.",
}
"""What rules and answers ask of a partner in the interface's words, and what staff do in its place."""


def how_met(place: str, modifiers: Iterable[str]) -> str:
    """How patient and therapist met: by sound alone where a line says so."""
    if place != PlaceOfService.TELEHEALTH:
        return "at the office"
    return "by telephone" if BY_SOUND.intersection(modifiers) else "by video"


def at_the_desk(message: str) -> str:
    """A sentence of a rule or an answer as staff read it."""
    for asked, done in AT_THE_DESK.items():
        message = message.replace(asked, done)
    return message
