import json
from collections.abc import Callable
from time import monotonic

import httpx
import pytest

from billing.models import Payer, PayerProfile
from billing.payers import stedi
from billing.payers.directory import PayerDirectoryError, match_payer
from billing.payers.stedi import StediDirectory
from billing.rules.facts import PayerMatchOutcome
from tests.claims.clearinghouse.stedi.server import Fault, StediServer

pytestmark = pytest.mark.django_db

NUMBAT = {
    "stediId": "ABCDE",
    "displayName": "Numbat Blue Cross",
    "primaryPayerId": "00777",
    "aliases": ["NBTBC"],
    "names": ["Blue Cross of the Numbats"],
    "avatarUrl": "https://pictures.example/numbat.png",
}
PLAIN = {"displayName": "Quokka Mutual", "primaryPayerId": "QK001"}


@pytest.fixture(autouse=True)
def key(settings) -> None:
    settings.STEDI_API_KEY = "test_key_of_nobody"


def directory(answer: Callable[[httpx.Request], httpx.Response]) -> StediDirectory:
    return StediDirectory(httpx.Client(transport=httpx.MockTransport(answer)))


def answering(*payers: dict[str, object]) -> StediDirectory:
    items = [{"payer": payer, "score": 1.0} for payer in payers]
    return directory(lambda request: httpx.Response(200, json={"items": items, "nextPageToken": None}))


def test_a_search_asks_for_payers_that_take_professional_claims():
    asked: list[httpx.Request] = []

    def answer(request: httpx.Request) -> httpx.Response:
        asked.append(request)
        return httpx.Response(200, json={"items": []})

    assert directory(answer).search("blue & cross\x00") == []
    (request,) = asked
    assert (request.method, request.url.host, request.url.path) == (
        "GET",
        "healthcare.us.stedi.com",
        "/2024-04-01/payers/search",
    )
    assert dict(request.url.params) == {
        "query": "blue & cross",
        "pageSize": "25",
        "professionalClaimSubmission": "EITHER",
    }
    assert request.headers["Authorization"] == "test_key_of_nobody"


def test_hits_keep_their_order_and_each_id_comes_once():
    hits = answering(NUMBAT, PLAIN, NUMBAT | {"displayName": "Again"}).search("numbat")
    assert [(hit.payer_id, hit.payer_name) for hit in hits] == [
        ("00777", "Numbat Blue Cross"),
        ("QK001", "Quokka Mutual"),
    ]
    assert [hit.avatar_url for hit in hits] == ["https://pictures.example/numbat.png", None]


def test_what_was_found_can_be_matched_afterwards():
    answering(NUMBAT, PLAIN).search("numbat")
    assert match_payer("x", payer_id="777").payer_id == "00777"
    assert match_payer("NBTBC").outcome is PayerMatchOutcome.EXACT
    assert PayerProfile.objects.get(payer__payer_id="00777").claim_filing_code == "BL"


def test_a_payer_that_asks_for_enrollment_is_kept_so():
    support = {"transactionSupport": {"professionalClaimSubmission": "ENROLLMENT_REQUIRED"}}
    answering(NUMBAT | support, PLAIN).search("numbat")
    asked = PayerProfile.objects.values_list("payer__payer_id", "claim_enrollment_required")
    assert dict(asked.filter(payer__payer_id__in=["00777", "QK001"])) == {"00777": True, "QK001": False}


def test_a_payer_that_we_know_stays_as_it_is():
    Payer.objects.create(payer_id="QK001", name="Quokka of ours")
    answering(PLAIN).search("quokka")
    assert Payer.objects.get(payer_id="QK001").name == "Quokka of ours"


def test_an_id_longer_than_a_claim_carries_is_passed_over():
    wordy = PLAIN | {"primaryPayerId": "Q" * 81}
    hits = answering(wordy, PLAIN).search("quokka")
    assert [hit.payer_id for hit in hits] == ["QK001"]


def test_a_name_longer_than_a_claim_carries_is_cut_at_a_word():
    hits = answering(PLAIN | {"displayName": "Quokka " * 12}).search("quokka")
    assert hits[0].payer_name == " ".join(["Quokka"] * 8)


def test_a_query_of_blanks_and_control_characters_asks_nobody():
    def answer(request: httpx.Request) -> httpx.Response:
        raise AssertionError("nothing was to be asked")

    assert directory(answer).search("\x00 \n") == []


def test_a_long_query_is_cut():
    lengths: list[int] = []

    def answer(request: httpx.Request) -> httpx.Response:
        lengths.append(len(request.url.params["query"]))
        return httpx.Response(200, json={"items": []})

    directory(answer).search("x" * 5000)
    assert lengths == [200]


@pytest.mark.parametrize(
    ("response", "words"),
    [
        (httpx.Response(500, json={"message": "secret detail"}), "status 500"),
        (httpx.Response(403, json={"message": "secret detail"}), "status 403"),
        (httpx.Response(429), "status 429"),
        (httpx.Response(200, text="<html>"), "could not be read"),
        (httpx.Response(200, json=[1]), "could not be read"),
        (httpx.Response(200, json={"items": {}}), "could not be read"),
        (httpx.Response(200, json={"items": [{"payer": {}}]}), "could not be read"),
        (httpx.Response(200, json={"items": ["x"]}), "could not be read"),
    ],
)
def test_a_failing_directory_is_an_error_without_the_query(response: httpx.Response, words: str):
    with pytest.raises(PayerDirectoryError, match=words) as error:
        directory(lambda request: response).search("aetna of nowhere")
    assert "aetna" not in str(error.value)
    assert "secret" not in str(error.value)


@pytest.mark.parametrize("failure", [httpx.ConnectError, httpx.ReadTimeout, httpx.RemoteProtocolError])
def test_a_directory_out_of_reach_is_an_error(failure: type[httpx.TransportError]):
    def answer(request: httpx.Request) -> httpx.Response:
        raise failure("gone", request=request)

    with pytest.raises(PayerDirectoryError, match=failure.__name__):
        directory(answer).search("aetna")


def test_without_a_key_nobody_is_asked(settings):
    settings.STEDI_API_KEY = ""
    with pytest.raises(PayerDirectoryError, match="STEDI_API_KEY"):
        directory(lambda request: httpx.Response(200, text=json.dumps({"items": []}))).search("aetna")


@pytest.mark.parametrize(
    "fault", [Fault(200, b" " * 200, drips=True), Fault(trickles=True)], ids=["body", "headers"]
)
def test_an_answer_that_drips_is_not_waited_for(
    settings, monkeypatch: pytest.MonkeyPatch, fault: Fault
) -> None:
    monkeypatch.setattr(stedi, "_TIMEOUT", httpx.Timeout(0.3))
    with StediServer().running() as server:
        settings.STEDI_HEALTHCARE_URL = server.url
        server.faults = [fault]
        began = monotonic()
        with pytest.raises(PayerDirectoryError, match="did not answer"):
            StediDirectory(stedi._shared_client.__wrapped__()).search("aetna")
        assert monotonic() - began < 2
