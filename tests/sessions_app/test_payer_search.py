"""Payer search through the front door: shape, limits, hostile text, a directory that fails."""

from urllib.parse import quote

import pytest

from billing.payers.directory import PayerDirectoryError, PayerHit
from sessions_app.api import payers
from tests.cast import Api, error_of


def found(answer: object) -> list[dict[str, str | None]]:
    assert answer.status_code == 200, answer.content
    return answer.json()["payers"]


def test_carriers_with_their_ids(api: Api) -> None:
    first = found(api.get("/payers/search", {"q": "aetna"}))[0]
    assert first == {"payerId": "60054", "payerName": "Aetna", "avatarUrl": first["avatarUrl"]}


@pytest.mark.parametrize(("text", "payer_id"), [("uhc", "87726"), ("cigna", "62308"), ("aetan", "60054")])
def test_the_payer_meant_is_among_the_first_three(api: Api, text: str, payer_id: str) -> None:
    assert payer_id in [hit["payerId"] for hit in found(api.get("/payers/search", {"q": text}))[:3]]


def test_at_most_twenty_five_and_each_id_once(api: Api) -> None:
    hits = found(api.get("/payers/search", {"q": "blue"}))
    assert 1 < len(hits) <= 25
    assert len({hit["payerId"] for hit in hits}) == len(hits)


def test_no_such_payer(api: Api) -> None:
    assert found(api.get("/payers/search", {"q": "zzzzqqqq"})) == []


@pytest.mark.parametrize(
    "query", ["", "?q=", "?q=a", "?q=%20a%20", "?q=%20%20", "?q=%00%00%00", "?q=ab%0Acd", "?Q=aetna"]
)
def test_missing_or_invalid(api: Api, query: str) -> None:
    assert "q: " in error_of(api.get(f"/payers/search{query}"), 400)


@pytest.mark.parametrize(
    "text",
    [
        "%%",
        "__",
        "a%",
        "100%",
        "\\\\",
        "'' OR 1=1 --",
        "😀😀",
        "é" * 50,
        "&|!():*",
        "<b>",
        "ab" * 2500,
        "a " * 2500,
        "\u202e\u200b",
        "ﬀﬀ",
        "aetna\u0301",
    ],
)
def test_hostile_text_is_plain_text(api: Api, text: str) -> None:
    assert api.get(f"/payers/search?q={quote(text)}").status_code == 200


def test_a_wildcard_finds_no_more_than_itself(api: Api) -> None:
    assert found(api.get("/payers/search", {"q": "%%"})) == []


def test_a_missing_picture_is_null(api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    hits = [PayerHit("1", "One", ""), PayerHit("2", "Two", "https://example.com/two.png")]
    monkeypatch.setattr(payers, "search", lambda text: hits)
    pictures = [hit["avatarUrl"] for hit in found(api.get("/payers/search", {"q": "any"}))]
    assert pictures == [None, "https://example.com/two.png"]


def test_a_directory_that_fails_is_a_500(api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(text: str) -> None:
        raise PayerDirectoryError("upstream said no")

    monkeypatch.setattr(payers, "search", fail)
    error_of(api.get("/payers/search", {"q": "aetna"}), 500)
