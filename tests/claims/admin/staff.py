"""Members of staff as users of the back office, each of one role, and sessions in the states they work on."""

from datetime import timedelta
from typing import Any
from uuid import UUID, uuid4

from django.conf import settings
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from django.contrib.auth.models import Group, User
from django.contrib.sessions.backends.db import SessionStore
from django.contrib.sessions.models import Session
from django.http import HttpResponse
from django.test import Client
from django.test.client import ClientHandler
from django.urls import reverse
from django.utils import timezone

from claims.actions import seen_of
from claims.models import Claim, WorkItem
from providers.sample_charges import load_sample_charges
from tests.cast import Api, partner_api, small_release
from tests.claims.process import run_until_quiet
from tests.put_back import once

SEEN_FIRST = {
    f"desk:session-{deed}" for deed in ("release", "override", "resend", "aside", "unknown", "void")
}


_HANDLER = ClientHandler(enforce_csrf_checks=False)
"""Of all desks: making one loads every middleware anew."""


class Desk:
    """One person at the desk, with a browser of their own."""

    def __init__(self, role: str) -> None:
        self.user = User.objects.create_user(
            username=f"{role.replace(' ', '-')}-{uuid4().hex[:6]}", is_staff=True, first_name="Maya"
        )
        self.user.groups.add(Group.objects.get(name=role))
        self.client = Client()
        self.client.handler = _HANDLER
        self.client.cookies[settings.SESSION_COOKIE_NAME] = _signed_in(self.user)

    def get(self, name: str, *args: Any, query: str = "") -> HttpResponse:
        return self.client.get(reverse(name, args=args) + query)

    def post(self, name: str, *args: Any, **fields: Any) -> HttpResponse:
        fields = {**_seen(name, args, fields), **fields}
        return self.client.post(reverse(name, args=args), fields)

    def page(self, session_id: UUID | str) -> str:
        answer = self.get("desk:session", session_id)
        assert answer.status_code == 200, answer.status_code
        return answer.content.decode()


def _signed_in(user: User) -> str:
    """The key of a session as it is after a sign-in, which itself asks and writes a dozen times."""
    held = {
        SESSION_KEY: str(user.pk),
        BACKEND_SESSION_KEY: settings.AUTHENTICATION_BACKENDS[-1],
        HASH_SESSION_KEY: user.get_session_auth_hash(),
    }
    session = Session.objects.create(
        session_key=uuid4().hex,
        session_data=SessionStore().encode(held),
        expire_date=timezone.now() + timedelta(seconds=settings.SESSION_COOKIE_AGE),
    )
    return session.session_key


def harborlight() -> Api:
    """The partner whose sessions staff work on, as if just founded; its claims wait for nothing."""

    def founded() -> Api:
        small_release()
        load_sample_charges()
        return partner_api("Harborlight", submission_delay=timedelta()).onboarded()

    return once(founded, "Harborlight")


def ended(partner: Api, member_id: str, **changes: Any) -> UUID:
    """A session that went as its member ID asks, this time or another."""
    name = ("ended", partner.key, member_id, repr(changes))
    return once(lambda: submitted_and_run(partner, member_id, **changes), *name)


def submitted_and_run(partner: Api, member_id: str, **changes: Any) -> UUID:
    """A session that goes as its member ID asks, and as the test has it."""
    session_id = partner.submitted(patient__insurance__memberId=member_id, **changes)
    run_until_quiet()
    return UUID(session_id)


def _seen(name: str, args: tuple[Any, ...], fields: dict[str, Any]) -> dict[str, str]:
    """What the page that a form is sent from shows of the session, had it been opened just now."""
    if name in SEEN_FIRST:
        claim = Claim.objects.filter(session=args[0]).order_by("-version").first()
        return {"seen": seen_of(claim)} if claim else {}
    if name == "desk:session-done" and "answer" not in fields:
        item = WorkItem.objects.filter(pk=fields["item"]).first()
        return {"shown": str(item.signal_id or "") if item else ""}
    if name == "desk:bulk_do" and fields.get("deed") in ("resend", "release"):
        chosen = fields["item"] if isinstance(fields["item"], list) else [fields["item"]]
        items = WorkItem.objects.filter(pk__in=chosen, session__isnull=False)
        return {f"seen.{item.pk}": seen_of(newest(item.session_id)) for item in items}
    return {}


def newest(session_id: UUID) -> Claim:
    return Claim.objects.filter(session_id=session_id).latest("version")


def item_of(session_id: UUID) -> WorkItem:
    return WorkItem.objects.get(session_id=session_id, closed_at=None)
