"""Provider update: only what is supplied, the practice for all of its therapists, inference brought back."""

from typing import Any

import pytest

from providers.models import Practice, Provider
from tests.cast import NPI, OTHER_NPI, Api, error_of, onboarding

ADDRESS = ("street", "line2", "city", "state", "zip")


@pytest.fixture
def ours(api: Api) -> Api:
    return api.onboarded()


def test_updated(ours: Api) -> None:
    answer = ours.patch(f"/providers/{NPI}", {"practice": {"name": "Calm Harbor Two"}})
    provider = Provider.objects.get()
    assert answer.status_code == 200
    assert answer.json() == {
        "providerId": str(provider.id),
        "practiceId": str(provider.practice_id),
        "providerNpi": NPI,
        "practiceName": "Calm Harbor Two",
        "status": "updated",
    }


@pytest.mark.parametrize(
    ("change", "column", "value"),
    [
        ({"provider": {"taxonomyCode": "103T00000X"}}, "taxonomy_code", "103T00000X"),
        ({"provider": {"specialty": " Psychologist "}}, "specialty", "Psychologist"),
        ({"provider": {"specialty": None}}, "specialty", ""),
        ({"provider": {"credentials": ""}}, "credentials", ""),
        ({"practice": {"npi": None}}, "practice__npi", ""),
        ({"practice": {"taxId": "987654321"}}, "practice__tax_id", "987654321"),
        ({"practice": {"taxonomyCode": None}}, "practice__taxonomy_code", ""),
        ({"practice": {"phone": "5125550199"}}, "practice__phone", "5125550199"),
        ({"practice": {"contactName": None}}, "practice__contact_name", ""),
        ({"practice": {"address": {"street": "2 Side St"}}}, "practice__street", "2 Side St"),
        ({"practice": {"address": {"line2": None}}}, "practice__line2", ""),
        ({"practice": {"address": {"city": "Waco"}}}, "practice__city", "Waco"),
        ({"practice": {"address": {"state": "ok"}}}, "practice__state", "OK"),
        ({"practice": {"address": {"zip": "73301-0001"}}}, "practice__zip", "733010001"),
    ],
)
def test_only_the_supplied_field_changes(ours: Api, change: dict[str, Any], column: str, value: str) -> None:
    columns = [*(field.name for field in Provider._meta.fields)]
    columns += [f"practice__{field.name}" for field in Practice._meta.fields]
    before = Provider.objects.values(*columns).get()
    assert ours.patch(f"/providers/{NPI}", change).status_code == 200
    after = Provider.objects.values(*columns).get()
    own = ("updated_at", "practice__updated_at", "inferred_taxonomy_code", "practice__fingerprint")
    different = {name for name in columns if before[name] != after[name] and name not in own}
    assert different == {column}
    assert after[column] == value


@pytest.mark.parametrize("body", [{}, {"provider": {}}, {"practice": {}}, {"practice": {"address": {}}}])
def test_nothing_supplied_changes_nothing(ours: Api, body: dict[str, Any]) -> None:
    before = list(Provider.objects.values()), list(Practice.objects.values())
    assert ours.patch(f"/providers/{NPI}", body).json()["status"] == "updated"
    assert (list(Provider.objects.values()), list(Practice.objects.values())) == before


@pytest.mark.parametrize(
    ("body", "path"),
    [
        ({"provider": {"firstName": "Bea"}}, "provider.firstName: This field can't be updated. Tell billing"),
        ({"provider": {"lastName": "B"}}, "provider.lastName: This field can't be updated. Tell billing"),
        ({"provider": {"npi": OTHER_NPI}}, "provider.npi: This field can't be updated. Onboard the"),
        ({"provider": None}, "provider: "),
        ({"practice": None}, "practice: This can't be null; leave it out to keep what is stored."),
        ({"practice": {"address": None}}, "practice.address: "),
        ({"practice": {"name": None}}, "practice.name: "),
        ({"practice": {"name": " "}}, "practice.name: This can't be empty; leave it out"),
        ({"practice": {"taxId": None}}, "practice.taxId: "),
        ({"practice": {"taxId": ""}}, "practice.taxId: "),
        ({"practice": {"address": {"zip": None}}}, "practice.address.zip: "),
        ({"practice": {"address": {"street": ""}}}, "practice.address.street: "),
        ({"practice": {"address": {"state": "TEX"}}}, "practice.address.state: "),
        ({"practice": {"phone": "1"}}, "practice.phone: "),
        ({"provider": {"taxonomyCode": "x"}}, "provider.taxonomyCode: "),
        ({"provider": {"colour": "red"}}, "provider.colour: Unknown field."),
        ({"colour": "red"}, "colour: Unknown field."),
        ({"practice": {"policyHolder": {}}}, "practice.policyHolder: Not accepted"),
    ],
)
def test_faults_are_named_by_path(ours: Api, body: dict[str, Any], path: str) -> None:
    assert path in error_of(ours.patch(f"/providers/{NPI}", body), 400)


@pytest.mark.parametrize("npi", [OTHER_NPI, "abc", "1", "12345678933", "%00", "é", "1234567893%0A"])
def test_an_npi_that_nobody_has(ours: Api, npi: str) -> None:
    error_of(ours.patch(f"/providers/{npi}", {}), 404)


def test_faults_of_the_body_come_before_the_404(ours: Api) -> None:
    error_of(ours.patch(f"/providers/{OTHER_NPI}", {"colour": 1}), 400)


def test_an_npi_of_another_partner(ours: Api, rival: Api) -> None:
    before = list(Provider.objects.values())
    error_of(rival.patch(f"/providers/{NPI}", {"provider": {"specialty": "x"}}), 409)
    assert list(Provider.objects.values()) == before


def test_a_practice_update_reaches_every_therapist_and_keeps_the_id(ours: Api) -> None:
    second = ours.post("/providers", onboarding(provider__npi=OTHER_NPI)).json()
    answer = ours.patch(f"/providers/{NPI}", {"practice": {"name": "New"}}).json()
    assert answer["practiceId"] == second["practiceId"]
    again = ours.post("/providers", onboarding(provider__npi=OTHER_NPI)).json()
    assert again["practiceName"] == "New"


def test_a_practice_that_becomes_equal_keeps_its_id_and_onboarding_takes_the_oldest(ours: Api) -> None:
    first = Provider.objects.get().practice_id
    other = onboarding(provider__npi=OTHER_NPI, practice__name="Other")
    second = ours.post("/providers", other).json()
    equal = ours.patch(f"/providers/{OTHER_NPI}", {"practice": {"name": "Calm Harbor Counseling"}}).json()
    assert equal["practiceId"] == second["practiceId"] != str(first)
    third = ours.post("/providers", onboarding(provider__npi="1000000004")).json()
    assert third["practiceId"] == str(first)


def test_an_inferred_taxonomy_follows_the_specialty(ours: Api) -> None:
    ours.patch(f"/providers/{NPI}", {"provider": {"specialty": "Psychologist", "credentials": None}})
    assert Provider.objects.get().inferred_taxonomy_code == "103T00000X"


def test_a_sent_taxonomy_stays_until_null_brings_inference_back(ours: Api) -> None:
    ours.patch(f"/providers/{NPI}", {"provider": {"taxonomyCode": "106H00000X"}})
    ours.patch(f"/providers/{NPI}", {"provider": {"specialty": "Psychologist", "credentials": None}})
    assert Provider.objects.get().taxonomy_code == "106H00000X"
    ours.patch(f"/providers/{NPI}", {"provider": {"taxonomyCode": None}})
    provider = Provider.objects.get()
    assert (provider.taxonomy_code, provider.inferred_taxonomy_code) == ("", "103T00000X")
