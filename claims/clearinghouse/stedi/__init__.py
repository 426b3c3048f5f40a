"""The Stedi clearinghouse: see `gateway`."""

from claims.clearinghouse.stedi.gateway import StediClearinghouse, StediSettings
from claims.clearinghouse.stedi.payload import Submitter
from claims.clearinghouse.stedi.reports import StediReport
from claims.clearinghouse.stedi.transport import Transport

__all__ = [
    "StediClearinghouse",
    "StediReport",
    "StediSettings",
    "Submitter",
    "Transport",
]
