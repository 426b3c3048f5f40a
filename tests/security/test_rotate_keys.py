"""`rotate_keys`: everything under the new key, still readable and findable, and the old key can go."""

import base64
import io
import json

import pytest
from django.conf import settings as project
from django.core.management import call_command
from django.core.management.base import SystemCheckError
from django.db import connection

from claims.models import ClaimSignal
from partners.checks import stored_values_can_be_read
from partners.keyring import blind_index
from partners.rotation import encrypted_columns, reencrypt
from sessions_app.models import Session, SessionChange, SessionNote
from tests.cast import REMOVED, Api
from tests.operations import running

pytestmark = pytest.mark.django_db
NEW = "new:" + base64.b64encode(b"n" * 32).decode()


def run(*arguments: str) -> dict:
    output = io.StringIO()
    call_command("rotate_keys", "--json", *arguments, stdout=output)
    return json.loads(output.getvalue())


def raw(table: str, column: str) -> bytes:
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT {column} FROM {table}")
        return bytes(cursor.fetchone()[0])


@pytest.fixture
def session_id(api: Api) -> str:
    """A session with a note, written under the key of development."""
    note = "Patient reports worry on most days."
    return api.onboarded().submitted(session__diagnosisCodes=REMOVED, session__noteText=note)


def test_every_value_moves_and_the_old_key_can_go(session_id: str, settings) -> None:
    settings.FIELD_KEYS = f"{NEW},{project.FIELD_KEYS}"
    outcome = run()
    assert outcome["reencrypted"] == outcome["old"] >= 2
    settings.FIELD_KEYS = NEW
    session = Session.objects.get(pk=session_id)
    assert session.member_id == "W123456789"
    assert bytes(session.member_id_index) == blind_index("W123456789")
    assert SessionNote.objects.get().text == "Patient reports worry on most days."
    assert run()["old"] == 0


def test_the_words_of_an_answer_move_and_an_answer_without_stays_so(settings) -> None:
    for number, words in enumerate(("MEMBER ID NOT ON FILE", None)):
        ClaimSignal.objects.create(natural_key=f"277CA|{number}", kind="277CA", payload={}, words=words)
    settings.FIELD_KEYS = f"{NEW},{project.FIELD_KEYS}"
    run()
    settings.FIELD_KEYS = NEW
    kept = ClaimSignal.objects.order_by("id").values_list("words", flat=True)
    assert list(kept) == ["MEMBER ID NOT ON FILE", None]


def test_a_dry_run_changes_nothing(session_id: str, settings) -> None:
    settings.FIELD_KEYS = f"{NEW},{project.FIELD_KEYS}"
    before = raw("sessions_app_session", "member_id")
    outcome = run("--dry-run")
    assert outcome["old"] >= 2
    assert outcome["reencrypted"] == 0
    assert raw("sessions_app_session", "member_id") == before


def test_history_is_not_told_of_it(session_id: str, settings) -> None:
    settings.FIELD_KEYS = f"{NEW},{project.FIELD_KEYS}"
    run()
    assert SessionChange.objects.filter(pgh_obj=session_id).count() == 0
    Session.objects.filter(pk=session_id).update(patient_city="Dallas")
    assert SessionChange.objects.filter(pgh_obj=session_id).count() == 1


def test_a_value_that_was_changed_meanwhile_is_left_as_it_is(session_id: str, settings, monkeypatch) -> None:
    settings.FIELD_KEYS = f"{NEW},{project.FIELD_KEYS}"
    column = next(
        each
        for each in encrypted_columns({})
        if each.column == "member_id" and each.table == "sessions_app_session"
    )

    def decrypt_late(stored: bytes) -> bytes:
        Session.objects.filter(pk=session_id).update(member_id="CHANGED1")
        return b"W123456789"

    monkeypatch.setattr("partners.rotation.decrypt", decrypt_late)
    assert list(reencrypt(column)) == [0]
    assert Session.objects.get(pk=session_id).member_id == "CHANGED1"


def test_many_batches_come_to_an_end(session_id: str, api: Api, settings, monkeypatch) -> None:
    for _ in range(4):
        api.submitted()
    monkeypatch.setattr("partners.rotation.BATCH", 2)
    settings.FIELD_KEYS = f"{NEW},{project.FIELD_KEYS}"
    assert run()["old"] == 6
    assert run()["old"] == 0


def test_every_encrypted_kind_of_data_is_covered() -> None:
    covered = {(column.table, column.column) for column in encrypted_columns({})}
    assert covered >= {
        ("sessions_app_session", "member_id"),
        ("sessions_app_sessionchange", "member_id"),
        ("sessions_app_sessionnote", "text"),
        ("sessions_app_sessionnote", "coding"),
        ("claims_claim", "snapshot"),
        ("claims_transmission", "content"),
        ("claims_transmission", "answer"),
        ("claims_rawfile", "content"),
        ("claims_sandboxsubmission", "content"),
        ("claims_sandboxanswer", "content"),
        ("claims_claimsignal", "words"),
    }


@pytest.mark.parametrize("words", [("--dry-run",), ()])
def test_a_key_that_is_gone_is_named_and_nothing_is_moved(
    session_id: str, settings, words: tuple[str, ...]
) -> None:
    settings.FIELD_KEYS = NEW
    before = raw("sessions_app_session", "member_id")
    said = running.run("rotate_keys", *words)
    assert said.code == 1
    assert "'dev'" in said.text
    assert "Put the old key back behind the current one." in said.text
    assert raw("sessions_app_session", "member_id") == before


def test_the_doctor_misses_a_key_that_is_gone(session_id: str, settings) -> None:
    settings.FIELD_KEYS = NEW
    lines = {line["check"]: line for line in running.result("doctor").document}
    assert lines["field keys"]["state"] == "fail"
    assert "dev" in lines["field keys"]["words"]
    assert lines["field keys"]["remedy"] == "Put the old key back behind the current one."


def test_the_doctor_finds_another_key_under_the_id_of_one(session_id: str, settings) -> None:
    settings.FIELD_KEYS = NEW.replace("new:", "dev:")
    lines = {line["check"]: line for line in running.result("doctor").document}
    assert lines["field keys"]["state"] == "fail"
    assert "'dev'" in lines["field keys"]["words"]


def test_a_release_ends_where_a_key_took_the_id_of_another(session_id: str, settings) -> None:
    assert stored_values_can_be_read(None, databases=["default"]) == []
    settings.FIELD_KEYS = NEW.replace("new:", "dev:")
    with pytest.raises(SystemCheckError, match="'dev'"):
        call_command("migrate", verbosity=0, skip_checks=False)


def test_a_release_whose_column_is_yet_to_come_goes_on(session_id: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute("ALTER TABLE sessions_app_sessionnote RENAME coding TO coding_of_before")
    assert stored_values_can_be_read(None, databases=["default"]) == []


@pytest.mark.parametrize("name", ["explain_session", "show_session", "claim_edi"])
def test_a_value_that_can_not_be_read_is_one_sentence(session_id: str, settings, name: str) -> None:
    settings.FIELD_KEYS = NEW
    said = running.run(name, session_id)
    assert (said.code, "Key 'dev' is not in the ring." in said.text) == (1, True)
