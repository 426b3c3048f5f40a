import csv
from pathlib import Path

import pytest
from django.db import connection
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from billing.models import Payer, PayerAlias
from billing.payers.catalog import record_carriers
from billing.payers.directory import search
from billing.payers.importing import ListedPayer, import_payers
from tests.billing.payer_queries import QUERIES

LISTED = Path(__file__).resolve().parents[3] / "shared" / "data" / "payers.csv"

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def carriers(db: None) -> None:
    """The payer table of our own, which another test's clean-up may have emptied."""
    record_carriers()


def found(query: str) -> list[str]:
    return [hit.payer_id for hit in search(query)]


@pytest.mark.parametrize(("query", "meant"), QUERIES, ids=[query for query, _ in QUERIES])
def test_the_payer_meant_is_among_the_first_three(query: str, meant: str):
    assert meant in found(query)[:3]


def test_the_payer_meant_is_among_the_first_three_of_five_thousand():
    if not LISTED.exists():
        pytest.skip(f"{LISTED.name} is not beside the checkout")
    with LISTED.open(newline="") as file:
        import_payers(ListedPayer(row["payer_id"], [row["payer_name"]]) for row in csv.DictReader(file))
    assert Payer.objects.count() > 5000
    assert [query for query, meant in QUERIES if meant not in found(query)[:3]] == []


@pytest.mark.parametrize(
    "query",
    [
        *("", " ", "%", "_", "%%", "a%", "😀", "\x00", "'", "\\", "':*", "aetna & | !", "(((", "--", "<->"),
        *("健康保険", "x" * 5000, "blue " * 1000, "a b c d e f g h i j k l m n o p q r s t u v w x y z"),
    ],
)
def test_any_text_is_plain_text(query: str):
    assert len(search(query)) <= 25


@pytest.mark.parametrize("query", ["%", "_", "__", "*", "?"])
def test_a_wildcard_is_no_wildcard(query: str):
    assert search(query) == []


@pytest.mark.parametrize("query", ["aetna😀", "\x00aetna", "aetna:*", "'aetna'", "aetna & !", "(aetna"])
def test_marks_around_a_name_do_not_hide_it(query: str):
    assert found(query)[0] == "60054"


@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(query=st.text(max_size=60))
def test_no_text_breaks_the_search(query: str):
    hits = search(query)
    assert len(hits) <= 25
    assert len({hit.payer_id for hit in hits}) == len(hits)


def test_a_broad_query_gives_25_payers_each_once():
    ids = found("bl")
    assert len(ids) == 25 == len(set(ids))


def test_nothing_like_it_gives_nothing():
    assert search("zzzzqqqq") == []


def test_a_hit_carries_id_name_and_picture():
    Payer.objects.filter(payer_id="60054").update(avatar_url="https://pictures.example/aetna.png")
    hit = search("aetna")[0]
    assert (hit.payer_id, hit.payer_name) == ("60054", "Aetna")
    assert hit.avatar_url == "https://pictures.example/aetna.png"
    assert search("cigna")[0].avatar_url is None


def test_an_alias_gives_the_carriers_name():
    assert search("Connecticut General")[0].payer_name == "Cigna"


@pytest.mark.parametrize("change", [{"active": False}, {"supports_professional_claims": False}])
def test_a_payer_that_takes_no_claims_is_not_found(change: dict[str, bool]):
    Payer.objects.filter(payer_id="60054").update(**change)
    assert "60054" not in found("Aetna")


def test_a_new_payer_is_found_at_once_misspelt_too():
    assert found("quokka") == []
    payer = Payer.objects.create(payer_id="QK001", name="Quokka Mutual")
    assert found("Quokka")[0] == found("qoukka mutual")[0] == "QK001"
    PayerAlias.objects.create(payer=payer, name="Setonix Health")
    assert found("setonix")[0] == found("setonxi helath")[0] == "QK001"


def test_a_renamed_payer_is_found_by_its_new_name():
    payer = Payer.objects.create(payer_id="QK001", name="Quokka Mutual")
    payer.name = "Numbat Mutual"
    payer.save(update_fields=["name"])
    assert found("numbat") == ["QK001"]
    assert found("quokka") == []


def test_a_well_written_query_costs_one_query(django_assert_num_queries):
    with django_assert_num_queries(1):
        search("blue cross blue shield of texas")


def test_a_misspelt_query_costs_four_at_most(django_assert_max_num_queries):
    search("warm atena up")
    with django_assert_max_num_queries(4):
        search("blue cros of texsa")


def test_the_words_of_names_are_indexed():
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL enable_seqscan = off")
        for table in ("billing_payer", "billing_payeralias"):
            cursor.execute(
                f"EXPLAIN SELECT 1 FROM {table} WHERE search_vector @@ to_tsquery('simple', '''aetna'':*')"
            )
            plan = "\n".join(row[0] for row in cursor.fetchall())
            assert "Bitmap Index Scan" in plan
