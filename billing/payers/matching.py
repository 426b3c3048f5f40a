"""Which payer a session means: by the id it sent, else by the name."""

from billing.models import Payer
from billing.payers.database import DatabaseDirectory
from billing.payers.names import search_text
from billing.rules.facts import PayerCandidate, PayerMatch
from billing.rules.kinds import PayerMatchOutcome

_CANDIDATES = 5
_SIMILAR = 60
_ZEROS_LOST = 5


def match_payer(name: str, *, payer_id: str | None = None) -> PayerMatch:
    """Match the payer that a session names.

    With an id: EXACT where the directory has it, letter case and leading zeros aside; else UNKNOWN, and the
    candidates are what the name may mean, or the id where both have changed places. Without one: EXACT where
    one payer alone has this name or alias, CANDIDATES where several have it or are like it, else UNKNOWN.
    """
    if payer_id:
        if payer := _payer_of_id(payer_id):
            return PayerMatch(PayerMatchOutcome.EXACT, payer.payer_id, payer.name)
        swapped = _payer_of_id(name)
        candidates = _as_candidates([swapped]) if swapped else _meant_by(name)
        return PayerMatch(PayerMatchOutcome.UNKNOWN, candidates=candidates)
    named = _payers_of_name(name)
    if len(named) == 1:
        return PayerMatch(PayerMatchOutcome.EXACT, named[0].payer_id, named[0].name)
    candidates = _as_candidates(named) if named else _like(name)
    outcome = PayerMatchOutcome.CANDIDATES if candidates else PayerMatchOutcome.UNKNOWN
    return PayerMatch(outcome, candidates=candidates)


def _payer_of_id(payer_id: str) -> Payer | None:
    sent = payer_id.strip()
    if not sent.isascii() or not sent.isprintable():
        return None
    bare = sent.upper().lstrip("0")
    written = {sent, sent.upper(), *("0" * zeros + bare for zeros in range(_ZEROS_LOST + 1))} - {""}
    found = {payer.payer_id: payer for payer in Payer.objects.filter(payer_id__in=written, active=True)}
    exact = found.get(sent) or found.get(sent.upper())
    return exact or (next(iter(found.values())) if len(found) == 1 else None)


def _payers_of_name(name: str) -> list[Payer]:
    text = search_text(name)
    if not text:
        return []
    # Two index look-ups; joined in one condition they would scan.
    own = Payer.objects.filter(search_text=text, active=True)
    aliased = Payer.objects.filter(aliases__search_text=text, active=True)
    return list(own.union(aliased).order_by("-prominence", "name", "payer_id"))


def _meant_by(name: str) -> tuple[PayerCandidate, ...]:
    return _as_candidates(_payers_of_name(name)) or _like(name)


def _like(name: str) -> tuple[PayerCandidate, ...]:
    hits = DatabaseDirectory().search(name, limit=_CANDIDATES, at_least=_SIMILAR)
    return tuple(PayerCandidate(hit.payer_id, hit.payer_name) for hit in hits)


def _as_candidates(payers: list[Payer]) -> tuple[PayerCandidate, ...]:
    return tuple(PayerCandidate(payer.payer_id, payer.name) for payer in payers[:_CANDIDATES])
