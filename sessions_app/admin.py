"""Sessions in the admin: names, permissions and addresses; the pages themselves are the back office's own."""

from django.contrib import admin
from django.http import HttpRequest
from unfold.admin import ModelAdmin

from sessions_app.models import Session


@admin.register(Session)
class SessionAdmin(ModelAdmin):
    """Nobody adds or deletes a session here, and no stock form changes one."""

    actions = None
    fields = ("id", "status")

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Session | None = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Session | None = None) -> bool:
        return False
