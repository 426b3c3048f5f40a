"""Staff and their roles."""

from typing import Any, cast

from django.contrib import admin, messages
from django.contrib.admin.utils import flatten, unquote
from django.contrib.auth.admin import UserAdmin
from django.contrib.auth.models import Group, User
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.db.models import ManyToManyField
from django.forms import ModelMultipleChoiceField
from django.http import HttpRequest, HttpResponse, HttpResponseNotAllowed
from django.shortcuts import get_object_or_404
from django.template.response import TemplateResponse
from django.urls import URLPattern, path
from django_otp.plugins.otp_static.models import StaticDevice
from django_otp.plugins.otp_totp.models import TOTPDevice
from unfold.admin import ModelAdmin
from unfold.forms import AdminPasswordChangeForm, UserChangeForm, UserCreationForm

from claims.desk.four_eyes import confirm, hold, is_given_a_role, set_up_alone_by
from claims.desk.second_factor import set_up
from partners.admin import TypedAlone

for model in (User, Group, StaticDevice, TOTPDevice):
    admin.site.unregister(model)


WAITS = "can sign in once another administrator has made them active."
MAY = ("groups", ("is_active", "is_staff"))


class StaffForm(TypedAlone, UserChangeForm):
    """A person's page."""


@admin.register(User)
class StaffAdmin(UserAdmin, ModelAdmin):
    """People of the billing desk; roles are groups, and nobody is deleted: what they did stays theirs."""

    form, add_form, change_password_form = StaffForm, UserCreationForm, AdminPasswordChangeForm
    lead = (
        "Roles say what a person may do; nobody changes their own. Whom one administrator adds, or gives a "
        "password, a second factor or a role where they saw no patients, another makes active. Whoever "
        "leaves is made inactive; what they did stays theirs."
    )
    list_display = ("username", "first_name", "last_name", "roles", "is_active", "last_login")
    list_filter = ("is_active", "groups")
    search_fields = ("username__istartswith", "last_name__istartswith")
    search_help_text = "Name"
    fieldsets = (
        (None, {"fields": (("username", "email"), ("first_name", "last_name"), "password")}),
        ("May", {"fields": (*MAY, "waits_for")}),
        ("Was here", {"fields": (("last_login", "date_joined"),)}),
    )
    readonly_fields = ("last_login", "date_joined", "waits_for")
    filter_horizontal = ()
    actions = None

    def formfield_for_manytomany(
        self, db_field: ManyToManyField, request: HttpRequest, **kwargs: Any
    ) -> ModelMultipleChoiceField | None:
        """Call groups what they are here."""
        kwargs |= {"label": "Roles", "help_text": "What the person may do."}
        field: ModelMultipleChoiceField | None = super().formfield_for_manytomany(db_field, request, **kwargs)
        return field

    @admin.display(description="Roles")
    def roles(self, user: User) -> str:
        return ", ".join(group.name for group in user.groups.all()) or "none"

    def get_queryset(self, request: HttpRequest):  # type: ignore[no-untyped-def]  # Django's own generic
        return super().get_queryset(request).prefetch_related("groups")

    def get_readonly_fields(self, request: HttpRequest, obj: User | None = None) -> tuple[str, ...]:
        """Let a colleague say what a person may do, never that person; two where one set the account up."""
        if obj is None:
            return self.readonly_fields
        if obj.pk == request.user.pk:
            return (*self.readonly_fields, *flatten(MAY))
        alone = set_up_alone_by(obj) == request.user
        return (*self.readonly_fields, *(("is_active",) if alone else ()))

    @admin.display(description="Waits for", empty_value="nobody")
    def waits_for(self, user: User) -> str | None:
        """Whom a person waits for who may not sign in yet."""
        by = set_up_alone_by(user) if user.pk else None
        return f"another administrator than {by.get_username()}, who makes them active" if by else None

    def save_model(self, request: HttpRequest, obj: User, form: Any, change: bool) -> None:
        """Make whoever is added a member of staff: nobody else has business here."""
        had = set(obj.groups.values_list("name", flat=True)) if change else set()
        has = {group.name for group in form.cleaned_data.get("groups", ())}
        obj.is_staff = True if not change else obj.is_staff
        super().save_model(request, obj, form, change)
        is_set_up_alone = set_up_alone_by(obj) is not None  # and stays held by who knows its secrets
        if "is_active" in form.changed_data and obj.is_active:
            confirm(obj)
        if not change or (is_given_a_role(had=had, has=has) and not is_set_up_alone):
            self._hold(request, obj)

    def user_change_password(self, request: HttpRequest, id: str, form_url: str = "") -> HttpResponse:  # noqa: A002 (Django's name)
        """Give a password, and hold the person whose it is, where it changed."""
        with transaction.atomic():
            person = self.get_object(request, unquote(id))
            response: HttpResponse = super().user_change_password(request, id, form_url)
            if person is not None and User.objects.get(pk=person.pk).password != person.password:
                self._hold(request, person)
        return response

    @staticmethod
    def _hold(request: HttpRequest, user: User) -> bool:
        held = hold(user, by=cast(User, request.user))
        if held:
            messages.warning(request, f"{user.get_username()} {WAITS}")
        return held

    def has_change_permission(self, request: HttpRequest, obj: User | None = None) -> bool:
        """Let nobody but a superuser touch a superuser."""
        allowed: bool = super().has_change_permission(request, obj)
        return allowed and (obj is None or not obj.is_superuser or request.user.is_superuser)

    def get_urls(self) -> list[URLPattern]:
        view = self.admin_site.admin_view(self.second_factor)
        return [
            path("<int:user_id>/second-factor/", view, name="auth_user_second_factor"),
            *super().get_urls(),
        ]

    def second_factor(self, request: HttpRequest, user_id: int) -> HttpResponse:
        """Set up a new second factor and show it, this once."""
        user = get_object_or_404(User, pk=user_id)
        if not self.has_change_permission(request, user):
            raise PermissionDenied
        if request.method != "POST":
            return HttpResponseNotAllowed(["POST"])
        with transaction.atomic():
            factor = set_up(user)
            held = hold(user, by=cast(User, request.user))
        context = {
            **self.admin_site.each_context(request),
            "title": "New second factor",
            "person": user,
            "factor": factor,
            "waits": WAITS if held else "",
        }
        return TemplateResponse(request, "desk/second_factor.html", context)

    def has_delete_permission(self, request: HttpRequest, obj: User | None = None) -> bool:
        return False
