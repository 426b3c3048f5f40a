"""What many sessions would come to: one look-up for all, one more for those behind another of their day."""

from collections import defaultdict
from collections.abc import Sequence
from copy import copy
from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING

from billing.rules.facts import OtherClaim
from claims import history, note_model, steps
from claims.desk.correction_preview import Drawn, copied, drawn, opened
from claims.landing import Landing, Work
from claims.versions import NextVersion
from sessions_app.lookups import look_up
from sessions_app.submission import Correction

if TYPE_CHECKING:
    from uuid import UUID


def drawn_next(planned: Sequence[tuple[Work, NextVersion]], *, now: datetime) -> list[Drawn]:
    """What each next version would come to if all went out with the codes that their sessions have now.

    The notes aren't read again.
    """
    works = [copied(work, Correction(), claim=opened(work.claim, then, now=now)) for work, then in planned]
    return _drawn(works, [Landing() for _ in works], now=now)


def drawn_once_more(held: Sequence[Work], *, now: datetime) -> list[Drawn]:
    """What each would come to if all were coded and checked again as they are.

    A note that a language model has read isn't read again: what it said then counts.
    """
    works = [_read_already(copied(work, Correction(), claim=work.claim)) for work in held]
    landings = [Landing() for _ in works]
    coded = [
        Work(claim=work.claim, record=steps.code(work, landing), note=work.note, overrides=work.overrides)
        for work, landing in zip(works, landings, strict=True)
    ]
    return _drawn(coded, landings, now=now)


def _read_already(work: Work) -> Work:
    if work.note is None or not work.note.coding or not note_model.in_use():
        return work
    note = copy(work.note)
    note.text = None
    return replace(work, note=note)


def _drawn(works: Sequence[Work], landings: Sequence[Landing], *, now: datetime) -> list[Drawn]:
    """One that goes holds those of its service that come behind it."""
    landing_of = {work.claim.session_id: landing for work, landing in zip(works, landings, strict=True)}
    others = history.other_claims(works) if works else {}
    going: dict[str, list[OtherClaim]] = defaultdict(list)
    found: dict[UUID, Drawn] = {}
    for turn in history.in_turns(works):
        known = [(*others[work.claim.session_id], *going[history.day_of(work)]) for work in turn]
        beside = [history.codes_of_day(work, claims) for work, claims in zip(turn, known, strict=True)]
        looked_up = look_up([work.record for work in turn], beside=beside)
        for work, lookups, claims in zip(turn, looked_up, known, strict=True):
            landing = landing_of[work.claim.session_id]
            come_to = drawn(work, work.record, landing, lookups, claims, now=now)
            found[work.claim.session_id] = come_to
            if not come_to.holding:
                going[history.day_of(work)].append(history.as_waiting(work))
    return [found[work.claim.session_id] for work in works]
