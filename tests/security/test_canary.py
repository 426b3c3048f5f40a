"""Marked patients, notes and keys go through every path, errors included; nothing written shows a mark.

What is searched: log records and their exceptions, standard error, Sentry's events, task messages, Redis,
the metrics, the headers of answers, and the whole database for notes and member IDs in plain.
"""

import io
import json
import logging
from datetime import timedelta

import pytest
import redis
import sentry_sdk
from celery import current_app
from django.conf import settings as project
from django.contrib.auth.models import User
from django.core.management import call_command
from django.db import DatabaseError, OperationalError, connection
from django.test import Client
from django.urls import reverse
from prometheus_client import REGISTRY, generate_latest
from sentry_sdk.envelope import Envelope
from sentry_sdk.transport import Transport

from claims import inbound, pipeline
from claims.clearinghouse.port import InboundFile as Fetched
from claims.models import Claim, InboundFile
from config import error_reports
from providers.sample_charges import load_sample_charges
from tests.cast import REMOVED, Api, onboarding, partner_api, submission
from tests.claims.process import run_until_quiet
from tests.claims.test_inbound import payer_acknowledgement

pytestmark = pytest.mark.django_db
MARKS = {
    "first name": "Canarina",
    "last name": "Kestrelmark",
    "member ID": "PAIDCNRY77",
    "note": "zebrafinch",
    "street": "Budgerigar",
    "group": "GOLDFINCH9",
    "birth date": "1961-07-23",
}
NOTE = "Subjective: zebrafinch worries most days. Assessment: Generalized anxiety disorder. 53 minutes."


class Kept(Transport):
    """What Sentry would have sent."""

    def __init__(self) -> None:
        super().__init__()
        self.sent: list[str] = []

    def capture_envelope(self, envelope: Envelope) -> None:
        self.sent.append(envelope.serialize().decode("utf-8", "replace"))


@pytest.fixture
def sentry(monkeypatch: pytest.MonkeyPatch) -> Kept:
    """Sentry as in production, with its post box in our hands."""
    kept, init = Kept(), sentry_sdk.init
    before = sentry_sdk.get_client()
    monkeypatch.setattr(sentry_sdk, "init", lambda **options: init(**options, transport=kept))
    error_reports.start("https://key@sentry.example/1", environment="test")
    yield kept
    sentry_sdk.get_client().close()
    sentry_sdk.get_global_scope().set_client(before)


@pytest.fixture
def tasks(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Every task message as it would be sent."""
    sent: list[str] = []

    def send(name: str, args: object = None, kwargs: object = None, **options: object) -> None:
        sent.append(repr((name, args, kwargs, options)))

    monkeypatch.setattr(current_app, "send_task", send)
    monkeypatch.setattr(
        "celery.app.task.Task.apply_async", lambda self, args=None, **rest: send(self.name, args, rest)
    )
    return sent


@pytest.fixture
def written(caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture) -> object:
    """Logs with their exceptions, and standard output and error, until it is called."""
    caplog.set_level(logging.DEBUG)

    def read() -> str:
        out, err = capfd.readouterr()
        formatter = logging.Formatter("%(message)s %(exc_text)s")
        return "\n".join(
            [
                out,
                err,
                caplog.text,
                *(formatter.format(record) + repr(record.args) for record in caplog.records),
            ]
        )

    return read


@pytest.fixture
def client(release: object, settings: object) -> Api:
    settings.SANDBOX_SPEED = 1e9
    load_sample_charges()
    return partner_api("Aviary", submission_delay=timedelta()).onboarded()


def marked(**changes: object) -> dict:
    return submission(
        **{
            "patient__firstName": MARKS["first name"],
            "patient__lastName": MARKS["last name"],
            "patient__dateOfBirth": MARKS["birth date"],
            "patient__address__street": f"9 {MARKS['street']} Row",
            "patient__insurance__memberId": MARKS["member ID"],
            "patient__insurance__groupNumber": MARKS["group"],
            **changes,
        }
    )


def with_note(**changes: object) -> dict:
    return marked(
        **{
            "session__diagnosisCodes": REMOVED,
            "session__durationMinutes": REMOVED,
            "session__noteText": NOTE,
            **changes,
        }
    )


def break_everything(client: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same submissions and reads while the insides fail with the marks in the error's own words."""
    words = f"boom {' '.join(MARKS.values())} {NOTE}"

    def fail(*args: object, **options: object) -> None:
        raise RuntimeError(words)

    def fail_in_the_database(*args: object, **options: object) -> None:
        raise DatabaseError(words)

    for broken in (fail, fail_in_the_database):
        with monkeypatch.context() as patch:
            patch.setattr("claims.intake.fetch_one", broken)
            patch.setattr("sessions_app.api.listing.fetch_all", broken)
            assert client.post("/sessions", with_note()).status_code >= 500
            assert client.get("/sessions", {"patientName": MARKS["last name"]}).status_code >= 500


def walk(client: Api, rival: Api, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Every operation with marked patients, right and wrong; the links and headers that came back."""
    answers = [client.post("/sessions", marked()), client.post("/sessions", with_note())]
    session_id = answers[0].json()["sessionId"]
    run_until_quiet()
    answers += [
        client.get(f"/sessions/{session_id}"),
        client.get("/sessions", {"patientName": MARKS["last name"], "limit": 1}),
        client.get(
            "/sessions",
            {"patientName": MARKS["last name"], "dateFrom": MARKS["birth date"], "surprise": NOTE},
        ),
        client.get(f"/sessions/{MARKS['member ID']}"),
        client.get(f"/{MARKS['last name']}/{MARKS['member ID']}"),
        client.get("/payers/search", {"q": MARKS["last name"]}),
        client.post("/sessions", marked(patient__gender=NOTE, patient__address__state=MARKS["last name"])),
        client.post("/sessions", raw=json.dumps(with_note()).encode()[:-20]),
        client.post("/sessions", with_note(), headers={"Idempotency-Key": "canary-1"}),
        client.post("/sessions", marked(), headers={"Idempotency-Key": "canary-1"}),
        client.patch(f"/sessions/{session_id}", {"patient": {"lastName": MARKS["last name"]}}),
        client.post("/providers", onboarding(provider__npi="12", practice__name=MARKS["last name"])),
        rival.get(f"/sessions/{session_id}"),
        rival.patch(f"/sessions/{session_id}", {"patient": {"lastName": MARKS["last name"]}}),
        client.call("DELETE", f"/sessions/{session_id}", marked()),
        Api(key=f"bk_test_{MARKS['last name']}").post("/sessions", with_note()),
    ]
    assert {answer.status_code for answer in answers} >= {200, 201, 400, 401, 404, 405, 409, 422}
    break_everything(client, monkeypatch)
    break_the_process(client, monkeypatch)
    refuse_in_words(session_id)
    told = client.get(f"/sessions/{session_id}").json()
    assert leaks(json.dumps([told["message"], told["claim"], told["timeline"]])) == []
    call_command("show_session", session_id, stdout=io.StringIO())
    return [repr(dict(answer.headers)) for answer in answers]


def break_the_process(client: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    """A step and a file that fail with the marks in their errors."""

    def fail(*args: object, **options: object) -> None:
        raise ValueError(f"can't read {' '.join(MARKS.values())} {NOTE}")

    with monkeypatch.context() as patch:
        patch.setattr("claims.note_step.code_with", fail)
        client.post("/sessions", with_note())
        for _ in range(3):
            pipeline.advance()
    garbled = f"ISA*00*{MARKS['last name']}*{MARKS['member ID']}~NM1*IL*1*{MARKS['last name']}~".encode()
    fetched = Fetched(name="garbled.x12", content=garbled, kind="x12", reference="garbled")
    [file_id] = inbound.store("sandbox", [fetched])
    inbound.apply(file_id)
    row = InboundFile.objects.get(pk=file_id)
    assert row.state == InboundFile.State.REFUSED
    assert leaks(json.dumps(row.report)) == []


def refuse_in_words(session_id: str) -> None:
    """A payer's refusal that names the patient beside its codes, and once more as it comes twice."""
    claim = Claim.objects.get(session=session_id, version=1)
    words = f"{MARKS['first name']} {MARKS['last name']} {MARKS['member ID']} {MARKS['note']} NOT ON FILE"
    plain = "STC*A3:33:IL*20300125*U*180"
    text = payer_acknowledgement(claim, "A3:33:IL").replace(plain, f"{plain}********{words}")
    text = text.replace("SAMPLE*JANE****MI*W1", f"{MARKS['last name']}*{MARKS['first name']}").upper()
    for name, number in (("refused.x12", "000000009"), ("again.x12", "000000010")):
        content = text.replace("000000009", number).encode()
        fetched = Fetched(name=name, content=content, kind="x12", reference=name)
        [file_id] = inbound.store("sandbox", [fetched])
        inbound.apply(file_id)
        assert leaks(json.dumps(InboundFile.objects.get(pk=file_id).report)) == []
    row = claim.signals.get(natural_key__contains="A3:33:IL")
    assert (row.words, row.repeats) == (words.upper(), 1)


def leaks(text: str) -> list[str]:
    """Which marks a text shows, in any case."""
    return [name for name, mark in MARKS.items() if mark.casefold() in text.casefold()]


def redis_text() -> str:
    with redis.Redis.from_url(project.REDIS_URL) as broker:
        parts = []
        for key in broker.scan_iter():
            plain = broker.type(key) == b"string"
            parts += [key, (broker.get(key) if plain else broker.dump(key)) or b""]
        return b"\n".join(parts).decode("latin-1")


def test_nothing_that_is_written_shows_a_mark(
    client: Api, rival: Api, sentry: Kept, tasks: list[str], written, monkeypatch: pytest.MonkeyPatch
) -> None:
    headers = walk(client, rival, monkeypatch)
    text = written()
    assert "unexpected error" in text  # the search would find something
    assert leaks(text) == []
    assert client.key not in text
    assert leaks("\n".join(headers)) == []
    assert leaks("\n".join(tasks)) == []
    assert leaks(redis_text()) == []
    assert leaks(generate_latest(REGISTRY).decode()) == []
    sentry_sdk.flush()
    assert leaks("\n".join(sentry.sent)) == []
    assert client.key not in "\n".join(sentry.sent)


def test_what_is_typed_at_the_sign_in_is_written_nowhere(written, settings) -> None:
    settings.STAFF_SECOND_FACTOR = False
    maya = User.objects.create_user("maya", password="quiet-harbor-2030", is_staff=True)
    for name in (MARKS["note"], f"{MARKS['note']}\nfake level=error", "maya"):
        for _ in range(settings.AXES_FAILURE_LIMIT + 1):
            Client().post(reverse("admin:login"), {"username": name, "password": MARKS["last name"]})
    text = written()
    assert leaks(text) == []
    assert "fake level" not in text
    assert text.count("sign-in refused") >= 3 * settings.AXES_FAILURE_LIMIT
    assert f"user={maya.pk} " in text
    assert "locked=True" in text


@pytest.mark.parametrize(
    ("folder", "broken", "status", "told"),
    [
        ("api/v1/partner/sessions", "partners.auth.caller_of", 503, "OperationalError"),
        ("admin", "", 403, "admin/(?P<url>.*)$"),
        ("elsewhere", "django.contrib.sessions.backends.db.SessionStore.__init__", 500, "none"),
    ],
)
def test_an_address_that_names_a_patient_is_written_as_its_route(
    client: Api, monkeypatch: pytest.MonkeyPatch, folder: str, broken: str, status: int, told: str
) -> None:
    form = dict(project.LOGGING["formatters"]["line"])
    handler = logging.StreamHandler(lines := io.StringIO())
    handler.setFormatter(form.pop("()")(**form))

    def fail(*args: object, **options: object) -> None:
        raise OperationalError(NOTE)

    if broken:
        monkeypatch.setattr(broken, fail)
    for name in ("django", "partners"):
        monkeypatch.setattr(logging.getLogger(name), "handlers", [handler])
    address = f"/{folder}/{MARKS['first name']} {MARKS['last name']} {MARKS['member ID']}"
    answer = Client(enforce_csrf_checks=True, raise_request_exception=False).post(
        address, headers={"Authorization": f"Bearer {client.key}"}
    )
    assert answer.status_code == status
    assert leaks(lines.getvalue()) == []
    assert told in lines.getvalue()


def test_sentry_hears_of_an_error_and_not_of_its_words(sentry: Kept) -> None:
    try:
        raise RuntimeError(f"boom {MARKS['last name']} {NOTE}")
    except RuntimeError as error:
        sentry_sdk.capture_exception(error)
    sentry_sdk.capture_message(f"about {MARKS['member ID']}")
    logging.getLogger("claims").error("failed for %s", MARKS["first name"])
    sentry_sdk.flush()
    assert any("RuntimeError" in event for event in sentry.sent)
    assert leaks("\n".join(sentry.sent)) == []


def test_sentry_hears_what_failed_behind_a_request(
    client: Api, sentry: Kept, monkeypatch: pytest.MonkeyPatch
) -> None:
    break_everything(client, monkeypatch)
    sentry_sdk.flush()
    told = [json.loads(envelope.splitlines()[2])["extra"] for envelope in sentry.sent]
    assert {each["error"] for each in told} == {"RuntimeError", "DatabaseError"}
    assert all("fail" in each["at"] for each in told)


def test_notes_and_member_ids_are_plain_in_no_column(client: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    refused = client.post("/sessions", marked()).json()["sessionId"]
    client.post("/sessions", with_note())
    run_until_quiet()
    refuse_in_words(refused)
    hidden = [MARKS["member ID"], MARKS["note"]]
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT table_name FROM information_schema.tables "
            "WHERE table_schema = current_schema() AND table_type = 'BASE TABLE'"
        )
        shown = []
        for (table,) in cursor.fetchall():
            cursor.execute(f'SELECT t::text FROM "{table}" AS t')
            for (row,) in cursor.fetchall():
                found = [
                    mark for mark in hidden if mark.casefold() in row.casefold() or mark.encode().hex() in row
                ]
                shown += [(table, mark) for mark in found]
    assert shown == []


def test_celery_keeps_no_results() -> None:
    assert current_app.conf.task_ignore_result is True
    assert current_app.conf.result_backend is None
