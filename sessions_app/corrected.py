"""The code rows of a session as a correction makes them; nothing is written here."""

from collections.abc import Iterable

from sessions_app.models import Session, SessionCode
from sessions_app.submission import Correction


def corrected_codes(
    session: Session, correction: Correction, *, known: Iterable[SessionCode], source: SessionCode.Source
) -> dict[str, list[SessionCode]]:
    """The new rows by kind, for the kinds that a correction replaces.

    A code without units has those of the same line among the `known` ones: the interface can't say them.
    """
    units = {(row.kind, row.code, "" if row.modifier_added else row.modifier): row.units for row in known}
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
                source=source,
            )
            for position, code in enumerate(codes)
        ]
        for kind, codes in given.items()
        if codes is not None
    }
