import pytest

from billing.models import Payer, PayerAlias
from billing.payers.catalog import record_carriers
from billing.payers.directory import match_payer
from billing.rules.facts import PayerMatchOutcome

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def carriers(db: None) -> None:
    """The payer table of our own, which another test's clean-up may have emptied."""
    record_carriers()


@pytest.mark.parametrize(
    ("sent", "known"),
    [
        ("60054", "60054"),
        ("00510", "00510"),
        ("510", "00510"),
        ("0510", "00510"),
        ("sx107", "SX107"),
        (" 60054 ", "60054"),
    ],
)
def test_an_id_is_known_with_its_case_and_leading_zeros_aside(sent: str, known: str):
    match = match_payer("whatever stands here", payer_id=sent)
    assert (match.outcome, match.payer_id) == (PayerMatchOutcome.EXACT, known)


def test_an_id_that_is_known_brings_the_carriers_name():
    assert match_payer("aetna ppo", payer_id="60054").payer_name == "Aetna"


def test_a_name_that_is_another_payers_comes_with_that_payer():
    match = match_payer("cigna", payer_id="60054")
    assert (match.outcome, match.payer_name) == (PayerMatchOutcome.EXACT, "Aetna")
    assert [candidate.payer_id for candidate in match.candidates] == ["62308"]


@pytest.mark.parametrize("name", ["Aetna", "AETNA, Inc.", "aetna ppo", "Cigna or so", "", "Optum"])
def test_a_name_of_the_ids_own_payer_or_of_nobody_brings_no_other(name: str):
    payer_id = "87726" if name == "Optum" else "60054"
    assert match_payer(name, payer_id=payer_id).candidates == ()


@pytest.mark.parametrize("payer_id", ["99999", "0", "😀", "6005", "\x00"])
def test_an_unknown_id_is_unknown_and_the_name_gives_candidates(payer_id: str):
    match = match_payer("Aetna", payer_id=payer_id)
    assert (match.outcome, match.payer_id) == (PayerMatchOutcome.UNKNOWN, None)
    assert [candidate.payer_id for candidate in match.candidates] == ["60054"]


def test_name_and_id_in_each_others_place_give_the_payer_as_candidate():
    match = match_payer("60054", payer_id="Aetna")
    assert match.outcome is PayerMatchOutcome.UNKNOWN
    assert [candidate.payer_id for candidate in match.candidates] == ["60054"]


def test_two_ids_that_differ_in_zeros_alone_are_not_guessed():
    Payer.objects.create(payer_id="0077", name="One")
    Payer.objects.create(payer_id="00077", name="Other")
    assert match_payer("x", payer_id="77").outcome is PayerMatchOutcome.UNKNOWN
    assert match_payer("x", payer_id="0077").payer_id == "0077"


@pytest.mark.parametrize(
    ("name", "payer_id"),
    [
        ("Aetna", "60054"),
        ("AETNA, Inc.", "60054"),
        ("BCBS of Texas", "84980"),
        ("Blue Cross and Blue Shield of Texas", "84980"),
        ("UHC", "87726"),
        ("Beacon Health Options", "BHOVO"),
    ],
)
def test_a_name_or_alias_of_one_payer_alone_is_exact(name: str, payer_id: str):
    match = match_payer(name)
    assert (match.outcome, match.payer_id) == (PayerMatchOutcome.EXACT, payer_id)


def test_a_name_that_two_payers_share_gives_both():
    first = Payer.objects.create(payer_id="QK001", name="Quokka Mutual")
    second = Payer.objects.create(payer_id="QK002", name="Wombat Life")
    PayerAlias.objects.create(payer=second, name="Quokka Mutual")
    match = match_payer("quokka mutual")
    assert match.outcome is PayerMatchOutcome.CANDIDATES
    assert [candidate.payer_id for candidate in match.candidates] == [first.payer_id, second.payer_id]


@pytest.mark.parametrize(
    "name", ["Anthem", "Blue Cross", "Regence", "Highmark", "Kaiser Permanente", "Medicare", "Optum"]
)
def test_a_brand_of_many_carriers_is_never_guessed(name: str):
    match = match_payer(name)
    assert (match.outcome, match.payer_id) == (PayerMatchOutcome.CANDIDATES, None)
    assert 1 < len(match.candidates) <= 5


def test_a_misspelt_name_gives_candidates_and_fills_nothing():
    match = match_payer("Atena")
    assert (match.outcome, match.payer_id) == (PayerMatchOutcome.CANDIDATES, None)
    assert match.candidates[0].payer_id == "60054"


@pytest.mark.parametrize("name", ["", "!!!", "Zzyzx Assurance of Nowhere"])
def test_a_name_like_no_other_is_unknown(name: str):
    match = match_payer(name)
    assert (match.outcome, match.candidates) == (PayerMatchOutcome.UNKNOWN, ())


def test_an_inactive_payer_is_unknown():
    Payer.objects.filter(payer_id="60054").update(active=False)
    assert match_payer("x", payer_id="60054").outcome is PayerMatchOutcome.UNKNOWN
    assert match_payer("Aetna").outcome is not PayerMatchOutcome.EXACT
