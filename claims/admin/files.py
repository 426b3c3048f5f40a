"""Remittances and inbound files: what came, and what it changed."""

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from unfold.admin import ModelAdmin

from claims.models import InboundFile, Remittance


class LookedAt(ModelAdmin):
    """A model that the process alone writes."""

    show_full_result_count = False
    actions = None
    list_per_page = 50

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: object = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: object = None) -> bool:
        return False


@admin.register(Remittance)
class RemittanceAdmin(LookedAt):
    """Payments as the payers sent them."""

    list_display = ("trace_number", "payer_name", "paid_on", "amount", "method", "claim_count", "state")
    list_filter = ("state",)
    search_fields = ("trace_number__exact", "payer_id__exact")
    ordering = ("-id",)


@admin.register(InboundFile)
class InboundFileAdmin(LookedAt):
    """Files from clearinghouses, and their reports."""

    list_display = ("name", "gateway", "kind", "size", "state", "received_at", "handled_at")
    list_filter = ("state", "gateway")
    search_fields = ("name__exact",)
    ordering = ("-id",)
    exclude = ("content", "sha256")

    def get_queryset(self, request: HttpRequest) -> QuerySet[InboundFile]:
        files: QuerySet[InboundFile] = super().get_queryset(request)
        return files.defer("content")
