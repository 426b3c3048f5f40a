"""Cutting any X12 into segments and transaction sets, and what is told of a faulty file."""

import io
import tracemalloc
from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from claims.x12.problems import MOST_PROBLEMS
from claims.x12.segments import ProblemCode, TransactionSet, X12Error, X12File
from claims.x12.tokens import CHUNK_CHARACTERS, Delimiters, Source, component_list

ISA = (
    "ISA*00*          *00*          *ZZ*PAYER          *ZZ*US             "
    "*260102*0304*^*00501*000000007*0*P*:~"
)
GS = "GS*HP*PAYER*US*20260102*0304*8*X*005010X221A1~"
ST = "ST*835*0001~BPR*I*0~SE*3*0001~"
END = "GE*1*8~IEA*1*000000007~"
WHOLE = ISA + GS + ST + END


def sets_in(content: Source) -> list[tuple[TransactionSet, list[list[str]]]]:
    """Read everything, keeping the segments beside their set."""
    return [(transaction_set, list(transaction_set.segments)) for transaction_set in X12File(content)]


def file_problems(content: str) -> list[ProblemCode]:
    """Read everything, and give what is wrong with the envelopes."""
    file = X12File(content)
    for _ in file:
        continue
    return [problem.code for problem in file.problems]


def set_problems(content: str) -> list[ProblemCode]:
    """Read a single set, and give what is wrong with it."""
    [(transaction_set, _)] = sets_in(content)
    return [problem.code for problem in transaction_set.problems]


def test_a_set_carries_its_headers_and_its_segments() -> None:
    [(transaction_set, segments)] = sets_in(WHOLE)
    assert (transaction_set.kind, transaction_set.control_number) == ("835", "0001")
    assert transaction_set.version == "005010X221A1"
    assert transaction_set.interchange is not None
    assert transaction_set.interchange.sender_id == "PAYER"
    assert transaction_set.interchange.control_number == "000000007"
    assert transaction_set.group is not None
    assert transaction_set.group.control_number == "8"
    assert segments == [["ST", "835", "0001"], ["BPR", "I", "0"], ["SE", "3", "0001"]]
    assert transaction_set.problems == []


@pytest.mark.parametrize("size", [1, 2, 3, 7, 105, 106, 107])
def test_where_the_chunks_are_cut_makes_no_difference(size: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("claims.x12.tokens.CHUNK_CHARACTERS", size)
    twice = WHOLE + "\r\n" + WHOLE.replace("*", "|").replace("~", "\n")
    assert [segments for _, segments in sets_in(io.StringIO(twice))] == [
        segments for _, segments in sets_in(WHOLE + WHOLE)
    ]


DELIMITERS = st.lists(st.sampled_from("*~:^|>!_+\x1c\x1d\x1e\n'%"), min_size=4, max_size=4, unique=True)
VALUES = st.text("ABCXYZ0123456789 ,.-/", max_size=12).map(str.strip)


@settings(deadline=None)
@given(
    DELIMITERS.filter(lambda marks: "\n" not in marks[:3]),
    st.lists(st.lists(VALUES, min_size=1, max_size=6), max_size=8),
    st.sampled_from(["", "\n", "\r\n", "\n    "]),
)
def test_any_delimiters_and_line_ends_give_the_same_segments(
    marks: list[str], rows: list[list[str]], line_end: str
) -> None:
    element, component, repetition, terminator = marks
    body = [["ST", "835", "0001"], *(["REF", *row] for row in rows), ["SE", str(len(rows) + 2), "0001"]]
    header = ISA.replace("^", "\0").replace(":~", "\1\2").replace("*", element)
    header = header.replace("\0", repetition).replace("\1", component).replace("\2", terminator)
    middle = [GS[:-1].split("*"), *body, ["GE", "1", "8"], ["IEA", "1", "000000007"]]
    text = header + line_end + "".join(element.join(row) + terminator + line_end for row in middle)
    [(transaction_set, segments)] = sets_in(text)
    assert transaction_set.delimiters == Delimiters(element, component, terminator)
    assert [strip_end(segment) for segment in segments] == [strip_end(segment) for segment in body]
    assert transaction_set.problems == []


def strip_end(segment: list[str]) -> list[str]:
    """Leave out empty elements at the end, which say nothing."""
    while segment and not segment[-1]:
        segment = segment[:-1]
    return segment


def test_line_breaks_inside_a_segment_are_taken_out() -> None:
    assert [segments for _, segments in sets_in(WHOLE.replace("BPR*I", "BP\r\nR*\nI"))] == [
        segments for _, segments in sets_in(WHOLE)
    ]


def test_a_second_interchange_may_bring_other_delimiters_even_without_an_iea_before() -> None:
    first = ISA + GS + ST + "GE*1*8~"
    second = WHOLE.replace("*", "|").replace("~", "\n")
    [(_, one), (other_set, other)] = sets_in(first + second)
    assert one == other
    assert other_set.delimiters.segment == "\n"
    assert file_problems(first + second) == [ProblemCode.TRUNCATED]


def test_ta1_stands_before_the_first_group_and_between_groups() -> None:
    ta1 = "TA1*000000077*260102*0900*A*000~"
    kinds = [found.kind for found, _ in sets_in(ISA + ta1 + GS + ST + "GE*1*8~" + ta1 + "IEA*1*000000007~")]
    assert kinds == ["TA1", "835", "TA1"]


def test_a_file_that_begins_at_gs_is_understood() -> None:
    [(transaction_set, segments)] = sets_in(GS + ST + "GE*1*8~")
    assert len(segments) == 3
    assert [problem.code for problem in transaction_set.problems] == [ProblemCode.NO_ENVELOPE]


def test_a_file_that_begins_at_st_is_understood_though_its_version_is_guessed() -> None:
    assert set_problems("\r\n  " + ST) == [ProblemCode.NO_ENVELOPE, ProblemCode.UNUSUAL_VERSION]


def test_bytes_may_be_utf_8_with_a_mark_or_latin_1() -> None:
    named = WHOLE.replace("BPR*I*0", "BPR*I*0*É")
    for content in (b"\xef\xbb\xbf" + named.encode(), named.encode("latin-1")):
        [(_, segments)] = sets_in(content)
        assert segments[1] == ["BPR", "I", "0", "É"]


@pytest.mark.parametrize("version", ["005010X221", "005010X221A1", "005010X221E2"])
def test_errata_of_a_guide_are_read_alike(version: str) -> None:
    assert set_problems(WHOLE.replace("005010X221A1", version)) == []


def test_a_column_of_bytes_is_read_where_it_lies() -> None:
    assert len(sets_in(memoryview(WHOLE.encode()))) == 1


def test_nul_and_control_z_at_the_end_are_no_problem() -> None:
    assert file_problems(WHOLE + "\r\n\x1a\x00") == []


def test_the_last_terminator_may_be_missing() -> None:
    assert file_problems(WHOLE[:-1]) == []


@pytest.mark.parametrize(
    "content",
    [
        "",
        "   ",
        "hello",
        "<xml/>",
        "ISA",
        ISA[:60],
        "ISA*00*~",
        "STOP here",
        "ST*835",
        "GS only",
        b"\xff\xfe\x00\x01",
        "\x00" * 500,
    ],
)
def test_what_is_no_x12_is_refused(content: str | bytes) -> None:
    with pytest.raises(X12Error):
        X12File(content)


@given(st.binary(max_size=300))
def test_any_bytes_are_either_refused_or_read(content: bytes) -> None:
    for start in (b"", b"ISA*", ISA.encode(), (ISA + GS).encode(), (ISA + GS + "ST*835*0001~").encode()):
        try:
            sets_in(start + content)
        except X12Error:
            continue


@pytest.mark.parametrize(
    ("content", "problems"),
    [
        (WHOLE.replace("SE*3", "SE*4"), [ProblemCode.COUNT_MISMATCH]),
        (WHOLE.replace("SE*3*0001", "SE*3*0002"), [ProblemCode.CONTROL_NUMBER_MISMATCH]),
        (WHOLE.replace("SE*3*0001~", ""), [ProblemCode.TRUNCATED]),
        (ISA + GS + "ST*835*0001~BPR*I", [ProblemCode.TRUNCATED]),
        (WHOLE.replace("005010X221A1", "004010X091A1"), [ProblemCode.WRONG_VERSION]),
        (WHOLE.replace("005010X221A1", "005010"), [ProblemCode.UNUSUAL_VERSION]),
        (WHOLE.replace("ST*835", "ST*820"), [ProblemCode.UNSUPPORTED_TRANSACTION]),
        (WHOLE.replace("ST*835", "ST*277"), [ProblemCode.WRONG_VERSION]),
        (
            WHOLE.replace(GS, "").replace("GE*1*8~", ""),
            [ProblemCode.NO_ENVELOPE, ProblemCode.UNUSUAL_VERSION],
        ),
    ],
)
def test_a_faulty_set_says_what_is_wrong_with_it(content: str, problems: list[ProblemCode]) -> None:
    assert set_problems(content) == problems


@pytest.mark.parametrize(
    ("content", "problems"),
    [
        (WHOLE.replace("GE*1", "GE*2"), [ProblemCode.COUNT_MISMATCH]),
        (WHOLE.replace("GE*1*8", "GE*1*9"), [ProblemCode.CONTROL_NUMBER_MISMATCH]),
        (WHOLE.replace("IEA*1", "IEA*2"), [ProblemCode.COUNT_MISMATCH]),
        (WHOLE.replace("IEA*1*000000007", "IEA*1*7"), [ProblemCode.CONTROL_NUMBER_MISMATCH]),
        (WHOLE.replace(END, ""), [ProblemCode.TRUNCATED, ProblemCode.TRUNCATED]),
        (WHOLE.replace("GE*1*8~", "GE*1*8~REF*1~"), [ProblemCode.STRAY_SEGMENT]),
        (WHOLE + "not X12", [ProblemCode.UNREADABLE]),
        (WHOLE + "junk ISA junk" + WHOLE, [ProblemCode.UNREADABLE]),
    ],
)
def test_a_faulty_envelope_is_told_of_the_file(content: str, problems: list[ProblemCode]) -> None:
    assert file_problems(content) == problems


def test_one_bad_set_does_not_hold_up_the_others() -> None:
    content = ISA + GS + "ST*835*0001~BPR*I~" + "ST*820*0002~SE*2*0002~" + ST.replace("0001", "0003") + END
    found = sets_in(content)
    assert [transaction_set.refusal is None for transaction_set, _ in found] == [False, False, True]


def test_what_is_left_unread_of_a_set_is_skipped_before_the_next() -> None:
    content = ISA + GS + ST + ST.replace("0001", "0002") + "GE*2*8~IEA*1*000000007~"
    assert [transaction_set.control_number for transaction_set in X12File(content)] == ["0001", "0002"]
    assert file_problems(content) == []


def test_a_segment_that_never_ends_is_given_up() -> None:
    file = X12File(ISA + GS + "ST*835*0001~" + "A" * 1_000_000)
    [transaction_set] = list(file)
    assert transaction_set.refusal is not None
    assert ProblemCode.UNREADABLE in [problem.code for problem in file.problems]


def test_a_garbled_file_does_not_fill_the_memory_with_problems() -> None:
    assert len(file_problems(ISA + "GARBLED*1~" * 5_000)) == MOST_PROBLEMS


def test_memory_does_not_grow_with_the_file() -> None:
    class Endless(io.RawIOBase):
        """Plays a file of the given number of chunks without holding it."""

        def __init__(self, chunks: int) -> None:
            filler = (b"REF*EA*12345~" * (CHUNK_CHARACTERS // 13 + 1))[:CHUNK_CHARACTERS]
            self.parts: Iterator[bytes] = iter([(ISA + GS + "ST*835*0001~").encode(), *[filler] * chunks])

        def read(self, size: int = -1) -> bytes:
            return next(self.parts, b"")

    def peak(chunks: int) -> int:
        tracemalloc.start()
        for transaction_set in X12File(Endless(chunks)):
            for _ in transaction_set.segments:
                continue
        used = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        return used

    assert peak(12) < 1.2 * peak(3)


def test_a_component_separator_other_than_announced_is_found_out() -> None:
    announced = Delimiters("*", ":", "~")
    assert component_list("HC>90837>95", announced) == ["HC", "90837", "95"]
    assert component_list("HC:90837", announced) == ["HC", "90837"]
    assert component_list("A-1", announced) == ["A-1"]
