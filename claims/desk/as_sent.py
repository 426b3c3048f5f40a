"""The claim as it was sent, to be compared with one that is yet to go."""

from dataclasses import replace

from claims.models import Claim
from claims.signals import REFUSED, ClaimStatus
from claims.x12.claim import ClaimFrequency, ProfessionalClaim, line_control_number

PLACEHOLDER_NUMBER = "PREVIEW0000000"
"""Control numbers are drawn when a claim is built; a preview takes none."""
HOW_DENIED: dict[str, str] = {
    ClaimStatus.DENIED: "denied",
    ClaimStatus.MEMBER_UNKNOWN: "denied",
    ClaimStatus.TAKEN_BACK: "taken back",
}


def as_sent(claim: Claim) -> ProfessionalClaim | None:
    """The frozen claim under the placeholder's numbers, to be compared with one that has none yet."""
    if not claim.snapshot:
        return None
    frozen = ProfessionalClaim.from_json(claim.draft())
    return replace(
        frozen,
        patient_control_number=PLACEHOLDER_NUMBER,
        service_lines=tuple(
            replace(line, control_number=line_control_number(PLACEHOLDER_NUMBER, position))
            for position, line in enumerate(frozen.service_lines, 1)
        ),
    )


def unchanged_since(claim: Claim, following: ProfessionalClaim | None) -> str:
    """How it was refused, where the next version would say what it said; empty where it wouldn't."""
    if not is_as_sent(claim, following):
        return ""
    return "rejected" if claim.status in REFUSED else HOW_DENIED.get(claim.status, "")


def is_as_sent(claim: Claim, following: ProfessionalClaim | None) -> bool:
    """Tell whether the next version, under the placeholder's numbers, says of the service what this one said.

    That it takes a judged one's place, and names that one, changes nothing of it.
    """
    sent = as_sent(claim)
    return sent is not None and following is not None and _content(sent) == _content(following)


def _content(claim: ProfessionalClaim) -> ProfessionalClaim:
    return replace(claim, frequency=ClaimFrequency.ORIGINAL, payer_control_number="")
