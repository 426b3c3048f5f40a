"""Lists and forms say amounts with their units, codes in words, and IDs in capitals."""

import pytest
from django.urls import reverse

from billing.models import Payer
from billing.payers.catalog import record_carriers
from claims.models import InboundFile, Remittance
from providers.models import Provider
from tests.cast import Api
from tests.claims.admin.staff import Desk, ended


def test_whoever_only_looks_at_a_form_reads_yes_and_no(billing: Desk) -> None:
    record_carriers()
    payer = Payer.objects.get(payer_id="60054")
    page = billing.get("admin:billing_payer_change", payer.pk).content.decode()
    assert '<span class="strong">Active</span><div class="readonly">Yes' in page
    assert '<span class="strong">Timely filing confirmed</span><div class="readonly">No' in page
    assert '<span class="strong">States</span><div class="readonly">–' in page


def test_an_inbound_files_size_has_its_unit(partner: Api, billing: Desk) -> None:
    ended(partner, "PAID")
    InboundFile.objects.update(size=7266)
    assert "7.1\xa0KB" in billing.get("admin:claims_inboundfile_changelist").content.decode()


@pytest.mark.parametrize(
    ("method", "words"), [("CHK", "Check"), ("ACH", "Bank transfer (ACH)"), ("XYZ", "XYZ")]
)
def test_how_a_payer_paid_is_said_in_words(partner: Api, billing: Desk, method: str, words: str) -> None:
    ended(partner, "PAID")
    Remittance.objects.update(method=method)
    paid = Remittance.objects.get()
    assert f">{words}</td>" in billing.get("admin:claims_remittance_changelist").content.decode()
    assert f"<dt>By</dt><dd>{words}</dd>" in billing.get("desk:remittance", paid.pk).content.decode()


def test_ids_are_written_one_way(partner: Api, billing: Desk) -> None:
    record_carriers()
    pages = [
        billing.get("admin:billing_payer_changelist"),
        billing.get("admin:billing_payer_change", Payer.objects.get(payer_id="60054").pk),
        billing.get("admin:providers_provider_change", Provider.objects.get().pk),
        billing.get("admin:providers_allowedamount_changelist"),
    ]
    for page in pages:
        text = page.content.decode()
        for word in ("Payer id", "payer id", "Member id", "member id", ">Id<", "Electronic id"):
            assert word not in text


def test_what_people_are_at_is_explained(lead: Desk) -> None:
    assert "Open now: on their screen" in lead.client.get(reverse("desk:people")).content.decode()
