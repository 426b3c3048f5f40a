"""What the note coder can report has words here."""

import inspect
import re

from billing.notes.decision import discrepancies
from billing.notes.result import Reason
from billing.rules.tables.note_words import DISCREPANCIES, REASONS


def test_every_reason_for_review_has_words() -> None:
    assert {reason.value for reason in Reason} <= set(REASONS)


def test_every_kind_of_discrepancy_has_words() -> None:
    kinds = set(
        re.findall(
            r'"((?:dx|cpt|pos|dos|modifier|identity|duration|service)_[a-z_]+)"',
            inspect.getsource(discrepancies),
        )
    )
    assert kinds
    assert kinds <= set(DISCREPANCIES)
