"""Our own readers find nothing odd in what the sandbox writes, and understand it."""

import pytest

from claims.clearinghouse.port import InboundFile
from claims.clearinghouse.sandbox.rehearsal import Scenario
from claims.x12.read_277ca import read_277ca
from claims.x12.read_835 import Remittance835
from claims.x12.read_999 import read_999
from claims.x12.segments import X12File
from tests.claims.clearinghouse.cast import claim_of
from tests.claims.clearinghouse.sandbox.stage import FOR_EVER, Stage

ANSWERED = sorted(set(Scenario) - {Scenario.DOWN, Scenario.EDIT, Scenario.SILENT})


def read(file: InboundFile) -> tuple[set[str], list[object]]:
    """The patient control numbers that a file speaks of, and everything wrong with it."""
    numbers: set[str] = set()
    x12 = X12File(file.content)
    wrong: list[object] = []
    for transaction_set in x12:
        match transaction_set.kind:
            case "999":
                assert read_999(transaction_set) is not None
            case "277":
                numbers |= {response.patient_control_number for response in read_277ca(transaction_set)}
            case "835":
                remittance = Remittance835(transaction_set)
                numbers |= {claim.patient_control_number for claim in remittance}
                wrong += remittance.imbalances
        wrong += transaction_set.problems
    return numbers - {""}, wrong + x12.problems


@pytest.mark.parametrize("scenario", ANSWERED)
def test_every_answer_is_sound_and_names_its_claim(scenario: Scenario) -> None:
    stage, claim = Stage(), claim_of(scenario.value, charges=("180.00", "45.55"))
    stage.send(claim)
    files = stage.wait(FOR_EVER)
    assert files
    for file in files:
        numbers, wrong = read(file)
        assert numbers <= {claim.patient_control_number}
        assert wrong == []
