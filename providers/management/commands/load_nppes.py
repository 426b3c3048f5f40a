"""`load_nppes FILE`: what the NPI registry says of the NPIs that live partners bill under."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError
from django.utils import timezone

from billing.models import NpiRecord
from billing.nppes import RegistryFile, RegistryFileError, read_registry
from partners.commands import Answer, Exit, SupportCommand
from partners.models import Mode
from providers.models import Practice, Provider

MOST_LISTED = 20
SAID = ("found", "deactivated", "taxonomies", "source", "checked_on", "updated_at")


class Command(SupportCommand):
    help = (
        "Loads what the NPI registry (NPPES) says of live partners' NPIs: a dissemination file, full or "
        "weekly, under its published name, or an answer of the registry's API saved as .json. Rules PRV-007 "
        "and PRV-008 judge the NPIs that were loaded; one that a full file lacks counts as unknown to the "
        "registry. What is newer here than the file stays."
    )
    example = "load_nppes npidata_pfile_20050523-20260208.csv --dry-run"
    changes = True

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path)

    def answer(self, options: dict[str, Any]) -> Answer:
        ours = _our_npis()
        try:
            read = read_registry(options["file"], npis=ours, today=timezone.localdate())
        except RegistryFileError as error:
            raise CommandError(str(error)) from error
        rows = _records(read, ours=ours, source=options["file"].name)
        checked_later = NpiRecord.objects.filter(npi__in=rows, checked_on__gt=read.as_of)
        newer = set(checked_later.values_list("npi", flat=True))
        kept = [row for npi, row in rows.items() if npi not in newer]
        if not options["dry_run"]:
            NpiRecord.objects.bulk_create(
                kept, update_conflicts=True, unique_fields=["npi"], update_fields=SAID
            )
        missing = sorted(row.npi for row in kept if not row.found)
        off = sorted(row.npi for row in kept if row.deactivated)
        document = {
            "asOf": read.as_of.isoformat(),
            "npis": len(ours),
            "loaded": len(kept),
            "newerHere": len(newer),
            "notInRegistry": missing,
            "deactivated": off,
            "dryRun": options["dry_run"],
        }
        did = "Would be loaded" if options["dry_run"] else "Loaded"
        lines = [f"{did}: {len(kept)} of {len(ours)} NPIs as of {read.as_of}; {len(newer)} are newer here."]
        lines += _listed("Not in the registry (claims under it are held)", missing)
        lines += _listed("Switched off (claims under it are held)", off)
        return Answer(document, lines, exit=Exit.ATTENTION if missing or off else Exit.DONE)


def _our_npis() -> set[str]:
    """Under which live partners treat and bill; test organizations use invented ones."""
    treating = Provider.objects.filter(mode=Mode.LIVE).values_list("npi", flat=True)
    billing = Practice.objects.filter(partner__mode=Mode.LIVE).exclude(npi="").values_list("npi", flat=True)
    return {*treating, *billing}


def _records(read: RegistryFile, *, ours: set[str], source: str) -> dict[str, NpiRecord]:
    about = {"source": source[:100], "checked_on": read.as_of, "updated_at": timezone.now()}
    rows = {
        entry.npi: NpiRecord(
            npi=entry.npi, deactivated=entry.deactivated, taxonomies=list(entry.taxonomies), **about
        )
        for entry in read.entries
    }
    if read.complete:
        rows |= {npi: NpiRecord(npi=npi, found=False, **about) for npi in ours - rows.keys()}
    return rows


def _listed(what: str, npis: list[str]) -> list[str]:
    if not npis:
        return []
    more = f" and {len(npis) - MOST_LISTED} more" if len(npis) > MOST_LISTED else ""
    return [f"{what}: {', '.join(npis[:MOST_LISTED])}{more}."]
