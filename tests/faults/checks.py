"""What must hold, whatever happened: the partners' ledger against what is stored and what was taken."""

import time
from collections import defaultdict
from typing import Any

from tests.faults.partner import Partners, Told
from tests.faults.stage import Stage

PICKED_UP_WITHIN = 10.0
"""Seconds in which the clearinghouse takes what lies in its folder; long, for busy machines."""


def compare(stage: Stage, partners: Partners, *, at_rest: bool) -> tuple[list[str], list[str], list[str]]:
    """What was lost, what was doubled, and what else is not as it must be.

    `at_rest`: the load has ended, so that every session must also stand where its story ends.
    """
    pages, known = list(partners.ledger), [told for told in partners.ledger if told.state == "stored"]
    journal = stage.clearinghouse("journal")
    found = stage.audit(at_rest=at_rest)
    rows = {row["external_id"]: row for row in found["sessions"]}
    lost = [
        f"{told.external_id} was answered 201 and is not there"
        for told in known
        if rows.get(told.external_id, {}).get("session_id") != told.session_id
    ]
    wrong = list(found["problems"]) + list(partners.complaints)
    for told in pages:
        row = rows.get(told.external_id)
        if told.state in ("refused", "failed") and row:
            wrong.append(f"{told.external_id} was answered {told.answers[-1]} and is there")
        if at_rest and told.state == "stored" and row:
            wrong += _end_of(told, row)
    doubled = _doubled(journal)
    wrong += _not_as_promised(rows, journal, pages)
    wrong += [
        f"{external_id} is taken for sent, and the clearinghouse never got it"
        for external_id in _never_arrived(rows, stage)
    ]
    return lost, doubled, wrong


def _never_arrived(rows: dict[str, dict[str, Any]], stage: Stage) -> list[str]:
    """Sessions taken for sent that the clearinghouse doesn't know once it has picked up everything."""
    sent = {
        row["number"]: row["external_id"]
        for row in rows.values()
        if row["gateway"] in ("stedi", "sftp") and row["step"] == "follow"
    }
    deadline = time.monotonic() + PICKED_UP_WITHIN
    while True:
        arrived = {entry["patient_control_number"] for entry in stage.clearinghouse("journal")}
        missing = sorted(sent.keys() - arrived)
        if not missing or time.monotonic() > deadline:
            return [sent[number] for number in missing]
        time.sleep(0.1)


def unfinished(stage: Stage, partners: Partners) -> list[str]:
    """Sessions that are not where their story ends."""
    rows = {row["external_id"]: row for row in stage.audit()["sessions"]}
    return [
        f"{told.external_id}: {rows[told.external_id]}"
        for told in partners.ledger
        if told.state == "stored" and told.external_id in rows and _end_of(told, rows[told.external_id])
    ]


def _end_of(told: Told, row: dict[str, Any]) -> list[str]:
    place = "held" if told.expected == "processing" else "follow"
    if (row["session_status"], row["step"]) == (told.expected, place):
        return []
    return [f"{told.external_id} should be {told.expected} and is {row}"]


def _doubled(journal: list[dict[str, Any]]) -> list[str]:
    """Each claim version reached a payer once, and no number stands for two contents."""
    deliveries: dict[str, list[dict[str, Any]]] = defaultdict(list)
    contents: dict[tuple[str, str], set[str]] = defaultdict(set)
    for entry in journal:
        deliveries[entry["patient_control_number"]].append(entry)
        contents[entry["gateway"], entry["key"]].add(entry["digest"])
    doubled = [f"claim {number} came {len(got)} times" for number, got in deliveries.items() if len(got) > 1]
    return doubled + [f"{key} came with two contents" for key, got in contents.items() if len(got) > 1]


def _not_as_promised(
    rows: dict[str, dict[str, Any]], journal: list[dict[str, Any]], pages: list[Told]
) -> list[str]:
    """What was sent says what the last 200 promised."""
    by_number = {row["number"]: row for row in rows.values() if row["number"]}
    taken = {entry["patient_control_number"]: entry for entry in journal}
    told_by_id = {told.external_id: told for told in pages}
    wrong = []
    for number, entry in taken.items():
        row = by_number.get(number)
        if row is None:
            wrong.append(f"the clearinghouse has a claim {number} of which we know nothing")
            continue
        told = told_by_id[row["external_id"]]
        promised = {name.upper() for name in told.may_be_named}
        if told.state == "stored" and promised and entry["first_name"].upper() not in promised:
            wrong.append(f"{told.external_id} went out as {entry['first_name']}, promised was {promised}")
        if entry["member_id"].upper() != told.body["patient"]["insurance"]["memberId"].upper():
            wrong.append(f"{told.external_id} went out with another member ID")
        if row["first_name"].upper() != entry["first_name"].upper():
            wrong.append(
                f"{told.external_id} is stored as {row['first_name']}, sent as {entry['first_name']}"
            )
    return wrong
