"""Corrections race transmissions: what a sent claim says is what the last 200 promised, every time."""

import random
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest
from django.db import connection

from claims import pipeline, submission
from claims.models import Claim, Transmission
from partners.models import Partner
from providers.sample_charges import load_sample_charges
from tests.cast import Api, partner_api
from tests.claims.process import run_until_quiet

SESSIONS = 60
PARTNERS = 4
AT_ONCE = 6
MOST_CORRECTIONS = 26
LONGEST_FIRST_PAUSE_SECONDS = 0.1


class Sender(threading.Thread):
    """Codes, checks, builds and hands over without a pause, until told to stop."""

    def __init__(self) -> None:
        super().__init__(daemon=True)
        self.stopped = threading.Event()
        self.failure: Exception | None = None

    def run(self) -> None:
        try:
            while not self.stopped.is_set():
                pipeline.advance()
                for name in submission.gateways_with_work():
                    submission.send(name)
        except Exception as error:
            self.failure = error
        finally:
            connection.close()


def correct_until_locked(client: Api, session_id: str) -> tuple[str, bool]:
    """The last name that a 200 promised, and whether a 409 ended it; ever longer pauses let the claim go."""
    promised, pauses = "Doe", random.Random(session_id)
    for number in range(MOST_CORRECTIONS):
        name = f"Doe{chr(65 + number)}"
        answer = client.patch(f"/sessions/{session_id}", {"patient": {"lastName": name}})
        if answer.status_code == 409:
            return promised, True
        assert answer.status_code == 200, answer.content
        promised = name
        time.sleep(pauses.uniform(0, LONGEST_FIRST_PAUSE_SECONDS * (number + 1)))
    return promised, False


def names_sent() -> dict[str, list[str]]:
    """The subscriber's last name in every interchange handed over, by patient control number."""
    sent: dict[str, list[str]] = {}
    for transmission in Transmission.objects.filter(handed_over_at__isnull=False):
        name = ""
        for segment in transmission.content.split("~"):
            elements = segment.strip().split("*")
            if elements[:2] == ["NM1", "IL"]:
                name = elements[3]
            elif elements[0] == "CLM":
                sent.setdefault(elements[1], []).append(name)
    return sent


@pytest.mark.django_db(transaction=True)
def test_every_sent_claim_carries_what_the_last_200_promised(settings: object) -> None:
    settings.SANDBOX_SPEED = 1e9
    load_sample_charges()
    clients = [
        partner_api(f"Racer{number}", submission_delay=timedelta()).onboarded(
            provider__npi=f"{1_234_567_800 + number}"
        )
        for number in range(PARTNERS)
    ]
    sender = Sender()
    sender.start()

    def race(number: int) -> tuple[str, str, bool]:
        try:
            client = clients[number % PARTNERS]
            npi = f"{1_234_567_800 + number % PARTNERS}"
            session_id = client.submitted(providerNpi=npi, patient__insurance__memberId=f"SILENT{number}")
            return session_id, *correct_until_locked(client, session_id)
        finally:
            connection.close()

    with ThreadPoolExecutor(AT_ONCE) as pool:
        outcomes = list(pool.map(race, range(SESSIONS)))
    sender.stopped.set()
    sender.join()
    assert sender.failure is None
    run_until_quiet()
    sent = names_sent()
    for session_id, promised, _ in outcomes:
        claim = Claim.objects.get(session_id=session_id)
        assert claim.submitted_at is not None
        assert sent[claim.patient_control_number] == [promised.upper()]
    refused = sum(locked for _, _, locked in outcomes)
    corrected = sum(promised != "Doe" for _, promised, _ in outcomes)
    assert refused > SESSIONS // 10, "hardly any correction met a transmission"
    assert corrected > SESSIONS // 10, "hardly any correction came in time"
    assert Partner.objects.count() == PARTNERS
