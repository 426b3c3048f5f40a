"""Every address of the service."""

from django.conf import settings
from django.contrib import admin
from django.urls import include, path
from drf_spectacular.views import SpectacularSwaggerView

from config import guide, health
from config.metrics import metrics
from partners.api.description import DescriptionView
from partners.api.viewset import NowhereViewSet
from providers.api.views import ProviderViewSet
from sessions_app.api.payers import PayerViewSet
from sessions_app.api.views import SessionViewSet

partner_interface = [
    path("sessions", SessionViewSet.as_view({"get": "list", "post": "create"})),
    path("sessions/<str:sessionId>", SessionViewSet.as_view({"get": "retrieve", "patch": "partial_update"})),
    path("providers", ProviderViewSet.as_view({"post": "create"})),
    path("providers/<str:npi>", ProviderViewSet.as_view({"patch": "partial_update"})),
    path("payers/search", PayerViewSet.as_view({"get": "search"})),
    path("", NowhereViewSet.as_view({"get": "retrieve"})),
    path("<path:anything>", NowhereViewSet.as_view({"get": "retrieve"})),
]
urlpatterns = [
    path("api/v1/partner/", include(partner_interface)),
    path("api/v1/schema", DescriptionView.as_view(), name="schema"),
    path("api/v1/docs", SpectacularSwaggerView.as_view(url_name="schema", schema=None), name="docs"),
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
