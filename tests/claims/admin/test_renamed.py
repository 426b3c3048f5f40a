"""A therapist's name, which no partner changes: a lead does, with a trail; what was sent keeps its own."""

from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse

from claims.models import Claim, SetUpChange
from providers.models import Provider
from tests.cast import NPI, Api, onboarding, partner_api
from tests.claims.admin.staff import Desk
from tests.claims.process import run_until_quiet
from tests.partners.test_admin import staff


@pytest.fixture
def partner(release: object, sample_charges: None, settings: object) -> Api:
    settings.SANDBOX_SPEED = 1e9
    return partner_api("Harborlight", submission_delay=timedelta())


@pytest.fixture
def lead(settings: object) -> Client:
    settings.STAFF_SECOND_FACTOR = False
    return staff("billing lead")


def renamed(client: Client, provider: Provider, *, first: str = "Ana", last: str = "Rivera") -> object:
    address = reverse("admin:providers_provider_change", args=[provider.pk])
    return client.post(address, {"first_name": first, "last_name": last})


def named_on(claim: Claim) -> str:
    who = claim.draft()["rendering_provider"]
    return f"{who['first_name']} {who['last_name']}"


def test_the_next_claim_has_the_new_name_and_what_was_sent_the_old_one(partner: Api, lead: Client) -> None:
    partner.onboarded()
    before = partner.submitted(patient__insurance__memberId="PAID1")
    run_until_quiet()
    assert renamed(lead, Provider.objects.get(), last="  Rivera-Stone ").status_code == 302
    after = partner.submitted(patient__insurance__memberId="PAID2")
    run_until_quiet()
    assert [named_on(Claim.objects.get(session_id=each)) for each in (before, after)] == [
        "ANA RIVERA",
        "ANA RIVERA-STONE",
    ]
    assert partner.get(f"/sessions/{after}").json()["provider"]["fullName"] == "Ana Rivera-Stone"


def test_who_changed_it_is_kept_with_both_names(partner: Api, lead: Client) -> None:
    partner.onboarded()
    renamed(lead, Provider.objects.get(), last="Stone")
    change = SetUpChange.objects.get(table_name="providers_provider", what=SetUpChange.What.CHANGED)
    assert (change.was["last_name"], change.became["last_name"]) == ("Rivera", "Stone")
    assert change.user_id == int(lead.session["_auth_user_id"])


def test_nothing_else_of_a_therapist_is_changed_here(partner: Api, lead: Client) -> None:
    partner.onboarded()
    provider = Provider.objects.get()
    address = reverse("admin:providers_provider_change", args=[provider.pk])
    lead.post(address, {"first_name": "Ana", "last_name": "Stone", "npi": "1999999984", "credentials": "MD"})
    provider.refresh_from_db()
    assert (provider.last_name, provider.npi, provider.credentials) == ("Stone", NPI, "LCSW")


@pytest.mark.parametrize("last", ["", "   ", "x" * 61, "Ri\x01vera"])
def test_a_name_that_no_claim_can_carry_is_refused(partner: Api, lead: Client, last: str) -> None:
    partner.onboarded()
    assert renamed(lead, Provider.objects.get(), last=last).status_code == 200
    assert Provider.objects.get().last_name == "Rivera"


@pytest.mark.parametrize("role", ["billing", "support", "administrator"])
def test_only_a_lead_changes_it(partner: Api, settings: object, role: str) -> None:
    settings.STAFF_SECOND_FACTOR = False
    partner.onboarded()
    assert renamed(staff(role), Provider.objects.get(), last="Stone").status_code == 403
    assert Provider.objects.get().last_name == "Rivera"


def test_what_the_name_held_goes_on_and_says_whom_to_tell(partner: Api, lead: Client) -> None:
    answer = partner.post("/providers", onboarding(provider__firstName="Анна"))
    assert answer.status_code == 201
    session_id = partner.submitted()
    run_until_quiet()
    held = partner.get(f"/sessions/{session_id}").json()
    assert held["message"] == (
        "Held: provider.firstName: The therapist's first name has no Latin letters, and a claim carries no "
        "others. Tell billing staff how the registry spells it."
    )
    renamed(lead, Provider.objects.get(), first="Anna")
    told = partner.get(f"/sessions/{session_id}").json()["timeline"][-1]
    assert (told["type"], told["summary"]) == (
        "session.updated",
        "Corrected by billing staff: provider.firstName.",
    )
    run_until_quiet()
    assert named_on(Claim.objects.get(session_id=session_id)) == "ANNA RIVERA"


def test_of_two_who_have_the_page_open_each_changes_what_they_typed(partner: Api, lead: Client) -> None:
    partner.onboarded()
    provider = Provider.objects.get()
    shown = {"initial-first_name": "Ana", "initial-last_name": "Rivera"}
    address = reverse("admin:providers_provider_change", args=[provider.pk])
    assert 'name="initial-first_name"' in lead.get(address).content.decode()
    lead.post(address, {"first_name": "Anna", "last_name": "Rivera", **shown})
    lead.post(address, {"first_name": "Ana", "last_name": "Stone", **shown})
    provider.refresh_from_db()
    assert (provider.first_name, provider.last_name) == ("Anna", "Stone")


def test_the_desk_is_told_that_a_lead_changes_it(partner: Api, billing: Desk) -> None:
    partner.post("/providers", onboarding(provider__firstName="Анна"))
    session_id = partner.submitted()
    run_until_quiet()
    page = billing.page(session_id).replace("&#x27;", "'")
    card = page.partition('id="problem-head"')[2].partition("What the partner reads")[0]
    assert "A lead changes it on the therapist's page to how the NPI registry spells it." in card
    assert "Once the therapist's name is changed, it goes on by itself." in card
    assert "Tell billing staff" not in card
    assert "Message the partner" not in card
