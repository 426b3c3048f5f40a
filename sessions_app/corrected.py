"""The code rows of a session as a correction makes them; nothing is written here."""

from collections import Counter
from collections.abc import Iterable, Sequence

from billing.rules.tables.procedures import COUNT_TIME, QUARTER_HOURS
from sessions_app.models import Session, SessionCode
from sessions_app.submission import Correction

Line = tuple[str, str, str]
"""A code row by its kind, its code, and the modifier that somebody gave."""


def corrected_codes(
    session: Session, correction: Correction, *, known: Iterable[SessionCode], source: SessionCode.Source
) -> dict[str, list[SessionCode]]:
    """The new rows by kind, for the kinds that a correction replaces.

    A code without units has those of the same line among the `known` ones: the interface can't say them.
    Units of time that staff gave stay theirs. Quarter hours are counted anew where the minutes gave them, or
    where another code comes to share the time.
    """
    units, by_staff = _kept_units(correction, list(known))
    given = {
        SessionCode.Kind.DIAGNOSIS.value: correction.diagnosis_codes,
        SessionCode.Kind.PROCEDURE.value: correction.procedure_codes,
    }
    return {
        kind: [
            SessionCode(
                partner_id=session.partner_id,
                session=session,
                kind=kind,
                position=position,
                code=code.code,
                description=code.description,
                modifier=code.modifier,
                units=code.units or units.get((kind, code.code, code.modifier), 1),
                source=SessionCode.Source.STAFF if (kind, code.code, code.modifier) in by_staff else source,
            )
            for position, code in enumerate(codes)
        ]
        for kind, codes in given.items()
        if codes is not None
    }


def _kept_units(correction: Correction, rows: Sequence[SessionCode]) -> tuple[dict[Line, int], set[Line]]:
    """The units that lines keep; and those whose units of time staff gave."""
    more_codes = Counter(code.code for code in correction.procedure_codes or ()) - Counter(
        row.code for row in rows if row.kind == SessionCode.Kind.PROCEDURE
    )
    units: dict[Line, int] = {}
    by_staff: set[Line] = set()
    for row in rows:
        line = (row.kind, row.code, "" if row.modifier_added else row.modifier)
        if row.code in QUARTER_HOURS and (more_codes or row.source == SessionCode.Source.SENT):
            continue
        units[line] = row.units
        if row.code in COUNT_TIME and row.source == SessionCode.Source.STAFF:
            by_staff.add(line)
    return units, by_staff
