"""pyx12 as a referee for the files that the sandbox writes."""

from __future__ import annotations

import logging
from io import StringIO

import pyx12.params
import pyx12.x12n_document


class _Findings(logging.Handler):
    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self.messages: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.messages.append(record.getMessage())


def findings_of(text: str) -> list[str]:
    """Everything that pyx12 has against a file; an empty list means that it accepts it."""
    findings = _Findings()
    logger = logging.getLogger("pyx12")
    propagates, logger.propagate = logger.propagate, False
    logger.addHandler(findings)
    try:
        accepted = pyx12.x12n_document.x12n_document(pyx12.params.ParamsBase(), StringIO(text), None, None)
    finally:
        logger.removeHandler(findings)
        logger.propagate = propagates
    return findings.messages if accepted else findings.messages or ["refused without a word"]


def acknowledgement_of(text: str) -> list[str]:
    """The AK and IK segments of the 999 that pyx12 writes about a file."""
    answer = StringIO()
    logger = logging.getLogger("pyx12")
    disabled, logger.disabled = logger.disabled, True
    try:
        pyx12.x12n_document.x12n_document(pyx12.params.ParamsBase(), StringIO(text), answer, None)
    finally:
        logger.disabled = disabled
    segments = answer.getvalue().replace("\n", "").split("~")
    return [segment for segment in segments if segment[:2] in ("AK", "IK")]
