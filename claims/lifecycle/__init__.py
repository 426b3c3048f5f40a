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

OPEN_FOR_CORRECTION = (
    Claim.Step.CODE,
    Claim.Step.CHECK,
    Claim.Step.WINDOW,
    Claim.Step.BUILD,
    Claim.Step.SEND,
    Claim.Step.HELD,
)
__all__ = [
    "OPEN_FOR_CORRECTION",
    "begin_dispatch",
    "hold_restored",
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
