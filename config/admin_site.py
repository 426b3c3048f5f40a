"""The back office as an admin site: who may enter, with what, and what every page of it knows."""

from typing import Any, cast

import structlog
from django import forms
from django.conf import settings
from django.contrib.auth.base_user import AbstractBaseUser
from django.contrib.auth.models import User
from django.http import HttpRequest
from django_otp.forms import OTPAuthenticationFormMixin
from unfold.forms import AuthenticationForm
from unfold.sites import UnfoldAdminSite

from claims.desk.four_eyes import is_held
from claims.models import Authenticator
from partners.addresses import address_of_request

log = structlog.get_logger()


class SignInForm(OTPAuthenticationFormMixin, AuthenticationForm):
    """Name and password, and the code of the second factor where one is asked for."""

    error_messages = AuthenticationForm.error_messages | {
        "invalid_login": "The name or the password isn't right, or the account isn't active. Capitals count."
    }
    otp_error_messages = OTPAuthenticationFormMixin.otp_error_messages | {
        "token_required": "Type the six digits that your authenticator shows now.",
        "device_required": "No authenticator is set up for this name. Ask an administrator.",
        "invalid_token": "That code isn't right, or its half minute is over. Type the one it shows now.",
    }
    # The base class asks for a device only where it needs one; this form finds it by itself.
    otp_device = forms.CharField(required=False, widget=forms.HiddenInput)
    otp_challenge = forms.CharField(required=False, widget=forms.HiddenInput)
    otp_token = forms.CharField(
        label="Code of your authenticator",
        required=False,
        widget=forms.TextInput(attrs={"autocomplete": "one-time-code", "inputmode": "numeric"}),
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if not settings.STAFF_SECOND_FACTOR:
            for name in ("otp_device", "otp_challenge", "otp_token"):
                del self.fields[name]

    def confirm_login_allowed(self, user: AbstractBaseUser) -> None:
        super().confirm_login_allowed(user)
        if is_held(cast(User, user)):
            raise self.get_invalid_login_error()

    def clean(self) -> dict[str, Any]:
        try:
            self.cleaned_data = super().clean()
            if settings.STAFF_SECOND_FACTOR:
                self.clean_otp(self.get_user())
        except forms.ValidationError:
            self._tell()
            raise
        return dict(self.cleaned_data)

    def _tell(self) -> None:
        """Log who was refused: never what was typed as a name, which may be a password."""
        typed = self.cleaned_data.get("username", "")
        log.warning(
            "sign-in refused",
            user=User.objects.filter(username=typed).values_list("pk", flat=True).first(),
            address=address_of_request(self.request),
            locked=getattr(self.request, "axes_locked_out", False),
        )

    def _chosen_device(self, user: AbstractBaseUser) -> Authenticator | None:
        """The person's own, locked so that of two sign-ins with one code one is let in."""
        own = Authenticator.objects.select_for_update().filter(user=user, confirmed=True)
        device: Authenticator | None = own.first()
        return device


class BackOfficeSite(UnfoldAdminSite):
    """The one admin site: staff enter with a second factor, unless a development setting says otherwise."""

    site_title = "Billing desk"
    site_header = "Billing desk"
    index_title = "Home"
    login_form = SignInForm
    enable_nav_sidebar = False

    def has_permission(self, request: HttpRequest) -> bool:
        """Tell whether this is active staff who has shown the second factor."""
        allowed: bool = super().has_permission(request)
        verified = getattr(request.user, "otp_device", None) is not None
        return allowed and (verified or not settings.STAFF_SECOND_FACTOR)
