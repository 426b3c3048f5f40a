"""`resend_claim NUMBER --reason …`: send a corrected claim."""

from claims import actions
from claims.support.one_action import OneActionCommand


class Command(OneActionCommand):
    help = (
        "Send a session's claim again after its rejection or denial: as a new claim where nobody judged it, "
        "as a replacement where the payer did, in a new envelope where our file couldn't be read."
    )
    example = "resend_claim PCN0A1B2C3D4 --reason 'Payer asked for it' --dry-run"
    act = staticmethod(actions.resend)
