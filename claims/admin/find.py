"""Find a session by any number or name."""

from django.http import HttpRequest, HttpResponse

from claims.admin.page import page


@page("sessions_app.view_session", methods=("POST",))
def find(request: HttpRequest) -> HttpResponse:
    """Find."""
    return HttpResponse()
