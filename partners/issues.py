"""What is wrong with a request, as data."""

from collections.abc import Sequence
from typing import NamedTuple


class Issue(NamedTuple):
    """One fault of one field: `path` is dotted (`session.diagnosisCodes.1.code`), empty for the whole."""

    path: str
    message: str


class Invalid(Exception):
    """What was asked for has these issues."""

    def __init__(self, issues: Sequence[Issue]) -> None:
        super().__init__(", ".join(issue.path for issue in issues))
        self.issues = issues
