"""Claims of ours that an answer could be about which names none of our numbers."""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
from uuid import UUID

from django.db.models import Q

from claims import matching
from claims.models import Claim, ClaimSignal
from claims.signals import SignalKind
from claims.x12.remittance import RemittedClaim
from providers.models import Practice, Provider

OWN_NUMBERS = matching.NUMBERS - {matching.Fact.PAYER_CONTROL_NUMBER}


@dataclass(frozen=True, slots=True)
class Remitted:
    """What a remittance says of its claims, by the natural keys of their signals, and for whom it is."""

    payer_id: str = ""
    payee_npi: str = ""
    payee_tax_id: str = ""
    claims: Mapping[str, RemittedClaim] = field(default_factory=dict, repr=False)


def organizations_of(npi: str) -> list[UUID]:
    """The organizations that bill under an NPI."""
    own = Practice.objects.filter(npi=npi).values_list("partner_id", flat=True)
    solo = Provider.objects.filter(npi=npi).values_list("partner_id", flat=True)
    return sorted(set(own) | set(solo))


def _paid_organizations(remitted: Remitted) -> list[UUID]:
    """The organizations that the payee bills for; none where the payer doesn't say who is paid."""
    if remitted.payee_npi:
        return organizations_of(remitted.payee_npi)
    if not remitted.payee_tax_id:
        return []
    practices = Practice.objects.filter(tax_id=remitted.payee_tax_id)
    return sorted(set(practices.values_list("partner_id", flat=True)))


def candidate_of(claim: Claim) -> matching.Candidate:
    """A claim as `matching` compares it; its session is read."""
    session = claim.session
    return matching.Candidate(
        claim_id=str(claim.pk),
        patient_control_number=claim.patient_control_number or "",
        payer_control_number=claim.payer_control_number,
        member_id=session.member_id,
        last_name=session.patient_last_name,
        first_name=session.patient_first_name,
        date_of_service=session.date_of_service,
        charge=claim.total_charge,
    )


def by_payer_control_number(wanted: Mapping[str, str], remitted: Remitted) -> dict[str, UUID]:
    """The claims that signals mean by the payer's number, or one of ours in its place; both by natural keys.

    A payer's number is its own: the payee must be the claim's, and the payer the one that it was billed to or
    that paid it; a remittance must contradict no fact of the claim, and needs no payer where it names our
    lines; an adjustment, which states none, must come from the payer that paid it.
    """
    numbers = set(wanted.values())
    found = Claim.objects.filter(Q(payer_control_number__in=numbers) | Q(patient_control_number__in=numbers))
    found = found.filter(partner__in=_paid_organizations(remitted))
    claims: dict[str, list[Claim]] = defaultdict(list)
    for claim in found.select_related("session"):
        for number in numbers & {claim.payer_control_number, claim.patient_control_number}:
            claims[number].append(claim)
    paid = _paid_by(remitted.payer_id, claims)
    billed = {
        claim.pk for each in claims.values() for claim in each if _is_billed_to(remitted.payer_id, claim)
    }
    named = {}
    for key, number in wanted.items():
        stated = remitted.claims.get(key)
        if stated is None:
            fitting = [claim.pk for claim in claims[number] if claim.pk in paid]
        else:
            candidates = map(candidate_of, claims[number])
            certain = matching.certain_match(matching.rank(matching.answer_of_remittance(stated), candidates))
            fitting = [UUID(certain.candidate.claim_id)] if certain else []
            if certain and not set(certain.agreeing) & OWN_NUMBERS:
                fitting = [each for each in fitting if each in paid or each in billed]
        if len(fitting) == 1:
            named[key] = fitting[0]
    return named


def _is_billed_to(payer_id: str, claim: Claim) -> bool:
    payer = claim.draft().get("payer")
    return bool(payer and payer["payer_id"] == payer_id)


def _paid_by(payer_id: str, claims: Mapping[str, list[Claim]]) -> set[UUID | None]:
    remittances = ClaimSignal.objects.filter(
        claim__in=[claim.pk for each in claims.values() for claim in each],
        kind=SignalKind.REMITTANCE,
        payload__source=payer_id,
    )
    return set(remittances.values_list("claim_id", flat=True))
