"""Brings a list of payers into the directory: new ones are added, known ones learn further names."""

import csv
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from django.db import transaction

from billing.models import ClaimFilingCode, Payer, PayerAlias
from billing.payers.carriers import Carrier
from billing.payers.catalog import ALIAS_LENGTH, record_carriers
from billing.payers.classes import class_of_name
from billing.payers.names import MAXIMUM_NAME, fit_name, search_text, words_of

COLUMNS = ("payer_id", "payer_name", "aliases", "filing_code")
_PAYER_ID = re.compile(r"[!-~](?:[ -~]{0,78}[!-~])?")


class PayerListError(ValueError):
    """The list can't be imported; `problems` names each faulty line."""

    def __init__(self, problems: list[str]) -> None:
        super().__init__(
            "; ".join(problems[:10]) + (f"; and {len(problems) - 10} more" if problems[10:] else "")
        )
        self.problems = problems


@dataclass(slots=True)
class ListedPayer:
    """What a list says of one payer id, over all its lines."""

    payer_id: str
    names: list[str] = field(default_factory=list)
    """The first is the payer's name, the others are aliases."""
    filing_code: ClaimFilingCode | None = None


@dataclass(frozen=True, slots=True)
class ImportedPayers:
    """What an import did, or with a dry run would do."""

    created: int
    extended: int
    """Known payers that learnt an alias."""
    unchanged: int
    aliases: int
    shortened: int
    """Names over 60 characters, cut at a word; the whole name is kept as an alias."""


def read_payer_list(lines: Iterable[str]) -> list[ListedPayer]:
    """Read CSV with a header: payer_id, payer_name, and if there aliases (semicolons between), filing_code.

    Raises PayerListError with every faulty line.
    """
    reader = csv.DictReader(lines, strict=True)
    try:
        return _read(reader)
    except csv.Error as error:
        raise PayerListError(
            [f"line {reader.reader.line_num}: no CSV, look for a quotation mark: {error}"]
        ) from error


def _read(reader: "csv.DictReader[str]") -> list[ListedPayer]:
    header = reader.fieldnames or []
    if missing := {"payer_id", "payer_name"} - set(header):
        raise PayerListError([f"the header lacks {', '.join(sorted(missing))}"])
    if unknown := set(header) - set(COLUMNS):
        raise PayerListError([f"unknown column {', '.join(sorted(map(str, unknown)))}"])
    listed: dict[str, ListedPayer] = {}
    problems: list[str] = []
    for row in reader:
        payer_id, name = (row["payer_id"] or "").strip(), " ".join((row["payer_name"] or "").split())
        code = (row.get("filing_code") or "").strip().upper()
        if complaints := list(_complaints(row, payer_id=payer_id, name=name, code=code)):
            problems += [f"line {reader.line_num}: {complaint}" for complaint in complaints]
            continue
        payer = listed.setdefault(payer_id, ListedPayer(payer_id))
        aliases = (" ".join(alias.split()) for alias in (row.get("aliases") or "").split(";"))
        payer.names += [name, *(alias for alias in aliases if alias)]
        payer.filing_code = ClaimFilingCode(code) if code else payer.filing_code
    if problems:
        raise PayerListError(problems)
    return list(listed.values())


def import_payers(listed: Iterable[ListedPayer], *, dry_run: bool = False) -> ImportedPayers:
    """Add what the directory lacks, in one transaction. Names, profiles and switches of known payers stay."""
    listed = list(listed)
    with transaction.atomic():
        known = {payer.payer_id: payer for payer in Payer.objects.prefetch_related("aliases")}
        new = [_carrier(payer) for payer in listed if payer.payer_id not in known]
        extensions = {
            payer.payer_id: fresh
            for payer in listed
            if payer.payer_id in known and (fresh := _fresh_aliases(known[payer.payer_id], payer.names))
        }
        if not dry_run:
            record_carriers(new)
            PayerAlias.objects.bulk_create(alias for fresh in extensions.values() for alias in fresh)
            # A changed payer tells every process that its words have changed.
            for payer_id in extensions:
                known[payer_id].save(update_fields=["updated_at"])
    return ImportedPayers(
        created=len(new),
        extended=len(extensions),
        unchanged=len(listed) - len(new) - len(extensions),
        aliases=sum(map(len, extensions.values())) + sum(len(carrier.other_names()) for carrier in new),
        shortened=sum(len(payer.names[0]) > MAXIMUM_NAME for payer in listed if payer.payer_id not in known),
    )


def _complaints(row: dict[str, str | None], *, payer_id: str, name: str, code: str) -> Iterator[str]:
    if None in row:
        yield "more fields than the header has"
    if not _PAYER_ID.fullmatch(payer_id):
        yield "payer_id must be 1 to 80 ASCII characters"
    if not words_of(name):
        yield "payer_name is empty"
    if "\x00" in name or "\x00" in (row.get("aliases") or ""):
        yield "a name holds a NUL character"
    if code and code not in ClaimFilingCode.values:
        yield f"filing_code {code} is none of {', '.join(ClaimFilingCode.values)}"


def _carrier(payer: ListedPayer) -> Carrier:
    whole, *others = payer.names
    name = fit_name(whole)
    aliases = [alias for alias in (whole, *others) if search_text(alias) != search_text(name)]
    return Carrier(
        payer.payer_id,
        name,
        class_of_name(whole),
        aliases="; ".join(alias.replace(";", ",") for alias in aliases),
        prominence=0,
        filing_code=payer.filing_code,
    )


def _fresh_aliases(payer: Payer, names: Iterable[str]) -> list[PayerAlias]:
    read = {payer.search_text, *(alias.search_text for alias in payer.aliases.all())}
    fresh = {search_text(name): name[:ALIAS_LENGTH] for name in names}
    return [
        PayerAlias(payer=payer, name=name, search_text=words)
        for words, name in fresh.items()
        if words not in read
    ]
