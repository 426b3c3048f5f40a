"""Staff and their roles."""

from django.contrib import admin
from django.contrib.auth.admin import UserAdmin
from django.contrib.auth.models import Group, User
from django.http import HttpRequest
from unfold.admin import ModelAdmin
from unfold.forms import AdminPasswordChangeForm, UserChangeForm, UserCreationForm

admin.site.unregister(User)
admin.site.unregister(Group)


@admin.register(User)
class StaffAdmin(UserAdmin, ModelAdmin):
    """People of the billing desk; roles are groups, and nobody is deleted: what they did stays theirs."""

    form, add_form, change_password_form = UserChangeForm, UserCreationForm, AdminPasswordChangeForm
    lead = "Roles say what a person may do. Whoever leaves is made inactive; what they did stays theirs."
    list_display = ("username", "first_name", "last_name", "roles", "is_active", "last_login")
    list_filter = ("is_active", "groups")
    search_fields = ("username__istartswith", "last_name__istartswith")
    search_help_text = "Name"
    fieldsets = (
        (None, {"fields": (("username", "email"), ("first_name", "last_name"), "password")}),
        ("May", {"fields": ("groups", ("is_active", "is_staff"))}),
        ("Was here", {"fields": (("last_login", "date_joined"),)}),
    )
    readonly_fields = ("last_login", "date_joined")
    filter_horizontal = ()
    actions = None

    @admin.display(description="Roles")
    def roles(self, user: User) -> str:
        return ", ".join(group.name for group in user.groups.all()) or "none"

    def get_queryset(self, request: HttpRequest):  # type: ignore[no-untyped-def]  # Django's own generic
        return super().get_queryset(request).prefetch_related("groups")

    def has_change_permission(self, request: HttpRequest, obj: User | None = None) -> bool:
        """Let nobody but a superuser touch a superuser."""
        allowed: bool = super().has_change_permission(request, obj)
        return allowed and (obj is None or not obj.is_superuser or request.user.is_superuser)

    def has_delete_permission(self, request: HttpRequest, obj: User | None = None) -> bool:
        return False
