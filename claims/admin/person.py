"""Who asks for a page."""

from django.contrib.auth.models import User
from django.http import HttpRequest


def person(request: HttpRequest) -> User:
    """The member of staff who is signed in; `page` lets nobody else through."""
    assert isinstance(request.user, User), "a page of the back office is for staff alone"
    return request.user
