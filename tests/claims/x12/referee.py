"""pyx12 as the referee of what we write: an independent reader with the published maps of the guides."""

from __future__ import annotations

import io
import logging
from functools import cache
from typing import Any

import pyx12.map_if
import pyx12.params
import pyx12.x12n_document

_load_map = pyx12.map_if.load_map_file


@cache
def _map(name: str) -> pyx12.map_if.map_if:
    """A guide's map, read once: pyx12 reads a megabyte of XML for each file, and changes nothing in it."""
    return _load_map(name, pyx12.params.ParamsBase())


def _known_map(name: str, *_: Any) -> pyx12.map_if.map_if:
    return _map(name)


pyx12.map_if.load_map_file = _known_map


class _Findings(logging.Handler):
    """Keeps what pyx12 logs, which is the only place where it tells its findings as text."""

    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self.lines: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.lines.append(record.getMessage())


def complaints(text: str) -> list[str]:
    """Give what pyx12 finds wrong with a file, one line each; empty when it is sound."""
    findings = _Findings()
    logger = logging.getLogger("pyx12")
    logger.addHandler(findings)
    logger.propagate = False
    try:
        sound = pyx12.x12n_document.x12n_document(pyx12.params.ParamsBase(), io.StringIO(text), None, None)
    finally:
        logger.removeHandler(findings)
        logger.propagate = True
    return findings.lines if findings.lines or sound else ["pyx12 refuses the file without a word"]


def acknowledgement_by_referee(text: str) -> str:
    """Give the 999 that pyx12 answers a file with."""
    answer = io.StringIO()
    logger = logging.getLogger("pyx12")
    logger.propagate = False
    try:
        pyx12.x12n_document.x12n_document(pyx12.params.ParamsBase(), io.StringIO(text), answer, None)
    finally:
        logger.propagate = True
    return answer.getvalue()
