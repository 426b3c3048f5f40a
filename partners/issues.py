"""What is wrong with a request, as data."""

from typing import NamedTuple


class Issue(NamedTuple):
    """One fault of one field: `path` is dotted (`session.diagnosisCodes.1.code`), empty for the whole."""

    path: str
    message: str
