"""`keep_months`: tables by month have the coming months, nothing astray, and no empty past."""

from argparse import ArgumentParser
from typing import Any

from partners import months
from partners.commands import Answer, Exit, SupportCommand


class Command(SupportCommand):
    help = (
        "Make the coming months of the tables that lie in partitions by month, move rows that went to a "
        "default partition into their month, and drop past months that are empty. Beat does this every hour, "
        "and each release once."
    )
    example = "keep_months --dry-run"
    changes = True

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--however-many",
            action="store_true",
            help=f"move rows also where a month has more than {months.MOST_MOVED:,} of them: "
            "sessions are not written meanwhile",
        )

    def answer(self, options: dict[str, Any]) -> Answer:
        if options["dry_run"]:
            return _as_it_is()
        outcomes = months.keep(however_many=options["however_many"])
        lines = [
            f"{each.table}: {len(each.made)} months made, {each.moved:,} rows moved, "
            f"{len(each.dropped)} months dropped"
            + "".join(f"; {month:%Y-%m} is left, {why}" for month, why in each.left.items())
            for each in outcomes
        ]
        left = any(each.left for each in outcomes)
        document = [
            {
                "table": each.table,
                "made": each.made,
                "moved": each.moved,
                "dropped": each.dropped,
                "left": {f"{month:%Y-%m}": why for month, why in each.left.items()},
            }
            for each in outcomes
        ]
        return Answer(document, lines, exit=Exit.ATTENTION if left else Exit.DONE)


def _as_it_is() -> Answer:
    tables = months.tables()
    return Answer(
        [
            {"table": each.name, "missing": each.missing, "astray": sum(each.astray.values())}
            for each in tables
        ],
        [
            f"{each.name}: {len(each.missing)} months would be made, "
            f"{sum(each.astray.values()):,} rows lie in the default partition"
            for each in tables
        ],
    )
