"""Practices, providers and what they charge."""

from django.contrib import admin
from django.http import HttpRequest
from unfold.admin import ModelAdmin

from providers.models import ChargeSchedule, Practice, Provider


class ToldByPartners(ModelAdmin):
    """What partners keep through the interface: looked at here, changed there."""

    actions = None
    list_per_page = 50
    show_full_result_count = False

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: object = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: object = None) -> bool:
        return False


@admin.register(Practice)
class PracticeAdmin(ToldByPartners):
    """Practices as their partners gave them."""

    lead = "As the partners gave them; a partner corrects its own through the interface."
    list_display = ("name", "npi", "city", "state", "partner")
    list_select_related = ("partner",)
    list_filter = ("partner",)
    search_fields = ("name__istartswith", "npi__exact", "tax_id__exact")
    search_help_text = "Name, NPI or tax ID"
    exclude = ("fingerprint",)


@admin.register(Provider)
class ProviderAdmin(ToldByPartners):
    """Therapists."""

    lead = "As the partners gave them; a partner corrects its own through the interface."
    list_display = ("npi", "first_name", "last_name", "credentials", "practice", "partner", "mode")
    list_select_related = ("partner", "practice")
    list_filter = ("mode", "partner")
    search_fields = ("npi__exact", "last_name__istartswith")
    search_help_text = "NPI or last name"


@admin.register(ChargeSchedule)
class ChargeScheduleAdmin(ToldByPartners):
    """Lists of charge rates."""

    lead = "The nearest scope wins: a practice's own, then its partner's, then the service's."
    list_display = ("name", "scope", "partner", "practice", "sample")
    list_select_related = ("partner", "practice")
    list_filter = ("scope", "sample")
