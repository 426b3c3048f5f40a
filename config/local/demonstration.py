"""The main job through the front door: what a partner's first afternoon with the service looks like.

Everything here goes over HTTP with an API key. The people are invented.
"""

import http.client
import json
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any
from urllib.parse import quote, urlsplit

from providers.zones import zone_of

API = "/api/v1/partner"
PROVIDER_NPI = "1234567893"
STATE = "TX"
CARRIER = "magellan"
DONE = ("paid", "denied", "rejected")
POLL_SECONDS = 0.25
PATIENCE_SECONDS = 120
PASTED_MEMBER_ID = "PAID0-PASTED"


class DemonstrationError(Exception):
    """What did not go as it should, in one sentence."""


@dataclass(frozen=True)
class PartnerClient:
    """A partner's side of the interface."""

    base: str
    api_key: str

    def call(self, method: str, path: str, body: dict[str, Any] | None = None) -> tuple[int, dict[str, Any]]:
        """Make one request and return its status and JSON answer."""
        address = urlsplit(self.base)
        connection = http.client.HTTPConnection(address.hostname or "", address.port, timeout=30)
        headers = {"Authorization": f"Bearer {self.api_key}", "Content-Type": "application/json"}
        content = None if body is None else json.dumps(body)
        try:
            connection.request(method, path, body=content, headers=headers)
            answer = connection.getresponse()
            return answer.status, json.loads(answer.read() or b"{}")
        except (OSError, http.client.HTTPException, ValueError) as error:
            raise DemonstrationError(f"{method} {path} got no proper answer: {error}.") from error
        finally:
            connection.close()

    def expect(
        self, statuses: tuple[int, ...], method: str, path: str, body: dict[str, Any] | None = None
    ) -> dict[str, Any]:
        status, answer = self.call(method, path, body)
        if status not in statuses:
            said = "; ".join(
                [
                    str(answer.get("error", "")),
                    *(f"{i['path']}: {i['message']}" for i in answer.get("issues", [])),
                ]
            )
            raise DemonstrationError(f"{method} {path} answered {status}: {said}.")
        return answer


@dataclass
class FollowedSession:
    """A submitted session and how much of its timeline has been shown."""

    number: int
    session_id: str
    expected: str
    status: str = "processing"
    message: str = ""
    shown: int = field(default=0)


PROVIDER = {
    "provider": {
        "firstName": "Dana",
        "lastName": "Reyes",
        "npi": PROVIDER_NPI,
        "taxonomyCode": "1041C0700X",
        "specialty": "Clinical Social Worker",
        "credentials": "LCSW",
    },
    "practice": {
        "name": "Harbor Wellness Group",
        "taxId": "123456789",
        "address": {"street": "500 Congress Avenue", "city": "Austin", "state": STATE, "zip": "787011234"},
        "phone": "5125550142",
    },
}


def session_body(
    *,
    payer: dict[str, Any],
    first_name: str,
    member_id: str,
    external_id: str | None,
    session: dict[str, Any],
) -> dict[str, Any]:
    """Return a submission for an invented patient; the member ID chooses the sandbox's answer."""
    # A claim leaves once its day has begun where the practice is.
    date_of_service = datetime.now(zone_of(STATE)).date().isoformat()
    return {
        **({"externalSessionId": external_id} if external_id else {}),
        "patient": {
            "firstName": first_name,
            "lastName": "Sample",
            "dateOfBirth": "1990-04-12",
            "gender": "F",
            "address": {"street": "12 Elm Street", "city": "Austin", "state": STATE, "zip": "78702"},
            "insurance": {
                "memberId": member_id,
                "payerName": payer["payerName"],
                "payerId": payer["payerId"],
            },
        },
        "providerNpi": PROVIDER_NPI,
        "session": {"dateOfService": date_of_service, **session},
    }


NOTE = """Individual psychotherapy, 45 minutes, in the office.
S: Client reports that worry about work and money has been hard to control most days, with restlessness and
poor sleep. Denies suicidal ideation.
O: Alert, oriented, anxious mood, congruent affect.
A: Generalized anxiety disorder (F41.1), improving with treatment.
P: CBT: practised worry postponement and thought records. Next session in one week."""

SESSIONS: tuple[tuple[str, str, str, str, dict[str, Any]], ...] = (
    (
        "diagnosis and minutes",
        "Jordan",
        "PAID",
        "paid",
        {"placeOfService": "telehealth", "durationMinutes": 53, "diagnosisCodes": [{"code": "F41.1"}]},
    ),
    (
        "full codes",
        "Alex",
        "DENIED",
        "denied",
        {"diagnosisCodes": [{"code": "F33.1"}], "procedureCodes": [{"code": "90834"}]},
    ),
    ("clinical note", "Casey", "PARTIAL", "paid", {"noteText": NOTE}),
)


def rehearse(client: PartnerClient, *, say: Callable[[str], None]) -> dict[str, Any]:
    """Onboard a therapist, find a payer, submit three sessions, follow them to the end; return the payer."""
    onboarded = client.expect((200, 201), "POST", f"{API}/providers", PROVIDER)
    say(f"POST /providers          {onboarded['status']}: NPI {PROVIDER_NPI}, {onboarded['practiceName']}")
    payer = find_payer(client)
    say(f"GET /payers/search       {payer['payerName']}, payer ID {payer['payerId']}")
    started = datetime.now(UTC)
    followed = []
    for number, (title, first_name, word, expected, session) in enumerate(SESSIONS, start=1):
        # Another patient each time: a second claim for the same one and day would rightly be held.
        member_id = f"{word}0{started:%j%H%M%S}{number}"
        body = session_body(
            payer=payer,
            first_name=first_name,
            member_id=member_id,
            external_id=f"demo-{started:%Y%m%d-%H%M%S}-{number}",
            session=session,
        )
        answer = client.expect((201,), "POST", f"{API}/sessions", body)
        followed.append(FollowedSession(number=number, session_id=answer["sessionId"], expected=expected))
        say(f"POST /sessions       #{number}  201 {answer['status']}: {title}, member ID {member_id}")
    follow(client, followed, say=say)
    return payer


def find_payer(client: PartnerClient) -> dict[str, Any]:
    found = client.expect((200,), "GET", f"{API}/payers/search?q={quote(CARRIER)}")["payers"]
    if not found:
        raise DemonstrationError(f"The payer search found no carrier for “{CARRIER}”.")
    payer: dict[str, Any] = found[0]
    return payer


def follow(client: PartnerClient, followed: list[FollowedSession], *, say: Callable[[str], None]) -> None:
    """Poll sessions and show each new line of their timelines until all have ended as expected."""
    deadline = time.monotonic() + PATIENCE_SECONDS
    while any(session.status != session.expected for session in followed):
        for session in followed:
            show_news(client, session, say=say)
        wrong = next((one for one in followed if one.status in DONE and one.status != one.expected), None)
        if wrong:
            raise DemonstrationError(
                f"Session #{wrong.number} was to be {wrong.expected} and is {wrong.status}."
            )
        if time.monotonic() > deadline:
            waiting = next(one for one in followed if one.status != one.expected)
            state = f"still {waiting.status} after {PATIENCE_SECONDS} s: {waiting.message}"
            raise DemonstrationError(f"Session #{waiting.number} is {state}")
        time.sleep(POLL_SECONDS)


def show_news(client: PartnerClient, session: FollowedSession, *, say: Callable[[str], None]) -> None:
    detail = client.expect((200,), "GET", f"{API}/sessions/{session.session_id}")
    for entry in detail["timeline"][session.shown :]:
        moment = str(entry["timestamp"])[11:19]
        status = entry["status"] or ""
        say(f"  {moment}  #{session.number}  {entry['type']:<19} {status:<11} {entry['summary']}")
    session.shown = len(detail["timeline"])
    session.status = detail["status"]
    session.message = detail["message"]


def curl_line(client: PartnerClient, *, payer: dict[str, Any]) -> str:
    """Return a line for a shell that submits one more session, of another patient each time it is pasted."""
    body = session_body(
        payer=payer,
        first_name="Morgan",
        member_id=PASTED_MEMBER_ID,
        external_id=None,
        session={"durationMinutes": 53, "diagnosisCodes": [{"code": "F41.1"}]},
    )
    content = json.dumps(body).replace("'", "\\u0027").replace(PASTED_MEMBER_ID, "PAID0'$(date +%s)'")
    return (
        f"curl -sS {client.base}{API}/sessions -H 'Authorization: Bearer {client.api_key}' "
        f"-H 'Content-Type: application/json' -d '{content}'"
    )
