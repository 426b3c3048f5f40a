from datetime import date

import pytest
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse

from billing.codes import CodeStatus, judge_codes
from billing.models import CodeSetRelease, Payer, PayerProfile
from billing.payers.catalog import record_carriers
from billing.payers.directory import search
from tests.billing.small_release import YEAR

pytestmark = pytest.mark.django_db


@pytest.fixture
def office(admin_client: Client) -> Client:
    record_carriers()
    return admin_client


@pytest.mark.parametrize("model", ["payer", "codesetrelease", "diagnosiscode"])
def test_every_list_opens(office, load, model: str):
    load()
    assert office.get(reverse(f"admin:billing_{model}_changelist")).status_code == 200


@pytest.mark.parametrize("typed", ["BCBS of Texas", "bcbstx", "84980"])
def test_a_payer_is_found_by_name_abbreviation_and_id(office, typed: str):
    page = office.get(reverse("admin:billing_payer_changelist"), {"q": typed})
    assert [payer.payer_id for payer in page.context["cl"].result_list] == ["84980"]


@pytest.mark.parametrize("typed", ["%", "\x00", "😀", "x" * 5000])
def test_odd_searches_find_nothing_and_break_nothing(office, typed: str):
    page = office.get(reverse("admin:billing_payer_changelist"), {"q": typed})
    assert page.status_code == 200


@pytest.mark.parametrize("query", ["active__exact=x", "active__exact=x&e=1", "e=1"])
def test_an_address_that_asks_for_what_no_list_has_leads_to_the_list(office, query: str):
    page = office.get(reverse("admin:billing_payer_changelist") + f"?{query}", follow=True)
    assert page.status_code == 200
    assert "database installation" not in page.content.decode()


def test_a_payer_without_a_profile_is_listed(office):
    Payer.objects.create(payer_id="QK001", name="Quokka Mutual")
    page = office.get(reverse("admin:billing_payer_changelist"), {"q": "quokka"})
    assert b"Quokka Mutual" in page.content


def posted(*aliases: str) -> dict[str, str]:
    """The form of a new payer as a browser sends it."""
    form = {"name": "Quokka Mutual", "payer_id": "QK001", "active": "on", "prominence": "0", "states": "WA"}
    form |= {"supports_professional_claims": "on", "profile-TOTAL_FORMS": "0", "profile-INITIAL_FORMS": "0"}
    form |= {"aliases-TOTAL_FORMS": str(len(aliases)), "aliases-INITIAL_FORMS": "0"}
    return form | {f"aliases-{number}-name": alias for number, alias in enumerate(aliases)}


def test_a_new_payer_gets_a_profile(office):
    answer = office.post(reverse("admin:billing_payer_add"), posted("Setonix Health"))
    assert answer.status_code == 302
    assert PayerProfile.objects.get(payer__payer_id="QK001").claim_filing_code == "CI"
    assert search("setonix")[0].payer_id == "QK001"


def test_two_aliases_that_read_the_same_are_refused_in_words(office):
    answer = office.post(
        reverse("admin:billing_payer_add"), posted("BCBS of Quokka", "Blue Cross Blue Shield Quokka")
    )
    assert b"reads the same as another alias" in answer.content
    assert not Payer.objects.filter(payer_id="QK001").exists()


def test_dates_corrected_in_the_admin_count_at_once(office, load):
    release = load()
    later = date(YEAR.valid_to.year, 12, 31)
    assert judge_codes(["F41.1"], on=later)[0].status is CodeStatus.UNCOVERED_KNOWN
    address = reverse("admin:billing_codesetrelease_change", args=[release.pk])
    answer = office.post(address, sent_back(office.get(address)) | {"valid_to": later.isoformat()})
    assert answer.status_code == 302
    assert judge_codes(["F41.1"], on=later)[0].status is CodeStatus.BILLABLE
    assert len(CodeSetRelease.objects.get(pk=release.pk).packed) > 0


def test_a_member_id_pattern_that_could_be_tried_for_ever_is_refused_in_words(office):
    form = posted() | {
        "profile-TOTAL_FORMS": "1",
        "profile-0-payer_class": "commercial",
        "profile-0-claim_filing_code": "CI",
        "profile-0-telehealth_place_of_service": "10",
        "profile-0-telehealth_modifier_policy": "keep",
        "profile-0-member_id_pattern": "(a+)+$",
    }
    answer = office.post(reverse("admin:billing_payer_add"), form)
    assert b"A group may be optional" in answer.content
    assert not Payer.objects.filter(payer_id="QK001").exists()


def sent_back(page: HttpResponse) -> dict[str, str]:
    """The form of a payer's page as a browser sends it when nobody touched it."""
    forms = [page.context["adminform"].form]
    sent: dict[str, object] = {}
    for formset in (each.formset for each in page.context["inline_admin_formsets"]):
        forms += [formset.management_form, *formset.forms]
    for form in forms:
        sent |= {bound.html_name: bound.value() for bound in form}
    return {name: "" if value in (None, False) else str(value) for name, value in sent.items()}


def test_what_a_colleague_saved_meanwhile_is_not_written_over(office):
    payer = Payer.objects.get(payer_id="60054")
    address = reverse("admin:billing_payer_change", args=[payer.pk])
    hers, mine = sent_back(office.get(address)), sent_back(office.get(address))
    hers |= {"states": "", "profile-0-timely_filing_days": "95"}
    assert office.post(address, hers).status_code == 302
    answer = office.post(address, mine | {"states": "", "prominence": "3", "profile-0-notes": "rang them"})
    assert "was changed while you had it open" in answer.content.decode()
    assert "rang them" in answer.content.decode()
    payer.refresh_from_db()
    assert (payer.profile.timely_filing_days, payer.profile.notes) == (95, "")


def test_a_release_that_a_colleague_saved_meanwhile_is_not_written_over(office, load):
    release = load()
    address = reverse("admin:billing_codesetrelease_change", args=[release.pk])
    hers, mine = sent_back(office.get(address)), sent_back(office.get(address))
    ends = date(YEAR.valid_to.year, 12, 31)
    assert office.post(address, hers | {"valid_to": ends.isoformat()}).status_code == 302
    del mine["active"]  # as a browser sends a box that is not ticked
    answer = office.post(address, mine)
    assert "This code set release was changed while you had it open" in answer.content.decode()
    release.refresh_from_db()
    assert (release.valid_to, release.active) == (ends, True)
