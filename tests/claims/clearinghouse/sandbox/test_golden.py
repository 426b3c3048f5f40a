"""The sandbox's files, byte for byte.

Each file of `golden/` is every answer to one claim, in the order in which they come. After a change that was
meant, delete the file, run the test, and read what it wrote.
"""

from dataclasses import replace
from pathlib import Path

import pytest

from claims.clearinghouse.port import Submission
from claims.x12.claim import ProfessionalClaim, line_control_number
from claims.x12.write_837p import write_837p
from tests.claims.clearinghouse.cast import SOLO, claim_of, envelope_of, submission_of
from tests.claims.clearinghouse.sandbox.stage import FOR_EVER, Stage

GOLDEN = Path(__file__).parent / "golden"
NUMBER = "K7QX2M9ZB4TD1"
CLAIMS = {
    "partial": claim_of("PARTIAL", charges=("180.00", "45.55")),
    "denied": claim_of("DENIED16", billing=SOLO),
    "chreject": claim_of("CHREJECT"),
    "rejected": claim_of("REJECTED"),
    "bad999": claim_of("BAD999"),
    "reversed": claim_of("REVERSED"),
    "plb": claim_of("PLB"),
}


def fixed(claim: ProfessionalClaim) -> Submission:
    """The claim with numbers that are the same on every run."""
    lines = tuple(
        replace(line, control_number=line_control_number(NUMBER, n))
        for n, line in enumerate(claim.service_lines, start=1)
    )
    claim = replace(claim, patient_control_number=NUMBER, service_lines=lines)
    envelope = replace(
        envelope_of(), interchange_control_number=77, group_control_number=78, batch_id="B000000077"
    )
    x12 = write_837p([claim], envelope=envelope)
    return replace(submission_of(claim), key="00000000-0000-4000-8000-000000000077", x12=x12)


@pytest.mark.parametrize("name", CLAIMS)
def test_the_answers_are_as_they_were(name: str) -> None:
    stage = Stage()
    stage.sandbox.submit(fixed(CLAIMS[name]))
    answers = "".join(file.content.decode() for file in stage.wait(FOR_EVER))
    path = GOLDEN / f"{name}.edi"
    if not path.exists():
        path.write_text(answers)
        pytest.fail(f"{path.name} was not there; it is written now, for reading")
    assert answers == path.read_text()
