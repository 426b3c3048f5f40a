"""How text is brought to X12's basic characters."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from claims.x12.characters import BASIC_TEXT, cut_to, to_basic_text


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("José Ñandú", "JOSE NANDU"),
        ("Łukasz Øster-Straße", "LUKASZ OSTER-STRASSE"),
        ("O’Brien", "O'BRIEN"),
        ("Smith*Jones~NM1:X^Y", "SMITH JONES NM1 X Y"),
        ("100 Main St #4 | Rear", "100 MAIN ST 4 / REAR"),
        ("line\r\none\x00\x1d", "LINE ONE"),
        ("  wide   gap ", "WIDE GAP"),
        ("Иван", ""),
        ("李 Wei", "WEI"),
        ("", ""),
    ],
)
def test_text_is_written_with_basic_characters(text: str, written: str) -> None:
    assert to_basic_text(text) == written


@given(st.text(max_size=60))
def test_whatever_comes_in_clean_text_comes_out(text: str) -> None:
    written = to_basic_text(text)
    assert written == "" or BASIC_TEXT.fullmatch(written)
    assert to_basic_text(written) == written
    assert not set(written) & set("*:^~")


def test_text_is_cut_to_its_room_without_a_blank_at_the_end() -> None:
    assert cut_to("CALM HARBOR COUNSELING", 12) == "CALM HARBOR"
    assert cut_to("SHORT", 12) == "SHORT"
