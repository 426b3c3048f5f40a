"""Files signals with the claims they are about: each statement once, in batches, whatever the file's size."""

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import TypeVar
from uuid import UUID

from django.db.models import F, Q
from django.utils import timezone

from claims import lifecycle, timeline, work_queue
from claims.answer_tasks import unmatched_in_words
from claims.candidates import Remitted, by_payer_control_number, doubts_about
from claims.fold.entries import REPEATED
from claims.matching import Doubt
from claims.models import Claim, ClaimSignal, InboundFile, TransmittedClaim, WorkItem
from claims.signals import MONEY_SIGNALS, Signal, SignalKind
from claims.x12.remittance import RemittanceName

Thing = TypeVar("Thing")

Place = tuple[str, str]
"""What an answer is about, of what we sent: the kind of thing, and its number or name."""

BATCH = 500
OWN_BATCH = re.compile(r"B([0-9]{9})-([0-9]{1,9})")
"""BHT03 as we write it: the interchange, and the transaction set in it."""
OWN_NUMBER = re.compile(r"[0-9]{1,9}")
LONGEST_OWN_NUMBER = 14


@dataclass(frozen=True, slots=True)
class Addressee:
    """The claim that a signal is about."""

    claim_id: UUID
    session_id: UUID
    partner_id: UUID
    patient_control_number: str
    transmissions: int


@dataclass(slots=True)
class Filed:
    """What became of a file's signals."""

    new: int = 0
    repeated: int = 0
    unmatched: int = 0
    rows: dict[str, ClaimSignal] = field(default_factory=dict)
    """The rows of the last batch by natural key, new ones only."""

    def as_json(self) -> dict[str, int]:
        """Counts for the file's report."""
        return {"new": self.new, "repeated": self.repeated, "unmatched": self.unmatched}


def file_signals(said: Iterable[tuple[Signal, Sequence[RemittanceName]]], *, file: InboundFile) -> Filed:
    """Store signals that are new, count those that came before, and settle the claims they are about.

    Each comes with the patient's names, as far as its answer states them.
    """
    filed = Filed()
    for batch in batched(said):
        patients = {signal.natural_key: names for signal, names in batch if names}
        signals = [signal for signal, _ in batch]
        file_batch(signals, file=file, filed=filed, remitted=Remitted(patients=patients))
    return filed


def sets_of_group(control_number: int) -> list[int]:
    """The transaction sets (ST02) that a group of ours (GS06) held."""
    numbers = TransmittedClaim.objects.filter(transmission__group_control_number=control_number).values_list(
        "transaction_control_number", flat=True
    )
    return [int(number) for number in numbers]


def batched(things: Iterable[Thing]) -> Iterator[list[Thing]]:
    """The things in lists of at most BATCH."""
    iterator = iter(things)
    while batch := list(islice(iterator, BATCH)):
        yield batch


def file_batch(
    signals: Sequence[Signal], *, file: InboundFile, filed: Filed, remitted: Remitted | None = None
) -> None:
    """File one batch, with a number of statements that doesn't grow with it."""
    remitted = remitted or Remitted()
    addressed, doubts = _without_doubt(_address(signals, remitted), signals, remitted)
    by_key = {(signal.natural_key, signal.patient_control_number): (signal, to) for signal, to in addressed}
    known = _known({key for key, _ in by_key})
    earlier = {key: row for key in by_key if (row := known.get(key) or known.get((key[0], None)))}
    rows = [_row(signal, to, file) for key, (signal, to) in by_key.items() if key not in earlier]
    ClaimSignal.objects.bulk_create(rows)
    repeated = [(row, by_key[key][1]) for key, row in earlier.items()]
    told = _tell_repeated([(row, to) for row, to in repeated if row.inbound_file_id != file.pk])
    unmatched = _queue([row for row in rows if row.claim_id is None], doubts)
    filed.new += len(rows)
    filed.repeated += len(by_key) - len(rows)
    filed.unmatched += unmatched
    filed.rows = {row.natural_key: row for row in rows}
    sessions = {to.session_id for key, (_, to) in by_key.items() if to is not None and key not in earlier}
    if sessions | told:
        lifecycle.settle(sorted(sessions | told))


def _known(natural_keys: Collection[str]) -> dict[tuple[str, str | None], ClaimSignal]:
    """What is stored under these natural keys, by key and claim number; of money by the key alone as well.

    It says all that was stated of the claim, whatever number that had then or has now.
    """
    known: dict[tuple[str, str | None], ClaimSignal] = {}
    for row in ClaimSignal.objects.filter(natural_key__in=natural_keys).only(
        "natural_key", "patient_control_number", "inbound_file_id", "claim_id", "kind"
    ):
        known[row.natural_key, row.patient_control_number] = row
        if row.kind in MONEY_SIGNALS:
            known[row.natural_key, None] = row
    return known


def _tell_repeated(repeated: Sequence[tuple[ClaimSignal, Addressee | None]]) -> set[UUID]:
    """Count what was said before, and tell each session once (rule 28): which these are."""
    if not repeated:
        return set()
    ClaimSignal.objects.filter(pk__in=[row.pk for row, _ in repeated]).update(repeats=F("repeats") + 1)
    sessions = {to.session_id: to for row, to in repeated if to is not None and to.claim_id == row.claim_id}
    timeline.append(((REPEATED, to) for to in sessions.values()), at=timezone.now())
    return set(sessions)


def _row(signal: Signal, to: Addressee | None, file: InboundFile) -> ClaimSignal:
    return ClaimSignal(
        partner_id=to.partner_id if to else None,
        claim_id=to.claim_id if to else None,
        inbound_file=file,
        **signal.as_columns(),
    )


def _queue(unmatched: Sequence[ClaimSignal], doubts: Mapping[str, Doubt]) -> int:
    """Ask a person which claim each is about, and count them; a balance carried over is about none."""
    signals = [(row, Signal.from_json(row.payload)) for row in unmatched]
    asked = [(row, signal) for row, signal in signals if not signal.carries_balance]
    WorkItem.objects.bulk_create(
        work_queue.unmatched(row, signal, summary=unmatched_in_words(signal, doubts.get(row.natural_key)))
        for row, signal in asked
    )
    return len(asked)


def _without_doubt(
    addressed: Sequence[tuple[Signal, Addressee | None]], signals: Sequence[Signal], remitted: Remitted
) -> tuple[list[tuple[Signal, Addressee | None]], dict[str, Doubt]]:
    """Leave to a person what names a claim and contradicts it, as it was stated; and why, by natural keys."""
    known = remitted.claims.keys() | remitted.patients.keys()
    stated = {signal.natural_key: signal for signal in signals if signal.natural_key in known}
    doubts = doubts_about(
        {signal.natural_key: to.claim_id for signal, to in addressed if to and signal.natural_key in stated},
        remitted,
    )
    return [
        (stated[signal.natural_key], None) if signal.natural_key in doubts else (signal, to)
        for signal, to in addressed
    ], doubts


def _address(signals: Sequence[Signal], remitted: Remitted) -> list[tuple[Signal, Addressee | None]]:
    """Find the claim of each signal; one about an envelope becomes one for each claim in it."""
    addressed: list[tuple[Signal, Addressee | None]] = []
    about_claims: list[Signal] = []
    about_envelopes: list[Signal] = []
    for signal in signals:
        names_a_claim = signal.patient_control_number or _by_payer_number(signal)
        (about_claims if names_a_claim else about_envelopes).append(signal)
    inside = _in_envelopes(signals)
    for signal in about_envelopes:
        place = _place(signal)
        addressed += [
            (signal.of_claim(to.patient_control_number, transmission=to.transmissions), to)
            for to in (inside.get(place, ()) if place else ())
        ] or [(signal, None)]
    by_number = _by_patient_control_number(about_claims)
    lost = [signal for signal in about_claims if signal.patient_control_number not in by_number]
    by_payers_number = _by_payer_control_number(lost, remitted)
    for signal in about_claims:
        to = by_number.get(signal.patient_control_number) or by_payers_number.get(signal.natural_key)
        if to is None:
            addressed.append((signal, None))
        else:
            hand_over = _hand_over_named(signal, to, inside) or to.transmissions
            addressed.append((signal.of_claim(to.patient_control_number, transmission=hand_over), to))
    return addressed


def _hand_over_named(
    signal: Signal, to: Addressee, inside: Mapping[Place, Sequence[Addressee]]
) -> int | None:
    """The how-manieth time a claim went out that an acknowledgement is about, where it names the envelope."""
    place = _place(signal)
    carried = inside.get(place, ()) if place else ()
    return next((each.transmissions for each in carried if each.claim_id == to.claim_id), None)


def _by_payer_number(signal: Signal) -> bool:
    return signal.kind in MONEY_SIGNALS and bool(signal.payer_control_number)


def _by_patient_control_number(signals: Sequence[Signal]) -> dict[str, Addressee]:
    """Exact, or ours with something added behind it."""
    wanted = {
        signal.patient_control_number: signal.patient_control_number.strip().upper() for signal in signals
    }
    numbers = {number[:LONGEST_OWN_NUMBER] for number in wanted.values() if number}
    found = {to.patient_control_number: to for to in _addressees(Q(patient_control_number__in=numbers))}
    return {
        stated: to
        for stated, number in wanted.items()
        if (to := found.get(number) or found.get(number[:LONGEST_OWN_NUMBER])) is not None
    }


def _by_payer_control_number(signals: Sequence[Signal], remitted: Remitted) -> dict[str, Addressee]:
    """By natural key, what the payer's own number names without a doubt."""
    wanted = {
        signal.natural_key: signal.payer_control_number for signal in signals if _by_payer_number(signal)
    }
    if not wanted:
        return {}
    named = by_payer_control_number(wanted, remitted)
    addressees = {to.claim_id: to for to in _addressees(Q(pk__in=named.values()))}
    return {key: addressees[claim_id] for key, claim_id in named.items()}


def _addressees(condition: Q) -> list[Addressee]:
    rows = Claim.objects.filter(condition).values_list(
        "pk", "session_id", "partner_id", "patient_control_number", "times_sent"
    )
    return [
        Addressee(pk, session, partner, number or "", times) for pk, session, partner, number, times in rows
    ]


def _place(signal: Signal) -> Place | None:
    """The interchange, group or transaction set that a signal is about; None where it can be none of ours."""
    if signal.kind == SignalKind.INTERCHANGE_ACKNOWLEDGEMENT:
        number, kind, rest = signal.interchange, "interchange", ""
    elif signal.kind == SignalKind.IMPLEMENTATION_ACKNOWLEDGEMENT:
        number, kind, rest = signal.group, "group", signal.transaction_set
    elif signal.kind in MONEY_SIGNALS:
        return None
    elif own := OWN_BATCH.fullmatch(signal.batch):
        number, kind, rest = own[1], "interchange", str(int(own[2]))
    else:
        return ("reference", signal.batch) if signal.batch else None
    return (kind, f"{int(number)} {rest}".strip()) if OWN_NUMBER.fullmatch(number) else None


def _in_envelopes(signals: Iterable[Signal]) -> Mapping[Place, Sequence[Addressee]]:
    """The claims in what these signals are about, all of them in one statement."""
    places = {place for signal in signals if (place := _place(signal)) is not None}
    if not places:
        return {}
    found: dict[Place, list[Addressee]] = defaultdict(list)
    for to, interchange, group, transaction_set, reference in _carried(
        {int(number.split()[0]) for kind, number in places if kind == "interchange"},
        {int(number.split()[0]) for kind, number in places if kind == "group"},
        {name for kind, name in places if kind == "reference"},
    ):
        found["interchange", str(interchange)].append(to)
        found["interchange", f"{interchange} {transaction_set}"].append(to)
        found["group", str(group)].append(to)
        found["group", f"{group} {transaction_set}"].append(to)
        found["reference", reference].append(to)
    return found


def _carried(
    interchanges: Iterable[int], groups: Iterable[int], references: Iterable[str]
) -> Iterator[tuple[Addressee, int, int, str, str]]:
    """The claims that these envelopes carried; an addressee's `transmissions` is its ordinal there."""
    rows = TransmittedClaim.objects.filter(
        Q(transmission__interchange_control_number__in=interchanges)
        | Q(transmission__group_control_number__in=groups)
        | Q(transmission__reference__in=references)
    ).values_list(
        "claim_id",
        "claim__session_id",
        "claim__partner_id",
        "claim__patient_control_number",
        "ordinal",
        "transmission__interchange_control_number",
        "transmission__group_control_number",
        "transaction_control_number",
        "transmission__reference",
    )
    for claim, session, partner, number, ordinal, interchange, group, transaction_set, reference in rows:
        to = Addressee(claim, session, partner, number or "", ordinal)
        yield to, interchange, group, transaction_set, reference
