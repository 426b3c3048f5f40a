"""Fields as systems export them: tags, keys, columns."""

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from billing.notes.result import NoteResult, Outcome
from billing.notes.text.forms import as_written, without_markup
from billing.notes.text.tokens import normalise

Coder = Callable[..., NoteResult]


@pytest.mark.parametrize(
    ("exported", "written"),
    [
        ("<StartTime> 07:45", "Start Time: 07:45"),
        ("<Begin>07:45</Begin>", "Begin: 07:45        "),
        ('<field name="PsychMinutes" id="4">35</field>', "Psych Minutes:                    35        "),
        ("START_TIME|0745", "START TIME:0745"),
        ("VISIT|1\nsessionMinutes: 45", "VISIT:1\nsession Minutes 45"),
        ("Session length (min)|45", "Session length (min):45"),
        ("Dx | F41.1 | anxiety", "Dx | F41.1 | anxiety"),
        ("Dx: F41.1", "Dx: F41.1"),
        ("Start     7:45 AM\nFinish    8:32 AM", "Start     7:45 AM\nFinish    8:32 AM"),
        (
            "Visit     Individual\nStart     7:45 AM\nFinish    8:32 AM\nRisk      Denied",
            "   Visit: Individual\n   Start: 7:45 AM\n  Finish: 8:32 AM\n    Risk: Denied",
        ),
    ],
)
def test_a_field_is_written_as_a_person_writes_it(exported: str, written: str) -> None:
    assert as_written(exported).rstrip() == written.rstrip()


LINES = st.lists(
    st.one_of(
        st.from_regex(r"</?[A-Za-z_]{1,20}>?[ |:=]?[a-z0-9]{0,6}", fullmatch=True),
        st.from_regex(r"[A-Z][A-Za-z_]{0,14}[|:= ]{1,5}[A-Za-z0-9|]{0,8}", fullmatch=True),
        st.text("aB _|<>/:= \n", max_size=20),
    ),
    max_size=8,
).map("\n".join)


@given(LINES)
def test_every_line_keeps_its_length(text: str) -> None:
    assert [len(line) for line in as_written(text).split("\n")] == [len(line) for line in text.split("\n")]


@pytest.mark.parametrize(
    "fields",
    [
        "<Visit> Individual\n<DxCode> F3181\n<TherapyMinutes> 45",
        "ENC_TYPE|INDIVIDUAL\nDX_1|Bipolar II disorder\nPSYCHOTHERAPY_MIN|45",
        "Visit         Individual therapy\nStart         7:45 AM\nFinish        8:30 AM\n"
        "Diagnosis     Bipolar II disorder\nRisk          Denied SI",
        "VISIT_TYPE|INDIVIDUAL\nSTART_TIME|0745\nEND_TIME|0830\nDX|Bipolar II disorder",
    ],
)
def test_an_exported_form_is_coded(code: Coder, fields: str) -> None:
    result = code(fields)
    assert [each.code for each in result.diagnoses] == ["F31.81"]
    assert [(each.code, each.minutes) for each in result.procedures] == [("90834", 45)]
    assert result.outcome == "coded"


@pytest.mark.parametrize(
    "note",
    [
        "<td>Diagnosis</td><td>F41.1 GAD</td>\n<td>Service</td><td>Individual, 45 min</td>",
        "<table><tr><td>Diagnosis</td><td>GAD</td></tr>\n<tr><td>Service</td><td>Individual therapy</td></tr>"
        "<tr><td>Duration</td><td>45</td></tr></table>",
        "<p>No evidence of PTSD</p><p>Dx: GAD</p><p>Individual session, 45 min</p>",
        '<p class="x"><b>Diagnosis:</b>&nbsp;GAD<br/>Individual, 2:00&ndash;2:45 PM</p>',
        "Diagnosis:&nbsp;Generalized&nbsp;anxiety&#160;disorder.<br>Individual session, 45 min",
    ],
)
def test_a_note_in_html_is_read_and_quoted_as_it_stands(code: Coder, note: str) -> None:
    result = code(note)
    assert [diagnosis.code for diagnosis in result.diagnoses] == ["F41.1"]
    assert [procedure.code for procedure in result.procedures] == ["90834"]
    assert result.outcome is Outcome.CODED
    assert all(note[e.start : e.end] == e.quote for d in result.diagnoses for e in d.evidence)


@given(
    st.lists(
        st.sampled_from(
            [
                "<p>",
                "</p>",
                "<br />",
                "<td>",
                "</td>",
                " ",
                "\n",
                "&nbsp;",
                "&amp;",
                "&#304;",
                "&#1;",
                "<",
                "GAD",
            ]
        ),
        max_size=20,
    ).map("".join)
)
def test_markup_keeps_every_place(text: str) -> None:
    assert len(normalise(without_markup(text))) == len(text)
    assert [at for at in range(len(text)) if text.startswith("GAD", at)] == [
        at for at in range(len(text)) if normalise(text).startswith("gad", at)
    ]


@pytest.mark.parametrize(
    "assessment",
    [
        "[S] Four years sober.\n[O] Steady.\n[A] {} Work is on relapse signatures.\n[P] Weekly.",
        "S) Four years sober.\nO) Steady.\nA) {} Work is on relapse signatures.\nP) Weekly.",
        "DIAGS: {}",
    ],
)
def test_letters_in_any_bracket_open_their_sections(code: Coder, assessment: str) -> None:
    said = "Alcohol use disorder, severe, in sustained remission."
    result = code(f"Individual psychotherapy, 45 minutes.\n{assessment.format(said)}")
    assert (result.outcome, [each.code for each in result.diagnoses]) == (Outcome.CODED, ["F10.21"])
