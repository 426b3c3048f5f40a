"""The plans of whatever statements run, as PostgreSQL itself tells them (its module auto_explain)."""

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import psycopg
import pytest
from django.db import DatabaseError, connection, transaction

SETTINGS = {
    "log_min_duration": "0",
    "log_analyze": "on",
    "log_timing": "off",
    "log_format": "json",
    "log_level": "notice",
}


PARTITION = re.compile(r"_(\d{4}_\d\d|default)$")


@dataclass
class Plans:
    """Every node of every plan that was seen."""

    nodes: list[dict[str, Any]] = field(default_factory=list)
    statements: int = 0

    def hear(self, diagnostic: psycopg.errors.Diagnostic) -> None:
        """Take a notice, if it is a plan."""
        _, mark, plan = (diagnostic.message_primary or "").partition("plan:\n")
        if mark:
            self.statements += 1
            self._take(json.loads(plan)["Plan"])

    def _take(self, node: dict[str, Any]) -> None:
        self.nodes.append(node)
        for below in node.get("Plans", ()):
            self._take(below)

    @property
    def indexes(self) -> set[str]:
        """The indexes that were used."""
        return {node["Index Name"] for node in self.nodes if "Index Name" in node}

    def whole_scans(self, tables: set[str]) -> set[str]:
        """Those of the tables that a statement read from end to end."""
        return {
            _table(node)
            for node in self.nodes
            if node["Node Type"] == "Seq Scan" and _table(node) in tables and node["Actual Loops"]
        }

    def partitions(self, table: str) -> set[str]:
        """The months of a table that a plan holds, whether or not it came to read them; `default` is one."""
        names = {node["Relation Name"] for node in self.nodes if _table(node) == table}
        return {name.removeprefix(f"{table}_") for name in names}

    def most_rows(self, tables: set[str]) -> int:
        """The most rows of one of the tables that one scan touched, kept or thrown away."""
        scans = [node for node in self.nodes if _table(node) in tables]
        return max((_touched(node) for node in scans), default=0)


@contextmanager
def explained() -> Iterator[Plans]:
    """The plans of what runs inside; skips the test where the server can't tell."""
    plans = Plans()
    connection.ensure_connection()
    try:
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute("LOAD 'auto_explain'")
            for name, value in SETTINGS.items():
                cursor.execute(f"SET auto_explain.{name} = '{value}'")
    except DatabaseError:
        pytest.skip("This PostgreSQL has no auto_explain, or the account may not load it.")
    live: Any = connection.connection
    live.add_notice_handler(plans.hear)
    try:
        yield plans
    finally:
        live.remove_notice_handler(plans.hear)
        with connection.cursor() as cursor:
            cursor.execute("SET auto_explain.log_min_duration = -1")


def _table(node: dict[str, Any]) -> str:
    """The table that the node reads, also where it reads one of its partitions."""
    return PARTITION.sub("", node.get("Relation Name", ""))


def _touched(node: dict[str, Any]) -> int:
    removed = node.get("Rows Removed by Filter", 0) + node.get("Rows Removed by Index Recheck", 0)
    return int((node["Actual Rows"] + removed) * max(node["Actual Loops"], 1))
