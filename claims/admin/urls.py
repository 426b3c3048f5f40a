"""Every page of the back office that is not a stock page of Django's admin; named `desk:…`."""

from django.urls import path

from claims.admin import audit, bulk, export, files, find, queues, rules, sessions
from claims.admin.session_urls import session_pages

app_name = "desk"
urlpatterns = [
    *session_pages,
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
    path("find/<str:token>/", find.found, name="found"),
    path("sessions_app/session/", sessions.sessions, name="sessions"),
    path("claims/remittance/<int:remittance_id>/change/", files.remittance, name="remittance"),
    path("billing/claimrule/", rules.rules, name="rules"),
    path("billing/claimrule/<str:rule>/payer/", rules.rule_of_payer, name="rule-payer"),
    path("audit/", audit.audit, name="audit"),
]
