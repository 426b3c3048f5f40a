"""What staff keep about payers, and which code sets are in force."""

from typing import Any

from django.contrib import admin
from django.core.exceptions import ValidationError
from django.db.models import Model, QuerySet
from django.forms import CharField, HiddenInput, ModelForm
from django.forms.models import BaseInlineFormSet
from django.http import HttpRequest
from unfold.admin import ModelAdmin, StackedInline, TabularInline

from billing.codes import forget_releases
from billing.models import (
    CodeSetRelease,
    DiagnosisCode,
    NcciPair,
    NcciUnits,
    Payer,
    PayerAlias,
    PayerProfile,
)
from billing.payers.names import search_text


class PayerAliasFormSet(BaseInlineFormSet):
    """All aliases of one payer, of which no two may read the same."""

    def clean(self) -> None:
        """Say so at the second of two names that the search can't tell apart."""
        super().clean()
        read: set[str] = set()
        for form in self.forms:
            name = getattr(form, "cleaned_data", {}).get("name")
            if not name or form.cleaned_data.get("DELETE"):
                continue
            if (words := search_text(name)) in read:
                form.add_error("name", "This reads the same as another alias of the payer.")
            read.add(words)


class PayerAliasInline(TabularInline):
    """The other names of a payer."""

    model = PayerAlias
    formset = PayerAliasFormSet
    fields = ("name",)
    extra = 0


class PayerProfileInline(StackedInline):
    """How the payer wants its claims."""

    model = PayerProfile
    fieldsets = (
        (None, {"fields": (("payer_class", "claim_filing_code"),)}),
        ("Telehealth", {"fields": (("telehealth_place_of_service", "telehealth_modifier_policy"),)}),
        (
            "Filing limit",
            {"fields": (("timely_filing_days", "timely_filing_confirmed"), "timely_filing_basis")},
        ),
        ("Member ID", {"fields": (("member_id_pattern", "member_id_example"),)}),
        (
            "Codes that it treats in its own way",
            {
                "fields": (
                    ("pays_90887", "pays_phone_assessment"),
                    ("phone_codes_without_95", "most_units_96127"),
                )
            },
        ),
        (
            "Enrollment",
            {"fields": (("claim_enrollment_required", "remittance_enrollment_required"), "notes")},
        ),
    )


class AsShown(ModelForm):
    """A row as its page has shown it: what a colleague saved meanwhile isn't written over."""

    seen = CharField(widget=HiddenInput, required=False)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.initial["seen"] = self.standing(self.instance)

    @staticmethod
    def standing(row: Any) -> str:
        """What each save changes; of a payer's aliases and profile too."""
        return row.updated_at.isoformat() if row.updated_at else ""

    def clean(self) -> dict[str, Any] | None:
        """Refuse the whole page, whatever of it was typed."""
        rows = type(self.instance)._default_manager.select_for_update()
        now = rows.filter(pk=self.instance.pk).first()
        if now is not None and self.cleaned_data.get("seen") != self.standing(now):
            raise ValidationError(
                f"This {now._meta.verbose_name} was changed while you had it open, so nothing of yours was "
                "saved. Open it once more in another tab, and put in there what you still want of this."
            )
        return super().clean()


class ReleaseForm(AsShown):
    """A release, of which people change the dates and whether it counts."""

    @staticmethod
    def standing(row: Any) -> str:
        return f"{row.valid_from} {row.valid_to} {row.active}"


@admin.register(Payer)
class PayerAdmin(ModelAdmin):
    """Payers: found by any of their names, as spelt by anyone."""

    list_display = ("name", "payer_id", "payer_class", "filing_code", "filing_days", "confirmed", "active")
    list_filter = ("active", "profile__payer_class", "profile__timely_filing_confirmed")
    list_select_related = ("profile",)
    list_per_page = 50
    search_fields = ("payer_id", "search_text")
    search_help_text = "Name, alias or payer ID"
    fields = (
        ("name", "payer_id"),
        ("active", "supports_professional_claims", "prominence"),
        ("states", "avatar_url"),
    )
    form = AsShown
    inlines = (PayerProfileInline, PayerAliasInline)

    def get_fields(self, request: HttpRequest, obj: Payer | None = None) -> Any:
        """Whoever may change it sends what the page has shown along."""
        return (*self.fields, "seen") if obj and self.has_change_permission(request, obj) else self.fields

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Payer], search_term: str
    ) -> tuple[QuerySet[Payer], bool]:
        """Look for the words as the directory spells them out, in name, alias and id."""
        words = search_text(search_term)
        if not search_term.strip():
            return queryset, False
        named = queryset.filter(search_text__contains=words) if words else queryset.none()
        aliased = queryset.filter(aliases__search_text__contains=words) if words else queryset.none()
        identified = queryset.filter(payer_id__istartswith=search_term.strip().replace("\x00", ""))
        found = {pk for part in (named, aliased, identified) for pk in part.values_list("pk", flat=True)}
        return queryset.filter(pk__in=found), False

    def save_related(self, request: HttpRequest, form: ModelForm, formsets: Any, change: bool) -> None:
        """A payer always has a profile, if only the usual one."""
        super().save_related(request, form, formsets, change)
        PayerProfile.objects.get_or_create(payer=form.instance)

    @admin.display(description="Class", ordering="profile__payer_class")
    def payer_class(self, payer: Payer) -> str:
        profile = _profile_of(payer)
        return profile.get_payer_class_display() if profile else ""

    @admin.display(description="Filed as", ordering="profile__claim_filing_code")
    def filing_code(self, payer: Payer) -> str:
        profile = _profile_of(payer)
        return profile.claim_filing_code if profile else ""

    @admin.display(description="Days to file", ordering="profile__timely_filing_days")
    def filing_days(self, payer: Payer) -> int | None:
        profile = _profile_of(payer)
        return profile.timely_filing_days if profile else None

    @admin.display(description="Confirmed", boolean=True, ordering="profile__timely_filing_confirmed")
    def confirmed(self, payer: Payer) -> bool:
        profile = _profile_of(payer)
        return bool(profile and profile.timely_filing_confirmed)


def _profile_of(payer: Payer) -> PayerProfile | None:
    return getattr(payer, "profile", None)


@admin.register(CodeSetRelease)
class CodeSetReleaseAdmin(ModelAdmin):
    """Releases: their dates and whether they count; a command loads them."""

    list_display = ("name", "code_system", "valid_from", "valid_to", "code_count", "billable_count", "active")
    list_filter = ("code_system", "active")
    fields = (
        ("name", "code_system"),
        ("valid_from", "valid_to", "active"),
        ("code_count", "billable_count"),
        ("source", "loaded_at"),
    )
    readonly_fields = ("name", "code_system", "code_count", "billable_count", "source", "loaded_at")
    form = ReleaseForm

    def get_fields(self, request: HttpRequest, obj: CodeSetRelease | None = None) -> Any:
        """Whoever may change it sends what the page has shown along."""
        return (*self.fields, "seen") if self.has_change_permission(request, obj) else self.fields

    def get_queryset(self, request: HttpRequest) -> QuerySet[CodeSetRelease]:
        releases: QuerySet[CodeSetRelease] = super().get_queryset(request)
        return releases.defer("packed")

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: CodeSetRelease | None = None) -> bool:
        return False

    def save_model(self, request: HttpRequest, obj: CodeSetRelease, form: object, change: bool) -> None:
        """Let the change count at once in this process; others notice within half a minute."""
        obj.save(update_fields=["valid_from", "valid_to", "active"])
        forget_releases()


class LookedAt(ModelAdmin):
    """What a partner, a payer or a command tells: looked at here."""

    actions = None
    list_per_page = 50
    show_full_result_count = False

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False


@admin.register(DiagnosisCode)
class DiagnosisCodeAdmin(LookedAt):
    """Diagnosis codes, to look at."""

    list_display = ("code", "title", "billable", "release")
    list_filter = ("billable", "release")
    list_select_related = ("release",)
    search_fields = ("code__startswith", "title")
    ordering = ("id",)  # a release is loaded in the order of its codes; sorting all of them takes long

    def get_queryset(self, request: HttpRequest) -> QuerySet[DiagnosisCode]:
        codes: QuerySet[DiagnosisCode] = super().get_queryset(request)
        return codes.defer("release__packed")


@admin.register(NcciPair)
class NcciPairAdmin(LookedAt):
    """Pairs of procedure codes that are not paid together."""

    lead = "Medicare's quarterly coding edits, as load_ncci read them; rule NCCI-004 applies them."
    list_display = ("column_one", "column_two", "modifier_indicator", "valid_from", "valid_to")
    list_filter = ("modifier_indicator",)
    search_fields = ("column_one__exact", "column_two__exact")
    search_help_text = "Procedure code"


@admin.register(NcciUnits)
class NcciUnitsAdmin(LookedAt):
    """The most units of procedure codes."""

    lead = "Medicare's limits on units a day, as load_ncci read them; rule NCCI-004 applies them."
    list_display = ("code", "most_units", "valid_from")
    search_fields = ("code__exact",)
    search_help_text = "Procedure code"
