"""What may leave the house of a note: no telephone, number, date or great age; all that codes rest on."""

import re
import unicodedata

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from billing.notes.lexicon import load_lexicon
from billing.notes.llm.redaction import HIDDEN, Redacted, allowed_words, redact
from billing.notes.llm.verification import locate
from billing.notes.llm.view import Clause

LEXICON = load_lexicon()
WORDS = (
    "Diagnosis:",
    "GAD,",
    "client's",
    "Denies",
    "PTSD.",
    "R/O",
    "P.T.S.D.",
    "53 minutes",
    "2:03 PM",
    "\n",
    "<",
)
UNITS = {"am", "pm", "min", "mins", "hr", "hrs", "cpt", "st", "nd", "rd", "th", "yo", "yr", "yrs"}
MARKS = set("\u00d7\u00bd\u2026\u2192\u2264\u2265\u2610\u2611\u2612\u2713\u2714")
NOTES = st.lists(
    st.one_of(
        st.sampled_from(WORDS),
        st.text(max_size=8),
        st.text(st.characters(categories=("L", "M", "Cf")), max_size=8),
        st.text("0123456789 -/.:", max_size=12),
        st.text("aB '.-\u2019\u0301\u200b7", max_size=8),
    ),
    max_size=8,
).map(" ".join)
UNHURRIED = settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
CLOCK = re.compile(r"(?<![0-9:])[0-2]?[0-9]:[0-5][0-9](?::[0-5][0-9])?(?![0-9:])")
BETWEEN = st.text(" -\u2013\u2014\u2212/.,;\n\t()#*_+|~\u00a0\u2009\u200b\u3000", min_size=1, max_size=3)


def shown(text: str, *identifiers: str) -> Redacted:
    (whole,) = redact(text, [(0, len(text))], identifiers=identifiers, lexicon=LEXICON)
    return whole


def sent(text: str, *identifiers: str) -> str:
    return shown(text, *identifiers).text


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
        ("SSN 123\u201345\u20146789", "45"),
        ("SSN 123-\n45-6789", "45"),
        ("SSN 1 2 3 4 5 6 7 8 9", "3"),
        ("SSN 12-34-56-789", "789"),
        ("last four 1234", "1234"),
        ("MRN 1459", "1459"),
        ("R12345", "345"),
        ("lives at 1200 main street", "1200"),
        ("since 2019, started 2019", "2019"),
        ("call 512/555/0123", "512"),
        ("call (512)5550123", "512"),
        ("call +44 20 7946 0958", "44"),
        ("call 930-1015", "930"),
        ("(512) 930-1015", "930"),
        ("account 99 88 77", "88"),
        ("insurance 12 345 678", "345"),
        ("case 45 2019 1122", "45"),
        ("born 1961/07/23", "07"),
        ("born 23rd of July 1961", "23"),
        ("seen 5 May 2025", "5"),
        ("five one two five five five oh one two three", "five"),
        ("five one two dash five five five", "two"),
        ("12:34:56:78", "34"),
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
        "930-1015",
        "930 to 1015",
        "0930-1025 hrs",
        "start time: 1405, stop time: 1459",
        "1015am",
        "PHQ-9: 14/27. GAD-7: 12/21. 53 minutes.",
        "PHQ9 16",
        "PHQ decreased 4 points",
        "53 min | 90837 | 1 unit",
        "criterion 5 may be met",
        "P.T.S.D. and O.C.D.",
        "A: R/O PTSD",
        "\u2610 MDD \u2611 GAD, severe, with panic",
        "34yo",
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


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("Husband \u041e\u043b\u0435\u0433 attended", "Husband [X] attended"),
        ("her friend \u738b\u5c0f\u660e", "her friend [X]"),
        ("cousin H\u1ea1nh", "cousin [X]"),
        ("cousin Ha\u0323nh", "cousin [X]"),
        ("friend \uff23\uff41\uff4e\uff41", "friend [X]"),
        ("friend Will\u200biam", "friend [X]"),
        ("friend hop\u00ade", "friend [X]"),
        ("friend\x1f \x00", "[X] [X]"),
        ("friend C a n a", "friend [X]"),
        ("friend C-a-n-a", "friend [X]"),
        ("friend c. a. n. a.", "friend [X]."),
        ("\U0001d40e\U0001d425\U0001d41a said", "[X] said"),
    ],
)
def test_a_name_is_hidden_in_whatever_letters(text: str, left: str) -> None:
    assert sent(text) == left


def test_a_name_of_the_request_is_hidden_without_its_accents_and_its_quotes_too() -> None:
    assert sent("hope and Hope\u2019s sister", "H\u00f4pe") == "[X] and [X] sister"


def test_a_short_name_is_no_part_of_other_words() -> None:
    assert sent("al has generalized anxiety; Al said", "Al") == "[X] has generalized anxiety; [X] said"


def test_what_stands_across_two_clauses_is_hidden_in_both() -> None:
    text = "MRN 123. 45. 678 today"
    parts = redact(text, [(0, 8), (8, 12), (12, len(text))], identifiers=(), lexicon=LEXICON)
    assert [each.text for each in parts] == ["[X] [X].", " [X].", " [X] today"]


@UNHURRIED
@given(NOTES)
def test_no_word_outside_the_vocabulary_and_no_strange_character_is_sent(text: str) -> None:
    said = sent(text).replace(HIDDEN, " ")
    assert {mark for mark in said if not mark.isascii()} <= MARKS
    assert all(mark.isprintable() or mark in "\t\r\n" for mark in said)
    for word in re.findall(r"[a-z]+(?:'[a-z]+)?", said.lower()):
        bare = word.removesuffix("'s")
        assert len(bare) == 1 or bare in UNITS | allowed_words() or LEXICON.knows(bare), ascii(word)


@UNHURRIED
@given(st.text("0123456789", min_size=6, max_size=16), st.data())
def test_no_number_of_six_digits_is_sent_however_it_is_grouped(digits: str, data: st.DataObject) -> None:
    number = digits[0]
    for digit in digits[1:]:
        number += data.draw(st.one_of(st.just(""), BETWEEN)) + digit
    assume(not re.search(r"(?<![0-9])9[0-9]{4}(?![0-9])", number))
    before = data.draw(st.sampled_from(["MRN", "call", "Dx: GAD, account", "her phone number is"]))
    said = CLOCK.sub("T", sent(f"{before} {number} and reports panic"))
    assert not re.search(r"[0-9](?:[^A-Za-z0-9]*[0-9]){5,}", said)


@UNHURRIED
@given(NOTES, st.data())
def test_every_offset_leads_back_and_every_quote_is_found(text: str, data: st.DataObject) -> None:
    assume(text)
    start = data.draw(st.integers(0, len(text) - 1))
    end = data.draw(st.integers(start + 1, len(text)))
    (part,) = redact(text, [(start, end)], identifiers=("Canarina",), lexicon=LEXICON)
    assert len(part.origin) == len(part.text)
    assert list(part.origin) == sorted(part.origin)
    at = 0
    for piece in re.split(r"(\[X\])", part.text):
        if not piece:
            continue
        first, last = part.restore(at, at + len(piece))
        assert (first == 0) if at == 0 else (first == part.origin[at - 1] + 1)
        at += len(piece)
        if piece == HIDDEN:
            continue
        assert list(part.origin[at - len(piece) : at]) == list(range(first, last))
        quote = " ".join(piece.split())
        if quote:
            found = locate(quote, Clause("c1", start, end, part))
            assert found is not None
            assert len(text[found[0] : found[1]].split()) >= 1
    if part.text:
        assert part.restore(0, len(part.text)) == (0, end - start)
    for mark, origin in zip(part.text, part.origin, strict=True):
        written = text[start + origin]
        assert mark in HIDDEN or mark == written or unicodedata.category(written)[0] in "PZSC"
