"""Charge schedules in the back office: rates on a day, the price that would apply, imports with a preview."""

from datetime import date, timedelta
from decimal import Decimal

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.urls import reverse
from django.utils import timezone

from billing.models import NpiRecord, Payer
from claims.models import SetUpChange
from partners.models import Partner
from providers.admin import MOST_BYTES
from providers.models import AllowedAmount, ChargeRate, ChargeSchedule, Enrollment, Practice
from providers.sample_charges import load_sample_charges
from tests.cast import OTHER_NPI, Api, as_shown
from tests.partners.test_admin import staff

pytestmark = pytest.mark.django_db
GOOD = "code,amount,from,to,modifiers,place,payer_id,license\n90837,180.00,2030-01-01,,,,,\n"
MIXED = GOOD + "90834,abc,2030-01-01,,,,,\n90837,190.00,2030-02-01,,,,,\n"


@pytest.fixture
def schedule() -> ChargeSchedule:
    return ChargeSchedule.objects.create(name="Service", scope="service")


@pytest.fixture
def lead(settings):
    settings.STAFF_SECOND_FACTOR = False
    return staff("billing lead")


def upload(client, schedule, text: str):
    address = reverse("admin:providers_charges_import", args=[schedule.pk])
    return client.post(address, {"file": SimpleUploadedFile("charges.csv", text.encode())})


def confirm(client, schedule, preview):
    """Press Apply on this preview."""
    shown = {"text": preview.context["text"], "seen": preview.context["plan"].seen, "apply": "1"}
    return client.post(reverse("admin:providers_charges_import", args=[schedule.pk]), shown)


def apply(client, schedule, text: str):
    return confirm(client, schedule, upload(client, schedule, text))


def test_a_preview_says_what_the_file_would_do_and_writes_nothing(lead, schedule):
    answer = upload(lead, schedule, MIXED)
    page = answer.content.decode()
    assert "Row 3 is refused" in page
    assert "dollars and cents" in page
    assert "None" not in page.split("<main")[1]
    assert '<span class="mono">to</span>' in page
    assert answer.context["plan"].new
    assert not ChargeRate.objects.exists()


def test_a_confirmed_preview_is_written(lead, schedule):
    apply(lead, schedule, GOOD)
    rate = ChargeRate.objects.get()
    assert (rate.procedure_code, rate.unit_charge, rate.valid.lower) == (
        "90837",
        Decimal("180.00"),
        date(2030, 1, 1),
    )


def test_a_new_amount_ends_the_older_rate(lead, schedule):
    apply(lead, schedule, GOOD)
    apply(lead, schedule, GOOD.replace("180.00,2030-01-01", "195.00,2030-07-01"))
    old, new = ChargeRate.objects.order_by("unit_charge")
    assert (old.valid.upper, new.valid.upper) == (date(2030, 7, 1), None)


def test_a_preview_that_a_colleagues_import_made_untrue_is_shown_anew(lead, schedule):
    preview = upload(lead, schedule, GOOD.replace("180.00,2030-01-01", "195.00,2030-07-01"))
    apply(staff("billing lead"), schedule, GOOD)
    answer = confirm(lead, schedule, preview)
    assert ChargeRate.objects.get().unit_charge == Decimal("180.00")
    assert "Nothing was imported" in answer.content.decode()
    confirm(lead, schedule, answer)
    assert ChargeRate.objects.count() == 2


@pytest.mark.parametrize(
    "text", ["", "nonsense", "code,amount\n1,2\n", "\x00", 'code,amount,from\n"unclosed']
)
def test_a_file_that_is_none_is_refused_in_words(lead, schedule, text):
    answer = upload(lead, schedule, text)
    assert answer.status_code == 200
    assert 'class="errornote"' in answer.content.decode() or answer.context["plan"].refused
    assert not ChargeRate.objects.exists()


def test_a_file_in_another_encoding_is_refused_in_words(lead, schedule):
    address = reverse("admin:providers_charges_import", args=[schedule.pk])
    answer = lead.post(address, {"file": SimpleUploadedFile("charges.csv", b"\xff\xfe\x00c")})
    assert "UTF-8" in answer.content.decode()


def test_rates_are_shown_as_of_a_day(lead, schedule):
    apply(lead, schedule, GOOD)
    address = reverse("admin:providers_chargeschedule_change", args=[schedule.pk])
    assert [rate.procedure_code for rate in lead.get(address, {"day": "2030-01-01"}).context["rates"]] == [
        "90837"
    ]
    assert lead.get(address, {"day": "2029-12-31"}).context["rates"] == []
    assert lead.get(address, {"day": "2030-01-01", "filter": "90834"}).context["rates"] == []


def test_which_price_applies_is_answered_with_what_it_beat(lead, api):
    load_sample_charges()
    api.onboarded()
    own = ChargeSchedule.objects.create(name="Ours", scope="partner", partner=api.partner)
    apply(lead, own, "code,amount,from\n90837,199.00,2020-01-01\n")
    today = timezone.localdate().isoformat()
    answer = lead.get(
        reverse("admin:providers_chargeschedule_change", args=[own.pk]),
        {"on": today, "code": "90837", "place": "office"},
    )
    price = answer.context["answer"]
    assert price.charge == Decimal("199.00")
    assert [rate.unit_charge for rate in price.beaten] == [Decimal("180.00")]


def test_which_price_applies_is_answered_for_the_license_that_is_asked_about(lead, api):
    api.onboarded()  # a therapist with a master's degree
    own = ChargeSchedule.objects.create(name="Ours", scope="partner", partner=api.partner)
    rates = "90837,199.00,2020-01-01,\n90837,240.00,2020-01-01,doctoral\n90837,150.00,2020-01-01,master\n"
    apply(lead, own, f"code,amount,from,license\n{rates}")
    address = reverse("admin:providers_chargeschedule_change", args=[own.pk])
    asked = {"on": timezone.localdate().isoformat(), "code": "90837", "place": "office"}
    prices = {
        of: lead.get(address, asked | {"license": of}).context["answer"].charge
        for of in ("", "doctoral", "master")
    }
    assert prices == {"": Decimal("199.00"), "doctoral": Decimal("240.00"), "master": Decimal("150.00")}
    assert 'name="license"' in lead.get(address).content.decode()


@pytest.mark.parametrize(
    "query", [{"on": "x", "code": "90837"}, {"code": ""}, {"on": "2030-01-01", "code": "\x00"}]
)
def test_a_question_that_makes_no_sense_is_said(lead, schedule, query):
    answer = lead.get(reverse("admin:providers_chargeschedule_change", args=[schedule.pk]), query)
    assert answer.status_code == 200
    assert answer.context["answer"] is None


def begun(client, **owner: str) -> ChargeSchedule | None:
    """The schedule whose import is asked for once its owner is named."""
    answer = client.post(
        reverse("admin:providers_chargeschedule_add"), {"partner": "", "practice": "", **owner}
    )
    named = [str(each.pk) for each in ChargeSchedule.objects.all()]
    here = [
        each
        for each in named
        if reverse("admin:providers_charges_import", args=[each]) == answer.get("Location")
    ]
    return ChargeSchedule.objects.get(pk=here[0]) if here else None


def test_a_lead_begins_a_partners_schedule_and_imports_its_rates(lead, api):
    own = begun(lead, partner=str(api.partner.pk))
    assert (own.scope, own.partner, own.name) == ("partner", api.partner, f"Charges of {api.partner}")
    apply(lead, own, GOOD)
    assert own.rates.count() == 1
    assert begun(lead, partner=str(api.partner.pk)) == own


def test_a_practice_has_charges_of_its_own_at_its_partner(lead, api):
    api.onboarded()
    practice = Practice.objects.get()
    own = begun(lead, practice=str(practice.pk))
    assert (own.scope, own.partner, own.practice) == ("practice", api.partner, practice)
    other = Partner.objects.create(name="Other", slug="other-partner", mode="test")
    assert begun(lead, practice=str(practice.pk), partner=str(other.pk)) is None


def test_the_service_has_one_schedule(lead, schedule):
    assert begun(lead) == schedule


def test_who_imports_no_rates_begins_no_schedule(settings):
    settings.STAFF_SECOND_FACTOR = False
    assert staff("billing").get(reverse("admin:providers_chargeschedule_add")).status_code == 403


def test_a_confirmed_file_is_never_longer_than_a_form_may_be(lead, schedule):
    longest = "code,amount,from,modifiers\n" + "\n" * (MOST_BYTES - 28)
    answer = apply(lead, schedule, longest)
    assert answer.status_code == 200 or answer.status_code == 302
    too_long = upload(lead, schedule, longest + "\n\n")
    assert "At most 600 kB" in too_long.content.decode()


def test_billing_looks_and_does_not_import(settings, schedule):
    settings.STAFF_SECOND_FACTOR = False
    client = staff("billing")
    address = reverse("admin:providers_chargeschedule_change", args=[schedule.pk])
    assert "Import CSV" not in client.get(address).content.decode()
    assert upload(client, schedule, GOOD).status_code == 403
    assert confirm(client, schedule, upload(staff("billing lead"), schedule, GOOD)).status_code == 403


def test_support_sees_no_charges(settings, schedule):
    settings.STAFF_SECOND_FACTOR = False
    address = reverse("admin:providers_chargeschedule_change", args=[schedule.pk])
    assert staff("support").get(address).status_code == 403


def enrollment(partner: Api, **changes: str) -> dict[str, str]:
    """The form of an enrollment as a browser sends it."""
    form = {"partner": str(partner.partner.pk), "npi": OTHER_NPI, "note": ""}
    form["payer"] = str(Payer.objects.get(payer_id="60054").pk)
    return {**form, "claims": "live", "remittances": "pending", **changes}


def test_an_enrollment_is_written_down_once_an_npi_and_payer(lead, api: Api):
    api.onboarded()
    address = reverse("admin:providers_enrollment_add")
    assert lead.post(address, enrollment(api)).status_code == 302
    again = lead.post(address, enrollment(api))
    assert "has an enrollment with this payer already" in again.content.decode()
    kept = Enrollment.objects.get()
    assert (kept.claims, kept.remittances) == ("live", "pending")


def test_an_enrollment_needs_an_npi_that_the_partner_bills_under(lead, api: Api, rival: Api):
    rival.onboarded()
    answer = lead.post(reverse("admin:providers_enrollment_add"), enrollment(api))
    assert "No practice or therapist of this partner has this NPI" in answer.content.decode()


def test_a_lead_takes_an_enrollment_away_again_and_that_is_recorded(lead, api: Api):
    api.onboarded()
    lead.post(reverse("admin:providers_enrollment_add"), enrollment(api))
    address = reverse("admin:providers_enrollment_delete", args=[Enrollment.objects.get().pk])
    assert lead.post(address, {"post": "yes"}).status_code == 302
    assert not Enrollment.objects.exists()
    assert SetUpChange.objects.get(table_name="providers_enrollment", what="D").was["npi"] == OTHER_NPI


def test_a_record_of_the_registry_that_was_open_keeps_an_npi_switched_off(lead):
    record = NpiRecord.objects.create(npi=OTHER_NPI, source="the registry", checked_on=timezone.localdate())
    address = reverse("admin:billing_npirecord_change", args=[record.pk])
    shown = as_shown(lead.get(address))
    NpiRecord.objects.filter(pk=record.pk).update(deactivated=True, source="load_nppes")
    typed = {"found": "on", "taxonomies": "1041C0700X", "source": "the registry"}
    answer = lead.post(address, {**typed, "checked_on": timezone.localdate().isoformat(), **shown})
    assert answer.status_code == 302
    record.refresh_from_db()
    assert (record.deactivated, record.source, record.taxonomies) == (True, "load_nppes", ["1041C0700X"])


def test_a_page_of_what_a_colleague_has_taken_away_brings_nothing_back(lead, api: Api):
    api.onboarded()
    lead.post(reverse("admin:providers_enrollment_add"), enrollment(api))
    row = Enrollment.objects.get()
    address = reverse("admin:providers_enrollment_change", args=[row.pk])
    typed = {**enrollment(api), "note": "rang them", **as_shown(lead.get(address))}

    def taken_away(execute, sql, params, many, context):
        if "KEY UPDATE" in sql:
            Enrollment.objects.filter(pk=row.pk).delete()
        return execute(sql, params, many, context)

    with connection.execute_wrapper(taken_away):
        answer = lead.post(address, typed)
    assert "A colleague has taken it away" in answer.content.decode()
    assert not Enrollment.objects.exists()


def test_an_enrollment_is_called_by_its_payers_name(lead, api: Api):
    api.onboarded()
    page = lead.post(reverse("admin:providers_enrollment_add"), enrollment(api), follow=True)
    assert f"{OTHER_NPI} with {Payer.objects.get(payer_id='60054').name}" in page.content.decode()


def test_charges_that_were_allowed_in_full_are_found(lead, api: Api):
    api.onboarded()
    practice = Practice.objects.get()
    for code, allowed in (("90837", "180"), ("90834", "90")):
        AllowedAmount.objects.create(
            partner=api.partner,
            practice=practice,
            payer_id="60054",
            procedure_code=code,
            allowed=Decimal(allowed),
            charged=Decimal(180),
            paid_on=date(2030, 1, 1),
        )
    page = lead.get(reverse("admin:providers_allowedamount_changelist"), {"charge": "low"})
    assert [row.procedure_code for row in page.context["cl"].result_list] == ["90837"]


def test_a_practices_zip_and_phone_are_written_as_people_read_them(lead, api: Api):
    api.onboarded()
    Practice.objects.update(zip="787011234", phone="5125550100")
    practice = Practice.objects.get()
    page = lead.get(reverse("admin:providers_practice_change", args=[practice.pk])).content.decode()
    assert "78701-1234" in page
    assert "(512) 555-0100" in page
    assert "787011234" not in page


@pytest.mark.parametrize(("model", "field"), [("enrollment", "payer"), ("chargeschedule", "practice")])
@pytest.mark.parametrize("chosen", ["x", "9" * 30, "a\x00b"])
def test_a_choice_that_names_no_row_is_refused_in_words(lead, model: str, field: str, chosen: str):
    answer = lead.post(reverse(f"admin:providers_{model}_add"), {field: chosen})
    assert answer.status_code == 200
    assert field in answer.context["adminform"].form.errors


def test_a_filter_that_nobody_can_type_breaks_nothing(lead, schedule):
    address = reverse("admin:providers_chargeschedule_change", args=[schedule.pk])
    assert lead.get(address, {"filter": "9\x00"}).status_code == 200


def test_a_record_of_a_day_to_come_is_refused(lead):
    tomorrow = timezone.localdate() + timedelta(days=1)
    typed = {"npi": OTHER_NPI, "found": "on", "source": "the registry", "checked_on": tomorrow.isoformat()}
    answer = lead.post(reverse("admin:billing_npirecord_add"), typed)
    assert "It lies in the future." in answer.content.decode()
    assert not NpiRecord.objects.exists()


def test_an_empty_enrollment_is_told_what_is_missing_alone(lead):
    page = lead.post(reverse("admin:providers_enrollment_add"), {}).content.decode()
    assert "This field is required." in page
    assert "has this NPI" not in page


def test_a_wrong_taxonomy_is_told_in_the_whole_sentence(lead):
    typed = {"npi": OTHER_NPI, "taxonomies": "abc", "source": "x", "checked_on": "2020-01-01"}
    page = lead.post(reverse("admin:billing_npirecord_add"), typed).content.decode()
    assert "A taxonomy code has ten characters, X last." in page
