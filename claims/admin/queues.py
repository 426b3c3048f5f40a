"""The queues: what waits, in the order in which it should be done."""

from django.http import HttpRequest, HttpResponse

from claims.admin.page import page


@page("claims.view_workitem")
def queue(request: HttpRequest, key: str) -> HttpResponse:
    """List a queue."""
    return HttpResponse(key)


@page("claims.view_workitem", methods=("POST",))
def heartbeat(request: HttpRequest) -> HttpResponse:
    """Renew the lease."""
    return HttpResponse(status=204)
