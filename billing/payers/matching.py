"""Which payer a session means: by the id it sent, else by the name."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

from django.db.models import F, QuerySet

from billing.models import Payer
from billing.payers.database import DatabaseDirectory
from billing.payers.names import search_text
from billing.rules.facts import PayerCandidate, PayerMatch
from billing.rules.kinds import PayerMatchOutcome

_CANDIDATES = 5
_SIMILAR = 60
_ZEROS_LOST = 5
Named = tuple[str, str]
"""Name and id, as a session has them; the id may be empty."""


def match_payer(name: str, *, payer_id: str | None = None) -> PayerMatch:
    """Match the payer that a session names.

    With an id: EXACT where the directory has it, letter case and leading zeros aside, and the candidates are
    the other payers whose name or alias was sent; else UNKNOWN, and the candidates are what the name may
    mean, or the id where both have changed places. Without one: EXACT where
    one payer alone has this name or alias, CANDIDATES where several have it or are like it, else UNKNOWN.
    """
    named = (name, payer_id or "")
    return match_payers([named])[named][0]


def match_payers(all_named: Iterable[Named]) -> dict[Named, tuple[PayerMatch, Payer | None]]:
    """Match many at once, in a few statements; only a name that fits nobody costs a search of its own.

    With an EXACT match comes the payer, and with that its profile.
    """
    wanted = set(all_named)
    by_id = _payers_of_ids({payer_id for _, payer_id in wanted if payer_id})
    unknown = {(name, payer_id) for name, payer_id in wanted if payer_id and payer_id not in by_id}
    swapped = _payers_of_ids({name for name, _ in unknown})
    without_id = {(name, payer_id) for name, payer_id in wanted if not payer_id}
    odd = {
        (name, payer_id)
        for name, payer_id in wanted
        if payer_id in by_id and search_text(name) != by_id[payer_id].search_text
    }
    by_name = _payers_of_names(name for name, _ in without_id | unknown | odd)
    matches = {}
    for name, payer_id in wanted:
        named = by_name.get(name, [])
        payer = by_id.get(payer_id)
        if not payer_id and len(named) == 1:
            payer = named[0]
        if payer:
            others = [] if payer in named else named
            match = PayerMatch(
                PayerMatchOutcome.EXACT, payer.payer_id, payer.name, candidates=_as_candidates(others)
            )
        elif payer_id:
            meant = [swapped[name]] if name in swapped else named
            candidates = _as_candidates(meant) or _like(name)
            match = PayerMatch(PayerMatchOutcome.UNKNOWN, candidates=candidates)
        else:
            candidates = _as_candidates(named) or _like(name)
            outcome = PayerMatchOutcome.CANDIDATES if candidates else PayerMatchOutcome.UNKNOWN
            match = PayerMatch(outcome, candidates=candidates)
        matches[name, payer_id] = match, payer
    return matches


def _payers_of_ids(ids: Iterable[str]) -> Mapping[str, Payer]:
    """The active payers that these ids mean, however they are written."""
    written = {sent: _spellings(sent) for sent in ids}
    if not any(written.values()):
        return {}
    spelt = set().union(*written.values())
    known = {payer.payer_id: payer for payer in _active().filter(payer_id__in=spelt)}
    found = {}
    for sent, spellings in written.items():
        of_it = [known[each] for each in spellings if each in known]
        exact = known.get(sent.strip()) or known.get(sent.strip().upper())
        if of_it and (exact or len(of_it) == 1):
            found[sent] = exact or of_it[0]
    return found


def _active() -> QuerySet[Payer]:
    return Payer.objects.filter(active=True).select_related("profile")


def _spellings(sent: str) -> set[str]:
    plain = sent.strip()
    if not plain.isascii() or not plain.isprintable():
        return set()
    bare = plain.upper().lstrip("0")
    return {plain, plain.upper(), *("0" * zeros + bare for zeros in range(_ZEROS_LOST + 1))} - {""}


def _payers_of_names(names: Iterable[str]) -> Mapping[str, list[Payer]]:
    """The active payers that have each of these names, the most prominent first."""
    texts = {name: text for name in names if (text := search_text(name))}
    if not texts:
        return {}
    # Two index look-ups; joined in one condition they would scan.
    own = _active().filter(search_text__in=texts.values())
    aliased = _active().filter(aliases__search_text__in=texts.values())
    rows = [
        *((payer.search_text, payer) for payer in own),
        *((payer.alias_text, payer) for payer in aliased.annotate(alias_text=F("aliases__search_text"))),
    ]
    by_text: dict[str, dict[str, Payer]] = defaultdict(dict)
    for text, payer in rows:
        by_text[text][payer.payer_id] = payer
    return {
        name: sorted(
            by_text[text].values(), key=lambda payer: (-payer.prominence, payer.name, payer.payer_id)
        )
        for name, text in texts.items()
    }


def _like(name: str) -> tuple[PayerCandidate, ...]:
    hits = DatabaseDirectory().search(name, limit=_CANDIDATES, at_least=_SIMILAR)
    return tuple(PayerCandidate(hit.payer_id, hit.payer_name) for hit in hits)


def _as_candidates(payers: Sequence[Payer]) -> tuple[PayerCandidate, ...]:
    return tuple(PayerCandidate(payer.payer_id, payer.name) for payer in payers[:_CANDIDATES])
