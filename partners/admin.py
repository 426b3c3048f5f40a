"""Partner organizations and their API keys: issued, rotated and revoked here; a key is shown once."""

from datetime import timedelta
from typing import Any, ClassVar
from uuid import UUID

from django import forms
from django.contrib import admin, messages
from django.core.exceptions import ObjectDoesNotExist, PermissionDenied, ValidationError
from django.db import models, transaction
from django.http import HttpRequest, HttpResponse, HttpResponseNotAllowed
from django.shortcuts import get_object_or_404, redirect
from django.template.response import TemplateResponse
from django.urls import URLPattern, path
from django.utils import timezone
from unfold.admin import ModelAdmin

from partners.keys import (
    IssuedKey,
    KeyRevoked,
    KeySucceeded,
    issue_key,
    living_keys,
    revoke_key,
    rotate_key,
)
from partners.models import ApiKey, Partner

ISSUE, CHANGE, SEE = "partners.add_apikey", "partners.change_apikey", "partners.view_apikey"
ENDS = (("", "never"), ("30", "in 30 days"), ("90", "in 90 days"), ("365", "in a year"))
GRACES = (("1", "a day"), ("7", "a week"), ("30", "30 days"))


class NewKeyForm(forms.Form):
    """What a new key needs."""

    name = forms.CharField(max_length=60, strip=True)
    ends = forms.ChoiceField(choices=ENDS, required=False)


class RotateForm(forms.Form):
    """How long the old key goes on."""

    grace = forms.ChoiceField(choices=GRACES)


SEPARATORS = 2
"""Colons in hours:minutes:seconds."""


class DelayField(forms.DurationField):
    """A bare number is minutes, and whole minutes are shown so; anything else is hours:minutes:seconds."""

    def to_python(self, value: Any) -> timedelta | None:
        text = value.strip() if isinstance(value, str) else ""
        if text.isdecimal() and len(text) < 8:
            return timedelta(minutes=int(text))
        if text and text.count(":") != SEPARATORS:  # with one, Django takes 1:30 for minutes and seconds
            raise ValidationError("Type minutes, like 15.")
        delay: timedelta | None = super().to_python(value)
        return delay

    def prepare_value(self, value: Any) -> Any:
        if isinstance(value, timedelta) and not value % timedelta(minutes=1):
            return str(value // timedelta(minutes=1))
        return super().prepare_value(value)


class TypedAlone(forms.ModelForm):
    """Changes what was typed alone: what was left as the page showed it stays as it is by now."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for field in self.fields.values():
            field.show_hidden_initial = not field.disabled

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or self.cleaned_data
        if self.instance._state.adding:
            return cleaned
        self._lock()
        if any(name.startswith("initial-") for name in self.data):
            for name in cleaned.keys() - set(self.changed_data):
                now = getattr(self.instance, name)
                cleaned[name] = now.all() if isinstance(now, models.Manager) else now
        return cleaned

    def _lock(self) -> None:
        """Read the row anew and keep it until it is saved, all its columns: a save writes all."""
        rows = type(self.instance)._default_manager.select_for_update(no_key=True)
        try:
            self.instance.refresh_from_db(from_queryset=rows)
        except ObjectDoesNotExist:
            raise ValidationError("A colleague has taken it away meanwhile. Nothing was saved.") from None


@admin.register(Partner)
class PartnerAdmin(ModelAdmin):
    """Partners: mode, correction window, limits, keys."""

    form = TypedAlone
    formfield_overrides: ClassVar = {
        models.DurationField: {"form_class": DelayField, "label": "Submission delay, in minutes"}
    }
    list_display = ("name", "mode", "delay", "rate_limit", "active", "created_at")
    list_filter = ("mode", "active")
    search_fields = ("name__icontains", "slug__istartswith")
    search_help_text = "Name"
    fields = (("name", "slug"), ("mode", "active"), ("submission_delay", "rate_limit"), "coder_threshold")
    actions = None

    @admin.display(description="Submission delay", ordering="submission_delay")
    def delay(self, partner: Partner) -> str:
        """The correction window with its unit."""
        minutes, rest = divmod(partner.submission_delay, timedelta(minutes=1))
        return f"{partner.submission_delay // timedelta(seconds=1):,} s" if rest else f"{minutes:,} min"

    def get_fields(self, request: HttpRequest, obj: Partner | None = None) -> Any:
        """Whoever only looks reads the delay with its unit."""
        looks = obj is not None and not self.has_change_permission(request, obj)
        return [
            ("delay", "rate_limit") if looks and "submission_delay" in row else row for row in self.fields
        ]

    def get_readonly_fields(self, request: HttpRequest, obj: Partner | None = None) -> tuple[str, ...]:
        """Keep a partner's mode: its claims and providers belong to it."""
        return ("mode", "slug") if obj else ()

    def has_delete_permission(self, request: HttpRequest, obj: Partner | None = None) -> bool:
        return False

    def get_urls(self) -> list[URLPattern]:
        guarded = self.admin_site.admin_view
        return [
            path("<uuid:partner_id>/keys/new/", guarded(self.new_key), name="partners_key_new"),
            path(
                "<uuid:partner_id>/keys/<uuid:key_id>/rotate/",
                guarded(self.rotate),
                name="partners_key_rotate",
            ),
            path(
                "<uuid:partner_id>/keys/<uuid:key_id>/revoke/",
                guarded(self.revoke),
                name="partners_key_revoke",
            ),
            *super().get_urls(),
        ]

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: Any = None
    ) -> HttpResponse:
        """Show the keys under the partner's own form."""
        context: dict[str, Any] = {}
        if request.user.has_perm(SEE):
            keys = ApiKey.objects.filter(partner__in=_partners(object_id)).order_by("-created_at")
            keys = keys.prefetch_related("addresses")
            context = {"keys": list(keys), "ends": ENDS, "graces": GRACES, "now": timezone.now()}
        answer: HttpResponse = super().change_view(request, object_id, form_url, context)
        return answer

    def new_key(self, request: HttpRequest, partner_id: UUID) -> HttpResponse:
        """Issue a key and show it, this once."""
        partner = _asked(request, partner_id, permission=ISSUE)
        if isinstance(partner, HttpResponse):
            return partner
        form = NewKeyForm(request.POST)
        if not form.is_valid():
            messages.error(request, "Give the key a name of at most 60 characters.")
            return redirect("admin:partners_partner_change", partner_id)
        name, days = form.cleaned_data["name"], form.cleaned_data["ends"]
        expires_at = timezone.now() + timedelta(days=int(days)) if days else None
        with transaction.atomic():
            Partner.objects.select_for_update().get(pk=partner_id)
            if living_keys(partner, name=name).exists():
                words = f"There is a key {name} already, and no other was issued: rotate it to get a new one."
                messages.error(request, words)
                return redirect("admin:partners_partner_change", partner_id)
            issued = issue_key(partner, name=name, expires_at=expires_at)
        return self._show(request, issued, partner=partner)

    def rotate(self, request: HttpRequest, partner_id: UUID, key_id: UUID) -> HttpResponse:
        """Issue a key in place of another, which goes on for a while."""
        partner = _asked(request, partner_id, permission=ISSUE)
        if isinstance(partner, HttpResponse):
            return partner
        old = get_object_or_404(ApiKey, pk=key_id, partner=partner, revoked_at=None)
        form = RotateForm(request.POST)
        if not form.is_valid():
            messages.error(request, "Say how long the old key goes on.")
            return redirect("admin:partners_partner_change", partner_id)
        try:
            issued = rotate_key(old, grace=timedelta(days=int(form.cleaned_data["grace"])))
        except (KeySucceeded, KeyRevoked) as known:
            messages.error(request, str(known))
            return redirect("admin:partners_partner_change", partner_id)
        return self._show(request, issued, partner=partner, old=old)

    def revoke(self, request: HttpRequest, partner_id: UUID, key_id: UUID) -> HttpResponse:
        """End a key at once."""
        partner = _asked(request, partner_id, permission=CHANGE)
        if isinstance(partner, HttpResponse):
            return partner
        key = get_object_or_404(ApiKey, pk=key_id, partner=partner)
        revoke_key(key)
        messages.success(
            request, f"{key.name} ({key.prefix}…) is revoked. It stops working within 5 seconds."
        )
        return redirect("admin:partners_partner_change", partner_id)

    def _show(
        self, request: HttpRequest, issued: IssuedKey, *, partner: Partner, old: ApiKey | None = None
    ) -> HttpResponse:
        context = {
            **self.admin_site.each_context(request),
            "title": "Copy the key now",
            "issued": issued,
            "partner": partner,
            "old": old,
        }
        return TemplateResponse(
            request,
            "desk/key.html",
            context,
            headers={"Cache-Control": "no-store, private", "Pragma": "no-cache"},
        )


def _asked(request: HttpRequest, partner_id: UUID, *, permission: str) -> Partner | HttpResponse:
    """The partner that a POST of somebody with the permission is about."""
    if not request.user.has_perm(permission):
        raise PermissionDenied
    if request.method != "POST":
        return HttpResponseNotAllowed(["POST"])
    return get_object_or_404(Partner, pk=partner_id)


def _partners(text: str) -> list[UUID]:
    try:
        return [UUID(text)]
    except ValueError:
        return []
