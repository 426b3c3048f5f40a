"""What is wrong with a session and what fixes it: one card, in words, codes behind the sentence."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from billing.adjustment_words import Explanation, WhoActs
from billing.payers.held_rules import CAN_BE_HELD
from billing.rules.catalogue import place_told
from billing.rules.rule import Severity
from claims.admin.session_record import SessionPage
from claims.answer_source import Stated, find_stated
from claims.answer_tasks import next_step
from claims.desk.likely_fixes import Fix, likely_fixes
from claims.fold.claim import Outcome
from claims.fold.versions import SessionOutcome
from claims.fold.words import dollars, explain_denial, explain_rejection, with_capital
from claims.models import Claim, ClaimSignal, WorkItem
from claims.rechecks import UNPRICED_RULE
from claims.settlement import payer_of
from claims.signals import NOT_PAID, REFUSED, ClaimStatus, EventType, SessionStatus, Signal
from claims.staff_words import ANSWER_IT
from claims.versions import why_not_again
from claims.work_queue import REFUSALS, RESTORED
from providers.renaming import NAME_PATHS

LARGEST_FILE = 200_000
"""Bytes; a remittance of some two hundred claims."""
ABOUT_MEMBER = frozenset({"162", "163", "164", "33", "97", "158"})
"""Status codes that complain of the insured person's number, name or birth date."""
MEMBER_REASONS = frozenset({"31", "16"})
WHO_ACTS = {
    WhoActs.WE: "We can put this right.",
    WhoActs.PARTNER: "The partner must act; we can't.",
    WhoActs.PAYER: "The payer must act.",
    WhoActs.PATIENT: "The patient pays this.",
    WhoActs.NOBODY: "Nobody has to act.",
    WhoActs.UNKNOWN: "Who must act isn't known yet.",
}
SEND_IT_AGAIN = "Send the same claim again in a new envelope."
ABOUT_NOTE = "NOTE-002"
"""Whose question the page of the note's review asks."""
CORRECT_IT = "Correct it and send the claim again."
COMPLAINTS = {
    "IL": ("NM1*IL",),
    "QC": ("NM1*IL",),
    "PR": ("NM1*PR",),
    "85": ("NM1*85",),
    "82": ("NM1*82",),
    "1P": ("NM1*85", "NM1*82"),
}
"""The segment that the entity of a status code speaks of."""
COMPLAINT_OF_STATUS = {
    "164": "NM1*IL",
    "163": "NM1*IL",
    "162": "NM1*IL",
    "158": "DMG",
    "255": "HI",
    "254": "HI",
    "454": "SV1",
    "453": "SV1",
    "187": "DTP*472",
    "178": "CLM",
    "249": "CLM",
}


@dataclass(frozen=True, slots=True)
class Problem:
    """The card's content; `tone` colours its edge, `source` is the answer that it was read from."""

    title: str
    paragraphs: Sequence[str] = ()
    codes: Sequence[str] = ()
    tone: str = ""
    source: ClaimSignal | None = None
    holding: Sequence[dict[str, Any]] = ()
    warnings: Sequence[dict[str, Any]] = ()
    fixes: Sequence[Fix] = field(default=(), repr=False)
    complaints: Sequence[str] = ()
    """Beginnings of the 837P segments that the payer complains of."""

    @property
    def rules(self) -> dict[str, str]:
        """What each rule that holds it says, in one."""
        told: dict[str, list[str]] = {}
        for each in self.holding:
            told.setdefault(each["rule"], []).append(each["message"])
        return {rule: " ".join(messages) for rule, messages in told.items()}


def problem_of(record: SessionPage, outcome: SessionOutcome) -> Problem | None:
    """What stands in the way; None where nothing does."""
    claim, item = record.claim, record.item
    status = claim.status
    if claim.step == Claim.Step.HELD or status == ClaimStatus.HELD:
        return _held(record)
    about = _asked_of(record, outcome)
    refused = record.claims[about].status
    is_denied = outcome.outcomes[about].session_status is SessionStatus.DENIED
    if refused in (*REFUSED, *NOT_PAID) or (refused == ClaimStatus.PER_INQUIRY and is_denied):
        return _refused(record, outcome, _warnings(record), about=about)
    if status == ClaimStatus.TRANSPORT_REJECTED:
        return Problem(
            "The clearinghouse couldn't read our file.",
            (f"Nothing is wrong with what the session says. {why_not_again(claim) or SEND_IT_AGAIN}",),
            tone="odd",
            source=_deciding(record, outcome.outcomes[-1]),
        )
    if status == ClaimStatus.DISPATCH_UNKNOWN:
        return Problem(
            "We handed it over and got no receipt.",
            (
                "We are asking before sending again; it can't be changed until we know.",
                "Where asking brings no answer, look whether the clearinghouse has the file. If it doesn't, "
                "say so here, and it goes out.",
            ),
            tone="odd",
        )
    if item is not None:
        steps = [words for words in (_paid_too_much(claim), next_step(item.reason)) if words]
        return Problem(item.summary, steps, tone="wait", source=_asked_about(record, item))
    return None


def _warnings(record: SessionPage) -> list[dict[str, Any]]:
    """What our rules had warned of, and whether it could hold."""
    warned = (each for each in record.findings if each["severity"] == Severity.WARN)
    return [each | {"can_hold": each["rule"] in CAN_BE_HELD} for each in warned]


def _paid_too_much(claim: Claim) -> str:
    """That more was paid than charged, as after the same payment twice; empty where it wasn't."""
    if claim.paid is None or claim.total_charge is None or claim.paid <= claim.total_charge:
        return ""
    return f"In all {dollars(claim.paid)} was paid for {dollars(claim.total_charge)} charged."


def _asked_of(record: SessionPage, outcome: SessionOutcome) -> int:
    """The place of the version that the card is about: that beside a void where its refusal is the work."""
    is_refusal = record.item is not None and record.item.queue in REFUSALS
    is_void = record.claim.frequency == Claim.Frequency.VOID
    return outcome.looked_after if is_void and is_refusal else -1


def _held(record: SessionPage) -> Problem:
    holding = [each for each in record.findings if each["severity"] == Severity.BLOCK]
    holding.sort(key=lambda each: place_told(each["rule"]))
    item = record.item
    if item is not None and item.reason == RESTORED:
        holding = []
    if not holding:
        summary = item.summary if item else "It was set aside: nothing more is done about it."
        codes = [item.reason] if item else []
        if item is not None and item.queue == WorkItem.Queue.REFUSED:
            title, said = _held_in_words(record) or (summary, [])
            warned = _warnings(record)
            return Problem(title, said, tone="hold", codes=codes, warnings=warned, holding=holding)
        return Problem(summary, tone="hold", codes=codes, holding=holding)
    rules = [each["rule"] for each in holding]
    fixes = likely_fixes(record.session, rules=rules, about_member=False, others=record.others)
    more = [each["message"] for each in holding[1:]]
    title = holding[0]["message"]
    if fixes and fixes[0].choice:
        title = f"{title.partition(':')[0]}. Choose one and the session goes on."
    tone = "read" if item and item.queue == WorkItem.Queue.NOTES else "hold"
    return Problem(
        title,
        more,
        codes=[f"{each['rule']} · {each['path']}" if each["path"] else each["rule"] for each in holding],
        tone=tone,
        holding=holding,
        fixes=fixes,
    )


def _held_in_words(record: SessionPage) -> tuple[str, list[str]] | None:
    """What the history says of the last hold: that it was refused, and in which words."""
    held = next((event.summary for event in record.events if event.type == EventType.SESSION_HELD), "")
    refused, _, said = held.partition(": ")
    return (f"{refused}.", [said]) if said else None


def _refused(
    record: SessionPage, outcome: SessionOutcome, warnings: list[dict[str, Any]], *, about: int
) -> Problem:
    claim, spoken = record.claims[about], outcome.outcomes[about]
    refused = claim.status in REFUSED
    denied = [] if refused else explain_denial(spoken.reasons, spoken.remarks)
    explained = denied or explain_rejection(spoken.statuses)
    session = record.session
    payer = payer_of(claim)
    by_clearinghouse = claim.status == ClaimStatus.CLEARINGHOUSE_REJECTED
    who = "The clearinghouse" if by_clearinghouse else payer
    reason = explained[0] if explained else None
    words = with_capital(reason.words) if reason and reason.known else _unknown(who, reason)
    statuses = {code.status for code in spoken.statuses}
    about_member = bool(
        ABOUT_MEMBER & statuses
        or claim.status == ClaimStatus.MEMBER_UNKNOWN
        or MEMBER_REASONS & {each.reason for each in spoken.reasons}
    )
    if refused:
        lead = f"{who} sent the claim back before anyone judged it, so there is nothing to appeal."
    elif claim.status == ClaimStatus.TAKEN_BACK:
        then = "denies it" if spoken.left > 0 else "took the payment back"
        lead = f"{payer} paid it, decided anew and {then}."
    else:
        lead = f"{payer} judged it and paid nothing."
    fixes = likely_fixes(
        session,
        rules=[each["rule"] for each in warnings],
        about_member=about_member,
        others=record.others,
        stated=None if refused else _stated(record, spoken),
    )
    return Problem(
        f"{words}.",
        [lead, *_remedies(explained, ours=bool(fixes))],
        codes=[f"{each.code} {each.context}".strip() for each in explained],
        tone="back" if refused else "lost",
        source=_deciding(record, spoken),
        warnings=warnings,
        fixes=fixes,
        complaints=_complaints(spoken.statuses),
    )


def _unknown(who: str, reason: Explanation | None) -> str:
    return f"{who} gives reason {reason.code}, which we don't know" if reason else f"{who} gives no reason"


def _remedies(explained: Sequence[Explanation], *, ours: bool) -> list[str]:
    """What staff do about it, or who else must; `ours`: we know a fix ourselves."""
    if not explained or not explained[0].fix:
        return []
    first = explained[0]
    if first.staff_fix:
        return [CORRECT_IT if ours else first.staff_fix]
    return [first.fix if ours else f"{WHO_ACTS[first.who_acts]} {first.fix}"]


def _complaints(statuses: Sequence[Any]) -> list[str]:
    found: list[str] = []
    for code in statuses:
        if code.status in COMPLAINT_OF_STATUS:
            found.append(COMPLAINT_OF_STATUS[code.status])
        else:
            found += COMPLAINTS.get(code.entity, ())
    return list(dict.fromkeys(found))


def _stated(record: SessionPage, outcome: Outcome) -> Stated | None:
    """What the deciding remittance says in its file, where that is small enough to be read for a page."""
    row = _deciding(record, outcome)
    if row is None or row.inbound_file is None or row.inbound_file.size > LARGEST_FILE:
        return None
    return find_stated(row)


def _asked_about(record: SessionPage, item: WorkItem) -> ClaimSignal | None:
    return next((row for row in record.signals if row.pk == item.signal_id), None)


def _deciding(record: SessionPage, outcome: Outcome) -> ClaimSignal | None:
    deciding = set(outcome.deciding)
    return next((row for row in reversed(record.signals) if row.natural_key in deciding), None)


def what_helps(record: SessionPage) -> str:
    """What lets a session go on that no override does, by what holds it."""
    helps = dict.fromkeys(
        _mends(each["rule"], each["path"]) for each in record.findings if each["severity"] == Severity.BLOCK
    )
    return " ".join(helps)


def _mends(rule: str, path: str) -> str:
    if rule == ABOUT_NOTE:
        return ANSWER_IT
    if rule == UNPRICED_RULE:
        return "Load its rate into the charge schedule, and it goes on by itself."
    if path in NAME_PATHS.values():
        return "Once the therapist's name is changed, it goes on by itself."
    if path.startswith(("practice", "provider.")):
        return "Message the partner: only it can correct the practice or therapist."
    return "Correct it."


def says(signal: Signal) -> str:
    """The codes of an answer as they are written in the field, for the grey end of a line."""
    codes = [str(each).replace(":", " · ") for each in signal.every_status]
    codes += [str(each) for each in dict.fromkeys(map(str, signal.every_adjustment))]
    codes += list(signal.every_remark)
    return ", ".join(dict.fromkeys(codes)) or signal.verdict or signal.claim_status_code
