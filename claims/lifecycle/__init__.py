"""The one package that writes a claim's and a session's status; a test over the syntax tree says so.

Before a claim is sent, the process moves it by conditional updates: `land` what steps found, then what
handing over brought. After that its status is the fold of its signals: `settle`. Sessions follow in the same
transaction.
"""

from claims.lifecycle.handed_over import (
    begin_dispatch,
    record_failure,
    record_receipt,
    record_refusal,
    send_unasked,
)
from claims.lifecycle.landed import (
    hold_restored,
    land,
    put_aside,
    reopen,
    resend_envelope,
    start_again,
    turn_into_void,
)
from claims.lifecycle.locks import lock_versions
from claims.lifecycle.settled import settle
from claims.models import Claim
from claims.signals import NOT_LEFT

__all__ = [
    "begin_dispatch",
    "hold_restored",
    "is_open",
    "land",
    "lock_versions",
    "put_aside",
    "record_failure",
    "record_receipt",
    "record_refusal",
    "reopen",
    "resend_envelope",
    "send_unasked",
    "settle",
    "start_again",
    "turn_into_void",
]


def is_open(claim: Claim) -> bool:
    """Tell whether a claim has not begun to leave, so that a correction may still change it."""
    return claim.step != Claim.Step.FOLLOW and claim.status in NOT_LEFT
