"""One session's page: what it says of each state, what it hides, what it records."""

import pytest

from claims.models import ViewRecord
from tests.cast import REMOVED, Api
from tests.claims.admin.staff import Desk, ended
from tests.flows.test_main_job import NOTE


@pytest.mark.parametrize(
    ("member_id", "words"),
    [
        ("PAID1", "Paid"),
        ("REJECTED", "sent the claim back before anyone judged it"),
        ("CHREJECT", "The clearinghouse"),
        ("DENIED", "judged it and paid nothing"),
        ("UNKNOWN", "Patient not known"),
        ("BAD999", "The clearinghouse couldn&#x27;t read our file."),
        ("HELD", "This is a rehearsal"),
        ("SILENT", "Nothing has come back yet."),
        ("TAKEBACK", "took the payment back"),
        ("REVERSED", "Answers"),
        ("PARTIAL", "Paid in part"),
        ("EDIT", "Refused"),
    ],
)
def test_the_page_says_what_is_wrong(partner: Api, billing: Desk, member_id: str, words: str) -> None:
    assert words in billing.page(ended(partner, member_id))
