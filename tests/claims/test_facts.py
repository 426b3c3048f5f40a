"""What the claim rules learn from the tables: each fact changes what a submitted session is told."""

from datetime import UTC, date, datetime
from decimal import Decimal
from uuid import UUID

import pytest
from django.db import connection
from django.db.backends.postgresql.psycopg_any import DateRange
from django.test.utils import CaptureQueriesContext

from billing.models import NcciPair, NcciUnits, NpiRecord, Payer, PayerProfile
from billing.rules.facts import ClaimFacts
from claims import actions, pipeline
from claims.models import Claim, Finding
from providers.models import AllowedAmount, ChargeRate, ChargeSchedule, Enrollment, Practice, Provider
from sessions_app import lookups
from sessions_app.facts import facts_of
from sessions_app.lookups import SessionRecord
from sessions_app.models import Session, SessionCode
from tests.cast import NPI, OTHER_NPI, REMOVED, Api, day_of_service, onboarding
from tests.claims.process import run_until_quiet

LONG_AGO = date(2020, 1, 1)


def checked(partner: Api, **changes: object) -> dict[str, str]:
    """The severities of what the rules found about a new session, by rule."""
    session_id = partner.submitted(**changes)
    pipeline.advance()
    return dict(Finding.objects.filter(claim__session=session_id).values_list("rule", "severity"))


def coded(*codes: str) -> dict[str, object]:
    return {"session__procedureCodes": [{"code": code} for code in codes]}


def wishes(**fields: object) -> None:
    PayerProfile.objects.filter(payer__payer_id="60054").update(**fields)


def test_a_charge_below_what_the_payer_allowed_last_is_told(partner: Api) -> None:
    assert "CHG-002" not in checked(partner)
    run_until_quiet()
    assert AllowedAmount.objects.get().allowed == Decimal("180.00")
    own = ChargeSchedule.objects.create(name="Own", scope="partner", partner=partner.partner)
    ChargeRate.objects.create(
        schedule=own, procedure_code="90837", unit_charge=Decimal(150), valid=DateRange(LONG_AGO, None)
    )
    assert checked(partner, patient__insurance__memberId="PAID2")["CHG-002"] == "W"
    another_payer = {"patient__insurance__payerId": "62308", "patient__insurance__payerName": "Cigna"}
    assert "CHG-002" not in checked(partner, patient__insurance__memberId="PAID3", **another_payer)


def test_what_a_rival_was_allowed_is_no_business_of_ours(partner: Api, rival: Api) -> None:
    practice = Practice.objects.get()
    rival.onboarded(provider__npi="1999999976")
    AllowedAmount.objects.create(
        partner=rival.partner,
        practice=Practice.objects.exclude(pk=practice.pk).get(),
        payer_id="60054",
        procedure_code="90837",
        allowed=Decimal(500),
        charged=Decimal(500),
        paid_on=LONG_AGO,
    )
    assert "CHG-002" not in checked(partner)


def test_a_therapist_who_bills_little_but_long_sessions_is_told(
    partner: Api, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lookups, "LEAST_SESSIONS", 3)
    for number in range(3):
        assert "CPT-012" not in checked(partner, patient__insurance__memberId=f"PAID{number}")
    assert checked(partner, patient__insurance__memberId="PAID3")["CPT-012"] == "W"
    short = checked(partner, patient__insurance__memberId="PAID4", session__durationMinutes=45)
    assert "CPT-012" not in short


def test_what_is_known_of_a_session_does_not_hang_on_what_is_looked_up_beside_it(
    partner: Api, rival: Api, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lookups, "LEAST_SESSIONS", 3)
    rival.onboarded(provider__npi="1999999976")
    for number in range(3):
        partner.submitted(patient__insurance__memberId=f"PAID{number}")
    pipeline.advance()
    NpiRecord.objects.create(npi=NPI, source="a test", checked_on=LONG_AGO)
    enrolled(partner, claims="live")
    NcciPair.objects.create(
        column_one="90837", column_two="90785", modifier_indicator="0", valid_from=LONG_AGO
    )
    NcciUnits.objects.create(code="96127", most_units=1, valid_from=LONG_AGO)
    partner.submitted(session__dateOfService=day_of_service(2))
    partner.submitted(session__dateOfService=day_of_service(300), **coded("90837", "90785"))
    partner.submitted(session__durationMinutes=45)
    partner.submitted(**coded("90834", "96127"))
    twice = partner.submitted(**coded("90834", "96127"))
    rival.submitted(providerNpi="1999999976", session__dateOfService=day_of_service(1))
    pipeline.advance()
    SessionCode.objects.filter(session=twice, code="96127").update(units=2)
    works = [pipeline.work_of(claim) for claim in Claim.objects.order_by("session_id")]
    records = [work.record for work in works]
    today = records[0].session.date_of_service

    def known(records: list[SessionRecord]) -> list[ClaimFacts]:
        found = lookups.look_up(records)
        return [
            facts_of(record, lookups=of_record, today=today)
            for record, of_record in zip(records, found, strict=True)
        ]

    together = known(records)
    assert len({facts.provider.share_of_90837 for facts in together}) == 3
    assert len([facts for facts in together if facts.ncci]) == 2
    assert together == [facts for record in records for facts in known([record])]


def test_an_npi_that_the_registry_lacks_or_has_switched_off_holds(partner: Api) -> None:
    record = NpiRecord.objects.create(npi=NPI, found=False, source="a test", checked_on=LONG_AGO)
    assert checked(partner)["PRV-007"] == "E"
    NpiRecord.objects.filter(pk=record.pk).update(found=True, taxonomies=["103TC0700X"])
    found = checked(partner, patient__insurance__memberId="PAID2")
    assert "PRV-007" not in found
    assert found["PRV-008"] == "W"
    NpiRecord.objects.create(npi=OTHER_NPI, deactivated=True, source="a test", checked_on=LONG_AGO)
    assert checked(partner, patient__insurance__memberId="PAID3")["PRV-007"] == "E"


def test_a_therapist_is_onboarded_on_the_day_that_it_is_at_the_practice(partner: Api) -> None:
    evening_in_austin = datetime(2026, 1, 16, 1, 30, tzinfo=UTC)
    Provider.objects.update(created_at=evening_in_austin)
    assert "DOS-003" not in checked(partner, session__dateOfService="2026-01-15")
    assert checked(partner, session__dateOfService="2026-01-14")["DOS-003"] == "W"


@pytest.mark.parametrize("written", ["paid-12 34", "PAID–12–34", "PAID‑1234", "PAID‒12−34", "PAID—1234"])
def test_a_patient_is_the_same_whatever_dashes_the_member_id_has(partner: Api, written: str) -> None:
    assert "DUP-001" not in checked(partner, patient__insurance__memberId="PAID1234")
    run_until_quiet()
    assert checked(partner, patient__insurance__memberId=written)["DUP-001"] == "E"


def enrolled(partner: Api, **status: str) -> None:
    Enrollment.objects.update_or_create(
        partner=partner.partner, npi=OTHER_NPI, payer=Payer.objects.get(payer_id="60054"), defaults=status
    )


def test_nobody_asks_for_an_enrollment_where_staff_keep_none(partner: Api) -> None:
    wishes(claim_enrollment_required=True)
    assert not {"PRV-009", "PRV-010"} & checked(partner).keys()


def test_a_payer_that_asks_for_enrollment_gets_no_claim_before_it_is_live(partner: Api) -> None:
    wishes(claim_enrollment_required=True, remittance_enrollment_required=False)
    enrolled(partner, claims="pending")
    found = checked(partner)
    assert found["PRV-009"] == "E"
    assert "PRV-010" not in found
    enrolled(partner, claims="live")
    assert "PRV-009" not in checked(partner, patient__insurance__memberId="PAID2")


def test_without_an_enrollment_for_remittances_an_inquirys_answer_settles_the_claim(partner: Api) -> None:
    enrolled(partner, claims="live", remittances="pending")
    assert checked(partner, patient__insurance__memberId="SILENT")["PRV-010"] == "W"
    run_until_quiet()
    claim = Claim.objects.get()
    from tests.claims.test_inbound import apply, envelope, remittance

    body = (
        "BHT*0010*08*1*20300110*1200*DG~HL*1**20*1~NM1*PR*2*AETNA*****PI*60054~HL*2*1*21*1~"
        "NM1*41*2*OURS*****46*X~HL*3*2*19*1~NM1*1P*2*CALM HARBOR*****XX*1999999984~HL*4*3*22*0~"
        f"NM1*IL*1*DOE*JANE****MI*SILENT~TRN*2*{claim.patient_control_number}~"
        "STC*F1:65*20300110**180*155~REF*1K*PAYER77~"
    )
    apply(envelope(body, kind="277", version="005010X212"))
    assert partner.get(f"/sessions/{claim.session_id}").json()["status"] == "paid"
    assert Claim.objects.get().status == "per_inquiry"
    enrolled(partner, remittances="live")
    apply(remittance(claim), name="late.edi")
    assert Claim.objects.get().status == "paid"


def test_coding_edits_of_the_quarter_hold_and_warn(partner: Api) -> None:
    together = coded("90834", "96127")
    assert "NCCI-004" not in checked(partner, **together)
    pair = {"column_one": "90834", "column_two": "96127", "valid_from": LONG_AGO}
    NcciPair.objects.create(modifier_indicator="0", **pair)
    NcciUnits.objects.create(code="96127", most_units=1, valid_from=LONG_AGO)
    assert checked(partner, patient__insurance__memberId="PAID2", **together)["NCCI-004"] == "E"
    NcciPair.objects.update(valid_to=LONG_AGO)
    assert "NCCI-004" not in checked(partner, patient__insurance__memberId="PAID3", **together)


def test_a_payers_wishes_are_heard(partner: Api) -> None:
    assert checked(partner, **coded("90834", "90887"))["CPT-016"] == "W"
    wishes(pays_90887=True)
    assert "CPT-016" not in checked(partner, patient__insurance__memberId="PAID2", **coded("90834", "90887"))
    phone = {"session__placeOfService": "telehealth", **coded("98966")}
    assert "MOD-007" not in checked(partner, patient__insurance__memberId="PAID3", **phone)
    wishes(phone_codes_without_95=True)
    assert checked(partner, patient__insurance__memberId="PAID4", **phone)["MOD-007"] == "W"


def test_two_lines_that_the_added_modifier_makes_equal_hold(partner: Api) -> None:
    twice = [{"code": "H0004"}, {"code": "H0004", "modifier": "95"}]
    telehealth = {"session__placeOfService": "telehealth", "session__procedureCodes": twice}
    assert checked(partner, **telehealth)["DUP-003"] == "E"
    office = {"session__procedureCodes": twice, "patient__insurance__memberId": "PAID2"}
    assert "DUP-003" not in checked(partner, **office)


def test_whoever_is_named_the_payer_of_the_claim_is_told_of(partner: Api) -> None:
    session_id = partner.submitted(patient__insurance__payerName="Cigna")
    run_until_quiet()
    assert Finding.objects.get(rule="INS-005").severity == "W"
    shown = partner.get(f"/sessions/{session_id}").json()
    assert shown["status"] == "paid"
    told = [shown["message"], *(entry["summary"] for entry in shown["timeline"])]
    assert shown["message"].startswith("AETNA paid")
    assert [words for words in told if "Cigna" in words and "INS-005" not in words] == []


@pytest.mark.parametrize("sent", ["", "060054"])
def test_a_payer_that_is_meant_by_name_or_zeros_has_its_profile(partner: Api, sent: str) -> None:
    wishes(telehealth_place_of_service="02", claim_filing_code="HM")
    partner.submitted(patient__insurance__payerId=sent or None, session__placeOfService="telehealth")
    pipeline.advance()
    draft = Claim.objects.get().draft()
    assert draft["payer"]["payer_id"] == "60054"
    assert draft["payer"]["claim_filing_code"] == "HM"
    assert draft["place_of_service_code"] == "02"


def test_a_payer_that_staff_have_switched_off_is_not_known(partner: Api) -> None:
    Payer.objects.filter(payer_id="60054").update(active=False)
    assert "INS-005" in checked(partner)


def test_many_sessions_cost_as_many_statements_as_one(partner: Api) -> None:
    npis = [NPI, "1999999976", "1093817465"]
    for npi in npis[1:]:
        assert partner.post("/providers", onboarding(provider__npi=npi)).status_code == 201
    NpiRecord.objects.create(npi=NPI, source="a test", checked_on=LONG_AGO)
    enrolled(partner, claims="live", remittances="live")

    def statements(sessions: int) -> int:
        for number in range(sessions):
            name = ("Aetna", "Cigna", "Humana")[number % 3]
            partner.submitted(
                providerNpi=npis[number % 3],
                patient__insurance__memberId=f"PAID{Session.objects.count()}",
                patient__insurance__payerName=name,
                patient__insurance__payerId=None,
                **coded("90837", "90785"),
            )
        with CaptureQueriesContext(connection) as asked:
            assert len(pipeline.advance()) == sessions
        assert not Session.objects.exclude(claims__status="queued").exists()
        return len(asked)

    statements(3)
    assert statements(9) == statements(3)


def test_many_held_notes_cost_as_many_statements_as_one(partner: Api) -> None:
    def statements(notes: int) -> int:
        for _ in range(notes):
            partner.submitted(
                patient__insurance__memberId=f"PAID{Session.objects.count()}",
                session__noteText="Individual therapy. Anxiety?",
                session__diagnosisCodes=REMOVED,
                session__durationMinutes=REMOVED,
            )
        with CaptureQueriesContext(connection) as asked:
            assert len(pipeline.advance()) == notes
        assert not Session.objects.exclude(claims__status="held").exists()
        return len(asked)

    statements(2)
    assert statements(7) == statements(2)


def test_many_claims_that_replace_denied_ones_cost_as_many_statements_as_one(partner: Api) -> None:
    def statements(denied: int) -> int:
        sent = [
            partner.submitted(patient__insurance__memberId=f"DENIED{Session.objects.count()}")
            for _ in range(denied)
        ]
        run_until_quiet()
        for session_id in sent:
            actions.resend(UUID(session_id), user=None, reason="coverage confirmed")
        with CaptureQueriesContext(connection) as asked:
            assert len(pipeline.advance()) == denied
        built = Claim.objects.filter(session__in=sent, version=2, step=Claim.Step.SEND)
        assert built.filter(frequency=Claim.Frequency.REPLACEMENT).count() == denied
        return len(asked)

    statements(2)
    assert statements(7) == statements(2)
