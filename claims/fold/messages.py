"""A session's `message`: what is happening now and what, if anything, the partner must do."""

from collections.abc import Iterable
from datetime import UTC, datetime
from decimal import Decimal
from functools import partial

from billing.adjustment_words import Explanation
from claims.fold.claim import Outcome
from claims.fold.readings import SESSION_STATUS, ReviewKind
from claims.fold.statements import SOME_PAYER
from claims.fold.versions import REFUSED
from claims.fold.words import (
    asks_patient,
    dollars,
    explain_denial,
    explain_rejection,
    is_for_patient,
    knows_the_patient,
    not_returned,
    reasons_in_words,
    remedy,
    with_capital,
)
from claims.signals import ClaimStatus, SessionStatus

NOTHING_TO_DO = "Nothing to do."
GIVEN_UP = "Billing staff do nothing more about it; the timeline says why."
FIND_THE_MEMBER = (
    "Check name, birth date and member ID, then tell billing staff what to change; they send it again."
)
ONBOARDED = ("practice.", "practice:", "provider.", "provider:")
"""How findings begin about what comes from onboarding, not from the session."""
FOR_GOOD = ("provider.npi:", "provider.firstName:", "provider.lastName:")
"""So do those about what no update changes: they say themselves what to do."""
PRACTICE_OR_THERAPIST = "the practice or therapist (PATCH /api/v1/partner/providers/{npi})"
"""In a held session's message where a finding points there."""
EARLIER_SPEAKS = {
    SessionStatus.SUBMITTED: "The claim is submitted, and billing staff send it once more.",
    SessionStatus.ACCEPTED: "The payer has the claim.",
    SessionStatus.REJECTED: "The claim is rejected.",
    SessionStatus.DENIED: "The claim is denied.",
    SessionStatus.PAID: "The claim is paid.",
}
"""What the session shows while its newest claim says something else."""
IN_THE_HOUSE = {
    ClaimStatus.QUEUED: "A corrected claim is on its way.",
    ClaimStatus.HELD: "A corrected claim is held, and billing staff look at it.",
    ClaimStatus.DISPATCHING: "A corrected claim is being handed over.",
    ClaimStatus.DISPATCH_UNKNOWN: "A corrected claim is handed over, but no receipt has come.",
}
VOIDS = {
    ClaimStatus.QUEUED: "A request to void {voids} is on its way.",
    ClaimStatus.HELD: "A request to void {voids} is held, and billing staff look at it.",
    ClaimStatus.DISPATCHING: "A request to void {voids} is being handed over.",
    ClaimStatus.DISPATCH_UNKNOWN: "A request to void {voids} is handed over, but no receipt has come.",
    ClaimStatus.TRANSPORT_REJECTED: (
        "The request to void {voids} can't be read, and billing staff send it again."
    ),
}
"""Where a void is that has no answer yet, unless the payer is asked."""
THE_CLAIM = "it"
ONE_VERSION = "one version of it"
"""What a void takes back, in the words of a message, unless that is an earlier claim to another payer."""


def message_for(
    session_status: SessionStatus,
    claim_status: ClaimStatus,
    *,
    voids: str = "",
    refused_beside: str = "",
    outcome: Outcome | None = None,
    payer: str = "",
    paid_in_all: Decimal | None = None,
    findings: Iterable[str] = (),
    for_partner: Iterable[str] | None = None,
    leaves_after: datetime | None = None,
    given_up: bool = False,
) -> str:
    """Write the message of a session.

    `voids` is what its newest claim asks the payer to take back, in words, `refused_beside` the message of
    the version beside it that was refused, where the session shows that; `outcome` is that of the claim
    version which speaks and gives amounts and reasons; `paid_in_all` is the net of all versions, or of those
    that a void took back, where there are others; `findings` are the sentences that hold a held claim,
    `for_partner` those of them that the partner can put right, which are all where it is None;
    `leaves_after` is the end of its correction window, where it has not passed; `given_up` says that billing
    staff do nothing more about its refusal.
    """
    told = outcome or Outcome(session_status=session_status, claim_status=claim_status)
    name = payer or told.payer_name or SOME_PAYER
    in_house = SESSION_STATUS.get(claim_status) is SessionStatus.PROCESSING
    if session_status is SessionStatus.PROCESSING:
        held_by = list(findings)
        asked = held_by if for_partner is None else list(for_partner)
        return _in_processing(claim_status, findings=held_by, asked=asked, leaves_after=leaves_after)
    net = told.paid if paid_in_all is None else paid_in_all
    if claim_status is ClaimStatus.VOIDED:
        return in_words_voided(session_status, voids=voids, to_go_back=net, refused_beside=refused_beside)
    if voids and refused_beside:
        asked = _asked(session_status, claim_status, voids=named_in_full(voids), given_up=given_up)
        return f"{asked} {_of_the_other(voids, refused_beside)}"
    if voids:
        asked = _asked(session_status, claim_status, voids=voids, given_up=given_up)
        return f"{_stands(session_status)} {asked} {GIVEN_UP if given_up else NOTHING_TO_DO}"
    if in_house:
        correction = "" if session_status is SessionStatus.SUBMITTED else f" {IN_THE_HOUSE[claim_status]}"
        return f"{EARLIER_SPEAKS[session_status]}{correction} {NOTHING_TO_DO}"
    if claim_status is not ClaimStatus.PER_INQUIRY and SESSION_STATUS[claim_status] is not session_status:
        if given_up:
            return f"{_stands(session_status)} A correction of it was refused. {GIVEN_UP}"
        return f"{_on_another_version(session_status)} {NOTHING_TO_DO}"
    sent = _after_sending(session_status, claim_status, told, payer=name, net=net, given_up=given_up)
    return with_capital(sent)


def set_aside_message(session_status: SessionStatus) -> str:
    """The message of a session that is held, and that billing staff do nothing more about."""
    if session_status is SessionStatus.PROCESSING:
        return f"Not billed. {GIVEN_UP} Correct the session where that is wrong, and it goes on."
    if session_status is SessionStatus.SUBMITTED:
        return f"The claim was submitted, and is not sent again. {GIVEN_UP}"
    return f"{_stands(session_status)} No correction of it is sent. {GIVEN_UP}"


def _stands(session_status: SessionStatus) -> str:
    is_submitted = session_status is SessionStatus.SUBMITTED
    return "The claim is submitted." if is_submitted else EARLIER_SPEAKS.get(session_status, "")


def _in_processing(
    claim_status: ClaimStatus, *, findings: list[str], asked: list[str], leaves_after: datetime | None
) -> str:
    match claim_status:
        case ClaimStatus.HELD:
            if not findings:
                return f"Held: billing staff look at the claim. {NOTHING_TO_DO}"
            why = " ".join(findings)
            if not asked:
                return f"Held: {why} Billing staff see to it. {NOTHING_TO_DO}"
            return f"Held: {why} {_what_to_correct(asked, all_of_it=len(asked) == len(findings))}".rstrip()
        case ClaimStatus.DISPATCHING:
            return f"The claim is being handed over and can't be changed any more. {NOTHING_TO_DO}"
        case ClaimStatus.DISPATCH_UNKNOWN:
            return (
                "Handed over, but no receipt came back. We ask the clearinghouse before sending anything "
                f"again; until then the session can't be changed. {NOTHING_TO_DO}"
            )
    if leaves_after is not None:
        instant = f"{leaves_after.astimezone(UTC):%Y-%m-%dT%H:%M:%SZ}"
        return f"The claim leaves after {instant}; until then the session can be corrected. {NOTHING_TO_DO}"
    return f"The claim waits for its turn. {NOTHING_TO_DO}"


def _what_to_correct(findings: list[str], *, all_of_it: bool) -> str:
    """By the paths with which the findings begin; `all_of_it` where nothing is left to billing staff."""
    onboarded = [each.startswith(ONBOARDED) for each in findings if not each.startswith(FOR_GOOD)]
    if not onboarded:
        return ""
    if all(onboarded):
        what, then = f"Correct {PRACTICE_OR_THERAPIST}", ", and the session goes on."
    elif any(onboarded):
        what, then = f"Correct the session, and {PRACTICE_OR_THERAPIST}", "; then it goes on."
    else:
        what, then = "Correct the session", ", and it goes on."
    return what + (then if all_of_it else "; billing staff see to the rest.")


def _on_another_version(session_status: SessionStatus) -> str:
    if session_status is SessionStatus.PAID:
        return "The payer paid another version of the claim; billing staff settle the rest."
    return f"{EARLIER_SPEAKS[session_status]} Billing staff look after another version of it."


def named_in_full(voids: str) -> str:
    """What a void takes back, where no sentence before has named it."""
    if voids == ONE_VERSION:
        return "one version of the claim"
    return "the claim" if voids in ("", THE_CLAIM) else voids


def in_words_voided(
    session_status: SessionStatus, *, voids: str, to_go_back: Decimal, refused_beside: str = ""
) -> str:
    """Say what a void took back, what of its payments is still to go back, and where the session stands."""
    owed = f", and the {dollars(to_go_back)} paid for it are still to go back" if to_go_back > 0 else ""
    look = " Billing staff look into it." if owed else ""
    is_all = voids in ("", THE_CLAIM)
    if is_all and session_status is SessionStatus.REJECTED and not refused_beside:
        return f"The claim is voided{owed or ': nothing will be paid for it'}.{look} {NOTHING_TO_DO}"
    voids = ONE_VERSION if is_all else voids
    what = with_capital(named_in_full(voids))
    if refused_beside:
        return f"{what} is voided{owed}.{look} {_of_the_other(voids, refused_beside)}"
    is_nothing_left = session_status is SessionStatus.REJECTED
    stands = "Nothing will be paid for the claim." if is_nothing_left else _stands(session_status)
    return f"{what} is voided{owed}.{look} {stands} {NOTHING_TO_DO}"


def _of_the_other(voids: str, message: str) -> str:
    """The message of the version beside the one that is voided; another payer's name tells the two apart."""
    return f"Of the other: {message}" if voids == ONE_VERSION else message


def _asked(session_status: SessionStatus, claim_status: ClaimStatus, *, voids: str, given_up: bool) -> str:
    """Say what became of the request to void a claim."""
    if given_up and claim_status is ClaimStatus.TRANSPORT_REJECTED:
        return f"The request to void {voids} can't be read, and is not sent again."
    if claim_status is ClaimStatus.PER_INQUIRY or SESSION_STATUS[claim_status] in REFUSED:
        stays = f"it stays {session_status}" if voids == THE_CLAIM else "that one stays as it is"
        return f"A request to void {voids} is refused, so {stays}; billing staff look into it."
    return VOIDS.get(claim_status, "The payer is asked to void {voids}.").format(voids=voids)


def _after_sending(
    session_status: SessionStatus,
    claim_status: ClaimStatus,
    outcome: Outcome,
    *,
    payer: str,
    net: Decimal,
    given_up: bool,
) -> str:
    refusal = explain_rejection(outcome.statuses)
    denial = explain_denial(outcome.reasons, outcome.remarks)
    to_do = partial(_what_is_done, given_up=given_up)
    left = not_returned(min(outcome.left, net))
    if claim_status is not ClaimStatus.PER_INQUIRY and _asks(outcome, ReviewKind.SETTLED_WITHOUT_REMITTANCE):
        untold = f"{payer} has decided on the claim, but sends no remittance."
        return f"{untold} Billing staff find out how. {NOTHING_TO_DO}"
    match claim_status:
        case ClaimStatus.SENT:
            return f"The claim is handed over; the clearinghouse is going to check it. {NOTHING_TO_DO}"
        case ClaimStatus.TRANSPORT_REJECTED if given_up:
            return (
                f"The clearinghouse can't read the claim's file, and the claim is not sent again. {GIVEN_UP}"
            )
        case ClaimStatus.TRANSPORT_REJECTED:
            return (
                "The clearinghouse can't read the claim's file. That is our fault, and billing staff send it "
                f"again. {NOTHING_TO_DO}"
            )
        case ClaimStatus.CLEARINGHOUSE_ACCEPTED:
            return f"The clearinghouse has the claim and passes it on to {payer}. {NOTHING_TO_DO}"
        case ClaimStatus.FORWARDED:
            return f"{payer} has the claim, but has neither taken nor refused it yet. {NOTHING_TO_DO}"
        case ClaimStatus.CLEARINGHOUSE_REJECTED:
            return (
                f"The clearinghouse refuses the claim{_because(reasons_in_words(refusal))} {to_do(refusal)}"
            )
        case ClaimStatus.PAYER_REJECTED:
            return f"{payer} refuses the claim{_because(reasons_in_words(refusal))} {to_do(refusal)}"
        case ClaimStatus.PAYER_ACCEPTED if _asks(outcome, ReviewKind.INFORMATION_REQUESTED):
            if asks_patient(outcome.statuses):
                return (
                    f"{payer} has the claim and waits for information that it asked the patient for. Ask the "
                    "patient to answer it, or the claim may be denied."
                )
            return (
                f"{payer} has the claim and waits for information that it asked for. Billing staff answer "
                f"it. {NOTHING_TO_DO}"
            )
        case ClaimStatus.PAYER_ACCEPTED:
            return f"{payer} has the claim and is deciding on it. {NOTHING_TO_DO}"
        case ClaimStatus.FORWARDED_OTHER_PAYER:
            paid = f" It paid {dollars(net)} itself; billing staff look into it." if net > 0 else ""
            passed_on = f"{payer} passed the claim on to another payer, which is going to decide."
            return f"{passed_on}{paid} {NOTHING_TO_DO}"
        case ClaimStatus.REVERSED:
            return (
                f"{payer} took back what it had decided, and a new decision is due. Billing staff watch for "
                f"it. {NOTHING_TO_DO}"
            )
        case ClaimStatus.MEMBER_UNKNOWN if not knows_the_patient(outcome.reasons, outcome.remarks):
            check = GIVEN_UP if given_up else FIND_THE_MEMBER
            return f"{payer} denies the claim: it doesn't find the patient among its members.{left} {check}"
        case ClaimStatus.DENIED | ClaimStatus.MEMBER_UNKNOWN:
            return f"{payer} denies the claim{_because(reasons_in_words(denial))}{left} {to_do(denial)}"
        case ClaimStatus.TAKEN_BACK:
            took = "takes back what it had paid and now denies the claim"
            did = "now denies the claim that it had paid" if left else took
            return f"{payer} {did}{_because(reasons_in_words(denial))}{left} {to_do(denial)}"
        case ClaimStatus.PATIENT_RESPONSIBILITY if left:
            owes = dollars(outcome.patient_owes or Decimal(0))
            return f"{payer} now leaves {owes} to the patient.{left} {NOTHING_TO_DO}"
        case ClaimStatus.PER_INQUIRY if session_status is SessionStatus.DENIED:
            look = GIVEN_UP if given_up else f"Billing staff find out why. {NOTHING_TO_DO}"
            return f"{payer} says that it settled the claim without a payment. {look}"
        case ClaimStatus.PER_INQUIRY:
            return (
                f"{payer} says that it paid the claim, but sends no remittance. Billing staff find out what "
                f"the patient owes. {NOTHING_TO_DO}"
            )
    return f"{payer} {_paid(outcome, net=net)}"


def _asks(outcome: Outcome, kind: ReviewKind) -> bool:
    return any(task.kind is kind for task in outcome.tasks)


def _what_is_done(explained: list[Explanation], *, given_up: bool) -> str:
    """Say what would help, unless staff gave it up; what is left to do with the patient stays to be done."""
    if not given_up:
        return remedy(explained)
    return f"{remedy(explained)} {GIVEN_UP}" if is_for_patient(explained) else GIVEN_UP


def _because(reasons: str) -> str:
    return f": {reasons}." if reasons else "."


def _paid(outcome: Outcome, *, net: Decimal) -> str:
    """Say what the payer decided, or what its payments come to where they add up to more."""
    partly = ", for some of the service lines" if outcome.claim_status is ClaimStatus.PARTIALLY_PAID else ""
    paid = max(min(outcome.paid, net) - outcome.paid_behind, outcome.decided)
    text = f"paid {dollars(paid)}{partly}"
    if outcome.paid_behind > 0:
        text += f", and another insurer {dollars(outcome.paid_behind)}"
    less = ""
    if net < outcome.decided:
        less = f" What it paid and took back comes to {dollars(net)}; billing staff look into it."
    unreturned = [task.owed for task in outcome.tasks if task.kind is ReviewKind.PAYMENT_NOT_RETURNED]
    less += not_returned(min(unreturned[0] or net, net)) if unreturned else ""
    if _asks(outcome, ReviewKind.REVERSED_WITHOUT_CORRECTION):
        less += " It took back what it had decided on the rest, and a new decision is due."
        less += " Billing staff watch for it."
    if _asks(outcome, ReviewKind.LINE_DENIED):
        less += " Billing staff see to the rest."
    if outcome.patient_owes:
        owes = dollars(outcome.patient_owes)
        return f"{text}; the patient owes {owes}. Collect it from the patient.{less}"
    return f"{text}.{less} {NOTHING_TO_DO}"
