"""Searching the payer directory."""

from collections.abc import Callable
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

from claims.clearinghouse.port import ClearinghouseError
from claims.clearinghouse.stedi import FoundPayer, StediPayerDirectory, Transport
from tests.claims.clearinghouse.stedi.server import Fault, StediServer


def payer(name: str, **changes: Any) -> dict[str, Any]:
    return {
        "stediId": "ABCDE",
        "displayName": name,
        "primaryPayerId": "00123",
        "aliases": ["00123", "ALIAS"],
        "names": ["Another name"],
        "avatarUrl": "https://avatars.example/abcde.png",
        "operatingStates": ["TX"],
        "coverageTypes": ["medical"],
        "transactionSupport": {
            "professionalClaimSubmission": "ENROLLMENT_REQUIRED",
            "claimPayment": "SUPPORTED",
        },
        "enrollment": {"ptanRequired": False},
    } | changes


@pytest.fixture
def directory(server: StediServer, transport_with: Callable[..., Transport]) -> StediPayerDirectory:
    return StediPayerDirectory(transport_with(), healthcare_url=server.url)


def test_a_payer_is_found_with_its_leading_zeros(server: StediServer, directory: StediPayerDirectory) -> None:
    server.payers = [payer("Harbor Health Plan"), payer("Another")]
    assert directory.search("harbor") == [
        FoundPayer(
            stedi_id="ABCDE",
            payer_id="00123",
            name="Harbor Health Plan",
            names=("Another name",),
            aliases=("00123", "ALIAS"),
            avatar_url="https://avatars.example/abcde.png",
            operating_states=("TX",),
            coverage_types=("medical",),
            professional_claims="ENROLLMENT_REQUIRED",
            remittances="SUPPORTED",
        )
    ]


def test_only_payers_that_take_professional_claims_are_asked_for(
    server: StediServer, directory: StediPayerDirectory
) -> None:
    directory.search("harbor & sons")
    query = parse_qs(urlsplit(server.requests[0].path).query)
    assert query == {
        "query": ["harbor & sons"],
        "pageSize": ["25"],
        "professionalClaimSubmission": ["EITHER"],
    }


def test_a_payer_without_a_picture_has_none(server: StediServer, directory: StediPayerDirectory) -> None:
    server.payers = [payer("Plain", avatarUrl=None, transactionSupport=None)]
    (found,) = directory.search("plain")
    assert (found.avatar_url, found.professional_claims) == (None, "")


def test_what_has_no_name_or_id_is_left_out(server: StediServer, directory: StediPayerDirectory) -> None:
    server.payers = [payer("Plain", primaryPayerId="")]
    assert directory.search("plain") == []


@pytest.mark.parametrize(("limit", "found"), [(3, 3), (1_000, 12)])
def test_the_limit_holds(server: StediServer, directory: StediPayerDirectory, limit: int, found: int) -> None:
    server.payers = [payer(f"Plan {number}") for number in range(12)]
    assert len(directory.search("plan", limit=limit)) == found


def test_a_query_longer_than_the_directory_takes_is_cut(
    server: StediServer, directory: StediPayerDirectory
) -> None:
    assert directory.search("x" * 500) == []


@pytest.mark.parametrize("fault", [Fault(403, b"{}"), Fault(200, b"{}"), Fault(200, b"<html>")])
def test_trouble_is_one_kind_of_error(
    server: StediServer, directory: StediPayerDirectory, fault: Fault
) -> None:
    server.faults = [fault]
    with pytest.raises(ClearinghouseError):
        directory.search("harbor")
