"""Every page of the back office that is not a stock page of Django's admin; named `desk:…`."""

from django.urls import path

from claims.admin import bulk, export, find, queues

app_name = "desk"
urlpatterns = [
    path("work/next/", queues.start, name="start_any"),
    path("work/<str:key>/", queues.queue, name="queue"),
    path("work/<str:key>/next/", queues.start, name="start"),
    path("work/<str:key>/export/", export.export, name="export"),
    path("work/<str:key>/bulk/", bulk.bulk, name="bulk"),
    path("work/<str:key>/bulk/do/", bulk.bulk_do, name="bulk_do"),
    path("work/<str:key>/bulk/<str:token>/", bulk.bulk_result, name="bulk_result"),
    path("people/", queues.people, name="people"),
    path("heartbeat/", queues.heartbeat, name="heartbeat"),
    path("find/", find.find, name="find"),
]
