"""Every address of the service."""

from django.conf import settings
from django.contrib import admin
from django.urls import include, path
from drf_spectacular.views import SpectacularSwaggerView

from claims.provider_changes import after_provider_update
from config import guide, health
from config.metrics import metrics
from partners.api.description import DescriptionView
from partners.api.viewset import NowhereViewSet
from providers.api.views import ProviderViewSet
from sessions_app.api.payers import PayerViewSet
from sessions_app.api.views import SessionViewSet

PARTNER = "api/v1/partner/"
READING = ["get", "head"]
urlpatterns = [
    path(
        PARTNER + "sessions/<str:sessionId>",
        SessionViewSet.as_view({"get": "retrieve", "patch": "partial_update"}),
    ),
    path(PARTNER + "sessions", SessionViewSet.as_view({"get": "list", "post": "create"})),
    path(PARTNER + "providers", ProviderViewSet.as_view({"post": "create"})),
    path(
        PARTNER + "providers/<str:npi>",
        ProviderViewSet.as_view({"patch": "partial_update"}, after_update=after_provider_update),
    ),
    path(PARTNER + "payers/search", PayerViewSet.as_view({"get": "search"})),
    path(PARTNER, NowhereViewSet.as_view({"get": "retrieve"})),
    path(PARTNER + "<path:anything>", NowhereViewSet.as_view({"get": "retrieve"})),
    path("api/v1/schema", DescriptionView.as_view(http_method_names=READING), name="schema"),
    path(
        "api/v1/docs",
        SpectacularSwaggerView.as_view(url_name="schema", schema=None, http_method_names=READING),
        name="docs",
    ),
    path("guide", guide.partner_guide),
    path("healthz", health.alive),
    path("metrics", metrics),
    path("readyz", health.ready),
    path(settings.ADMIN_PATH, include("claims.admin.urls")),
    path(settings.ADMIN_PATH, admin.site.urls),
]
handler400 = "partners.api.errors.bad_request"
handler404 = "partners.api.errors.not_found"
handler500 = "partners.api.errors.server_error"
