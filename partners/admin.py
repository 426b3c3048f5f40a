"""Partner organizations and their API keys."""

from django.contrib import admin
from django.http import HttpRequest
from unfold.admin import ModelAdmin

from partners.models import Partner


@admin.register(Partner)
class PartnerAdmin(ModelAdmin):
    """Partners: mode, correction window, limits, keys."""

    list_display = ("name", "mode", "submission_delay", "rate_limit", "active", "created_at")
    list_filter = ("mode", "active")
    search_fields = ("name__icontains", "slug__istartswith")
    search_help_text = "Name"
    fields = (("name", "slug"), ("mode", "active"), ("submission_delay", "rate_limit"))
    actions = None

    def get_readonly_fields(self, request: HttpRequest, obj: Partner | None = None) -> tuple[str, ...]:
        """Keep a partner's mode: its claims and providers belong to it."""
        return ("mode", "slug") if obj else ()

    def has_delete_permission(self, request: HttpRequest, obj: Partner | None = None) -> bool:
        return False
