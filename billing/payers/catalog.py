"""Writes carriers into the payer tables: what is there already stays as staff left it."""

from collections.abc import Iterable

from billing.models import Payer, PayerAlias, PayerProfile
from billing.payers.carriers import CARRIERS, Carrier
from billing.payers.names import search_text

ALIAS_LENGTH = 150


def record_carriers(
    carriers: Iterable[Carrier] = CARRIERS,
    *,
    payer_model: type[Payer] = Payer,
    alias_model: type[PayerAlias] = PayerAlias,
    profile_model: type[PayerProfile] = PayerProfile,
) -> int:
    """Add the carriers that the directory lacks, with aliases and profile, and say how many those were.

    The models are arguments because a migration brings its own, of its schema: columns that only a later one
    has are left to their defaults here.
    """
    known = set(payer_model.objects.values_list("payer_id", flat=True))
    missing = {carrier.payer_id: carrier for carrier in carriers if carrier.payer_id not in known}
    payers = payer_model.objects.bulk_create(
        payer_model(
            payer_id=carrier.payer_id,
            name=carrier.name,
            search_text=search_text(carrier.name),
            states=list(carrier.states),
            prominence=carrier.prominence,
            avatar_url=carrier.avatar_url,
        )
        for carrier in missing.values()
    )
    alias_model.objects.bulk_create(
        alias_model(payer=payer, name=name, search_text=words)
        for payer in payers
        for words, name in _readings(missing[payer.payer_id]).items()
    )
    profile_model.objects.bulk_create(
        _profile(profile_model, payer, missing[payer.payer_id]) for payer in payers
    )
    return len(payers)


def _readings(carrier: Carrier) -> dict[str, str]:
    """The aliases that read differently from the name and from each other."""
    readings = {search_text(name): name[:ALIAS_LENGTH] for name in reversed(carrier.other_names())}
    readings.pop(search_text(carrier.name), None)
    return readings


def _profile(profile_model: type[PayerProfile], payer: Payer, carrier: Carrier) -> PayerProfile:
    filing = carrier.to_be_filed_within()
    pattern, example = carrier.member_id
    return profile_model(
        payer=payer,
        payer_class=carrier.payer_class,
        claim_filing_code=carrier.filed_as(),
        claim_enrollment_required=carrier.enrollment_required,
        timely_filing_days=filing.days,
        timely_filing_basis=filing.basis,
        member_id_pattern=pattern,
        member_id_example=example,
    )
