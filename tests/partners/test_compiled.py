"""The compiled validation takes exactly what the serializer would read unchanged, and reads it alike."""

import json
import re
from typing import Any

import msgspec
from hypothesis import given, settings
from hypothesis import strategies as st

from partners.api.compiled import Compiled
from partners.api.fields import last_day_begun
from partners.api.parsing import Unreadable, read_json
from partners.api.reading import read
from sessions_app.api.serializers import SubmissionSerializer
from tests.cast import changed, submission

SERIALIZER = SubmissionSerializer()
COMPILED = Compiled(SERIALIZER)

odd = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-5, 2000),
    st.floats(allow_nan=False, allow_infinity=False),
    st.text(max_size=4),
    st.sampled_from(["", " ", "a ", " a", "a\nb", "a\0", "\ud800", "x" * 36, "x" * 61, "é", "😀", "\u2028"]),
    st.sampled_from(["TX", "tx", "78702", "F", "f", "F41.1", "f411", "90837", "g0409", "95", "gt"]),
    st.sampled_from(["2026-01-02", "2026-13-01", "1899-12-31", "2999-01-01", str(last_day_begun())]),
    st.sampled_from(["office", "telehealth", "Office", "1234567893", "12345678930", "a\r\nb", "a\tb\x0cc"]),
    st.lists(
        st.fixed_dictionaries({}, optional={"code": st.sampled_from(["F41.1", "f411", "", None])}),
        max_size=14,
    ),
    st.lists(st.sampled_from([{"code": "90837"}, {"code": "90837", "modifier": None}, None, 7]), max_size=3),
    st.dictionaries(st.sampled_from(["code", "street", "x"]), st.none(), max_size=2),
)
PATHS = [
    "externalSessionId",
    "providerNpi",
    "extra",
    "patient",
    "session",
    *(
        f"patient__{name}"
        for name in ("firstName", "lastName", "dateOfBirth", "gender", "address", "insurance")
    ),
    *(f"patient__address__{name}" for name in ("street", "line2", "city", "state", "zip", "x")),
    *(f"patient__insurance__{name}" for name in ("memberId", "payerName", "payerId", "groupNumber")),
    *(f"session__{name}" for name in ("dateOfService", "placeOfService", "durationMinutes", "noteText")),
    *(f"session__{name}" for name in ("diagnosisCodes", "procedureCodes", "x")),
]


def compare(body: bytes) -> bool:
    """Whether the compiled form took it; where it did, the serializer reads the same without an issue."""
    quick = COMPILED.decode(body)
    if quick is None:
        return False
    try:
        values, issues = read(SERIALIZER, read_json(body))
    except Unreadable as error:
        raise AssertionError("The compiled form took what is not JSON.") from error
    assert issues == []
    assert msgspec.to_builtins(COMPILED.build(values)) == msgspec.to_builtins(quick)
    return True


def test_the_usual_submission_takes_the_quick_way() -> None:
    assert compare(json.dumps(submission()).encode())


def test_a_full_submission_takes_the_quick_way() -> None:
    body = submission(
        session__noteText="S: a\nO: b\tc",
        session__diagnosisCodes=[{"code": "F41.1", "description": "x"}, {"code": "Z63.0", "modifier": None}],
        session__procedureCodes=[{"code": "90837", "modifier": "95"}, {"code": "G0409"}],
    )
    assert compare(json.dumps(body).encode())


@settings(max_examples=400, deadline=None)
@given(st.dictionaries(st.sampled_from(PATHS), odd, min_size=1, max_size=2))
def test_whatever_is_changed_both_agree(changes: dict[str, Any]) -> None:
    body = submission()
    for path, value in sorted(changes.items()):
        parent = path.rpartition("__")[0]
        if all(isinstance(place, dict) for place in _places(body, parent)):
            body = changed(body, {path: value})
    compare(json.dumps(body).encode())


@settings(max_examples=150, deadline=None)
@given(st.binary(max_size=40), st.integers(0, 700))
def test_broken_bytes_never_take_the_quick_way_alone(noise: bytes, at: int) -> None:
    body = json.dumps(submission()).encode()
    compare(body[:at] + noise + body[at + len(noise) :])


@given(
    st.integers(0, 30), st.sampled_from(["null", '"Roe"', "7", "{}", '"\\""']), st.sampled_from(["", " \n"])
)
def test_a_name_given_twice_never_takes_the_quick_way(place: int, value: str, blank: str) -> None:
    names = re.findall(r'"(\w+)": ', json.dumps(submission()))
    name = names[place % len(names)]
    body = json.dumps(submission()).replace(f'"{name}": ', f'"{name}"{blank}: {value}, "{name}": ', 1)
    assert not compare(body.encode())


def _places(document: Any, path: str) -> list[Any]:
    places = [document]
    for name in filter(None, path.split("__")):
        document = document.get(name) if isinstance(document, dict) else None
        places.append(document)
    return places
