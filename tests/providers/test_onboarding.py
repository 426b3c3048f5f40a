"""Onboarding: every field, the practice shared within a partner, the taxonomy inferred."""

from typing import Any

import pytest

from billing.rules.taxonomy import infer_taxonomy
from partners.models import Mode
from providers.models import Practice, Provider
from tests.cast import NPI, OTHER_NPI, REMOVED, Api, changed, error_of, onboarding, partner_api

MINIMAL = {
    "provider": {"firstName": "Ana", "lastName": "Rivera", "npi": NPI},
    "practice": {
        "name": "Calm Harbor",
        "taxId": "123456789",
        "address": {"street": "100 Main St", "city": "Austin", "state": "TX", "zip": "78701"},
    },
}


def test_created(api: Api) -> None:
    answer = api.post("/providers", onboarding())
    provider = Provider.objects.get()
    assert answer.status_code == 201
    assert answer.json() == {
        "providerId": str(provider.id),
        "practiceId": str(provider.practice_id),
        "providerNpi": NPI,
        "practiceName": "Calm Harbor Counseling",
        "status": "created",
    }


def test_every_field_is_stored(api: Api) -> None:
    api.onboarded(provider__taxonomyCode="1041C0700X")
    provider = Provider.objects.values().get()
    practice = Practice.objects.values().get()
    assert {name: provider[name] for name in ("npi", "first_name", "last_name", "specialty")} == {
        "npi": NPI,
        "first_name": "Ana",
        "last_name": "Rivera",
        "specialty": "Clinical social worker",
    }
    assert provider["credentials"] == "LCSW"
    assert provider["taxonomy_code"] == "1041C0700X"
    stored = {name: practice[name] for name in practice if name not in ("id", "fingerprint", "partner_id")}
    assert {name: value for name, value in stored.items() if not name.endswith("_at")} == {
        "name": "Calm Harbor Counseling",
        "npi": OTHER_NPI,
        "tax_id": "123456789",
        "taxonomy_code": "101YM0800X",
        "street": "100 Main St",
        "line2": "Suite 200",
        "city": "Austin",
        "state": "TX",
        "zip": "78701",
        "phone": "5125550123",
        "contact_name": "Billing Office",
    }


def test_required_fields_are_enough(api: Api) -> None:
    assert api.post("/providers", MINIMAL).status_code == 201
    assert Practice.objects.get().npi == ""


def test_already_exists_returns_the_stored_record_and_changes_nothing(api: Api) -> None:
    first = api.post("/providers", onboarding()).json()
    before = list(Provider.objects.values()), list(Practice.objects.values())
    answer = api.post(
        "/providers", onboarding(provider__firstName="Bea", practice__name="Elsewhere", practice__npi=None)
    )
    assert answer.status_code == 200
    assert answer.json() == {**first, "status": "already_exists"}
    assert (list(Provider.objects.values()), list(Practice.objects.values())) == before


def test_an_npi_of_another_partner_is_a_409_that_names_nobody(api: Api, rival: Api) -> None:
    rival.onboarded()
    text = error_of(api.post("/providers", onboarding()), 409)
    assert "Rival" not in text
    assert Practice.objects.count() == 1


def test_test_and_live_organizations_do_not_compete_for_an_npi(api: Api) -> None:
    api.onboarded()
    assert partner_api("Alive", mode=Mode.LIVE).post("/providers", onboarding()).status_code == 201


@pytest.mark.parametrize(
    ("path", "value", "stored"),
    [
        ("provider__firstName", "  Ana  ", ("first_name", "Ana")),
        ("provider__firstName", "x" * 35, ("first_name", "x" * 35)),
        ("provider__firstName", " " + "x" * 35 + " ", ("first_name", "x" * 35)),
        ("provider__lastName", "Ñandú-O’Neill 😀", ("last_name", "Ñandú-O’Neill 😀")),
        ("provider__lastName", "x" * 60, ("last_name", "x" * 60)),
        ("provider__npi", "1234567890", ("npi", "1234567890")),
        ("provider__npi", "0000000000", ("npi", "0000000000")),
        ("provider__specialty", " ", ("specialty", "")),
        ("provider__specialty", None, ("specialty", "")),
        ("provider__credentials", "", ("credentials", "")),
        ("provider__credentials", "x" * 30, ("credentials", "x" * 30)),
        ("provider__taxonomyCode", "", ("taxonomy_code", "")),
        ("provider__taxonomyCode", "999999999X", ("taxonomy_code", "999999999X")),
        ("practice__npi", NPI, ("practice__npi", NPI)),
        ("practice__npi", None, ("practice__npi", "")),
        ("practice__name", "x" * 60, ("practice__name", "x" * 60)),
        ("practice__address__state", "tx", ("practice__state", "TX")),
        ("practice__address__state", "ZZ", ("practice__state", "ZZ")),
        ("practice__address__zip", "78701-1234", ("practice__zip", "787011234")),
        ("practice__address__zip", "787011234", ("practice__zip", "787011234")),
        ("practice__address__line2", "", ("practice__line2", "")),
        ("practice__phone", None, ("practice__phone", "")),
        ("practice__contactName", REMOVED, ("practice__contact_name", "")),
    ],
)
def test_accepted_values(api: Api, path: str, value: Any, stored: tuple[str, str]) -> None:
    assert api.post("/providers", onboarding(**{path: value})).status_code == 201
    column, expected = stored
    assert Provider.objects.values_list(column, flat=True).get() == expected


FAULTS = [
    ("provider", REMOVED),
    ("provider", None),
    ("provider", "Ana"),
    ("provider", []),
    ("practice", REMOVED),
    ("practice", None),
    ("practice__address", REMOVED),
    ("practice__address", None),
    ("practice__address", "100 Main St"),
    *(
        (path, value)
        for path in (
            "provider__firstName",
            "provider__lastName",
            "practice__name",
            "practice__address__street",
            "practice__address__city",
        )
        for value in (REMOVED, None, "", "   ", 7, True, [], {}, "a\0b", "a\nb", "a\tb", "a\x1f")
    ),
    ("provider__firstName", "x" * 36),
    ("provider__lastName", "x" * 61),
    ("provider__specialty", "x" * 101),
    ("provider__credentials", "x" * 31),
    ("practice__name", "x" * 61),
    ("practice__contactName", "x" * 61),
    ("practice__address__street", "x" * 56),
    ("practice__address__line2", "x" * 56),
    ("practice__address__city", "x" * 31),
    *(
        ("provider__npi", value)
        for value in (REMOVED, None, "", 1234567893, "123456789", "12345678933", " 1234567893")
    ),
    *(("provider__npi", value) for value in ("1234567893\n", "١٢٣٤٥٦٧٨٩٣", "12345678-9", "123456789X")),
    *(("practice__npi", value) for value in ("123", 1999999984, "1999999984 ")),
    *(
        ("practice__taxId", value)
        for value in (REMOVED, None, "", "12-3456789", "12345678", "1234567890", 123456789)
    ),
    *(("practice__phone", value) for value in ("512-555-0123", "(512)5550123", "15125550123", 5125550123)),
    *(
        ("practice__address__state", value)
        for value in (REMOVED, None, "", "T", "TEX", "T1", "é1", " TX", "TX\n", 12)
    ),
    *(
        ("practice__address__zip", value)
        for value in (REMOVED, None, "", "7870", "787012", "78701-", "78701-12", "78701 1234", 78701)
    ),
    *(
        ("provider__taxonomyCode", value)
        for value in ("1041c0700X", "1041C0700x", "1041C0700", "1041C0700Y", "X", 7)
    ),
    ("practice__taxonomyCode", "103"),
    ("provider__authNumber", "1"),
    ("practice__address__country", "US"),
    ("provider__subscriber", {}),
    ("colour", "red"),
]


@pytest.mark.parametrize(("path", "value"), FAULTS)
def test_faults_are_named_by_path(api: Api, path: str, value: Any) -> None:
    text = error_of(api.post("/providers", onboarding(**{path: value})), 400)
    assert f"{path.replace('__', '.')}: " in text
    assert not Provider.objects.exists()


def test_a_lone_surrogate_is_a_fault_of_its_field(api: Api) -> None:
    import json

    raw = json.dumps(onboarding(provider__firstName="\ud800")).encode()
    assert "provider.firstName: " in error_of(api.post("/providers", raw=raw), 400)


def test_all_faults_are_named_at_once_in_the_order_of_the_fields(api: Api) -> None:
    body = changed(
        MINIMAL,
        {"provider__npi": "1", "provider__firstName": None, "practice__taxId": "x", "practice__name": ""},
    )
    text = error_of(api.post("/providers", body), 400)
    order = [
        text.index(path) for path in ("provider.firstName", "provider.npi", "practice.name", "practice.taxId")
    ]
    assert order == sorted(order)


def test_two_therapists_of_one_practice_share_its_row(api: Api) -> None:
    first = api.post("/providers", onboarding()).json()
    second = api.post(
        "/providers",
        onboarding(
            provider__npi=OTHER_NPI,
            practice__name="CALM  HARBOR counseling",
            practice__address__state="tx",
            practice__address__street="100 MAIN ST ",
        ),
    ).json()
    assert second["practiceId"] == first["practiceId"]
    assert second["practiceName"] == "Calm Harbor Counseling"


@pytest.mark.parametrize(
    "path",
    ["name", "npi", "taxId", "taxonomyCode", "phone", "contactName", "address__line2", "address__zip"],
)
def test_a_practice_that_differs_in_a_field_is_another(api: Api, path: str) -> None:
    other = {"taxId": "987654321", "taxonomyCode": "103T00000X", "npi": NPI, "phone": "5125550199"}
    value = other.get(path, "78702" if path.endswith("zip") else "Other")
    first = api.post("/providers", onboarding()).json()
    changes = {"provider__npi": OTHER_NPI, f"practice__{path}": value}
    assert api.post("/providers", onboarding(**changes)).json()["practiceId"] != first["practiceId"]


def test_partners_never_share_a_practice(api: Api, rival: Api) -> None:
    ours = api.post("/providers", onboarding()).json()
    theirs = rival.post("/providers", onboarding(provider__npi=OTHER_NPI)).json()
    assert theirs["practiceId"] != ours["practiceId"]


@pytest.mark.parametrize(
    ("specialty", "credentials"),
    [
        ("Psychologist", None),
        (None, "LMFT"),
        ("Clinical social worker", "PhD"),
        ("Addiction counselor", None),
        ("Astrology", None),
        (None, None),
    ],
)
def test_the_taxonomy_is_inferred(api: Api, specialty: str | None, credentials: str | None) -> None:
    api.onboarded(provider__specialty=specialty, provider__credentials=credentials)
    provider = Provider.objects.get()
    assert provider.taxonomy_code == ""
    assert provider.inferred_taxonomy_code == (infer_taxonomy(specialty, credentials) or "")
