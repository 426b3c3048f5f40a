"""Looking a payer up from the correction form: by any name or ID, and one chosen fills both of its fields."""

from collections.abc import Sequence
from dataclasses import dataclass

from billing.models import Payer
from billing.payers.directory import PayerDirectoryError, PayerHit, search
from claims.desk.corrections import Typed

LONGEST_LOOKUP = 120
MOST_SHOWN = 8
PAYER_NAME, PAYER_ID = "patient.insurance.payerName", "patient.insurance.payerId"


@dataclass(frozen=True, slots=True)
class Lookup:
    """What was looked for, the payers that it fits, the best first, and why there are none."""

    text: str = ""
    hits: Sequence[PayerHit] = ()
    nothing: str = ""


NOT_LOOKED_UP = Lookup()


def look_up(text: str) -> Lookup:
    """Ask the payer directory, whichever is set up."""
    if not text:
        return Lookup(nothing="Enter a name or an ID, like Aetna or 60054.")
    try:
        hits = search(text)[:MOST_SHOWN]
    except PayerDirectoryError:
        return Lookup(text, nothing="The payer search failed. Try again in a moment.")
    return Lookup(text, hits, "" if hits else f"No payer has “{text}” as its name or ID.")


def with_payer(typed: Typed, payer_id: str) -> Typed:
    """The same with this payer's name and ID in their fields; unchanged where there is no such payer."""
    payer = Payer.objects.filter(payer_id=payer_id).first()
    if payer is None:
        return typed
    return Typed({**typed.values, PAYER_NAME: payer.name, PAYER_ID: payer.payer_id}, typed.were)
