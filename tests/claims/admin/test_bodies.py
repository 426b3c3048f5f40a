"""A form's body is read in the name of whoever sends it; who sends too much is told in words."""

from io import BytesIO
from typing import Any

import pytest
from django.core.wsgi import get_wsgi_application
from django.test import RequestFactory

from config.admission import Admission
from partners.visits import House, Visit
from tests.claims.admin.staff import Desk

pytestmark = pytest.mark.django_db


def answer_of(**also: Any) -> tuple[str, dict[str, str], str]:
    environ = RequestFactory().post("/admin/login/", {"username": "maya", "password": "x"}).environ | also
    told: list[Any] = []
    content = b"".join(Admission(get_wsgi_application(), places=4)(environ, lambda *each: told.extend(each)))
    return told[0], dict(told[1]), content.decode()


def test_a_form_is_read() -> None:
    assert answer_of()[0] == "403 Forbidden"  # it has no token


@pytest.mark.parametrize("stated", [str(64 * 1024 + 1), "9" * 40])
def test_a_form_that_is_too_large_to_be_read_is_told_so(stated: str) -> None:
    status, headers, words = answer_of(CONTENT_LENGTH=stated)
    assert status.startswith("413 ")
    assert "Retry-After" not in headers
    assert words == "That is too large. Nothing was done.\n"


@pytest.mark.parametrize(("stated", "status"), [(64 * 1024 + 1, 200), (8 * 1024 * 1024 + 1, 413)])
def test_who_has_signed_in_may_send_a_larger_form(stated: int, status: int) -> None:
    visit = Visit(House.of(4), {"wsgi.input": BytesIO(), "CONTENT_LENGTH": str(stated)})
    answer = Desk("billing").client.post("/admin/login/", **{"billing.visit": visit})
    assert answer.status_code == status
