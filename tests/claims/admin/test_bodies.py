"""A form's body is read in the name of whoever sends it, with a deadline; a staff member is told in words."""

from threading import Event
from typing import Any

import pytest
from django.core.wsgi import get_wsgi_application
from django.test import RequestFactory

from config.admission import Admission
from partners import visits

pytestmark = pytest.mark.django_db


class Silent:
    """A body that doesn't come."""

    def read(self, size: int) -> bytes:
        Event().wait(1)
        return b""


def answer_of(sent: Any = None, **also: Any) -> tuple[str, dict[str, str], str]:
    environ = RequestFactory().post("/admin/login/", {"username": "maya", "password": "x"}).environ | also
    if sent is not None:
        environ["wsgi.input"] = sent
    told: list[Any] = []
    content = b"".join(Admission(get_wsgi_application(), places=4)(environ, lambda *each: told.extend(each)))
    return told[0], dict(told[1]), content.decode()


def test_a_form_is_read() -> None:
    assert answer_of()[0] == "403 Forbidden"  # it has no token


@pytest.mark.parametrize("stated", [str(8 * 1024 * 1024 + 1), "9" * 40])
def test_a_form_that_is_too_large_to_be_read_is_told_so(stated: str) -> None:
    status, headers, words = answer_of(CONTENT_LENGTH=stated)
    assert status.startswith("413 ")
    assert "Retry-After" not in headers
    assert words == "That is too large. Nothing was done.\n"


def test_a_form_that_does_not_come_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(visits, "BODY_SECONDS", 0.01)
    status, headers, words = answer_of(Silent())
    assert status.startswith("408 ")
    assert words == "The body took too long to come; send it again.\n"
    assert headers["Content-Security-Policy"]
