"""Diagnosis and procedure codes as sent: form, existence and billability on the date, repetition."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from billing import codes as icd
from billing.models import CodeSetRelease, DiagnosisCode
from sessions_app.models import SessionCode
from tests.cast import Api, issues_of, submission


@pytest.fixture
def ours(api: Api) -> Api:
    return api.onboarded()


def diagnosed(*codes: Any, **changes: Any) -> dict[str, Any]:
    entries = [code if isinstance(code, dict) else {"code": code} for code in codes]
    return submission(session__diagnosisCodes=entries, **changes)


def performed(*codes: Any, **changes: Any) -> dict[str, Any]:
    entries = [code if isinstance(code, dict) else {"code": code} for code in codes]
    return submission(session__procedureCodes=entries, **changes)


@pytest.mark.parametrize("code", ["F41.1", "f41.1", "F411", "f411"])
def test_diagnosis_codes_are_stored_in_one_form(ours: Api, release: CodeSetRelease, code: str) -> None:
    assert ours.post("/sessions", diagnosed(code)).status_code == 201
    assert SessionCode.objects.get(kind="diagnosis").code == "F41.1"


@pytest.mark.parametrize(
    "code",
    [
        "",
        None,
        411,
        "F4",
        "4F1.1",
        "FF1.1",
        "F41.",
        "F41.12345",
        "F41 1",
        " F41.1",
        "F41.1\n",
        "F.411",
        "F41..1",
    ],
)
def test_what_has_not_the_form_is_refused_on_any_date(ours: Api, code: Any) -> None:
    assert "session.diagnosisCodes.1.code" in issues_of(ours.post("/sessions", diagnosed("F41.1", code)))


def test_a_code_that_does_not_exist_on_the_date(ours: Api, release: CodeSetRelease) -> None:
    issues = issues_of(ours.post("/sessions", diagnosed("F41.1", "F41.7", "f32.8")))
    assert list(issues) == ["session.diagnosisCodes.1.code", "session.diagnosisCodes.2.code"]
    assert "F41.7" in issues["session.diagnosisCodes.1.code"]


def test_a_code_with_a_letter_in_second_place_is_taken_where_the_release_has_it(
    ours: Api, release: CodeSetRelease
) -> None:
    assert ours.post("/sessions", diagnosed("qa08")).status_code == 201
    assert SessionCode.objects.get(kind="diagnosis").code == "QA0.8"
    assert "F41.1" in issues_of(ours.post("/sessions", diagnosed("QA0.9")))["session.diagnosisCodes.0.code"]


def test_a_category_lists_the_billable_codes_under_it(ours: Api, release: CodeSetRelease) -> None:
    issues = issues_of(ours.post("/sessions", diagnosed("F41")))
    assert "under it, one of F41.0, F41.1, F41.9." in issues["session.diagnosisCodes.0.code"]


def test_a_long_category_says_that_there_are_more_codes_than_it_lists(
    ours: Api, release: CodeSetRelease
) -> None:
    DiagnosisCode.objects.bulk_create(
        DiagnosisCode(release=release, code=f"F32.{letter}", billable=True, title="Depressive episode")
        for letter in "BCDEFGHJKLM"
    )
    icd.forget_releases()
    (message,) = issues_of(ours.post("/sessions", diagnosed("F32"))).values()
    listed = message.partition("under it, such as ")[2]
    assert len(listed.split(", ")) == 10


def test_before_every_release_only_the_form_counts(ours: Api, release: CodeSetRelease) -> None:
    before = (release.valid_from - timedelta(days=1)).isoformat()
    assert ours.post("/sessions", diagnosed("F41.7", session__dateOfService=before)).status_code == 201


def test_a_category_is_refused_on_any_date(ours: Api, release: CodeSetRelease) -> None:
    before = (release.valid_from - timedelta(days=1)).isoformat()
    body = diagnosed("F41", session__dateOfService=before)
    assert list(issues_of(ours.post("/sessions", body))) == ["session.diagnosisCodes.0.code"]


def test_after_the_newest_release_only_the_form_counts(ours: Api, release: CodeSetRelease) -> None:
    release.valid_to = datetime.now(UTC).date() - timedelta(days=30)
    release.save()
    icd.forget_releases()
    assert ours.post("/sessions", diagnosed("F41.7")).status_code == 201


def test_with_no_release_loaded_only_the_form_counts(ours: Api) -> None:
    assert ours.post("/sessions", diagnosed("F41.7")).status_code == 201


def test_codes_are_judged_even_where_other_fields_are_wrong(ours: Api, release: CodeSetRelease) -> None:
    body = diagnosed("F41.7", patient__gender="x")
    assert list(issues_of(ours.post("/sessions", body))) == [
        "patient.gender",
        "session.diagnosisCodes.0.code",
    ]


@pytest.mark.parametrize("twin", ["F41.1", "f411"])
def test_no_diagnosis_code_twice(ours: Api, twin: str) -> None:
    assert "session.diagnosisCodes.2.code" in issues_of(
        ours.post("/sessions", diagnosed("F41.1", "F41.0", twin))
    )


def test_twelve_diagnosis_codes_are_fine_and_thirteen_are_not(ours: Api) -> None:
    codes = [f"F{number}.1" for number in range(10, 23)]
    assert ours.post("/sessions", diagnosed(*codes[:12])).status_code == 201
    assert list(issues_of(ours.post("/sessions", diagnosed(*codes)))) == ["session.diagnosisCodes"]


def test_a_modifier_on_a_diagnosis_code_has_no_effect(ours: Api) -> None:
    assert ours.post("/sessions", diagnosed({"code": "F41.1", "modifier": "anything"})).status_code == 201
    assert SessionCode.objects.get(kind="diagnosis").modifier == ""


@pytest.mark.parametrize(
    ("code", "stored"), [("90837", "90837"), ("0362t", "0362T"), ("g0409", "G0409"), ("H0004", "H0004")]
)
def test_procedure_codes_are_stored_in_upper_case(ours: Api, code: str, stored: str) -> None:
    assert ours.post("/sessions", performed(code)).status_code == 201
    assert SessionCode.objects.get(kind="procedure").code == stored


@pytest.mark.parametrize(
    "code", ["", None, 90837, "9083", "908377", "X1234", "W0004", "9083-", " 90837", "90837\n", "９０８３７"]
)
def test_what_is_no_procedure_code(ours: Api, code: Any) -> None:
    assert "session.procedureCodes.0.code" in issues_of(ours.post("/sessions", performed(code)))


@pytest.mark.parametrize("modifier", ["9", "955", "9 ", " 95", "é5", 95, [], True])
def test_what_is_no_modifier(ours: Api, modifier: Any) -> None:
    body = performed({"code": "90837", "modifier": modifier})
    assert list(issues_of(ours.post("/sessions", body))) == ["session.procedureCodes.0.modifier"]


@pytest.mark.parametrize(("modifier", "stored"), [("gt", "GT"), ("", ""), (None, ""), ("95", "95")])
def test_modifiers(ours: Api, modifier: Any, stored: str) -> None:
    assert ours.post("/sessions", performed({"code": "90837", "modifier": modifier})).status_code == 201
    assert SessionCode.objects.get(kind="procedure").modifier == stored


@pytest.mark.parametrize("pair", [("", ""), ("95", "95"), ("gt", "GT"), (None, "")])
def test_a_procedure_code_twice_with_the_same_modifier(ours: Api, pair: tuple[Any, Any]) -> None:
    body = performed(*({"code": "90837", "modifier": modifier} for modifier in pair))
    assert list(issues_of(ours.post("/sessions", body))) == ["session.procedureCodes.1.code"]


def test_a_procedure_code_twice_with_different_modifiers(ours: Api) -> None:
    body = performed({"code": "90837", "modifier": "95"}, {"code": "90837", "modifier": "59"})
    assert ours.post("/sessions", body).status_code == 201


def test_fifty_procedure_codes_are_fine_and_fifty_one_are_not(ours: Api) -> None:
    codes = [str(number) for number in range(90000, 90051)]
    assert ours.post("/sessions", performed(*codes[:50])).status_code == 201
    assert list(issues_of(ours.post("/sessions", performed(*codes)))) == ["session.procedureCodes"]


@pytest.mark.parametrize("entry", ["F41.1", 1, None, [], True])
def test_an_entry_that_is_no_object(ours: Api, entry: Any) -> None:
    body = submission(session__diagnosisCodes=[{"code": "F41.1"}, entry])
    assert list(issues_of(ours.post("/sessions", body))) == ["session.diagnosisCodes.1"]


@pytest.mark.parametrize(
    ("entry", "path"),
    [
        ({}, "code"),
        ({"code": "F41.1", "description": 7}, "description"),
        ({"code": "F41.1", "description": "x" * 256}, "description"),
        ({"code": "F41.1", "description": "a\0"}, "description"),
        ({"code": "F41.1", "modifier": 7}, "modifier"),
        ({"code": "F41.1", "units": 1}, "units"),
    ],
)
def test_faults_within_an_entry(ours: Api, entry: dict[str, Any], path: str) -> None:
    body = submission(session__diagnosisCodes=[entry], session__noteText="S: …")
    assert list(issues_of(ours.post("/sessions", body))) == [f"session.diagnosisCodes.0.{path}"]


def test_common_codes_cost_no_query(ours: Api, release: CodeSetRelease, django_assert_num_queries) -> None:
    ours.post("/sessions", diagnosed("F41.1", "F32.0"))
    with django_assert_num_queries(1):
        ours.post("/sessions", diagnosed("F32.0", "F41.1"))
