"""The 837P that the running pipeline hands over, by who bills; an independent validator agrees."""

import re
from contextlib import suppress
from datetime import timedelta
from typing import Any
from uuid import UUID

import pytest
from django.db.transaction import atomic

from claims import actions, intake
from claims.models import Claim, Transmission
from claims.transmission import write_transmission
from sessions_app.submission import Code, Correction
from tests.cast import NPI, REMOVED, Api, partner_api
from tests.claims.process import run_until_quiet
from tests.claims.x12.referee import complaints


@pytest.fixture
def partner(release: object, sample_charges: None, settings: Any) -> Api:
    settings.SANDBOX_SPEED = 1e9
    return partner_api("Harborlight", submission_delay=timedelta())


def written(session_id: str, *, version: int = 1) -> str:
    """The interchange of one version of a session's claim, which the validator has nothing against."""
    claim = Claim.objects.get(session_id=session_id, version=version)
    text: str = Transmission.objects.get(claims__claim=claim).content
    assert complaints(text) == []
    assert "NM1*77*" not in text, "no service facility: it is the practice's own address"
    return text


def sent(partner: Api, **changes: Any) -> str:
    """The id of a session whose claim was handed over."""
    session_id = partner.submitted(**changes)
    run_until_quiet()
    return session_id


def test_a_group_bills_and_its_therapist_renders(partner: Api) -> None:
    text = written(sent(partner.onboarded(), session__placeOfService="office"))
    assert "~PRV*BI*PXC*101YM0800X~NM1*85*2*CALM HARBOR COUNSELING*****XX*1999999984~" in text
    assert re.search(
        rf"~HI\*ABK:F411~NM1\*82\*1\*RIVERA\*ANA\*\*\*\*XX\*{NPI}~PRV\*PE\*PXC\*\w{{10}}~LX\*1~", text
    )
    assert "*11:B:1*Y*A*Y*Y~" in text
    assert "~HL*1**20*1~" in text
    assert "~HL*2*1*22*0~SBR*P*18*GRP001******" in text


@pytest.mark.parametrize("practice_npi", [REMOVED, NPI])
def test_a_therapist_alone_bills_as_a_person_and_renders_for_nobody(partner: Api, practice_npi: Any) -> None:
    partner.onboarded(practice__npi=practice_npi)
    text = written(sent(partner, session__placeOfService="telehealth"))
    assert f"NM1*85*1*RIVERA*ANA****XX*{NPI}~" in text
    assert "NM1*82*" not in text
    assert "*10:B:1*" in text
    assert "~SV1*HC:90837:95*" in text


def test_a_code_that_counts_quarter_hours_has_those_of_the_minutes(partner: Api) -> None:
    codes = [{"code": "H0004"}]
    session_id = sent(partner.onboarded(), session__procedureCodes=codes, session__durationMinutes=60)
    assert "~SV1*HC:H0004*140*UN*4*" in written(session_id)
    told = [entry["summary"] for entry in partner.get(f"/sessions/{session_id}").json()["timeline"]]
    assert "4 units of H0004 follow from 60 minutes." in told


def test_each_further_half_hour_of_a_crisis_is_counted_from_the_minutes(partner: Api) -> None:
    codes = [{"code": "90839"}, {"code": "90840"}]
    session_id = sent(partner.onboarded(), session__procedureCodes=codes, session__durationMinutes=110)
    assert "~SV1*HC:90840*210*UN*2*" in written(session_id)


@pytest.mark.parametrize(
    ("codes", "minutes", "note", "line"),
    [
        (["H0004"], 60, "Session length: 45 minutes.", "~SV1*HC:H0004*105*UN*3*"),
        (["H0004"], 60, "Session length: 75 minutes.", "~SV1*HC:H0004*140*UN*4*"),
        (["90839", "90840"], 110, "Session length: 80 minutes.", "~SV1*HC:90840*105*UN*1*"),
    ],
)
def test_no_more_units_than_sent_minutes_and_note_both_give(
    partner: Api, codes: list[str], minutes: int, note: str, line: str
) -> None:
    session_id = sent(
        partner.onboarded(),
        session__procedureCodes=[{"code": code} for code in codes],
        session__durationMinutes=minutes,
        session__noteText=f"{note} The client talked about work.",
    )
    assert line in written(session_id)


@pytest.mark.parametrize("by_staff", [False, True])
def test_quarter_hours_that_come_to_share_their_time_are_counted_anew(
    partner: Api, *, by_staff: bool
) -> None:
    session_id = partner.onboarded().submitted(
        session__procedureCodes=[{"code": "H0004"}],
        session__durationMinutes=60,
        patient__insurance__memberId="HELD",
    )
    run_until_quiet()
    if by_staff:
        typed = Correction(procedure_codes=[Code("H0004", units=4)])
        intake.correct(UUID(session_id), partner_id=partner.partner.pk, correction=typed, by_staff=True)
    corrected = {
        "session": {"procedureCodes": [{"code": "H0004"}, {"code": "90791"}]},
        "patient": {"insurance": {"memberId": "PAID77"}},
    }
    assert partner.patch(f"/sessions/{session_id}", corrected).status_code == 200
    run_until_quiet()
    assert "~SV1*HC:H0004*35*UN*1*" in written(session_id)


@pytest.mark.parametrize("units", [1, 2, 4])
def test_units_that_staff_gave_outlast_the_partners_correction(partner: Api, units: int) -> None:
    partner.onboarded()
    codes = {"procedureCodes": [{"code": "H0004"}]}
    session_id = partner.submitted(
        session__procedureCodes=codes["procedureCodes"],
        session__durationMinutes=53,
        patient__insurance__memberId="HELD",
    )
    run_until_quiet()
    typed = Correction(procedure_codes=[Code("H0004", units=units)])
    intake.correct(UUID(session_id), partner_id=partner.partner.pk, correction=typed, by_staff=True)
    corrected = {"session": codes, "patient": {"insurance": {"memberId": "PAID77"}}}
    assert partner.patch(f"/sessions/{session_id}", corrected).status_code == 200
    run_until_quiet()
    assert f"*UN*{units}*" in written(session_id)


@pytest.mark.parametrize(
    ("codes", "minutes"), [(["H0004"], REMOVED), (["H0004", "90791"], 60), (["H0004", "90791"], REMOVED)]
)
def test_quarter_hours_that_nobody_counted_go_out_as_one(
    partner: Api, codes: list[str], minutes: Any
) -> None:
    session_id = sent(
        partner.onboarded(),
        session__procedureCodes=[{"code": code} for code in codes],
        session__durationMinutes=minutes,
    )
    assert "~SV1*HC:H0004*35*UN*1*" in written(session_id)
    told = [entry["summary"] for entry in partner.get(f"/sessions/{session_id}").json()["timeline"]]
    assert any("goes out with one unit" in each for each in told)


def test_no_quarter_hour_holds(partner: Api) -> None:
    session_id = sent(
        partner.onboarded(), session__procedureCodes=[{"code": "H0004"}], session__durationMinutes=14
    )
    shown = partner.get(f"/sessions/{session_id}").json()
    assert shown["claim"] is None
    assert shown["message"].startswith("Held: session.procedureCodes.0.code: H0004 ")


def test_a_replacement_and_a_void_name_the_payers_number(partner: Api) -> None:
    session_id = sent(partner.onboarded(), patient__insurance__memberId="DENIED")
    number = Claim.objects.get(session_id=session_id).payer_control_number
    actions.resend(UUID(session_id), user=None, reason="authorization granted")
    run_until_quiet()
    assert re.search(rf"\*11:B:7\*Y\*A\*Y\*Y~REF\*F8\*{number}~", written(session_id, version=2))
    newer = Claim.objects.get(session_id=session_id, version=2).payer_control_number
    actions.void(UUID(session_id), user=None, reason="billed by mistake")
    run_until_quiet()
    assert re.search(rf"\*11:B:8\*Y\*A\*Y\*Y~REF\*F8\*{newer}~", written(session_id, version=3))


def test_a_corrected_claim_that_was_refused_at_the_door_is_no_resend(partner: Api) -> None:
    partner.onboarded()
    session_id = partner.submitted(patient__insurance__memberId="EDIT")
    run_until_quiet()
    partner.patch(f"/sessions/{session_id}", {"patient": {"insurance": {"memberId": "PAID77"}}})
    run_until_quiet()
    refused, corrected = Transmission.objects.filter(claims__claim__session=session_id).order_by("created_at")
    assert "*PAID77~" in corrected.content
    for file in (refused, corrected):
        assert re.search(r"BHT\*0019\*00\*", file.content)


def test_no_number_of_an_envelope_comes_twice(partner: Api) -> None:
    partner.onboarded()
    numbers: dict[str, set[str]] = {"ISA13": set(), "GS06": set(), "BHT03": set(), "file": set()}
    for _ in range(2):
        claim = Claim.objects.get(
            session_id=sent(partner, patient__insurance__memberId=f"W77{len(numbers['file'])}")
        )
        file = Transmission.objects.get(claims__claim=claim)
        segments = {line.split("*")[0]: line.split("*") for line in file.content.split("~") if line}
        assert file.content.count("ISA*") == 1
        numbers["ISA13"].add(segments["ISA"][13])
        numbers["GS06"].add(segments["GS"][6])
        numbers["BHT03"].add(segments["BHT"][3])
        numbers["file"].add(file.file_name)
        with suppress(ZeroDivisionError), atomic():
            write_transmission([claim])
            raise ZeroDivisionError  # what was taken back is not given again
    assert {name: len(seen) for name, seen in numbers.items()} == dict.fromkeys(numbers, 2)
    first, second = sorted(map(int, numbers["ISA13"]))
    assert second > first + 1
