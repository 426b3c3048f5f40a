"""What a command says in a dry run: what would be done, never that it was."""

import pytest

from claims import pipeline, submission
from claims.clearinghouse.port import ClearinghouseError, Outcome
from claims.clearinghouse.sandbox.gateway import SandboxClearinghouse
from claims.models import InboundFile, LegalHold
from tests.cast import Api
from tests.operations.running import result, run

pytestmark = pytest.mark.django_db


def test_a_dry_poll_asks_and_leaves_what_is_offered(ready_api: Api) -> None:
    ready_api.submitted()
    pipeline.advance()
    submission.send("sandbox")
    InboundFile.objects.all().delete()
    said = result("poll_clearinghouse", "sandbox", "--dry-run")
    [row] = said.document
    assert (said.code, row["failure"], row["polledAt"], row["dryRun"]) == (0, "", None, True)
    assert row["files"]
    assert not InboundFile.objects.exists()


def test_a_dry_poll_says_that_nobody_answers(api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    def nobody(*_: object) -> None:
        raise ClearinghouseError("no_connection", outcome=Outcome.NOT_TAKEN)

    monkeypatch.setattr(SandboxClearinghouse, "fetch", nobody)
    said = run("poll_clearinghouse", "sandbox", "--dry-run")
    assert said.code == 4
    assert "sandbox: no_connection (not_taken); no files" in said.text


@pytest.mark.parametrize("words", [("after_restore",), ("rotate_keys",), ("legal_hold", "--reason", "7")])
def test_a_dry_run_says_would_and_the_real_one_does_not(ready_api: Api, words: tuple[str, ...]) -> None:
    session_id = ready_api.submitted()
    words = (*words, session_id) if words[0] == "legal_hold" else words
    dry = run(*words, "--dry-run")
    assert "would" in dry.text
    assert result(*words, "--dry-run").document["dryRun"] is True
    assert not LegalHold.objects.exists()
    real = run(*words)
    assert (real.code, "would" in real.text) == (0, False)


def test_a_dry_lift_leaves_the_hold(ready_api: Api) -> None:
    session_id = ready_api.submitted()
    run("legal_hold", session_id, "--reason", "7")
    assert "legal hold would be lifted." in run("legal_hold", session_id, "--lift", "--dry-run").text
    assert LegalHold.objects.filter(lifted_at=None).exists()
