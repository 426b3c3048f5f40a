import json
from io import BytesIO, StringIO, TextIOWrapper
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from billing.models import ClaimFilingCode, Payer, PayerAlias, PayerClass, PayerProfile
from billing.payers.classes import class_of_name
from billing.payers.directory import search
from billing.payers.importing import PayerListError, read_payer_list


def listing(folder: Path, *lines: str) -> str:
    path = folder / "payers.csv"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return str(path)


def run(*arguments: str) -> dict[str, object]:
    output = StringIO()
    call_command("import_payers", *arguments, "--json", stdout=output)
    return json.loads(output.getvalue())


@pytest.mark.django_db
def test_new_payers_come_with_aliases_and_profile(tmp_path):
    path = listing(
        tmp_path,
        "payer_id,payer_name,aliases,filing_code",
        "00777,Numbat Mutual,NBT; Numbat Life,12",
        "QK001,Quokka Blue Cross,,",
    )
    assert run(path) == {
        "created": 2,
        "extended": 0,
        "unchanged": 0,
        "aliases": 2,
        "shortened": 0,
        "dryRun": False,
    }
    assert search("NBT")[0].payer_id == "00777"
    assert (
        PayerProfile.objects.get(payer__payer_id="00777").claim_filing_code
        == ClaimFilingCode.PREFERRED_PROVIDER
    )
    quokka = PayerProfile.objects.get(payer__payer_id="QK001")
    assert (quokka.payer_class, quokka.claim_filing_code) == (PayerClass.BLUE, ClaimFilingCode.BLUE)


@pytest.mark.django_db
def test_several_lines_of_one_id_are_one_payer_with_several_names(tmp_path):
    path = listing(
        tmp_path,
        "payer_id,payer_name",
        "00777,Numbat Mutual",
        "00777,Banded Anteater Health",
        "00777,NUMBAT MUTUAL",
    )
    assert run(path)["created"] == 1
    assert Payer.objects.get(payer_id="00777").name == "Numbat Mutual"
    assert [alias.name for alias in PayerAlias.objects.filter(payer__payer_id="00777")] == [
        "Banded Anteater Health"
    ]


@pytest.mark.django_db
def test_a_known_payer_keeps_its_name_and_learns_the_other(tmp_path):
    Payer.objects.create(payer_id="00777", name="Numbat Mutual")
    path = listing(tmp_path, "payer_id,payer_name", "00777,Numbat Gold PPO")
    assert run(path)["extended"] == 1
    assert search("numbat gold")[0].payer_name == "Numbat Mutual"


@pytest.mark.django_db
def test_importing_again_changes_nothing(tmp_path):
    path = listing(tmp_path, "payer_id,payer_name", "00777,Numbat Mutual", "00777,Banded Anteater Health")
    run(path)
    assert run(path) | {"dryRun": None} == {
        "created": 0,
        "extended": 0,
        "unchanged": 1,
        "aliases": 0,
        "shortened": 0,
        "dryRun": None,
    }


@pytest.mark.django_db
def test_a_dry_run_says_what_it_would_do_and_writes_nothing(tmp_path):
    path = listing(tmp_path, "payer_id,payer_name", "00777,Numbat Mutual")
    result = run(path, "--dry-run")
    assert (result["created"], result["dryRun"]) == (1, True)
    assert not Payer.objects.filter(payer_id="00777").exists()


@pytest.mark.django_db
def test_a_name_over_60_characters_is_cut_at_a_word_and_kept_whole_as_an_alias(tmp_path):
    name = "Numbat Mutual Health Insurance Society of the Southern Woodlands and Islands"
    assert run(listing(tmp_path, "payer_id,payer_name", f"00777,{name}"))["shortened"] == 1
    payer = Payer.objects.get(payer_id="00777")
    assert payer.name == "Numbat Mutual Health Insurance Society of the Southern"
    assert payer.aliases.get().name == name


@pytest.mark.django_db
def test_one_faulty_line_stops_all_and_every_one_is_named(tmp_path):
    path = listing(
        tmp_path,
        "payer_id,payer_name,filing_code",
        "00777,Numbat Mutual,CI",
        ",Nameless,CI",
        "00778,,CI",
        "00779,Quokka,QQ",
        "00780,Wombat,CI,more",
    )
    with pytest.raises(CommandError) as error:
        run(path)
    for line, words in ((3, "payer_id"), (4, "payer_name"), (5, "filing_code QQ"), (6, "more fields")):
        assert f"line {line}: {words}" in str(error.value)
    assert not Payer.objects.filter(payer_id="00777").exists()


@pytest.mark.parametrize(
    ("header", "words"),
    [("id,name", "lacks payer_id, payer_name"), ("payer_id,payer_name,colour", "unknown column colour")],
)
def test_a_header_that_does_not_fit_is_refused(header: str, words: str):
    with pytest.raises(PayerListError, match=words):
        read_payer_list([header, "1,2,3"])


@pytest.mark.parametrize(
    ("lines", "line"),
    [
        (["payer_id,payer_name", f"00777,{'x' * 140_000}"], 2),
        ([f"payer_id,{'x' * 140_000}"], 1),
    ],
)
def test_a_cell_that_never_ends_is_told_by_its_line(lines: list[str], line: int):
    with pytest.raises(PayerListError, match=rf"line {line}: .*field larger than field limit"):
        read_payer_list(lines)


@pytest.mark.django_db
def test_another_encoding_on_standard_input_is_refused_in_words(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("sys.stdin", TextIOWrapper(BytesIO(b"payer_id,payer_name\n00777,Caf\xe9\n")))
    with pytest.raises(CommandError, match="Standard input is not UTF-8"):
        run("-")


@pytest.mark.django_db
def test_a_quotation_mark_that_is_left_open_takes_no_payer_with_it():
    lines = ["payer_id,payer_name\n", '00777,"Numbat Mutual\n', "QK001,Quokka Blue Cross\n"]
    with pytest.raises(PayerListError, match="quotation mark"):
        read_payer_list(lines)


def test_a_missing_file_and_another_encoding_are_refused_in_words(tmp_path):
    with pytest.raises(CommandError, match="can't be read"):
        run(str(tmp_path / "none.csv"))
    path = tmp_path / "latin.csv"
    path.write_bytes("payer_id,payer_name\n1,Santé\n".encode("latin-1"))
    with pytest.raises(CommandError, match="not UTF-8"):
        run(str(path))


@pytest.mark.parametrize(
    ("name", "payer_class"),
    [
        ("BCBS of Numbatland", PayerClass.BLUE),
        ("Numbatland Medicaid", PayerClass.MEDICAID),
        ("Medicare Part B Texas", PayerClass.MEDICARE),
        ("Noridian Medicare", PayerClass.MEDICARE),
        ("Numbat Medicare Advantage", PayerClass.MEDICARE_ADVANTAGE),
        ("Numbat Medicare Supplement", PayerClass.COMMERCIAL),
        ("Original Medicare", PayerClass.MEDICARE),
        ("Texas Medicare Part B", PayerClass.MEDICARE),
        ("CA Medicare North", PayerClass.MEDICARE),
        ("Medicare Nebraska", PayerClass.MEDICARE),
        ("Medicare Complete Numbat", PayerClass.MEDICARE_ADVANTAGE),
        ("Numbat MedicareComplete", PayerClass.MEDICARE_ADVANTAGE),
        ("Medicare Plus Blue", PayerClass.MEDICARE_ADVANTAGE),
        ("Numbat Medicare", PayerClass.MEDICARE_ADVANTAGE),
        ("BCBS of Texas Medicare Advantage", PayerClass.MEDICARE_ADVANTAGE),
        ("BCBS of Texas Medicare Supplement", PayerClass.BLUE),
        ("Highmark of Pennsylvania", PayerClass.BLUE),
        ("Federal Employee Program", PayerClass.FEDERAL_EMPLOYEES),
        ("BCBS FEP", PayerClass.FEDERAL_EMPLOYEES),
        ("Medi-Cal", PayerClass.MEDICAID),
        ("TennCare", PayerClass.MEDICAID),
        ("VA Community Care Network", PayerClass.VETERANS),
        ("TRICARE East", PayerClass.TRICARE),
        ("CHAMPVA", PayerClass.VETERANS),
        ("Kaiser Numbatland", PayerClass.HMO),
        ("Numbat Mutual", PayerClass.COMMERCIAL),
    ],
)
def test_a_name_gives_away_its_class(name: str, payer_class: PayerClass):
    assert class_of_name(name) is payer_class
