"""Rules about the insurance: member ID, payer, filing code."""

import re
from collections.abc import Iterator
from dataclasses import replace

from billing.rules.characters import bare_member_id
from billing.rules.facts import ClaimFacts, Mode, PayerCandidate, PayerClass, PayerMatchOutcome
from billing.rules.member_id_form import FormError, form_of
from billing.rules.patient import years_between
from billing.rules.rule import (
    HOLDS,
    REPAIRS,
    WARNS,
    Actor,
    Change,
    Complaint,
    Rule,
    hold,
    repaired,
    warn,
)
from billing.rules.tables.filing_codes import COMMERCIAL, FITTING, UNKNOWN

_MEMBER_ID = "patient.insurance.memberId"
_PAYER_ID = "patient.insurance.payerId"
_PAYER_NAME = "patient.insurance.payerName"
_NUMBER_WORDS = ("No", "One", "Two", "Three", "Four", "Five")
_MOST_LISTED = 5
"""The directory names no more, however many there are."""

_LETTER, _MIXED = "[AC-HJKMNP-RT-Y]", "[AC-HJKMNP-RT-Y0-9]"
_CLASS_PATTERNS: dict[PayerClass, tuple[str, str]] = {
    PayerClass.MEDICARE: (
        rf"[1-9]{_LETTER}{_MIXED}[0-9]{_LETTER}{_MIXED}[0-9]{_LETTER}{{2}}[0-9]{{2}}",
        "eleven characters, like 1EG4TE5MK73",
    ),
    PayerClass.BLUE: (
        r"[A-Z0-9]{3}[A-Z0-9]{6,14}|R[0-9]{8}",
        "three letters of the plan, then the number, like XYZ123456789",
    ),
}
"""Where staff keep no pattern for a payer: what its class of payers prints on the card."""
_DEPENDENT = re.compile(r"[0-9]{5,}[ -]0[2-9]$")
_ADULT = 18
_EACH_INSURED = frozenset({PayerClass.MEDICARE, PayerClass.MEDICAID, PayerClass.MEDICAID_MANAGED})
"""These insure everybody under a number of their own."""


def strip_member_id(facts: ClaimFacts) -> tuple[ClaimFacts, tuple[Complaint, ...]]:
    """Blanks and dashes on the card are only print."""
    sent = facts.coverage.member_id
    plain = bare_member_id(sent)
    on_card = facts.coverage.member_id_on_card or sent
    changed = replace(facts, coverage=replace(facts.coverage, member_id=plain, member_id_on_card=on_card))
    if plain == sent.upper():
        return changed, ()
    return changed, (
        repaired("The claim carries the member ID without blanks and dashes.", Change(_MEMBER_ID)),
    )


def member_id_length(facts: ClaimFacts) -> Iterator[Complaint]:
    """A member ID has 2 to 50 letters and digits."""
    if not re.fullmatch(r"[A-Z0-9./&+]{2,80}", facts.coverage.member_id):
        yield hold(
            _MEMBER_ID,
            "A member ID has 2 to 50 letters and digits; blanks, dashes and the characters . / & + may stand "
            "between them, no others. Send it as the insurance card has it.",
        )


def member_id_pattern(facts: ClaimFacts) -> Iterator[Complaint]:
    """A payer's member IDs look alike."""
    profile = facts.profile
    if profile is None:
        return
    pattern, words = profile.member_id_pattern, profile.member_id_words
    if not pattern and profile.payer_class in _CLASS_PATTERNS:
        pattern, words = _CLASS_PATTERNS[profile.payer_class]
    if not pattern:
        return
    try:
        fits = form_of(pattern).fullmatch(facts.coverage.member_id) is not None
    except FormError:
        yield warn(
            _MEMBER_ID,
            "The member ID pattern in this payer's profile can't be read. Correct the profile.",
            who_acts=Actor.STAFF,
        )
        return
    if not fits:
        looks = f" ({words})" if words else ""
        yield warn(
            _MEMBER_ID,
            f"The member ID doesn't look like this payer's{looks}. Compare it with the insurance card.",
            who_acts=Actor.PARTNER,
        )


def fill_payer_id(facts: ClaimFacts) -> tuple[ClaimFacts, tuple[Complaint, ...]]:
    """One payer alone has this name, so its ID is known."""
    match = facts.payer_match
    if (
        facts.coverage.payer_id
        or match is None
        or match.outcome is not PayerMatchOutcome.EXACT
        or not match.payer_id
    ):
        return facts, ()
    name = match.payer_name or facts.coverage.payer_name
    return replace(facts, coverage=replace(facts.coverage, payer_id=match.payer_id, payer_name=name)), (
        repaired(
            f"The payer's name fits {name} alone, so the claim goes to its payer ID {match.payer_id}.",
            Change(_PAYER_ID, match.payer_id),
        ),
    )


def _listed(candidates: tuple[PayerCandidate, ...]) -> str:
    return ", ".join(f"{candidate.name} ({candidate.payer_id})" for candidate in candidates[:_MOST_LISTED])


def payer_is_certain(facts: ClaimFacts) -> Iterator[Complaint]:
    """A claim needs one payer."""
    match = facts.payer_match
    if facts.coverage.payer_id or match is None or match.outcome is PayerMatchOutcome.EXACT:
        return
    count = len(match.candidates)
    if count:
        number = _NUMBER_WORDS[min(count, _MOST_LISTED)]
        fit = "payer fits nearly" if count == 1 else "payers fit"
        if count >= _MOST_LISTED:
            fit = "payers or more fit"
        yield hold(
            _PAYER_ID,
            f"{number} {fit} the payer's name: {_listed(match.candidates)}. Choose one, send its payerId, "
            "and the session goes on.",
        )
    else:
        yield hold(
            _PAYER_ID,
            "No payer has this name. Look it up with the payer search and send the payerId that it gives.",
        )


def takes_professional_claims(facts: ClaimFacts) -> Iterator[Complaint]:
    """Some payers in the directory take no professional claims."""
    if facts.profile is not None and facts.profile.supports_professional_claims is False:
        yield hold(
            _PAYER_ID,
            "This payer takes no electronic claims for therapy. The card often names another company for "
            "mental health; send that one's payerId.",
        )


def _looks_like_name(text: str) -> bool:
    return bool(re.search(r"[A-Za-z]{3,}[\s&,.'-]+[A-Za-z]{2,}|^[A-Za-z]{5,}$", text.strip()))


def _looks_like_id(text: str) -> bool:
    return bool(re.fullmatch(r"[A-Z]{0,4}[0-9][A-Z0-9]{2,9}", text.strip()))


def payer_id_is_known(facts: ClaimFacts) -> Iterator[Complaint]:
    """The payer directory has the payer ID, it isn't the name, and the name isn't another payer's."""
    payer_id = facts.coverage.payer_id
    if not payer_id:
        return
    if _looks_like_name(payer_id) and _looks_like_id(facts.coverage.payer_name):
        yield hold(_PAYER_ID, "Payer name and payer ID have changed places. Send each in the other's field.")
        return
    match = facts.payer_match
    if match is not None and match.outcome is not PayerMatchOutcome.EXACT:
        near = f" By name it could be {_listed(match.candidates)}." if match.candidates else ""
        yield hold(
            _PAYER_ID,
            f"No payer that we know has this payer ID.{near} Look it up with the payer search and send the "
            "payerId that it gives.",
        )
    elif match is not None and match.candidates:
        yield warn(
            _PAYER_NAME,
            f"The payer's name and its ID are of two payers: the name fits {_listed(match.candidates)}, the "
            f"ID is {match.payer_name}'s, to whom the claim goes. Compare both with the insurance card.",
            who_acts=Actor.PARTNER,
        )


def choose_filing_code(facts: ClaimFacts) -> tuple[ClaimFacts, tuple[Complaint, ...]]:
    """The filing code names the kind of insurance, and payers refuse a wrong one."""
    profile = facts.profile
    payer_class = profile.payer_class if profile else None
    chosen = facts.coverage.filing_code or (profile.filing_code if profile else None)
    if payer_class is None:
        match = facts.payer_match
        known = match is not None and match.outcome is PayerMatchOutcome.EXACT
        return replace(
            facts, coverage=replace(facts.coverage, filing_code=chosen or (COMMERCIAL if known else UNKNOWN))
        ), ()
    fitting = FITTING[payer_class]
    if chosen is None or chosen in fitting:
        return replace(facts, coverage=replace(facts.coverage, filing_code=chosen or fitting[0])), ()
    return replace(facts, coverage=replace(facts.coverage, filing_code=fitting[0])), (
        repaired(
            f"The claim carries filing code {fitting[0]}, which fits the payer's kind, in place of {chosen}.",
            Change(_PAYER_ID, fitting[0]),
        ),
    )


def patient_is_subscriber(facts: ClaimFacts) -> Iterator[Complaint]:
    """The claim names the patient as the insured; a child or spouse may not be."""
    if facts.profile is not None and facts.profile.payer_class in _EACH_INSURED:
        return
    if years_between(facts.patient.date_of_birth, facts.session.date_of_service) < _ADULT:
        yield warn(
            _MEMBER_ID,
            "The patient is a minor, and the claim names the patient as the insured person. If the payer's "
            "card is a parent's, send the member ID that it gives the child.",
            who_acts=Actor.PARTNER,
        )
    elif _DEPENDENT.search((facts.coverage.member_id_on_card or facts.coverage.member_id).strip()):
        yield warn(
            _MEMBER_ID,
            "The member ID ends like a family member's, and the claim names the patient as the insured "
            "person. Compare it with the insurance card.",
            who_acts=Actor.PARTNER,
        )


def keep_leading_zeros(facts: ClaimFacts) -> tuple[ClaimFacts, tuple[Complaint, ...]]:
    """A payer ID that lost its leading zeros on the way gets them back."""
    sent, match = facts.coverage.payer_id, facts.payer_match
    if not sent or match is None or not match.payer_id or match.outcome is not PayerMatchOutcome.EXACT:
        return facts, ()
    if sent == match.payer_id or sent.lstrip("0").upper() != match.payer_id.lstrip("0").upper():
        return facts, ()
    return replace(facts, coverage=replace(facts.coverage, payer_id=match.payer_id)), (
        repaired(
            f"The claim goes to payer ID {match.payer_id}, as the payer directory writes it.",
            Change(_PAYER_ID, match.payer_id),
        ),
    )


def rehearsed_hold(facts: ClaimFacts) -> Iterator[Complaint]:
    """A test organization rehearses a held session with a member ID that begins with HELD."""
    if facts.mode is Mode.TEST and bare_member_id(facts.coverage.member_id).startswith("HELD"):
        yield hold(
            _MEMBER_ID,
            "This is a rehearsal: a test member ID that begins with HELD is held until it is corrected. Send "
            "another member ID and the session goes on.",
        )


RULES = (
    Rule(
        "INS-001",
        HOLDS + REPAIRS,
        "The member ID has 2 to 50 letters and digits",
        member_id_length,
        strip_member_id,
    ),
    Rule("INS-002", WARNS, "The member ID looks like the payer's", member_id_pattern),
    Rule("INS-003", HOLDS + REPAIRS, "One payer alone is meant", payer_is_certain, fill_payer_id),
    Rule("INS-004", HOLDS, "The payer takes professional claims", takes_professional_claims),
    Rule(
        "INS-005",
        HOLDS + WARNS,
        "The payer directory has the payer ID",
        payer_id_is_known,
        warns_in_test_mode=True,
    ),
    Rule("INS-006", REPAIRS, "The filing code fits the kind of payer", repair=choose_filing_code),
    Rule("INS-007", WARNS, "The patient is the insured person", patient_is_subscriber),
    Rule("INS-008", REPAIRS, "The payer ID keeps its leading zeros", repair=keep_leading_zeros),
    Rule(
        "TEST-001", HOLDS, "No rehearsal of a held session is asked for (test organizations)", rehearsed_hold
    ),
)
