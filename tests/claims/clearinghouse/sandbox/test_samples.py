"""Public 837P samples, sound and broken, as the sandbox meets them."""

from dataclasses import replace
from pathlib import Path

import pytest

from claims.clearinghouse.port import ClearinghouseError
from tests.claims.clearinghouse.cast import claim_of, submission_of
from tests.claims.clearinghouse.sandbox.stage import FOR_EVER, Stage

SAMPLES = Path(__file__).parents[5] / "shared" / "data" / "edi" / "837p"
FILES = sorted(SAMPLES.glob("*.edi"))


def fate_of(path: Path) -> str:
    """Whether the sandbox took a file; what it took it must answer."""
    stage = Stage()
    submission = replace(submission_of(claim_of()), x12=path.read_text("latin-1"))
    try:
        stage.sandbox.submit(submission)
    except ClearinghouseError as error:
        return f"refused, {error.outcome}"
    return "answered" if stage.wait(FOR_EVER) else "forgotten"


@pytest.mark.skipif(not FILES, reason="the public samples are not beside the project")
def test_every_sample_is_answered_or_refused_for_good() -> None:
    fates = {path.stem: fate_of(path) for path in FILES}
    assert set(fates.values()) == {"answered", "refused, permanent"}
    assert fates["therapy_90837_telehealth_commercial"] == "answered"
    assert fates["wrong_version_4010"] == "refused, permanent"
