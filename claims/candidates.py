"""Claims of ours that an answer is about which names none of our numbers, or another payee or patient."""

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from uuid import UUID

from django.db.models import Q

from billing.rules.npi import npi_is_valid
from claims import matching
from claims.models import Claim, ClaimSignal
from claims.signals import SignalKind
from claims.x12.remittance import RemittanceName, RemittedClaim
from providers.models import Practice, Provider

TAX_ID = re.compile("[0-9]{9}")
OWN_NUMBERS = matching.NUMBERS - {matching.Fact.PAYER_CONTROL_NUMBER}


@dataclass(frozen=True, slots=True)
class Remitted:
    """What a remittance says of its claims, by the natural keys of their signals, and for whom it is.

    An answer of another kind only has `patients`: the names that it states, by the same keys.
    """

    payer_id: str = ""
    payee_npi: str = ""
    payee_tax_id: str = ""
    claims: Mapping[str, RemittedClaim] = field(default_factory=dict, repr=False)
    patients: Mapping[str, Sequence[RemittanceName]] = field(default_factory=dict, repr=False)

    def names(self, key: str) -> Sequence[RemittanceName]:
        """Who is named as the patient of what a signal is about."""
        return self.claims[key].names if key in self.claims else self.patients.get(key, ())


@dataclass(frozen=True, slots=True)
class Payee:
    """The organizations of ours that a payee bills for, and the numbers that it is known by."""

    organizations: Sequence[UUID]
    npi: str
    tax_id: str = ""

    def bills_for(self, claim: Claim) -> bool:
        """Tell whether it bills for a claim's organization, now or as the claim went out."""
        return claim.partner_id in self.organizations or self._was_named_in(claim)

    def _was_named_in(self, claim: Claim) -> bool:
        """Tell whether the claim named it as billing or rendering, whatever they are now."""
        frozen = claim.draft()
        named = [frozen[role] for role in ("billing_provider", "rendering_provider") if frozen.get(role)]
        numbers = {each["npi"] for each in named} | {each.get("tax_id", "") for each in named}
        return bool(({self.npi, self.tax_id} - {""}) & numbers)


def organizations_of(npi: str) -> list[UUID]:
    """The organizations that bill under an NPI."""
    own = Practice.objects.filter(npi=npi).values_list("partner_id", flat=True)
    solo = Provider.objects.filter(npi=npi).values_list("partner_id", flat=True)
    return sorted(set(own) | set(solo))


def _organizations_with(tax_id: str) -> list[UUID]:
    return sorted(set(Practice.objects.filter(tax_id=tax_id).values_list("partner_id", flat=True)))


def _paid_organizations(remitted: Remitted) -> list[UUID]:
    """The organizations that the payee bills for; none where the payer doesn't say who is paid."""
    if remitted.payee_npi:
        return organizations_of(remitted.payee_npi)
    return _organizations_with(remitted.payee_tax_id) if remitted.payee_tax_id else []


def doubts_about(named: Mapping[str, UUID], remitted: Remitted) -> dict[str, matching.Doubt]:
    """Why answers that name claims by our own numbers may mean others; both by their natural keys.

    Only what contradicts a claim counts, as it went out and as it is now: what isn't stated doesn't.
    """
    if not named:
        return {}
    payee = payee_of(remitted.payee_npi, remitted.payee_tax_id)
    rows = Claim.objects.filter(pk__in=set(named.values())).values_list(
        "pk", "partner_id", "session__patient_last_name", "session__patient_first_name"
    )
    known = {pk: (partner, _patient(last, first)) for pk, partner, last, first in rows}
    foreign = {key for key, pk in named.items() if payee and known[pk][0] not in payee.organizations}
    others = {key for key, pk in named.items() if matching.names_another(remitted.names(key), [known[pk][1]])}
    claims = Claim.objects.select_related("session").in_bulk({named[key] for key in foreign | others})
    doubts = {}
    for key in sorted(foreign | others):
        claim = claims[named[key]]
        if key in foreign and payee and not payee.bills_for(claim):
            doubts[key] = matching.Doubt.PAYEE
        elif key in others and matching.names_another(remitted.names(key), _patients_of(claim)):
            doubts[key] = matching.Doubt.PATIENT
    return doubts


def payee_of(npi: str, tax_id: str = "") -> Payee | None:
    """Who is paid, where that is said: payers mask numbers, blot them out, or write others in their place.

    Where somebody bills under the NPI, that tells; a tax ID only where nobody does.
    """
    npi = npi if npi_is_valid(npi) else ""
    tax_id = tax_id if TAX_ID.fullmatch(tax_id) and len(set(tax_id)) > 1 else ""
    if not npi and not tax_id:
        return None
    billing = organizations_of(npi) if npi else []
    if billing or not tax_id:
        return Payee(billing, npi)
    return Payee(_organizations_with(tax_id), npi, tax_id)


def _patients_of(claim: Claim) -> list[matching.Candidate]:
    """The patient as the session has it now, and as the claim went out."""
    now, frozen = candidate_of(claim), claim.draft().get("subscriber")
    if not frozen:
        return [now]
    sent = {name: frozen[name] for name in ("member_id", "last_name", "first_name")}
    return [now, replace(now, **sent)]


def _patient(last_name: str, first_name: str) -> matching.Candidate:
    return matching.Candidate(
        claim_id="", patient_control_number="", last_name=last_name, first_name=first_name
    )


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
        dismissed_at=None,
    )
    return set(remittances.values_list("claim_id", flat=True))
