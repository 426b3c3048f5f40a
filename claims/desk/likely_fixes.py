"""What would probably put a session right: from our own rows and tables, never from a model.

Each fix names its source, and changes fields that a correction can change.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from billing.models import Payer
from billing.payers.directory import match_payer
from billing.rules.characters import bare_member_id
from billing.rules.member_id_form import FormError, form_of
from claims.answer_source import Stated
from claims.signals import ClaimStatus
from sessions_app.models import Session

MEMBER_ID, PAYER_ID, PAYER_NAME = (
    "patient.insurance.memberId",
    "patient.insurance.payerId",
    "patient.insurance.payerName",
)
PAID = frozenset({ClaimStatus.PAID, ClaimStatus.PARTIALLY_PAID, ClaimStatus.PATIENT_RESPONSIBILITY})
PAYER_RULES = frozenset({"INS-003", "INS-005"})
MISREAD = {"O": "0", "I": "1", "L": "1", "S": "5", "B": "8", "Z": "2", "G": "6"}
"""Letters that are typed for digits, and the other way round."""
MOST_FIXES = 5


@dataclass(frozen=True, slots=True)
class Fix:
    """One likely fix: the fields it changes, by path, and where it comes from."""

    number: int
    words: str
    source: str
    changes: Mapping[str, str] = field(repr=False)
    shown: Sequence[tuple[str, str, str]] = field(repr=False)
    """Field, what it says now, what it would say."""
    label: str = "Use it and preview"
    choice: bool = False
    """One of several that exclude each other: its label says all."""


@dataclass(frozen=True, slots=True)
class OtherSession:
    """Another session of the same patient, with where its newest claim stands."""

    session: Session = field(repr=False)
    claim_status: str

    @property
    def was_paid(self) -> bool:
        """Whether a payer paid it, or left it to the patient."""
        return self.claim_status in PAID


def likely_fixes(
    session: Session,
    *,
    rules: Sequence[str],
    about_member: bool,
    others: Sequence[OtherSession],
    stated: Stated | None = None,
) -> list[Fix]:
    """Fixes for a session that a rule holds or a payer sent back.

    `rules` are those that complain, `stated` is what the deciding remittance says.
    """
    found = corrected_by_payer(session, stated)
    if PAYER_RULES & set(rules):
        found += _payers(session)
    if about_member or {"INS-001", "INS-002"} & set(rules):
        found += _paid_under_another_id(session, others)
        found += _one_edit_away(session)
    numbered: list[Fix] = []
    seen: set[tuple[tuple[str, str], ...]] = set()
    for each in found:
        key = tuple(sorted(each.changes.items()))
        if key not in seen and len(numbered) < MOST_FIXES:
            seen.add(key)
            numbered.append(replace(each, number=len(numbered) + 1))
    return numbered


def corrected_by_payer(session: Session, stated: Stated | None) -> list[Fix]:
    """The name or member ID that the payer puts in place of ours in its remittance (NM1*74)."""
    corrected = stated.remitted.name("74") if stated and stated.remitted else None
    if corrected is None:
        return []
    offered = (
        ("Last name", "patient.lastName", session.patient_last_name, corrected.last_name),
        ("First name", "patient.firstName", session.patient_first_name, corrected.first_name),
        ("Member ID", MEMBER_ID, session.member_id, corrected.identifier),
    )
    other = [each for each in offered if each[3] and each[3].upper() != each[2].upper()]
    if not other:
        return []
    payer = session.payer_name
    return [
        Fix(
            0,
            f"{payer} corrects what we sent.",
            f"the corrected insured in {payer}'s remittance",
            {path: then for _, path, _, then in other},
            tuple((label, now, then) for label, _, now, then in other),
        )
    ]


def _payers(session: Session) -> Iterator[Fix]:
    match = match_payer(session.payer_name, payer_id=session.payer_id or None)
    for candidate in match.candidates:
        yield Fix(
            0,
            f"{candidate.name} fits the payer's name.",
            "the payer directory",
            {PAYER_ID: candidate.payer_id, PAYER_NAME: candidate.name},
            (
                ("Payer", session.payer_name, candidate.name),
                ("Payer ID", session.payer_id or "none", candidate.payer_id),
            ),
            label=f"{candidate.name} ({candidate.payer_id})",
            choice=True,
        )


def _paid_under_another_id(session: Session, others: Sequence[OtherSession]) -> Iterator[Fix]:
    """The same patient was paid for under another member ID of the same payer."""
    own = bare_member_id(session.member_id)
    for other in others:
        theirs = bare_member_id(other.session.member_id)
        same_payer = other.session.payer_id == session.payer_id
        if other.was_paid and same_payer and theirs != own:
            day = f"{other.session.date_of_service:%B} {other.session.date_of_service.day}"
            yield Fix(
                0,
                f"The session of {day} was paid by {session.payer_name} under another ID. "
                f"{_difference(own, theirs)}",
                f"our paid claim of {day}",
                {MEMBER_ID: other.session.member_id},
                (("Member ID", session.member_id, other.session.member_id),),
            )


def _one_edit_away(session: Session) -> Iterator[Fix]:
    """One misread character, and the ID would look like this payer's."""
    payer = Payer.objects.filter(payer_id=session.payer_id).select_related("profile").first()
    profile = getattr(payer, "profile", None)
    pattern = profile.member_id_pattern if profile else ""
    own = bare_member_id(session.member_id)
    try:
        form = form_of(pattern)
    except FormError:
        return
    if not pattern or form.fullmatch(own):
        return
    for near in _misread(own):
        if form.fullmatch(near):
            yield Fix(
                0,
                f"With one character read otherwise it looks like {session.payer_name}'s IDs. "
                "Compare it with the card.",
                "the payer's pattern",
                {MEMBER_ID: near},
                (("Member ID", session.member_id, near),),
            )
            return


def _misread(text: str) -> Iterator[str]:
    swaps = MISREAD | {digit: letter for letter, digit in MISREAD.items() if letter != "L"}
    for position, character in enumerate(text):
        if character in swaps:
            yield text[:position] + swaps[character] + text[position + 1 :]
    for position in range(len(text)):
        yield text[:position] + text[position + 1 :]


def _difference(now: str, then: str) -> str:
    if len(now) == len(then) - 1 and now in {then[:at] + then[at + 1 :] for at in range(len(then))}:
        return "The one on this claim is a character short."
    if len(then) == len(now) - 1 and then in {now[:at] + now[at + 1 :] for at in range(len(now))}:
        return "The one on this claim has a character too many."
    if len(now) == len(then) and sum(a != b for a, b in zip(now, then, strict=True)) == 1:
        return "One character differs."
    return "The two differ."
