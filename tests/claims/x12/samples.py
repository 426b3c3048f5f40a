"""The sample files that lie beside the project, and everything that is read from one of them."""

from __future__ import annotations

from pathlib import Path

import pytest

from claims.x12.read_277ca import read_277ca
from claims.x12.read_835 import Remittance835
from claims.x12.read_999 import GroupAcknowledgement, read_999
from claims.x12.read_ta1 import InterchangeAcknowledgement, read_ta1
from claims.x12.remittance import BalanceScope, RemittedClaim
from claims.x12.segments import Problem, ProblemCode, TransactionSet, X12File
from claims.x12.statuses import StatusResponse

SAMPLES = Path(__file__).resolve().parents[4] / "shared" / "data" / "edi"

needs_samples = pytest.mark.skipif(
    not SAMPLES.is_dir(), reason="the sample files do not lie beside the project"
)


class Sample:
    """All that is read from one sample file."""

    def __init__(self, name: str) -> None:
        self.path = SAMPLES / name
        self.sets: list[TransactionSet] = []
        self.claim_counts: list[int] = []
        self.responses: list[StatusResponse] = []
        self.groups: list[GroupAcknowledgement | None] = []
        self.interchanges: list[InterchangeAcknowledgement | None] = []
        self.remittances: list[Remittance835] = []
        self.claims: list[RemittedClaim] = []
        with self.path.open("rb") as source:
            file = X12File(source)
            for transaction_set in file:
                self.sets.append(transaction_set)
                self._read(transaction_set)
        self.file_codes = [problem.code for problem in file.problems]

    def _read(self, transaction_set: TransactionSet) -> None:
        match transaction_set.kind:
            case "TA1":
                self.interchanges.append(read_ta1(transaction_set))
            case "999":
                self.groups.append(read_999(transaction_set))
            case "277":
                self.responses.extend(read_277ca(transaction_set))
            case "835":
                remittance = Remittance835(transaction_set)
                self.claims.extend(remittance)
                self.remittances.append(remittance)
            case "837":
                names = [segment[0] for segment in transaction_set.segments]
                self.claim_counts.append(names.count("CLM"))

    @property
    def problems(self) -> list[Problem]:
        return [problem for transaction_set in self.sets for problem in transaction_set.problems]

    @property
    def codes(self) -> set[ProblemCode]:
        return {problem.code for problem in self.problems}

    @property
    def refused(self) -> list[ProblemCode]:
        return [found.refusal.code for found in self.sets if found.refusal is not None]

    def status_of(self, patient_control_number: str) -> StatusResponse:
        [found] = [item for item in self.responses if item.patient_control_number == patient_control_number]
        return found

    @property
    def reasons(self) -> list[str]:
        return [f"{item.group}-{item.reason}" for claim in self.claims for item in claim.all_adjustments]

    @property
    def scopes(self) -> list[BalanceScope]:
        return [item.scope for remittance in self.remittances for item in remittance.imbalances]
