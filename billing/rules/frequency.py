"""Rules about which version of a claim this is: original, replacement or void."""

from collections.abc import Iterator
from dataclasses import replace

from billing.rules.facts import ClaimFacts, OriginalState, PayerClass
from billing.rules.rule import HOLDS, REPAIRS, WARNS, Actor, Change, Complaint, Rule, hold, repaired, warn

_ORIGINAL, _REPLACEMENT, _VOID = "1", "7", "8"
_PATH = "claim.frequency"


def refers_to_original(facts: ClaimFacts) -> Iterator[Complaint]:
    """A replacement or void names the claim that it is about by the payer's own number."""
    version = facts.version
    if version.frequency not in (_ORIGINAL, _REPLACEMENT, _VOID):
        yield hold(
            _PATH,
            "A claim is an original, a replacement or a void. Choose one of them.",
            who_acts=Actor.STAFF,
        )
        return
    if version.frequency == _ORIGINAL and version.original is OriginalState.SENT:
        yield hold(
            _PATH,
            "The payer has the claim before after all and hasn't judged it; a second one would bill the "
            "service twice. Wait for its answer.",
            who_acts=Actor.STAFF,
        )
    if version.original is OriginalState.VOIDED:
        yield hold(
            _PATH,
            "The payer has voided its claim, and gets no new one. Correct it to another payer, or leave it.",
            who_acts=Actor.STAFF,
        )
    medicare = facts.profile is not None and facts.profile.payer_class is PayerClass.MEDICARE
    if version.frequency != _ORIGINAL and not version.payer_control_number and not medicare:
        what = "replacement" if version.frequency == _REPLACEMENT else "void"
        yield hold(
            _PATH,
            f"A {what} names the first claim by the payer's number, and none is known. Take it from the "
            "remittance or ask the payer.",
            who_acts=Actor.STAFF,
        )


def paid_by_another(facts: ClaimFacts) -> Iterator[Complaint]:
    """What one payer has paid is given back when another is billed for it."""
    if facts.version.original is OriginalState.ADJUDICATED_ELSEWHERE and facts.version.original_is_paid:
        yield warn(
            _PATH,
            "Another payer has paid the claim before, and this one doesn't replace it. Once it is answered, "
            "billing staff void the paid one too.",
            who_acts=Actor.STAFF,
        )


def choose_frequency(facts: ClaimFacts) -> tuple[ClaimFacts, tuple[Complaint, ...]]:
    """A payer that never judged the claim gets an original; a claim that it judged is replaced."""
    version = facts.version
    if version.original is OriginalState.REJECTED and version.frequency == _REPLACEMENT:
        chosen, why = _ORIGINAL, "The claim before was rejected and never judged, so this one is an original."
    elif version.original is OriginalState.ADJUDICATED_ELSEWHERE and version.frequency == _REPLACEMENT:
        chosen, why = _ORIGINAL, "Another payer has judged the claim before, so this one is an original."
    elif version.original is OriginalState.ADJUDICATED and version.frequency == _ORIGINAL:
        chosen, why = _REPLACEMENT, "The payer has judged the claim before, so this one replaces it."
    else:
        return facts, ()
    changed = replace(facts, version=replace(version, frequency=chosen))
    return changed, (repaired(why, Change(_PATH, chosen)),)


RULES = (
    Rule("FRQ-001", HOLDS, "A replacement or void carries the payer's number", refers_to_original),
    Rule(
        "FRQ-002",
        REPAIRS + WARNS,
        "After a rejection, or to another payer, an original is sent, after a judgement a replacement",
        paid_by_another,
        repair=choose_frequency,
    ),
)
