"""A remittance that names our claim number, but pays somebody else or is about another patient."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from claims.actions import ActionRefusedError
from claims.answer_source import find_stated
from claims.desk import matching_actions
from claims.models import AnswerMatch, Claim, ClaimSignal, LedgerEntry, WorkItem
from providers.models import Practice
from tests.cast import Api, day_of_service, partner_api
from tests.claims.admin.staff import Desk, ended
from tests.claims.test_inbound import (
    apply,
    payer_acknowledgement,
    remittance,
    silent_claim,
    status_of,
)

FOREIGN = "1245319599"
PAYEE = "XX*1999999984~"
ITS_PATIENT = "NM1*QC*1*DOE*JANE****MI*SILENT~"
ELSEWHERE = "An 835 names a claim of ours, and pays somebody who doesn't bill for it."
OF_ANOTHER = "An 835 names a claim of ours, and another patient."


def paid_to(claim: Claim, payee: str) -> None:
    apply(_counted(remittance(claim).replace(PAYEE, payee)))


def paid_for(claim: Claim, *names: str) -> None:
    """An 835 with these segments of names: NM101, then last name, first name and member ID."""
    stated = ""
    for each in names:
        entity, last, first, member_id = each.split("*")
        stated += f"NM1*{entity}*1*{last}*{first}" + (f"****MI*{member_id}~" if member_id else "~")
    apply(_counted(remittance(claim).replace("~SVC*", f"~{stated}SVC*")))


def _counted(text: str) -> str:
    """With the true count in SE."""
    before, body = text.split("ST*835", 1)
    said, after = body.split("SE*", 1)
    return f"{before}ST*835{said}SE*{said.count('~') + 1}*{after.split('*', 1)[1]}"


def asked() -> list[str]:
    items = WorkItem.objects.filter(queue="unmatched", closed_at=None)
    return list(items.values_list("summary", flat=True))


@pytest.mark.parametrize(
    "payee",
    [f"XX*{FOREIGN}~", f"XX*{FOREIGN}~REF*TJ*987654321~", "FI*987654321~"],
    ids=["NPI", "NPI and tax ID", "tax ID"],
)
def test_what_is_paid_to_somebody_else_waits_for_a_person(partner: Api, payee: str) -> None:
    claim = silent_claim(partner)
    paid_to(claim, payee)
    assert (status_of(partner, claim), asked()) == ("submitted", [ELSEWHERE])
    assert not LedgerEntry.objects.filter(claim=claim).exists()
    assert sum(entry.amount for entry in LedgerEntry.objects.filter(claim=None)) == 180


@pytest.mark.parametrize(
    "payee",
    [
        "FI*123456789~",
        "FI*12-3456789~",
        "XX*1234567893~",
        f"XX*{FOREIGN}~REF*TJ*123456789~",
        "XX*1999999984~REF*TJ*987654321~",
        "XX*PROVIDER2~",
        "XX*1999999984~REF*TJ*XXXXX6789~",
        "FI*000000000~",
        "XX*0000000000~",
        "XX*1234567890~",
        "~",
    ],
    ids=[
        "tax ID",
        "tax ID with a dash",
        "the therapist's NPI",
        "another NPI with the tax ID",
        "another tax ID with the NPI",
        "no NPI",
        "tax ID masked",
        "tax ID blotted out",
        "NPI blotted out",
        "NPI with a wrong check digit",
        "unnamed",
    ],
)
def test_what_does_not_contradict_the_payee_is_posted(partner: Api, payee: str) -> None:
    claim = silent_claim(partner)
    paid_to(claim, payee)
    assert (status_of(partner, claim), asked()) == ("paid", [])


def test_what_is_paid_to_the_npi_that_the_claim_went_out_under_is_posted(partner: Api) -> None:
    claim = silent_claim(partner)
    Practice.objects.update(npi=FOREIGN, tax_id="222334444")
    paid_to(claim, PAYEE)
    assert (status_of(partner, claim), asked()) == ("paid", [])


def test_what_another_organization_of_ours_is_paid_is_not_posted_to_the_claim(partner: Api) -> None:
    rival = partner_api("Rival").onboarded(provider__npi=FOREIGN, practice__npi=FOREIGN)
    claim = silent_claim(partner)
    paid_to(claim, f"XX*{FOREIGN}~")
    assert (status_of(partner, claim), asked()) == ("submitted", [ELSEWHERE])
    row = ClaimSignal.objects.get(kind="835")
    with pytest.raises(ActionRefusedError, match="another organization"):
        matching_actions.attach(row.pk, claim, user=None, stated=find_stated(row))
    assert rival.partner


def test_what_another_tax_id_of_ours_is_paid_can_not_be_matched(partner: Api) -> None:
    partner_api("Rival").onboarded(provider__npi=FOREIGN, practice__npi=FOREIGN, practice__taxId="987654321")
    claim = silent_claim(partner)
    paid_to(claim, "FI*987654321~")
    assert (status_of(partner, claim), asked()) == ("submitted", [ELSEWHERE])
    row = ClaimSignal.objects.get(kind="835")
    with pytest.raises(ActionRefusedError, match="another organization"):
        matching_actions.attach(row.pk, claim, user=None, stated=find_stated(row))
    assert not LedgerEntry.objects.filter(claim=claim).exists()


def test_a_payee_that_turns_out_to_be_the_practice_can_be_matched(partner: Api) -> None:
    claim = silent_claim(partner)
    paid_to(claim, f"XX*{FOREIGN}~")
    Practice.objects.update(npi=FOREIGN)
    item = WorkItem.objects.get(queue="unmatched", closed_at=None)
    Desk("billing").post("desk:match", item.pk, claim=claim.pk)
    assert (status_of(partner, claim), asked()) == ("paid", [])
    assert LedgerEntry.objects.filter(claim=claim, kind="payment", line_number=1).exists()


def test_staff_see_whom_it_pays_and_no_claim_of_others(partner: Api) -> None:
    claim = silent_claim(partner)
    paid_to(claim, f"XX*{FOREIGN}~")
    item = WorkItem.objects.get(queue="unmatched", closed_at=None)
    page = Desk("billing").get("desk:match", item.pk).content.decode().replace("&#x27;", "'")
    assert ELSEWHERE in page
    assert FOREIGN in page
    assert "No claim of an organization that it pays has anything in common with it" in page


def test_what_comes_again_of_a_payee_that_is_somebody_else_asks_once(partner: Api) -> None:
    claim = silent_claim(partner)
    paid_to(claim, f"XX*{FOREIGN}~")
    again = _counted(remittance(claim).replace(PAYEE, f"XX*{FOREIGN}~")).replace("*1200*", "*1300*")
    report = apply(again, "again.edi")
    assert report["sets"][0]["repeated remittance"] is True
    assert asked() == [ELSEWHERE]


@pytest.mark.parametrize(
    "names",
    [
        ["QC*ROE*KARL*X98765432"],
        ["QC*ROE*KARL*"],
        ["IL*ROE*KARL*X98765432"],
        ["QC*ROE*KARL*X98765432", "74*ROWE*CARL*X98765432"],
    ],
    ids=["patient", "without a member ID", "subscriber", "corrected to a third"],
)
def test_what_is_about_another_patient_waits_for_a_person(partner: Api, names: list[str]) -> None:
    claim = silent_claim(partner)
    paid_for(claim, *names)
    assert (status_of(partner, claim), asked()) == ("submitted", [OF_ANOTHER])
    assert not LedgerEntry.objects.filter(claim=claim).exists()


@pytest.mark.parametrize(
    "names",
    [
        ["QC*DOE*JANE*SILENT"],
        ["QC*ROE*KARL*SILENT"],
        ["QC*ROE*KARL*001SILENT02"],
        ["QC*ROE*JANE*X98765432"],
        ["QC*ROE*J*X98765432"],
        ["QC*DOE*KARL*X98765432"],
        ["QC*DOE-ROE*KARL*X98765432"],
        ["QC*JANE*DOE*X98765432"],
        ["QC*ROE*KARL*X98765432", "74*DOE*JANE*"],
        ["QC*ROE*KARL*X98765432", "IL*DOE*JOHN*X98765432"],
        ["QC*ROE**X98765432"],
        ["IL*DOE*JOHN*X98765432"],
        ["QC*XXXXXX*XXXX*"],
    ],
    ids=[
        "the same",
        "the same member ID",
        "the member ID with more around it",
        "another family name",
        "a first name cut short",
        "another first name",
        "a double name",
        "names in each other's place",
        "corrected",
        "insured by whom we know",
        "no first name",
        "the subscriber alone",
        "blotted out",
    ],
)
def test_a_name_that_payers_write_otherwise_is_posted(partner: Api, names: list[str]) -> None:
    claim = silent_claim(partner)
    paid_for(claim, *names)
    assert (status_of(partner, claim), asked()) == ("paid", [])


def test_the_patient_that_the_claim_went_out_with_is_posted(partner: Api) -> None:
    claim = silent_claim(partner)
    claim.session.patient_last_name, claim.session.patient_first_name = "Roe", "Karl"
    claim.session.member_id = "X98765432"
    claim.session.save()
    paid_for(claim, "QC*DOE*JANE*SILENT")
    assert (status_of(partner, claim), asked()) == ("paid", [])


def test_a_name_with_signs_is_the_same_without(partner: Api) -> None:
    session_id = ended(partner, "SILENT", patient__lastName="Müller", patient__firstName="Zoë")
    claim = Claim.objects.get(session_id=session_id)
    paid_for(claim, "QC*MULLER*ZOE*X98765432")
    assert (status_of(partner, claim), asked()) == ("paid", [])


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [
        (("Müller", "Jörg"), ("MUELLER", "JOERG")),
        (("Mueller", "Joerg"), ("MÜLLER", "JÖRG")),
        (("Sørensen", "Åse"), ("SOERENSEN", "AASE")),
        (("Ångström", "Ægir"), ("AANGSTROEM", "AEGIR")),
        (("Weiß", "Käthe"), ("WEIS", "KAETHE")),
        (("Weiß", "Käthe"), ("WEISZ", "KAETHE")),
        (("Þórsson", "Guðrún"), ("THORSSON", "GUDHRUN")),
        (("Łukasz", "Żak"), ("LUKASZ", "ZHAK")),
        (("Núñez", "Íñigo"), ("NUNEZ", "INIGO")),
        (("Nuñez", "Íñigo"), ("NU EZ", "I IGO")),
        (("Müller", "Jörg"), ("M LLER", "J RG")),
        (("Müller", "Jörg"), ("M?LLER", "J?RG")),
        (("Müller", "Jörg"), ("MLLER", "JRG")),
        (("O'Brien", "Seán"), ("OBRIEN", "SHAUN")),
        (("OBrien", "Seán"), ("O'BRIEN", "SHAUN")),
        (("Smith-Jones", "Mary Ann"), ("SMITHJONES", "MARYANN")),
        (("Smith Jones", "Mary-Ann"), ("SMITH-JONES III", "MARYANN")),
        (("Garcia", "José"), ("GARCIA JR", "J")),
        (("de la Cruz", "Ana"), ("DELACRUZ", "A")),
        (("Wolfeschlegelsteinhausenbergerdorff", "Bo"), ("WOLFESCHLEGELSTEINH", "B")),
        (("Müllerschön", "Jörg"), ("MUELLERSCHO", "J")),
    ],
)
def test_a_name_that_is_spelled_otherwise_is_the_same(
    partner: Api, ours: tuple[str, str], theirs: tuple[str, str]
) -> None:
    session_id = ended(partner, "SILENT", patient__lastName=ours[0], patient__firstName=ours[1])
    claim = Claim.objects.get(session_id=session_id)
    paid_for(claim, f"QC*{theirs[0]}*{theirs[1]}*X98765432")
    assert (status_of(partner, claim), asked()) == ("paid", [])


@pytest.mark.parametrize("theirs", ["MILLER*JORDAN", "MULLIGAN*JANA", "MAURER*JURGIS"])
def test_a_name_that_is_only_like_another_is_another(partner: Api, theirs: str) -> None:
    session_id = ended(partner, "SILENT", patient__lastName="Müller", patient__firstName="Jörg")
    paid_for(Claim.objects.get(session_id=session_id), f"QC*{theirs}*X98765432")
    assert asked() == [OF_ANOTHER]


@pytest.mark.parametrize(
    ("ours", "theirs"), [(("Doe Jr", "John"), "ROE JR*KARL"), (("de la Cruz", "Ana"), "DE LA ROSA*KARL")]
)
def test_what_many_names_hold_in_common_makes_none(partner: Api, ours: tuple[str, str], theirs: str) -> None:
    session_id = ended(partner, "SILENT", patient__lastName=ours[0], patient__firstName=ours[1])
    paid_for(Claim.objects.get(session_id=session_id), f"QC*{theirs}*X98765432")
    assert asked() == [OF_ANOTHER]


def test_staff_see_why_it_waits_and_can_match_another_patients_payment(partner: Api) -> None:
    claim = silent_claim(partner)
    paid_for(claim, "QC*ROE*KARL*X98765432")
    item = WorkItem.objects.get(queue="unmatched", closed_at=None)
    billing = Desk("billing")
    page = billing.get("desk:match", item.pk).content.decode()
    assert OF_ANOTHER in page
    assert "no claim has it" not in page
    assert "a claim we can't find" not in page.replace("&#x27;", "'")
    billing.post("desk:match", item.pk, claim=claim.pk)
    assert status_of(partner, claim) == "paid"


@pytest.mark.parametrize(
    "payee",
    ["XX*PROVIDER2~", f"XX*{FOREIGN}~REF*TJ*123456789~", PAYEE],
    ids=["no NPI", "another NPI with the tax ID", "the NPI that it went out under"],
)
def test_another_patients_payment_can_be_matched_however_the_payee_is_named(partner: Api, payee: str) -> None:
    claim = silent_claim(partner)
    if payee == PAYEE:
        Practice.objects.update(npi="1234567893")
    names = "~NM1*QC*1*ROE*KARL****MI*X98765432~SVC*"
    apply(_counted(remittance(claim).replace(PAYEE, payee).replace("~SVC*", names)))
    item = WorkItem.objects.get(queue="unmatched", closed_at=None)
    Desk("billing").post("desk:match", item.pk, claim=claim.pk)
    assert (status_of(partner, claim), asked()) == ("paid", [])


def test_what_pays_another_tax_id_is_not_chosen_for_a_person(partner: Api) -> None:
    claim = silent_claim(partner)
    apply(_counted(remittance(claim).replace(PAYEE, "FI*987654321~").replace("~SVC*", f"~{ITS_PATIENT}SVC*")))
    item = WorkItem.objects.get(queue="unmatched", closed_at=None)
    page = Desk("billing").get("desk:match", item.pk).content.decode()
    assert str(claim.pk) in page
    assert "data-choice" in page
    assert " checked" not in page.split("data-choice")[1].split(">")[0]


def test_a_match_that_is_undone_is_asked_about_in_the_same_words(partner: Api) -> None:
    claim = silent_claim(partner)
    paid_for(claim, "QC*ROE*KARL*X98765432")
    item = WorkItem.objects.get(queue="unmatched", closed_at=None)
    Desk("billing").post("desk:match", item.pk, claim=claim.pk)
    matching_actions.detach(AnswerMatch.objects.get().pk, user=None, reason="another patient's")
    assert (status_of(partner, claim), asked()) == ("submitted", [OF_ANOTHER])


def test_however_many_claims_contradict_a_remittance_the_statements_are_as_many(partner: Api) -> None:
    claims = [silent_claim_of_another_day(partner, ago) for ago in (14, 15, 16, 17)]

    def statements(*named: Claim, name: str) -> int:
        one = remittance(named[0], trace=name).replace(PAYEE, f"XX*{FOREIGN}~")
        more = "".join(remittance(each).split("LX*1~")[1].split("~SE*")[0] + "~" for each in named[1:])
        text = one.replace("BPR*I*155.00", f"BPR*I*{155 * len(named)}").replace("~SE*", f"~{more}SE*")
        with CaptureQueriesContext(connection) as asked:
            report = apply(_counted(text), name)
        assert report["sets"][0]["unmatched"] == len(named)
        return len(asked)

    assert statements(claims[0], name="one") == statements(*claims[1:], name="three")
    assert asked() == [ELSEWHERE] * 4


def test_the_other_claims_of_that_remittance_are_posted(partner: Api) -> None:
    first, second = silent_claim(partner), silent_claim_of_another_day(partner)
    one = remittance(first).replace("~SVC*", "~NM1*QC*1*ROE*KARL****MI*X98765432~SVC*")
    two = remittance(second).split("LX*1~")[1].split("~SE*")[0]
    both = one.replace("BPR*I*155.00", "BPR*I*310.00").replace("~SE*", f"~{two}~SE*")
    apply(_counted(both))
    assert (status_of(partner, first), status_of(partner, second)) == ("submitted", "paid")
    assert asked() == [OF_ANOTHER]


def silent_claim_of_another_day(partner: Api, ago: int = 14) -> Claim:
    session_id = ended(partner, "SILENT", session__dateOfService=day_of_service(ago))
    return Claim.objects.get(session_id=session_id)


def answered_for(claim: Claim, name: str, *, status: str = "A7:164:IL") -> None:
    """A payer's 277CA about a claim, with this patient: last name, first name, member ID."""
    last, first, member_id = name.split("*")
    text = payer_acknowledgement(claim, status)
    apply(text.replace("NM1*QC*1*SAMPLE*JANE****MI*W1~", f"NM1*QC*1*{last}*{first}****MI*{member_id}~"))


@pytest.mark.parametrize("status", ["A7:164:IL", "A2:20", "A1:19", "A4:35"])
def test_a_status_of_another_patient_waits_for_a_person(partner: Api, status: str) -> None:
    claim = silent_claim(partner)
    answered_for(claim, "ROE*KARL*X98765432", status=status)
    claim.refresh_from_db()
    assert (claim.status, status_of(partner, claim)) == ("sent", "submitted")
    assert asked() == ["A 277CA names a claim of ours, and another patient."]


@pytest.mark.parametrize("name", ["DOE*JANE*SILENT", "ROE*KARL*SILENT", "ROE*J*X98765432", "ROE**X98765432"])
def test_a_status_of_the_patient_however_named_counts(partner: Api, name: str) -> None:
    claim = silent_claim(partner)
    answered_for(claim, name)
    assert (status_of(partner, claim), asked()) == ("rejected", [])


def test_a_status_of_another_patient_can_be_matched(partner: Api) -> None:
    claim = silent_claim(partner)
    answered_for(claim, "ROE*KARL*X98765432")
    item = WorkItem.objects.get(queue="unmatched", closed_at=None)
    page = Desk("billing").get("desk:match", item.pk).content.decode()
    assert "A 277CA names a claim of ours, and another patient." in page
    Desk("billing").post("desk:match", item.pk, claim=claim.pk)
    assert (status_of(partner, claim), asked()) == ("rejected", [])
