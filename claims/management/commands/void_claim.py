"""`void_claim NUMBER --reason …`: ask the payer to take a claim back."""

from claims import actions
from claims.support.one_action import OneActionCommand


class Command(OneActionCommand):
    help = "Void a claim that was sent: the payer is asked to take it back as if it had never come."
    example = "void_claim 0190d3c2-7a51-7cc2-9a41-3a1f6f0c9d11 --reason 'Billed twice' --dry-run"
    act = staticmethod(actions.void)
