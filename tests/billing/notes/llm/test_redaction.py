"""What may leave the house of a note: no telephone, number, date or great age; all that codes rest on."""

import pytest

from billing.notes.lexicon import load_lexicon
from billing.notes.llm.redaction import redact


def sent(text: str) -> str:
    return redact(text, identifiers=(), lexicon=load_lexicon()).text


@pytest.mark.parametrize(
    ("text", "secret"),
    [
        ("call 555-0100 today", "555"),
        ("call 555.0100 today", "0100"),
        ("call 555 0100 today", "0100"),
        ("call 1-800-555-0100", "800"),
        ("call +1 212 555 0100", "212"),
        ("ID 123-456-789", "456"),
        ("ID 123.456.789", "456"),
        ("ID 12-34-5678", "34"),
        ("account 1234-5678-9012", "1234"),
        ("ssn 123 45 6789", "6789"),
        ("ssn 123-45-6789", "6789"),
        ("ssn 123.45.6789", "6789"),
        ("seen on 12/5", "12/5"),
        ("seen on 12/05, again", "12/05"),
        ("seen on 3-14 again", "3-14"),
        ("mood was low on 12/5", "12/5"),
        ("seen 5 March", "5 March"),
        ("seen on 12/5/2025", "12/5"),
        ("age 97", "97"),
        ("aged 90 and well", "90"),
        ("age: 101", "101"),
        ("a 97-year-old man", "97"),
        ("97 years old", "97"),
        ("97 y/o man", "97"),
        ("97yo man", "97"),
        ("she is 93 and lives alone", "93"),
        ("turned 95 in spring", "95"),
    ],
)
def test_a_number_that_may_point_at_somebody_stays_here(text: str, secret: str) -> None:
    assert secret not in sent(text)


@pytest.mark.parametrize(
    "text",
    [
        "session of 95 minutes",
        "session was 97 min",
        "individual session, 45 minutes",
        "2:03 PM - 2:57 PM",
        "14:03-14:57",
        "1300-1353",
        "1300/1353",
        "2-2:50p",
        "12:50 - 1:46 pm",
        "from 9-10 am",
        "0:53",
        "score of 16, then 14",
        "anxiety score 12/21",
        "score 7/27",
        "mood 5/10",
        "F33.1 and F10.20",
        "CPT 90834",
        "90839 90840",
        "90834-95",
        "90839, 90840 x 2",
        "age 34",
        "age 89",
        "session 12",
        "sessions 3-4",
    ],
)
def test_minutes_scores_clock_times_and_codes_stay_in_the_text(text: str) -> None:
    assert sent(text) == text
