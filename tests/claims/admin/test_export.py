"""CSV exports: what is in them, what no spreadsheet may take for a formula, whose view is written down."""

import csv
from decimal import Decimal
from io import StringIO

import pytest
from django.urls import reverse
from hypothesis import given
from hypothesis import strategies as st

from claims.admin.export import FORMULA_BEGINS, harmless
from claims.models import ViewRecord
from tests.claims.admin.work import open_item


def rows_of(answer) -> list[dict[str, str]]:
    return list(csv.DictReader(StringIO(b"".join(answer.streaming_content).decode())))


def test_an_export_has_the_rows_that_the_filters_show(partner, billing):
    open_item(partner, patient__lastName="Klein", patient__firstName="Priya", charge="180.00")
    open_item(partner, payer_name="Cigna")
    answer = billing.client.post("/admin/work/rejected/export/?payer=Aetna")
    (row,) = rows_of(answer)
    assert (row["Patient"], row["Charge"], row["Payer"]) == ("Klein, Priya", "180.00", "Aetna")
    assert "no-store" in answer["Cache-Control"]
    assert "Klein" not in answer["Content-Disposition"]


def test_an_export_asks_what_the_list_asks(partner, billing):
    open_item(partner, summary="No procedure follows: send its procedureCodes.")
    (row,) = rows_of(billing.post("desk:export", "rejected"))
    assert row["What is wrong"] == "No procedure follows: correct its procedures."


def test_every_exported_session_is_written_down_once(partner, billing):
    items = [open_item(partner), open_item(partner)]
    open_item(partner, "denied", session=items[0].session)
    rows_of(billing.post("desk:export", "rejected"))
    records = ViewRecord.objects.filter(what="export", user=billing.user)
    assert sorted(records.values_list("session_id", flat=True)) == sorted(item.session_id for item in items)


def test_an_export_is_no_get(billing):
    answer = billing.get("desk:export", "rejected")
    assert answer.headers["Location"] == reverse("desk:queue", args=["rejected"])


def test_a_patient_whose_name_begins_a_formula_stays_a_name(partner, billing):
    item = open_item(partner)
    item.session.patient_last_name = "=HYPERLINK(1)"
    item.session.save(update_fields=["patient_last_name"])
    (row,) = rows_of(billing.post("desk:export", "rejected"))
    assert row["Patient"].startswith("'=HYPERLINK")


@given(st.text(max_size=20))
def test_no_text_begins_as_a_formula(text):
    assert not harmless(text).startswith(FORMULA_BEGINS)


@pytest.mark.parametrize(("value", "written"), [(Decimal("-5.00"), "-5.00"), (None, ""), (3, "3")])
def test_numbers_stay_numbers(value, written):
    assert harmless(value) == written
