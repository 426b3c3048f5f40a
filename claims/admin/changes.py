"""Who saw a session and who changed it: the view records, and what triggers wrote down, in one list."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from django.contrib.auth import get_user_model
from django.db.models import CharField, JSONField, Value
from django.db.models.functions import Cast, JSONObject

from claims.assignment import called
from claims.models import ViewRecord
from partners.keyring import decrypt
from sessions_app.models import Session, SessionChange, SessionCode, SessionCodeChange, StaffDeed
from sessions_app.submission import PATHS

MOST_READ = 20
FIELD_WORDS = {
    "patient_first_name": "first name",
    "patient_last_name": "last name",
    "patient_date_of_birth": "birth date",
    "patient_gender": "gender",
    "patient_street": "street",
    "patient_line2": "unit",
    "patient_city": "city",
    "patient_state": "state",
    "patient_zip": "ZIP",
    "member_id": "member ID",
    "payer_name": "payer",
    "payer_id": "payer ID",
    "group_number": "group number",
    "date_of_service": "date of service",
    "place_of_service": "place",
}


@dataclass(frozen=True, slots=True)
class SeenOrChanged:
    """One line: when, who, what they did, and for a change what it was and became."""

    at: datetime
    who: str
    did: str
    was: Sequence[tuple[str, str, str]] = field(default=(), repr=False)
    why: str = ""


def read_changes(session: Session, *, most: int = MOST_READ) -> list[SeenOrChanged]:
    """The newest views and changes of a session, the newest first; two or three queries."""
    seen = list(ViewRecord.objects.filter(session=session).select_related("user").order_by("-id")[:most])
    rows = _rows(session, most=most)
    names = {record.user_id: called(record.user) for record in seen}
    asked = {row["by"]["user"] for row in rows if row["by"] and row["by"].get("user")} - set(names)
    if asked:
        names |= {user.pk: called(user) for user in get_user_model().objects.filter(pk__in=asked)}
    lines = [SeenOrChanged(each.seen_at, names[each.user_id], _saw(each)) for each in seen]
    lines += _changed(session, rows, names)
    return sorted(lines, key=lambda each: each.at, reverse=True)[:most]


def last_change(session: Session) -> SeenOrChanged | None:
    """The newest change of a session, with who made it; None where nothing tells."""
    return next((each for each in read_changes(session) if each.did.startswith("changed")), None)


def _rows(session: Session, *, most: int) -> list[dict[str, Any]]:
    columns = {name: name for name in FIELD_WORDS}
    changes = SessionChange.objects.filter(pgh_obj=session.pk).annotate(
        what=Value("session", output_field=CharField()), row=JSONObject(version="version", **columns)
    )
    codes = SessionCodeChange.objects.filter(session=session.pk).annotate(
        what=Value("code", output_field=CharField()),
        row=JSONObject(kind="kind", code="code", modifier="modifier", units="units", source="source"),
    )
    shape = ("what", "pgh_created_at", "pgh_label", "by", "row", "pgh_id")
    both = (
        each.annotate(by=Cast("pgh_context", JSONField())).values_list(*shape).order_by()
        for each in (changes, codes)
    )
    first, second = both
    found = first.union(second, all=True).order_by("-pgh_created_at", "-pgh_id")[: most * 3]
    return [dict(zip(("what", "at", "label", "by", "row", "id"), row, strict=True)) for row in found]


def _changed(
    session: Session, rows: Sequence[Mapping[str, Any]], names: Mapping[int, str]
) -> list[SeenOrChanged]:
    """Each change against what followed it: the next change's row, or the session of now."""
    after = {name: _plain(getattr(session, name)) for name in FIELD_WORDS}
    lines = []
    codes_at: dict[datetime, list[Mapping[str, Any]]] = {}
    for row in rows:
        if row["what"] == "code":
            codes_at.setdefault(row["at"], []).append(row)
    told: set[datetime] = set()
    for row in rows:
        if row["what"] != "session":
            continue
        if row["label"] in StaffDeed.values:
            lines.append(_line(row, names, StaffDeed(row["label"]).label))
            continue
        before = {name: _stored(name, row["row"][name]) for name in FIELD_WORDS}
        was = [
            (FIELD_WORDS[name], before[name] or "none", after[name] or "none")
            for name in PATHS
            if before[name] != after[name]
        ]
        was += _codes_moved(codes_at.get(row["at"], ()))
        told.add(row["at"])
        lines.append(_line(row, names, _changed_words(was), was))
        after = before
    for at, moved in codes_at.items():
        by_people = [each for each in moved if each["by"]]
        if at not in told and by_people:
            was = _codes_moved(moved)
            lines.append(_line(by_people[0], names, _changed_words(was), was))
    return lines


def _codes_moved(rows: Sequence[Mapping[str, Any]]) -> list[tuple[str, str, str]]:
    moved = []
    for kind in SessionCode.Kind:
        of_kind = [each for each in rows if each["row"]["kind"] == kind]
        if of_kind:
            gone = [_code(each) for each in of_kind if each["label"] != "insert"]
            come = [_code(each) for each in of_kind if each["label"] == "insert"]
            moved.append(
                (f"{kind.label.lower()} codes", ", ".join(gone) or "none", ", ".join(come) or "none")
            )
    return moved


def _changed_words(was: Sequence[tuple[str, str, str]]) -> str:
    return f"changed {', '.join(name for name, _, _ in was) or 'it'}"


def _line(
    row: Mapping[str, Any], names: Mapping[int, str], did: str, was: Sequence[tuple[str, str, str]] = ()
) -> SeenOrChanged:
    by = row["by"] or {}
    who = names.get(by.get("user", 0), "") or ("Somebody" if by else "The partner")
    return SeenOrChanged(row["at"], who, did, was, str(by.get("why", "")))


def _code(row: Mapping[str, Any]) -> str:
    return SessionCode.in_words(*(row["row"][name] for name in ("code", "modifier", "units")))


def _saw(record: ViewRecord) -> str:
    verb = "took" if record.what == ViewRecord.What.EXPORT else "opened"
    return f"{verb} {record.get_what_display()}"


def _stored(name: str, value: Any) -> str:
    """A column as the trigger kept it; an encrypted one comes as hexadecimal digits."""
    if name == "member_id" and isinstance(value, str) and value.startswith("\\x"):
        return decrypt(bytes.fromhex(value[2:])).decode()
    return "" if value is None else str(value)


def _plain(value: Any) -> str:
    return "" if value is None else str(value)
