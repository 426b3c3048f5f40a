"""The packed code set answers like the rows it was made of."""

from datetime import date
from io import BytesIO

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from billing.notes.codeset import CodeSet, CodeSetError, CodeStatus, dotted, read_codeset, write_codeset

ROWS = [
    ("F33", False, "Major depressive disorder, recurrent"),
    ("F33.0", True, "Mild"),
    ("F33.1", True, "Moderate"),
    ("F33.4", False, "In remission"),
    ("F33.40", True, "In remission, unspecified"),
    ("T74.11XA", True, "Adult physical abuse, confirmed"),
]
CODE = st.from_regex(r"\A[A-Z][0-9][0-9A-B]([0-9A-Z]{0,4})\Z")


@pytest.mark.parametrize(
    ("code", "status"),
    [
        ("F33.1", CodeStatus.BILLABLE),
        ("f331", CodeStatus.BILLABLE),
        ("F33", CodeStatus.HEADING),
        ("F33.4", CodeStatus.HEADING),
        ("F33.2", CodeStatus.UNKNOWN),
        ("T74.11XA", CodeStatus.BILLABLE),
        ("", CodeStatus.UNKNOWN),
        ("F33.1234567", CodeStatus.UNKNOWN),
        ("\u00c933", CodeStatus.UNKNOWN),
    ],
)
def test_status(code: str, status: CodeStatus) -> None:
    assert CodeSet.from_rows(ROWS).status(code) is status


def test_children() -> None:
    assert CodeSet.from_rows(ROWS).children("F33") == ("F33.0", "F33.1", "F33.40")


def test_a_code_is_unknown_before_its_release_and_the_release_can_be_too_old() -> None:
    codes = CodeSet.from_rows(ROWS, effective_from=date(2025, 10, 1), effective_through=date(2026, 9, 30))
    assert codes.status("F33.1", on=date(2025, 9, 30)) is CodeStatus.UNKNOWN
    assert codes.status("F33.1", on=date(2025, 10, 1)) is CodeStatus.BILLABLE
    assert codes.is_older_than(date(2026, 10, 1))
    assert not codes.is_older_than(None)


@settings(max_examples=40, deadline=None)
@given(rows=st.dictionaries(CODE, st.tuples(st.booleans(), st.text(max_size=20)), max_size=40))
def test_what_is_written_is_read(rows: dict[str, tuple[bool, str]]) -> None:
    codes = CodeSet.from_rows(
        ((code, billable, title) for code, (billable, title) in rows.items()),
        release="test",
        effective_from=date(2025, 10, 1),
    )
    file = BytesIO()
    write_codeset(file, codes)
    file.seek(0)
    again = read_codeset(file)
    assert again == codes
    assert {code: (billable, title) for code, billable, title in again.rows()} == {
        dotted(code): value for code, value in rows.items()
    }


@pytest.mark.parametrize("damage", [b"", b"not a code set at all, but long enough", None])
def test_damage_is_noticed(damage: bytes | None) -> None:
    file = BytesIO()
    write_codeset(file, CodeSet.from_rows(ROWS))
    data = file.getvalue()[:-1] + b"?" if damage is None else damage
    with pytest.raises(CodeSetError):
        read_codeset(BytesIO(data))
