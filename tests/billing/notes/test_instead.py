"""Shared sessions that somebody stayed away from."""

from collections.abc import Callable

import pytest

from billing.notes.result import NoteResult, Outcome

Coder = Callable[..., NoteResult]
DIAGNOSIS = "\nDx: GAD F41.1"
HELD = (
    ("Family session 50 min, mother; client refused to come in and stayed in car.", "90846"),
    ("Family session 50 min.\nPresent: mother, father. Client was in the waiting room throughout.", "90846"),
    ("Family therapy 50 min with parents; client did not attend.", "90846"),
    ("Family therapy 50 min with parents; client did not join.", "90846"),
    ("Family therapy 50 min. Client no-showed; parents seen.", "90846"),
    ("Family therapy without the client. 50 min. Client did not attend by plan; parents present.", "90846"),
    ("Family therapy 50 min with parents. Client was not present.", "90846"),
    ("Parents session 50 min; client did not attend.", "90846"),
    ("Family session 50 min. Met with client alone for 10 minutes at the end.", "90847"),
    ("Family session 50 min with client and parents. Brother stayed in car.", "90847"),
    ("Couples session 55 min. Partner was 5 min late. Both present.", "90847"),
    ("Family session 50 min, client and mother. Client walked out for two minutes and came back.", "90847"),
    ("Group therapy 60 min, 6 members. One member did not come.", "90853"),
    ("Family session 50 min with client and mother. Client refused to attend school.", "90847"),
    ("Family session 50 min with client and mother. Last week client stayed in the car.", "90847"),
    ("Family session 50 min with client and mother. Client refused to participate in chores.", "90847"),
    ("Family session 50 min. Client refused to come in at first, then joined us.", "90847"),
    ("Couples session 50 min, both present. Husband did not come home and she slept alone.", "90847"),
    ("Family session 50 min with client and parents. Mother saw him alone in his room often.", "90847"),
    ("Family session 50 min with parents; patient declined to join.", "90846"),
)
ASKED = (
    ("Family session 50 min. Client walked out and did not return; parents stayed.", "90846"),
    (
        "Dx F41.1\nFamily session planned, mom could not come; individual session, 45 min, instead.",
        "90834",
    ),
    ("Husband did not come to the couples session, so we met individually for 50 minutes.", "90834"),
    ("Dx F41.1. Couples session. Partner no-showed; met with client alone 50 minutes.", "90834"),
    ("Dx: GAD F41.1.\nCouples session 50 min; partner did not show so I saw client individually.", "90834"),
    ("Couples session 50 minutes; partner did not show so I saw client individually.", "90834"),
    ("Group therapy; only one member came so it was run as individual, 50 minutes.", "90834"),
)
MISSED = (
    "Family session 50 min scheduled; client and parents did not attend.",
    "Family therapy. Client did not attend.",
    "Client did not attend family session. Left voicemail with parents.",
    "NO SHOW. Client did not attend. Called parents, 20 min phone call.",
    "Couples therapy. Client did not attend; partner called to cancel.",
)


@pytest.mark.parametrize(("text", "expected"), HELD)
def test_a_session_that_the_others_had_is_theirs(code: Coder, text: str, expected: str) -> None:
    result = code(text + DIAGNOSIS)
    assert [procedure.code for procedure in result.procedures] == [expected]
    assert result.reasons == ()


@pytest.mark.parametrize(("text", "expected"), ASKED)
def test_a_session_that_became_another_is_asked_about(code: Coder, text: str, expected: str) -> None:
    result = code(text + DIAGNOSIS)
    assert [procedure.code for procedure in result.procedures] == [expected]
    assert result.reasons == ("service_conflict",)


@pytest.mark.parametrize("text", MISSED)
def test_a_session_that_nobody_had_is_not_billable(code: Coder, text: str) -> None:
    assert code(text + DIAGNOSIS).outcome is Outcome.NOT_BILLABLE
