"""Every page of the back office that is not a stock page of Django's admin; named `desk:…`."""

from django.urls import path

from claims.admin import find, queues

app_name = "desk"
urlpatterns = [
    path("work/<str:key>/", queues.queue, name="queue"),
    path("heartbeat/", queues.heartbeat, name="heartbeat"),
    path("find/", find.find, name="find"),
]
