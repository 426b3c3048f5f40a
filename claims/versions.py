"""Which version of a claim counts with the payer, and what the next one is (FRQ-002, rules 31 to 33).

A version that was rejected, or a void that was refused, leaves the one before it as it was.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

from billing.payers.directory import match_payers
from billing.rules.facts import PayerMatch
from claims.fold.amounts import is_unprocessed
from claims.models import Claim, ClaimSignal
from claims.signals import NOT_LEFT, NOT_PAID, REJECTED, ClaimStatus, Signal, SignalKind, Source
from claims.x12.characters import to_basic_text
from claims.x12.invariants import ORIGINAL_MEDICARE
from sessions_app.models import Session

JUDGED = frozenset(
    {
        ClaimStatus.PAID,
        ClaimStatus.PARTIALLY_PAID,
        ClaimStatus.PATIENT_RESPONSIBILITY,
        ClaimStatus.DENIED,
        ClaimStatus.MEMBER_UNKNOWN,
        ClaimStatus.REVERSED,
        ClaimStatus.TAKEN_BACK,
        ClaimStatus.PER_INQUIRY,
    }
)
DENIED = (ClaimStatus.DENIED, ClaimStatus.MEMBER_UNKNOWN)
STANDS = JUDGED - {*NOT_PAID} | {ClaimStatus.FORWARDED_OTHER_PAYER}
"""Judged with something that counts for the session, or still to be decided by somebody else."""
ON_ITS_WAY = frozenset(
    {
        ClaimStatus.SENT,
        ClaimStatus.CLEARINGHOUSE_ACCEPTED,
        ClaimStatus.FORWARDED,
        ClaimStatus.PAYER_ACCEPTED,
    }
)
ANSWERS = (SignalKind.CLAIM_ACKNOWLEDGEMENT, SignalKind.STATUS_INQUIRY)
NOT_FOUND = ("A4", "D0")
ASKED = "asked:"
"""Begins the natural key of what a payer told staff who asked it."""
UNANSWERED = "An earlier version is with its payer, which hasn't answered it yet."
VOIDED_THERE = "Its payer has voided its claim and gets no new one. Corrected to another payer it can go out."
JUDGED_THERE = (
    "Its payer has judged another version of the claim: this one would bill the service twice. Corrected it "
    "takes that one's place."
)
UNNAMED = (
    "A replacement names the payer's claim number, and the payer hasn't given one yet. Corrected to another "
    "payer it can go out."
)
AS_IT_IS = "Its file was refused, so it isn't corrected: send it again as it is."
NO_ANSWER = "No answer to correct yet: the claim was neither rejected nor judged."


class ActionRefusedError(Exception):
    """An action is not possible as the claim stands; the words are for staff."""


@dataclass(frozen=True, slots=True)
class NextVersion:
    """What goes out next: CLM05-3, and the earlier version that it answers, replaces or voids."""

    frequency: Claim.Frequency
    earlier: Claim


def next_version(newest: Claim, *, session: Session | None = None) -> NextVersion:
    """The corrected claim: a new one where its payer judged none, else a replacement of the one that stands.

    While a payer has a claim that it hasn't answered, no other follows it, also where a void was refused.
    `session` is the claim's as it would be, where its correction isn't saved.
    """
    versions = versions_of(newest)
    standing, unanswered = _standing(versions), _unanswered(versions)
    meant = session or newest.session
    is_voided_there = any(_is_for_payer_of(meant, each) for each in _voided(versions))
    left = left_by_void(newest, versions)
    if left is not None and not standing and not unanswered:
        if is_voided_there:
            raise ActionRefusedError(VOIDED_THERE)
        return NextVersion(Claim.Frequency.ORIGINAL, left)
    voided = newest.status == ClaimStatus.VOIDED and bool(standing)
    if last_claim(versions) in unanswered or not (voided or _is_answered(newest)):
        raise ActionRefusedError(NO_ANSWER)
    theirs = next((each for each in standing if _is_for_payer_of(meant, each)), None)
    if theirs is None:
        if unanswered:
            raise ActionRefusedError(UNANSWERED)
        if is_voided_there:
            raise ActionRefusedError(VOIDED_THERE)
        unjudged = not is_judged(newest) and newest.frequency != Claim.Frequency.VOID
        return NextVersion(Claim.Frequency.ORIGINAL, newest if unjudged or not standing else standing[0])
    if not is_named(theirs):
        raise ActionRefusedError(UNNAMED)
    return NextVersion(Claim.Frequency.REPLACEMENT, theirs)


def why_not_again(claim: Claim) -> str:
    """Why a claim whose file was refused can't go out again as it was frozen; empty where it can.

    What it replaces, its payer has judged; any other version that a payer has would be billed twice.
    """
    if claim.frequency == Claim.Frequency.VOID:
        return ""
    versions = versions_of(claim)
    replaced = claim.replaces_id if claim.frequency == Claim.Frequency.REPLACEMENT else None
    if any(each.pk != replaced for each in _unanswered(versions)):
        return UNANSWERED
    payer_id = payer_id_of(claim)
    judged = [each for each in _standing(versions) if was_judged_by(each, payer_id=payer_id)]
    return JUDGED_THERE if any(each.pk != replaced for each in judged) else ""


def is_unanswered_beside(claim: Claim, versions: Sequence[Claim]) -> bool:
    """Tell whether a payer has an earlier version of this claim that it hasn't answered."""
    return any(each.pk != claim.pk for each in _unanswered(versions))


def answered_by(version: Claim, *, payer_id: str) -> Claim | None:
    """The earlier version that one still here answers or replaces, if it goes to this payer."""
    chosen = version.replaces
    if chosen is None or version.version == 2 or was_judged_by(chosen, payer_id=payer_id):
        return chosen  # of two versions, it is the other
    others = [each for each in _standing(versions_of(version)) if each.pk != version.pk]
    return next((each for each in others if was_judged_by(each, payer_id=payer_id)), chosen)


def was_judged_by(claim: Claim, *, payer_id: str) -> bool:
    """Tell whether this payer judged a claim; one whose content is gone may have been anybody's."""
    return is_judged(claim) and payer_id_of(claim) in ("", payer_id)


def is_judged(claim: Claim) -> bool:
    """Tell whether a payer decided on a claim; what it returned as unprocessable nobody did."""
    if claim.status not in DENIED:
        return claim.status in JUDGED
    said = [Signal.from_json(row.payload) for row in _heard(claim, SignalKind.REMITTANCE)]
    return not said or not all(map(is_unprocessed, said))


def is_void_kept(claim: Claim, earlier: Claim, versions: Sequence[Claim], *, payer_id: str) -> bool:
    """Tell whether this payer has voided its claim, and what is to follow replaces none that it judged."""
    if claim.frequency == Claim.Frequency.VOID:
        return False
    gone = _voided(versions)
    replaces = earlier not in gone and was_judged_by(earlier, payer_id=payer_id)
    return not replaces and any(payer_id_of(each) in ("", payer_id) for each in gone)


def is_voided(claim: Claim, versions: Sequence[Claim]) -> bool:
    """Tell whether a void that is done took a claim back."""
    return claim in _voided(versions)


def payer_meant(session: Session, match: PayerMatch) -> str:
    """The ID of the payer that a session's claim goes to, as the claim writes it."""
    return to_basic_text(match.payer_id or session.payer_id)


def left_by_void(newest: Claim, versions: Sequence[Claim]) -> Claim | None:
    """The last version that a void which is done left as it was, if nobody judged it or has it still."""
    if newest.status != ClaimStatus.VOIDED:
        return None
    gone = {each.pk for each in _voided(versions)}
    voids = Claim.Frequency.VOID
    left = next((each for each in versions if each.frequency != voids and each.pk not in gone), None)
    return left if left is not None and _is_answered(left) and not is_judged(left) else None


def void_of(newest: Claim, *, version: int | None = None) -> NextVersion:
    """The void of what the payer has: the newest version on its way, else the judged one that stands.

    Where it could be another one as well, `version` is the number of the one that is chosen.
    """
    found = _to_void(newest)
    earlier = next((each for each in found if version in (None, each.version)), None)
    if earlier is None:
        raise ActionRefusedError(f"Version {version} is with no payer that could take it back now.")
    if not is_named(earlier):
        raise ActionRefusedError("A void names the payer's claim number, and the payer hasn't given one yet.")
    return NextVersion(Claim.Frequency.VOID, earlier)


def voidable(newest: Claim) -> list[Claim]:
    """The versions that a void could take back now, first the one that it takes unless another is chosen."""
    try:
        return [each for each in _to_void(newest) if is_named(each)]
    except ActionRefusedError:
        return []


def _to_void(newest: Claim) -> list[Claim]:
    """What payers have, the first to be voided first; ActionRefusedError where that is nothing.

    A version that a replacement on its way takes the place of is voided with that one, and one that was paid
    goes before those for which nothing is to go back.
    """
    versions = versions_of(newest)
    is_void = newest.frequency == Claim.Frequency.VOID
    if is_void and newest.status != ClaimStatus.VOIDED and not _is_answered(newest):
        raise ActionRefusedError("A void is already on its way.")
    if newest.submitted_at is None and not waits_here(newest):
        raise ActionRefusedError("Nothing was sent that could be voided.")
    unanswered = _unanswered(versions)
    replaced = {each.replaces_id for each in unanswered if each.frequency == Claim.Frequency.REPLACEMENT}
    last = last_claim(versions)
    standing = [each for each in _standing(versions) if each.pk not in replaced]
    others = [each for each in unanswered if each != last]
    paid = [each for each in standing if is_paid(each)]
    if found := [*(each for each in unanswered if each == last), *(paid or standing), *others]:
        return found
    if newest.submitted_at is None:
        raise ActionRefusedError("Nothing was sent that could be voided.")
    if newest.status == ClaimStatus.VOIDED:
        raise ActionRefusedError("It is voided already.")
    raise ActionRefusedError("The claim was rejected, so there is nothing with the payer to void.")


def waits_here(newest: Claim) -> bool:
    """Tell whether a correction of what was sent waits to be coded, checked or released."""
    return (
        newest.frequency != Claim.Frequency.VOID
        and newest.status in NOT_LEFT
        and newest.step in (Claim.Step.CODE, Claim.Step.CHECK, Claim.Step.WINDOW, Claim.Step.HELD)
    )


def waits_for_payer(newest: Claim) -> bool:
    """Tell whether a claim is out and its payer, as far as anybody has heard, may have it."""
    is_void = newest.frequency == Claim.Frequency.VOID
    return (
        newest.step == Claim.Step.FOLLOW
        and newest.status in ON_ITS_WAY
        and not is_void
        and not is_lost(newest)
    )


def last_claim(versions: Sequence[Claim]) -> Claim:
    """The newest version that is no void."""
    return next(each for each in versions if each.frequency != Claim.Frequency.VOID)


def _is_answered(claim: Claim) -> bool:
    """Tell whether a version that was sent was rejected, judged or never found."""
    return claim.status in {*REJECTED, *JUDGED} or is_lost(claim)


def _voided(versions: Sequence[Claim]) -> list[Claim]:
    """The versions that a void took back, and those that they had replaced."""
    done = [
        each
        for each in versions
        if each.frequency == Claim.Frequency.VOID and each.status == ClaimStatus.VOIDED
    ]
    return [each for void in done for each in _named_by(void, versions)]


def _named_by(void: Claim, versions: Sequence[Claim]) -> list[Claim]:
    """The version that a void names, and those that this one had replaced."""
    by_id = {each.pk: each for each in versions}
    named: list[Claim] = []
    following = by_id.get(void.replaces_id) if void.replaces_id else None
    while following is not None and following not in named:
        named.append(following)
        is_replacement = following.frequency == Claim.Frequency.REPLACEMENT
        following = by_id.get(following.replaces_id) if is_replacement and following.replaces_id else None
    return named


def leaves_another(
    void: Claim, versions: Sequence[Claim], *, statuses: Mapping[UUID, ClaimStatus] | None = None
) -> bool:
    """Tell whether a void leaves a version that a payer has or paid, or that followed the one it names.

    `statuses` are those of the versions, by ID, where they are about to be written.
    """
    named = _named_by(void, versions)
    gone = {each.pk for each in (*named, *_voided(versions))}
    left = [each for each in versions if each.frequency != Claim.Frequency.VOID and each.pk not in gone]
    now = statuses or {each.pk: ClaimStatus(each.status) for each in left}
    return any(
        (named and each.version > named[0].version)
        or now[each.pk] in STANDS
        or (now[each.pk] in ON_ITS_WAY and not is_lost(each))
        for each in left
    )


def _unanswered(versions: Sequence[Claim]) -> list[Claim]:
    """The versions that were sent and neither answered nor voided, apart from the voids themselves."""
    voids = [each for each in versions if each.frequency == Claim.Frequency.VOID]
    gone = {each.pk for each in _voided(versions)}
    return [
        each
        for each in versions
        if each.submitted_at and each not in voids and each.pk not in gone and not _is_answered(each)
    ]


def _standing(versions: Sequence[Claim]) -> list[Claim]:
    """The versions that were judged and neither voided nor replaced since: the paid first, then the newest.

    Of the paid, those that another payer than the newest one's has paid go first: one payer is enough.
    """
    gone: set[UUID | None] = set()
    judged = []
    for claim in versions:
        is_void = claim.frequency == Claim.Frequency.VOID
        was_judged = not is_void and is_judged(claim)
        if was_judged and claim.pk not in gone:
            judged.append(claim)
        has_replaced = claim.frequency == Claim.Frequency.REPLACEMENT and (was_judged or claim.pk in gone)
        if has_replaced or (is_void and claim.status == ClaimStatus.VOIDED):
            gone.add(claim.replaces_id)
    if len(judged) > 1:
        last = payer_id_of(judged[0])
        judged.sort(key=lambda claim: (not is_paid(claim), is_paid(claim) and payer_id_of(claim) == last))
    return judged


def is_paid(claim: Claim) -> bool:
    """Tell whether something that was paid for a claim is left."""
    return claim.paid is not None and claim.paid > 0


def payer_id_of(claim: Claim) -> str:
    """Of the payer that a claim was built for."""
    return str(claim.draft()["payer"]["payer_id"]) if claim.snapshot else ""


def _is_for_payer_of(session: Session, claim: Claim) -> bool:
    billed = payer_id_of(claim)
    if billed in ("", to_basic_text(session.payer_id)):
        return True
    named = session.payer_name, session.payer_id
    match, _ = match_payers([named])[named]
    return payer_meant(session, match) == billed


def is_lost(claim: Claim) -> bool:
    """Tell whether the last that was heard of a claim on its way is that nobody can find it (rule 15).

    Of several answers of the last day that one counts, in whatever order they came, and a person is asked;
    but what its payer has is not lost where the clearinghouse alone misses it, on whatever day. What staff
    were told when they asked goes by when it came: an answer of an earlier day can come after it.
    """
    if claim.status not in ON_ITS_WAY:
        return False
    heard = _heard(claim, *ANSWERS)
    asked = next((row for row in reversed(heard) if row.natural_key.startswith(ASKED)), None)
    if asked is not None:
        heard = [row for row in heard if row.pk > asked.pk]
    rows = [row for row in heard if tells_of_claim(Signal.from_json(row.payload))]
    rows = rows or ([asked] if asked else [])
    by_payer = of_last_day([row for row in rows if row.payload["source"] == Source.PAYER])
    if by_payer and not any(map(is_not_found, by_payer)):
        return False
    return any(map(is_not_found, of_last_day(rows)))


def _heard(claim: Claim, *kinds: SignalKind) -> list[ClaimSignal]:
    """What counts of these kinds, as it came in; asks nothing where `signals` were prefetched."""
    heard = sorted(claim.signals.all(), key=lambda row: row.pk)
    return [row for row in heard if row.kind in kinds and row.dismissed_at is None]


def of_last_day(rows: Sequence[ClaimSignal]) -> list[Signal]:
    """What the rows of the latest effective date on which they tell of the claim say."""
    said = [each for row in rows if tells_of_claim(each := Signal.from_json(row.payload))]
    last = max((each.effective_date for each in said), default=None)
    return [each for each in said if each.effective_date == last]


def tells_of_claim(answer: Signal) -> bool:
    """Tell whether an answer is more than that a question couldn't be answered (E0 to E4)."""
    return any(not status.category.startswith("E") for status in answer.every_status) or not answer.statuses


def is_not_found(answer: Signal) -> bool:
    """Tell whether an answer says that its sender can't find the claim."""
    return any(status.category in NOT_FOUND for status in answer.every_status)


def versions_of(newest: Claim) -> list[Claim]:
    """This version and those before it, the newest first."""
    earlier = Claim.objects.filter(session_id=newest.session_id, version__lt=newest.version)
    return [newest, *(earlier.order_by("-version") if newest.version > 1 else ())]


def is_named(claim: Claim) -> bool:
    """Tell whether a later version can name this one; Original Medicare takes no such name."""
    if claim.payer_control_number:
        return True
    return bool(claim.snapshot) and claim.draft()["payer"]["claim_filing_code"] == ORIGINAL_MEDICARE
