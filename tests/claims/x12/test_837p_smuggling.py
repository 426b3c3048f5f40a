"""Nothing that stands in a field can become a segment, an element or a component of the file."""

from typing import Any

import pytest

from claims.x12.characters import to_basic_text
from claims.x12.claim import ClaimFormatError, Envelope, ProfessionalClaim
from claims.x12.write_837p import write_837p
from tests.claims.x12.cast import envelope, group_claim, solo_claim
from tests.claims.x12.leaves import text_leaves, with_leaf

PAYLOADS = [
    "~NM1*IL*1*SMUGGLED~",
    "X*SMUGGLED",
    "X:SMUGGLED",
    "X^SMUGGLED",
    "SMUGGLED~",
    "SMUGGLED\n",
    "SMUGGLED\r\nSE*1*0001~",
    "SMUG\x00GLED",
    "SMUG\x1dGLED",
    "SMUG\u2028GLED",
    "smuggled",
    "SMUGGLÉD",
    "SMUGGLED\uff5e",
    "SMUGGLED ",
]
GROUP, SOLO, ENVELOPE = group_claim().as_json(), solo_claim().as_json(), envelope().as_json()
FREE_TEXT = {
    *("street", "street_line_2", "city", "organization_name", "last_name", "first_name", "contact_name"),
    *("name", "group_number"),
}


def name_of(path: tuple[Any, ...]) -> str:
    return ".".join(map(str, path))


@pytest.mark.parametrize(
    ("built_from", "path"),
    [(document, path) for document in (GROUP, SOLO) for path in text_leaves(document)],
    ids=lambda value: name_of(value) if isinstance(value, tuple) else "",
)
def test_every_field_of_a_claim_refuses_what_would_break_out_of_it(
    built_from: dict[str, Any], path: tuple[Any, ...]
) -> None:
    for payload in PAYLOADS:
        with pytest.raises(ClaimFormatError) as refusal:
            ProfessionalClaim.from_json(with_leaf(built_from, path, lambda value: value + payload))  # noqa: B023
        assert "SMUG" not in str(refusal.value).upper()
        assert str(path[0]) in str(refusal.value)


@pytest.mark.parametrize("path", text_leaves(ENVELOPE), ids=name_of)
def test_every_field_of_an_envelope_refuses_what_would_break_out_of_it(path: tuple[Any, ...]) -> None:
    for payload in PAYLOADS:
        with pytest.raises(ClaimFormatError) as refusal:
            Envelope.from_json(with_leaf(ENVELOPE, path, lambda value: value + payload))  # noqa: B023
        assert "SMUG" not in str(refusal.value).upper()
        assert str(path[0]) in str(refusal.value)


def test_cleaned_text_keeps_the_shape_of_the_file() -> None:
    expected = shape_of(write_837p([group_claim()], envelope=envelope()))
    cleaned = 0
    for path in text_leaves(GROUP):
        if path[-1] not in FREE_TEXT or not value_at(GROUP, path):
            continue
        for payload in PAYLOADS:
            claim = ProfessionalClaim.from_json(
                with_leaf(GROUP, path, lambda value: to_basic_text(value[:10] + payload))  # noqa: B023
            )
            assert shape_of(write_837p([claim], envelope=envelope())) == expected
            cleaned += 1
    assert cleaned >= 10 * len(PAYLOADS)


def value_at(document: Any, path: tuple[Any, ...]) -> Any:
    for key in path:
        document = document[key]
    return document


def shape_of(text: str) -> list[tuple[str, int, int]]:
    """Reduce a file to its segments, with the number of elements and components of each."""
    return [(segment[:3], segment.count("*"), segment.count(":")) for segment in text.split("~")]
