"""The one mapping from rows to the plain facts that the claim rules look at."""

from datetime import date, datetime

from billing.codes import CodeStatus, judge_codes
from billing.models import Payer, PayerProfile, TelehealthModifierPolicy
from billing.rules import facts as rules
from providers.models import Practice, Provider
from providers.zones import zone_of
from sessions_app.lookups import Lookups, SessionRecord
from sessions_app.models import Session, SessionCode

TELEHEALTH_MODIFIERS = {
    TelehealthModifierPolicy.KEEP: rules.TelehealthModifier.NINETY_FIVE,
    TelehealthModifierPolicy.REWRITE_GT: rules.TelehealthModifier.GT,
    TelehealthModifierPolicy.DROP: rules.TelehealthModifier.NONE,
}
DIAGNOSIS_STATUS = {
    CodeStatus.BILLABLE: rules.DiagnosisStatus.BILLABLE,
    CodeStatus.HEADING: rules.DiagnosisStatus.HEADING,
    CodeStatus.UNKNOWN: rules.DiagnosisStatus.UNKNOWN,
    CodeStatus.MALFORMED: rules.DiagnosisStatus.UNKNOWN,
    CodeStatus.UNCOVERED_KNOWN: rules.DiagnosisStatus.NOT_COVERED,
    CodeStatus.UNCOVERED_UNKNOWN: rules.DiagnosisStatus.NOT_COVERED,
}
KNOWN_IN_NEWEST = {CodeStatus.UNCOVERED_KNOWN: True, CodeStatus.UNCOVERED_UNKNOWN: False}


def facts_of(
    record: SessionRecord,
    *,
    lookups: Lookups,
    today: date,
    other_claims: tuple[rules.OtherClaim, ...] = (),
    note: rules.Note | None = None,
    version: rules.Version | None = None,
) -> rules.ClaimFacts:
    """Map a session's rows, and what the tables say about it, to facts."""
    session, provider, practice = record.session, record.provider, record.practice
    charges = [found.charge for found in lookups.prices if found]
    return rules.ClaimFacts(
        mode=rules.Mode(record.partner.mode),
        today=today,
        patient=_patient(session),
        coverage=rules.Coverage(
            member_id=session.member_id,
            payer_name=session.payer_name,
            payer_id=session.payer_id or None,
            group_number=session.group_number or None,
        ),
        provider=_provider(provider, practice, lookups),
        practice=_practice(practice, lookups),
        session=rules.Session(
            date_of_service=session.date_of_service,
            place_of_service=rules.PlaceOfService(session.place_of_service),
            minutes=session.duration_minutes,
        ),
        diagnoses=_diagnoses(record),
        procedures=tuple(
            rules.Procedure(
                code=code.code,
                modifiers=(code.modifier,) if code.modifier else (),
                units=code.units,
                charge=found.charge if found else None,
                source=rules.CodeSource(code.source),
                schedule_median=found.schedule_median * code.units if found else None,
                last_allowed=allowed * code.units if (allowed := lookups.allowed.get(code.code)) else None,
            )
            for code, found in zip(record.procedures, lookups.prices, strict=True)
        ),
        total_charge=sum(charges[1:], start=charges[0]) if charges else None,
        profile=_profile(lookups.payer),
        payer_match=lookups.payer_match,
        other_claims=other_claims,
        note=note,
        version=version or rules.Version(),
        ncci=lookups.ncci,
        tables=_tables(lookups),
    )


def _tables(lookups: Lookups) -> frozenset[rules.Table]:
    """The optional tables that say anything about this session."""
    said = {
        rules.Table.NPPES: lookups.provider_nppes or lookups.practice_nppes,
        rules.Table.ENROLLMENT: lookups.enrollment,
        rules.Table.NCCI: lookups.ncci,
    }
    return frozenset(table for table, found in said.items() if found is not None)


def _patient(session: Session) -> rules.Patient:
    return rules.Patient(
        first_name=session.patient_first_name,
        last_name=session.patient_last_name,
        date_of_birth=session.patient_date_of_birth,
        gender=session.patient_gender,
        address=rules.Address(
            street=session.patient_street,
            line2=session.patient_line2 or None,
            city=session.patient_city,
            state=session.patient_state,
            zip=session.patient_zip,
        ),
    )


def _provider(provider: Provider, practice: Practice, lookups: Lookups) -> rules.Provider:
    return rules.Provider(
        first_name=provider.first_name,
        last_name=provider.last_name,
        npi=provider.npi,
        taxonomy_code=provider.taxonomy_code or provider.inferred_taxonomy_code or None,
        taxonomy_inferred=not provider.taxonomy_code and bool(provider.inferred_taxonomy_code),
        specialty=provider.specialty or None,
        credentials=provider.credentials or None,
        onboarded_on=_day_at(practice, provider.created_at),
        nppes=lookups.provider_nppes,
        enrollment=lookups.enrollment,
        share_of_90837=lookups.share_of_90837,
    )


def _day_at(practice: Practice, instant: datetime) -> date:
    return instant.astimezone(zone_of(practice.state)).date()


def _practice(practice: Practice, lookups: Lookups) -> rules.Practice:
    return rules.Practice(
        name=practice.name,
        tax_id=practice.tax_id,
        address=rules.Address(
            street=practice.street,
            line2=practice.line2 or None,
            city=practice.city,
            state=practice.state,
            zip=practice.zip,
        ),
        npi=practice.npi or None,
        taxonomy_code=practice.taxonomy_code or None,
        phone=practice.phone or None,
        contact_name=practice.contact_name or None,
        nppes=lookups.practice_nppes,
    )


def _diagnoses(record: SessionRecord) -> tuple[rules.Diagnosis, ...]:
    rows = record.codes_of(SessionCode.Kind.DIAGNOSIS)
    verdicts = judge_codes([row.code for row in rows], on=record.session.date_of_service)
    return tuple(
        rules.Diagnosis(
            code=verdict.normalized or verdict.code,
            status=DIAGNOSIS_STATUS[verdict.status],
            known_in_newest_release=KNOWN_IN_NEWEST.get(verdict.status) if verdict.release else None,
            billable_under=tuple(verdict.billable_children),
            source=rules.CodeSource(row.source),
        )
        for row, verdict in zip(rows, verdicts, strict=True)
    )


def _profile(payer: Payer | None) -> rules.PayerProfile | None:
    if payer is None:
        return None
    profile: PayerProfile | None = getattr(payer, "profile", None)
    if profile is None:
        return rules.PayerProfile(supports_professional_claims=payer.supports_professional_claims)
    return rules.PayerProfile(
        payer_class=rules.PayerClass(profile.payer_class),
        filing_code=profile.claim_filing_code,
        telehealth_place_of_service=profile.telehealth_place_of_service,
        telehealth_modifier=TELEHEALTH_MODIFIERS[
            TelehealthModifierPolicy(profile.telehealth_modifier_policy)
        ],
        timely_filing_days=profile.timely_filing_days,
        timely_filing_confirmed=profile.timely_filing_confirmed,
        member_id_pattern=profile.member_id_pattern or None,
        member_id_words=(profile.member_id_example and f"for instance {profile.member_id_example}") or None,
        supports_professional_claims=payer.supports_professional_claims,
        enrollment_required=profile.claim_enrollment_required,
        remittance_enrollment_required=profile.remittance_enrollment_required,
        pays_90887=profile.pays_90887,
        pays_phone_assessment=profile.pays_phone_assessment,
        phone_codes_without_95=profile.phone_codes_without_95,
        most_units_96127=profile.most_units_96127,
        held_rules=frozenset(profile.held_rules),
    )
