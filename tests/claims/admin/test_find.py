"""Finding a session: any number whole, a name, the beginning of a claim number; never in an address."""

from datetime import timedelta

import pytest
from django.conf import settings as django_settings
from django.urls import reverse

from claims.desk.session_search import find_sessions
from claims.models import Claim
from tests.cast import partner_api
from tests.claims.admin import queries
from tests.claims.admin.staff import ended


def went_to(answer) -> str:
    assert answer.status_code == 302, answer.content[:200]
    return answer["Location"]


@pytest.fixture
def session_id(partner):
    return ended(
        partner,
        "PAID7-1234",
        externalSessionId="hl-88213",
        patient__lastName="Quillfeather",
        patient__firstName="Zoë",
    )


@pytest.mark.parametrize(
    "kind",
    [
        "uuid",
        "claim uuid",
        "claim",
        "claim in small letters",
        "payer",
        "external",
        "member",
        "member bare",
        "name",
    ],
)
def test_every_number_and_the_name_lead_to_the_session(session_id, billing, kind):
    claim = Claim.objects.get(session_id=session_id)
    text = {
        "uuid": str(session_id),
        "claim uuid": str(claim.pk),
        "claim": claim.patient_control_number,
        "claim in small letters": f"  {claim.patient_control_number.lower()} ",
        "payer": claim.payer_control_number,
        "external": "hl-88213",
        "member": "PAID7-1234",
        "member bare": "paid71234",
        "name": "quillfeather, zoe",
    }[kind]
    assert went_to(billing.post("desk:find", text=text)) == reverse(
        "admin:sessions_app_session_change", args=[session_id]
    )


def test_what_is_no_sessions_number_is_said_to_be_perhaps_a_payments(partner, billing):
    page = billing.post("desk:find", text="988123").content.decode()
    place = reverse("admin:claims_remittance_changelist")
    assert f'A check or trace number is looked for under <a href="{place}">' in page


def test_several_are_listed_under_a_token_of_ones_own(partner, billing, lead):
    for number in range(3):
        partner.submitted(patient__lastName="Okafor", patient__insurance__memberId=f"W10000000{number}")
    address = went_to(billing.post("desk:find", text="okafor"))
    assert "okafor" not in address.lower()
    answer = billing.client.get(address)
    assert len(answer.context["rows"]) == 3
    assert answer.status_code == 200
    assert lead.client.get(address).status_code == 410


def test_a_found_list_is_kept_a_quarter_of_an_hour(partner, billing, monkeypatch):
    for _ in range(2):
        partner.submitted(patient__lastName="Okafor")
    address = went_to(billing.post("desk:find", text="okafor"))
    monkeypatch.setattr("claims.admin.find.KEPT_SECONDS", -1)
    assert billing.client.get(address).status_code == 410


def test_the_beginning_of_a_claim_number_is_offered(session_id, billing):
    number = Claim.objects.get(session_id=session_id).patient_control_number
    answer = billing.client.post(reverse("desk:find"), {"text": number[:11]}, follow=True)
    assert "1 claim begins with it" in answer.content.decode()


@pytest.mark.parametrize("text", ["K7QX2M9ZB4T", "%", "_", "\x00", "😀", "x" * 5000, "a" * 3, "' OR 1=1 --"])
def test_what_is_not_there_is_said_and_breaks_nothing(session_id, billing, text):
    answer = billing.post("desk:find", text=text)
    assert answer.status_code == 200
    assert answer.context["rows"] == []


@pytest.mark.parametrize("text", ["patient2", "Patient2, Test", "patient2 te"])
def test_a_name_with_a_digit_is_found_where_no_number_is_like_it(partner, billing, text):
    session = partner.submitted(patient__lastName="Patient2", patient__firstName="Test")
    assert session in went_to(billing.post("desk:find", text=text))


def test_what_was_typed_is_kept_nowhere(partner, billing):
    for _ in range(2):
        partner.submitted(patient__lastName="Okafor")
    billing.post("desk:find", text="okafor")
    kept = repr(dict(billing.client.session)).lower()
    assert "okafor" not in kept
    assert "okafor" not in str(billing.client.cookies).lower()
    assert django_settings.SESSION_COOKIE_HTTPONLY


def test_finding_is_no_get(billing):
    assert billing.get("desk:find").headers["Location"] == reverse("admin:index")


def test_support_finds_too(session_id, support):
    assert str(session_id) in went_to(support.post("desk:find", text="hl-88213"))


def test_a_search_stops_at_fifty(partner, monkeypatch):
    monkeypatch.setattr("claims.desk.session_search.MOST_FOUND", 2)
    for _ in range(3):
        partner.submitted(patient__lastName="Okafor")
    found = find_sessions("okafor")
    assert (len(found.ids), found.more, found.how) == (2, True, "name")


def test_a_member_id_is_found_with_every_partner(partner, billing):
    rival = partner_api("Rival", submission_delay=timedelta()).onboarded(provider__npi="1245319599")
    partner.submitted(patient__insurance__memberId="W555")
    rival.submitted(providerNpi="1245319599", patient__insurance__memberId="W555")
    assert len(find_sessions("w555").ids) == 2


def test_a_number_costs_one_query(session_id):
    with queries.named() as names:
        find_sessions("hl-88213")
    assert names == ["claims_claim"]


def test_the_longest_id_of_a_partner_is_found_whole(partner, billing):
    longest = "X" * 255
    ended(partner, "PAID", externalSessionId=longest)
    assert "session" in went_to(billing.post("desk:find", text=longest))


def test_an_initial_counts(partner):
    ids = {
        first: ended(partner, f"PAID{first}", patient__lastName="Klein", patient__firstName=first)
        for first in ("Priya", "Omar")
    }
    assert find_sessions("Klein P").ids == [ids["Priya"]]
    assert set(find_sessions("Klein").ids) == set(ids.values())
