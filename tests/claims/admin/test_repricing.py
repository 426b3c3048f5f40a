"""What a change of rates would do to sessions that wait; and a partner's figures on its page."""

import re
from decimal import Decimal
from typing import Any
from uuid import UUID

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from billing.models import Payer
from claims import figures
from claims.models import NoteReview
from providers.models import ChargeRate, ChargeSchedule
from tests.cast import Api, day_of_service, partner_api
from tests.claims.admin.staff import Desk, ended
from tests.claims.process import run_until_quiet

RATES = "code,amount,from\n90837,250.00,{day}\n"


@pytest.fixture
def waiting(partner: Api) -> UUID:
    """A session that is held, so that its claim isn't built."""
    return ended(partner, "HELD", session__dateOfService=day_of_service(5))


def preview(desk: Desk, schedule: ChargeSchedule, *, since: int = 400) -> Any:
    text = RATES.format(day=day_of_service(since))
    file = SimpleUploadedFile("rates.csv", text.encode())
    page = desk.client.post(
        reverse("admin:providers_charges_import", args=[schedule.pk]), {"file": file}
    ).content.decode()
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", page[page.index('id="repriced"') + 14 :]))


def own_schedule(partner: Api) -> ChargeSchedule:
    return ChargeSchedule.objects.create(
        name="Harborlight's", scope="partner", partner=partner.partner, sample=False
    )


def test_an_open_session_that_would_cost_something_else_is_named(
    waiting: UUID, partner: Api, lead: Desk
) -> None:
    said = preview(lead, own_schedule(partner))
    assert "1 open session would be priced anew. What was built keeps its charges." in said
    assert re.search(r"Harborlight, seen [^·]+ · 90837 · \$180.00 \$250.00", said)
    assert not own_rates(partner)


def test_a_session_that_was_set_aside_is_not_counted_until_it_is_taken_back(
    waiting: UUID, partner: Api, lead: Desk
) -> None:
    lead.post("desk:session-aside", waiting, reason="only a call")
    assert "No open session would be priced anew." in preview(lead, own_schedule(partner))
    lead.post("desk:review-undo", NoteReview.objects.get().pk)
    schedule = ChargeSchedule.objects.get(partner=partner.partner)
    assert "1 open session would be priced anew." in preview(lead, schedule)
    run_until_quiet()
    assert "1 open session would be priced anew." in preview(lead, schedule)


@pytest.fixture
def of_a_payer(partner: Api) -> UUID:
    """A held session whose payer ID lost its zeros, and a rate of that payer alone."""
    Payer.objects.create(payer_id="00431", name="Quokka Mutual")
    schedule = own_schedule(partner)
    ChargeRate.objects.create(
        schedule=schedule,
        procedure_code="90837",
        payer_id="00431",
        unit_charge=210,
        valid=("2020-01-01", None),
    )
    named = {"patient__insurance__payerId": "431", "patient__insurance__payerName": "Quokka Mutual"}
    return ended(partner, "HELD", session__dateOfService=day_of_service(5), **named)


def test_the_page_prices_for_the_payer_that_the_claim_is_for(of_a_payer: UUID, billing: Desk) -> None:
    assert "210.00" in billing.page(of_a_payer)


def test_so_does_the_preview_of_new_rates(of_a_payer: UUID, partner: Api, lead: Desk) -> None:
    assert "No open session would be priced anew." in preview(
        lead, ChargeSchedule.objects.get(partner=partner.partner)
    )


def own_rates(partner: Api) -> list[Decimal]:
    return [rate.unit_charge for rate in ChargeSchedule.objects.get(partner=partner.partner).rates.all()]


def test_what_was_built_is_not(partner: Api, lead: Desk) -> None:
    ended(partner, "PAID1", session__dateOfService=day_of_service(5))
    assert "No open session would be priced anew." in preview(lead, own_schedule(partner))


def test_nor_is_what_took_place_before_or_elsewhere(waiting: UUID, partner: Api, lead: Desk) -> None:
    assert "No open session would be priced anew." in preview(lead, own_schedule(partner), since=2)
    rival = partner_api("Quiet Room")
    assert "No open session would be priced anew." in preview(lead, own_schedule(rival))


def test_a_partners_page_says_how_its_sessions_went(partner: Api, lead: Desk) -> None:
    for word in ("PAID1", "PAID2", "PAID3", "DENIED", "REJECTED"):
        ended(partner, word)
    figures.rebuild()
    address = reverse("admin:partners_partner_change", args=[partner.partner.pk])
    said = re.sub(r"<[^>]+>", "", lead.client.get(address).content.decode())
    assert "5 sessions in 90 days, 20.0% rejected, 25.0% of those judged denied" in said


def test_an_administrator_reads_the_figures_without_the_rows(partner: Api, settings: Any) -> None:
    ended(partner, "PAID1")
    figures.rebuild()
    address = reverse("admin:partners_partner_change", args=[partner.partner.pk])
    page = Desk("administrator").client.get(address).content.decode()
    assert "1 session in 90 days" in page
    assert reverse("desk:sessions") not in page
