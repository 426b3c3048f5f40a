"""Writes the page on claim status for people, by running the fold: python -m claims.fold.document."""

import sys
from collections import defaultdict
from dataclasses import dataclass, field, replace
from pathlib import Path

from claims.fold.claim import Outcome, fold
from claims.fold.entries import entry_for
from claims.fold.examples import (
    DENIED,
    EXAMPLES,
    FILE_REFUSED,
    NOT_FOUND,
    PAID,
    SITUATIONS,
    VOID_TAKEN,
    Example,
)
from claims.fold.messages import message_for
from claims.fold.readings import SESSION_STATUS
from claims.fold.versions import UNDECIDED, ClaimVersion, fold_session
from claims.signals import ClaimStatus, EventType, SessionStatus, Signal, WorkflowState

NEW = "[*]"
PROCESSING, SUBMITTED, REJECTED = SessionStatus.PROCESSING, SessionStatus.SUBMITTED, SessionStatus.REJECTED

RULES = {
    1: "A session is stored",
    2: "A claim rule stops it, or a rate, a code or an enrollment is missing",
    3: "A correction arrives while nothing is on its way out",
    4: "The clearinghouse refuses the claim at its door",
    5: "Handing it over fails, or its outcome is unknown",
    6: "The clearinghouse confirms that it has the claim",
    7: "Any answer arrives although the outcome of handing over was unknown",
    8: "TA1 or 999: the file could be read",
    9: "TA1 or 999: the file could not be read (our fault); of one sent again the claim before stands again",
    10: "277CA of the clearinghouse: taken",
    11: "277CA of the clearinghouse: refused",
    12: "277CA of the payer: passed on",
    13: "277CA of the payer: taken; or asked, the payer says that it is pending",
    14: "277CA of the payer: refused",
    15: "The payer cannot find the claim, or cannot say how it stands",
    16: "Too late to matter, or unknown: only recorded",
    17: "835: paid",
    18: "835: nothing paid, but allowed and left to the patient",
    19: "835: nothing paid and nothing allowed",
    20: "835: patient not recognised",
    21: "835: an earlier decision reversed, with its correction",
    22: "835: an earlier decision reversed, alone",
    23: "835: a payment after a denial",
    24: "835: nothing paid, after an earlier payment",
    25: "835: money kept or added at provider level",
    26: "835: passed on to another payer",
    27: "835: a predetermination",
    28: "The same answer again",
    29: "An answer for a number that is not ours: waits for a person",
    30: "Asked, the payer says that it is settled, and no remittance can come",
    31: "A replacement is sent (frequency 7)",
    32: "A rejected or lost claim is sent again, or a judged one to another payer (frequency 1)",
    33: "A void (frequency 8) of the only version that counts is taken by the payer",
    34: "No answer for too long: a task for staff",
}
"""What happens, by rule; where it leads is found by running the fold."""

_HEAD = """# Claim status

Written by `python -m claims.fold.document`, which runs the code; a test compares the two.

A session's status and its claim's status are one pure function of how far our own process brought the claim
and of the set of answers about it. An answer that comes twice counts once, and the order of arrival makes no
difference: after every arrival the whole set is folded again.

- The furthest stage decides: our own process, then TA1 and 999, the clearinghouse's 277CA, the payer's 277CA,
  an inquiry, the 835.
- Within a stage the later effective date decides. On the same date a refusal does, and a person is asked;
  so is one where a payer takes a claim and can't find it on one day, and it may be sent again then. That the
  clearinghouse can't find it counts for nothing where the payer has it, on whatever day.
- Where a payer says that it waits for what it asked of the practice or the patient (P3, P4, R), also beside
  another status or of a line alone, a person is asked until its next answer.
- An 835 is read as one statement: a reversal and its correction are never seen apart. A reversal takes back
  the payment that it belongs to, whichever of them came first; where it is of one line alone, the claim stays
  paid in part. A denial alone takes no money back: until a reversal or a recoupment does, the message says
  what hasn't gone back, and a person is asked.
- Where no 835 comes, what staff post by hand of a payer's decision counts as one, until the payer's own for
  that version decides: then the session stands as if nothing had been posted, as where staff take it back.
- Only staff bring a session back to `submitted`. So an acceptance that would lead there (the clearinghouse's,
  or a payer's mere passing on) does not undo a clearinghouse's refusal; a person is asked instead.
- A patient control number belongs to one version of a claim, and the newest that has left the house speaks
  for the session. Late answers about an older version change nothing, except a payment: that counts on any
  version that no void took back. Where a payer takes an older one after all beside a newer one that is taken
  or paid, a person is asked.
- A newest version whose file couldn't be read leaves the session to the one before it, where that is taken or
  judged. So does one that hasn't left the house, whatever becomes of it there.
- A void moves nothing until its payer takes it, or takes back what it had decided on the claim. Then what the
  void left speaks: a version that was paid; else the newest that is still to be decided; else how the last
  was judged that no later version was sent to answer. Where nothing of these is left, the session is
  `rejected`.
- Once sent, a session is never `processing` again, and no acknowledgement moves what an 835 has settled, but
  for that of a void.

## Session status

The numbers are the rules below. What leaves a session where it is has no arrow.
"""


@dataclass(slots=True)
class _Effect:
    """What a rule was seen to do."""

    moves: set[tuple[str, str]] = field(default_factory=set)
    statuses: set[str] = field(default_factory=set)
    events: set[EventType] = field(default_factory=set)


def status_page() -> str:
    """Give the whole page, as Markdown."""
    effects, seen = _effects()
    parts = [_HEAD, "```mermaid", "stateDiagram-v2", *_arrows(effects), "```", ""]
    parts += [
        "## Rules",
        "",
        "| # | what happens | session | `claim.status` | event |",
        "|---|---|---|---|---|",
    ]
    parts += [_row(number, effects[number]) for number in RULES]
    parts += [
        "",
        "## Claim status",
        "",
        "| `claim.status` | session | message, for example |",
        "|---|---|---|",
    ]
    parts += [_status_row(status, seen.get(status)) for status in ClaimStatus]
    return "\n".join(parts) + "\n"


def _effects() -> tuple[dict[int, _Effect], dict[ClaimStatus, Outcome]]:
    effects: dict[int, _Effect] = defaultdict(_Effect)
    seen: dict[ClaimStatus, Outcome] = {}
    for example in EXAMPLES:
        for known in SITUATIONS:
            _observe(effects, seen, known, example)
        _observe_proof_of_delivery(effects[7], example)
    _add_own_steps(effects)
    _add_versions(effects)
    return effects, seen


def _observe(
    effects: dict[int, _Effect],
    seen: dict[ClaimStatus, Outcome],
    known: tuple[Signal, ...],
    example: Example,
) -> None:
    """Let an example arrive in a situation, and note what each of its rules did."""
    expected = example.remittances_expected
    before = fold(WorkflowState.SENT, known, remittances_expected=expected)
    after = fold(WorkflowState.SENT, (*known, *example.signals), remittances_expected=expected)
    last = example.signals[-1]
    if last.natural_key in after.deciding:
        seen.setdefault(after.claim_status, after)
    for signal in example.signals:
        late = before.stage > after.stage or (signal is last and last.natural_key not in after.deciding)
        effect = effects[after.rules[signal.natural_key]]
        effect.events.add(entry_for(signal, before, after).type)
        if not late:
            effect.moves.add((before.session_status, after.session_status))
            effect.statuses.add(after.claim_status)


def _observe_proof_of_delivery(effect: _Effect, example: Example) -> None:
    after = fold(
        WorkflowState.DISPATCH_UNKNOWN, example.signals, remittances_expected=example.remittances_expected
    )
    if after.delivered:
        effect.moves.add((PROCESSING, after.session_status))


def _add_own_steps(effects: dict[int, _Effect]) -> None:
    """Note what our own process does before any answer can come."""
    for number, state, event in (
        (2, WorkflowState.HELD, EventType.SESSION_HELD),
        (3, WorkflowState.QUEUED, EventType.SESSION_UPDATED),
        (4, WorkflowState.HELD, EventType.SESSION_HELD),
        (5, WorkflowState.DISPATCH_UNKNOWN, None),
        (6, WorkflowState.SENT, EventType.CLAIM_SUBMITTED),
    ):
        after = fold(state, ())
        effects[number].moves.add((PROCESSING, after.session_status))
        effects[number].statuses.add(after.claim_status)
        if event:
            effects[number].events.add(event)
    effects[1].moves.add((NEW, fold(WorkflowState.QUEUED, ()).session_status))
    effects[1].statuses.add(ClaimStatus.QUEUED)
    effects[1].events.add(EventType.SESSION_RECEIVED)
    repeated = fold(WorkflowState.SENT, (PAID,))
    effects[28].events.add(entry_for(PAID, repeated, repeated).type)


def _add_versions(effects: dict[int, _Effect]) -> None:
    """Note what sending the claim once more does, in every situation in which staff may."""
    for known in SITUATIONS:
        first = ClaimVersion(number=1, workflow_state=WorkflowState.SENT, signals=known)
        before = fold_session([first])
        replaceable = known in {(PAID,), (DENIED,)}
        if replaceable:
            _add_sent_again(effects, 31, known, frequency="7")
        if replaceable or before.session_status is REJECTED:
            _add_sent_again(effects, 32, known, frequency="1")
        elif before.session_status in UNDECIDED:
            _add_sent_again(effects, 32, (*known, NOT_FOUND), frequency="1")
        void = ClaimVersion(
            number=2, workflow_state=WorkflowState.SENT, signals=(VOID_TAKEN,), frequency="8", replaces=1
        )
        voided = fold_session([first, void])
        effects[33].moves.add((before.session_status, voided.session_status))
        effects[33].statuses.add(voided.claim_status)
        effects[33].events.add(EventType.CLAIM_VOIDED)


def _add_sent_again(
    effects: dict[int, _Effect], number: int, known: tuple[Signal, ...], *, frequency: str
) -> None:
    """Note what the next version does, and where its file can't be read."""
    first = ClaimVersion(number=1, workflow_state=WorkflowState.SENT, signals=known)
    again = ClaimVersion(
        number=2,
        workflow_state=WorkflowState.SENT,
        frequency=frequency,
        known_before=frozenset(each.natural_key for each in known),
    )
    before, after = fold_session([first]), fold_session([first, again])
    effects[number].moves.add((before.session_status, after.session_status))
    effects[number].statuses.add(after.claim_status)
    effects[number].events |= {EventType.CLAIM_CORRECTED, EventType.CLAIM_SUBMITTED}
    unread = fold_session([first, replace(again, signals=(FILE_REFUSED,))])
    effects[9].moves.add((after.session_status, unread.session_status))


def _arrows(effects: dict[int, _Effect]) -> list[str]:
    by_move: dict[tuple[str, str], list[int]] = defaultdict(list)
    for number in RULES:
        for before, after in effects[number].moves:
            if before != after:
                by_move[before, after].append(number)
    order = [NEW, *SessionStatus]
    moves = sorted(by_move, key=lambda move: (order.index(move[0]), order.index(move[1])))
    return [
        f"    {before} --> {after}: {', '.join(map(str, by_move[before, after]))}" for before, after in moves
    ]


def _row(number: int, effect: _Effect) -> str:
    order = [NEW, *SessionStatus]
    targets: dict[str, list[str]] = defaultdict(list)
    for before, after in sorted(effect.moves, key=lambda move: order.index(move[0])):
        if before != after:
            targets[after].append("new" if before == NEW else before)
    moves = "; ".join(f"{', '.join(targets[after])} → {after}" for after in sorted(targets, key=order.index))
    statuses = ", ".join(f"`{each}`" for each in ClaimStatus if each in effect.statuses) if moves else ""
    if not moves and len(effect.statuses) == 1:
        statuses = f"`{next(iter(effect.statuses))}`"
    events = ", ".join(f"`{each}`" for each in EventType if each in effect.events)
    return f"| {number} | {RULES[number]} | {moves or 'unchanged'} | {statuses} | {events} |"


def _status_row(status: ClaimStatus, outcome: Outcome | None) -> str:
    """Show a status with the message of an outcome that has it."""
    session = outcome.session_status if outcome else SESSION_STATUS[status]
    shown = "paid or denied" if status is ClaimStatus.PER_INQUIRY else session
    return f"| `{status}` | {shown} | {message_for(session, status, outcome=outcome)} |"


if __name__ == "__main__":
    page = Path(__file__).parents[2] / "docs" / "claim-status.md"
    page.write_text(status_page(), encoding="utf-8")
    sys.stdout.write(f"{page.name}\n")
