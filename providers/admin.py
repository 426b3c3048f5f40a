"""Practices, providers and what they charge; rates come from CSV files, previewed line by line."""

from collections.abc import Callable, Sequence
from datetime import date
from typing import Any
from uuid import UUID

from django import forms
from django.contrib import admin, messages
from django.contrib.admin.widgets import AutocompleteSelect
from django.core.exceptions import PermissionDenied, ValidationError
from django.db.models import F, ForeignKey, Model, QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.template.response import TemplateResponse
from django.urls import URLPattern, path
from django.utils import timezone
from unfold.admin import ModelAdmin

from billing.admin import LookedAt
from billing.models import NpiRecord
from partners.admin import TypedAlone
from partners.api.fields import FieldRefused, Text
from providers.charge_import import ChargeImportError, apply_import, own_schedule, plan_import
from providers.charges import Order, Price, Service, price
from providers.models import AllowedAmount, ChargeRate, ChargeSchedule, Enrollment, Practice, Provider
from providers.renaming import NAME_PATHS, rename

MOST_RATES = 500
GO_ON = "Sessions that waited for one of these rates go on by themselves within minutes."
MOST_BYTES = 600_000
"""Of a file: confirmed, it comes back as a form, where it may be three times as long."""


@admin.register(Practice)
class PracticeAdmin(LookedAt):
    """Practices as their partners gave them."""

    lead = "As the partners gave them; a partner corrects its own through the interface."
    list_display = ("name", "npi", "city", "state", "partner")
    list_select_related = ("partner",)
    list_filter = ("partner",)
    search_fields = ("name__istartswith", "npi__exact", "tax_id__exact")
    search_help_text = "Name, NPI or tax ID"
    fields = (
        "partner", "name", "npi", "tax_id", "taxonomy_code", "street", "line2", "city", "state", "zip_code",
        "telephone", "contact_name",
    )  # fmt: skip
    readonly_fields = ("zip_code", "telephone")

    @admin.display(description="ZIP")
    def zip_code(self, practice: Practice) -> str:
        first, last = practice.zip[:5], practice.zip[5:]
        return f"{first}-{last}" if last else first

    @admin.display(description="Phone")
    def telephone(self, practice: Practice) -> str:
        digits = practice.phone
        return f"({digits[:3]}) {digits[3:6]}-{digits[6:]}" if digits else "none"


class NameForm(TypedAlone):
    """A therapist's name, as the interface would take it."""

    def clean_first_name(self) -> str:
        return self._read("first_name", 35)

    def clean_last_name(self) -> str:
        return self._read("last_name", 60)

    def _read(self, name: str, most: int) -> str:
        try:
            return Text(most).read(self.cleaned_data[name]) or ""
        except FieldRefused as refused:
            raise forms.ValidationError(str(refused)) from None


@admin.register(Provider)
class ProviderAdmin(LookedAt):
    """Therapists; of what a partner gave only the name is changed here, for no partner can."""

    lead = (
        "As the partners gave them; a partner corrects its own through the interface, but for a therapist's "
        "name. A lead changes that, as the NPI registry has it; claims that are built keep the one they have."
    )
    form = NameForm
    after_rename: Callable[[Provider, Sequence[str]], None] | None = None
    """Told of what was changed, by its paths, in the same transaction."""
    list_display = ("npi", "first_name", "last_name", "credentials", "practice", "partner", "mode")
    list_select_related = ("partner", "practice")
    list_filter = ("mode", "partner")
    search_fields = ("npi__exact", "last_name__istartswith")
    search_help_text = "NPI or last name"

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return request.user.has_perm("providers.change_provider")

    def get_readonly_fields(self, request: HttpRequest, obj: Model | None = None) -> list[str]:
        """All but the name."""
        return [each.name for each in self.opts.fields if each.name not in NAME_PATHS]

    def save_model(self, request: HttpRequest, obj: Provider, form: NameForm, change: bool) -> None:
        """Change what was typed alone, whatever partner or colleague has changed meanwhile."""
        provider, paths = rename(obj.pk, {name: form.cleaned_data[name] for name in form.changed_data})
        if paths and self.after_rename is not None:
            self.after_rename(provider, paths)


class RateFileForm(forms.Form):
    """A CSV file, or its text when the preview is confirmed."""

    file = forms.FileField(required=False)
    text = forms.CharField(required=False, widget=forms.HiddenInput, strip=False)

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or {}
        file = cleaned.get("file")
        if file is None and not cleaned.get("text"):
            raise forms.ValidationError("Choose a CSV file.")
        if file is not None:
            if file.size > MOST_BYTES:
                raise forms.ValidationError("At most 600 kB at a time.")
            try:
                cleaned["text"] = file.read().decode("utf-8-sig")
            except UnicodeDecodeError:
                raise forms.ValidationError("The file isn't text in UTF-8. Save it as CSV UTF-8.") from None
        return cleaned


class ScheduleOwnerForm(forms.ModelForm):
    """Whose charges a schedule holds."""

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or {}
        partner, practice = cleaned.get("partner"), cleaned.get("practice")
        if partner and practice and practice.partner_id != partner.pk:
            self.add_error("practice", "This practice is another partner's.")
        return cleaned


class QuestionForm(forms.Form):
    """A service whose price somebody asks for."""

    on = forms.DateField()
    code = forms.CharField(max_length=5)
    modifier = forms.CharField(max_length=2, required=False)
    place = forms.ChoiceField(choices=[("office", "Office"), ("telehealth", "Telehealth")])
    payer_id = forms.CharField(max_length=80, required=False)
    license = forms.ChoiceField(choices=ChargeRate.LicenseClass.choices, required=False)


class FoundByName(AutocompleteSelect):
    """A row that is looked for by its name; what can't be the number of one is drawn as no choice."""

    def optgroups(self, name: str, value: Sequence[str], attr: Any = None) -> list[Any]:
        try:
            return super().optgroups(name, value, attr)
        except (ValueError, ValidationError):
            return super().optgroups(name, [], attr)


class FindsByName(ModelAdmin):
    """Draws each of its `autocomplete_fields` as one that is found by name."""

    def formfield_for_foreignkey(
        self, db_field: ForeignKey, request: HttpRequest, **kwargs: Any
    ) -> forms.ModelChoiceField | None:
        if db_field.name in self.get_autocomplete_fields(request):
            kwargs["widget"] = FoundByName(db_field, self.admin_site, using=kwargs.get("using"))
        field: forms.ModelChoiceField | None = super().formfield_for_foreignkey(db_field, request, **kwargs)
        return field


@admin.register(ChargeSchedule)
class ChargeScheduleAdmin(FindsByName, LookedAt):
    """Lists of charge rates."""

    lead = "The nearest scope wins: a practice's own, then its partner's, then the service's."
    list_display = ("name", "scope", "partner", "practice", "sample")
    list_select_related = ("partner", "practice")
    list_filter = ("scope", "sample")
    form = ScheduleOwnerForm
    autocomplete_fields = ("partner", "practice")
    fieldsets = (
        (
            None,
            {
                "fields": ("partner", "practice"),
                "description": "Whose charges they are: a practice's own, a partner's for all its practices, "
                "or, with neither, the whole service's. The file with the rates comes next.",
            },
        ),
    )

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Let those begin a schedule who import its rates."""
        return request.user.has_perm("providers.change_chargeschedule")

    def save_model(self, request: HttpRequest, obj: ChargeSchedule, form: object, change: bool) -> None:
        """Begin the schedule, or go on with the one that its owner has."""
        kept = own_schedule(partner=obj.partner, practice=obj.practice)
        obj.pk, obj.name = kept.pk, kept.name

    def response_add(
        self, request: HttpRequest, obj: ChargeSchedule, post_url_continue: str | None = None
    ) -> HttpResponse:
        """Ask for the rates."""
        return redirect("admin:providers_charges_import", obj.pk)

    def get_urls(self) -> list[URLPattern]:
        guarded = self.admin_site.admin_view
        return [
            path("<uuid:schedule_id>/change/", guarded(self.rates), name="providers_chargeschedule_change"),
            path("<uuid:schedule_id>/import/", guarded(self.import_rates), name="providers_charges_import"),
            *super().get_urls(),
        ]

    def rates(self, request: HttpRequest, schedule_id: UUID) -> HttpResponse:
        """Show the rates in force on a day, and which price would apply to a service."""
        if not request.user.has_perm("providers.view_chargeschedule"):
            raise PermissionDenied
        schedule = get_object_or_404(
            ChargeSchedule.objects.select_related("partner", "practice"), pk=schedule_id
        )
        on = _day(request.GET.get("day", "")) or timezone.localdate()
        code = request.GET.get("filter", "").replace("\x00", "")[:5].strip().upper()
        rates = schedule.rates.filter(valid__contains=on, procedure_code__startswith=code)
        ordered = rates.order_by("procedure_code", "unit_charge", "id")[: MOST_RATES + 1]
        question = QuestionForm(request.GET) if "code" in request.GET else QuestionForm(initial={"on": on})
        asked = question.is_bound and question.is_valid()
        context = {
            **self.admin_site.each_context(request),
            "title": "Charge schedule",
            "schedule": schedule,
            "rates": list(ordered)[:MOST_RATES],
            "on": on,
            "code": code,
            "question": question,
            "answer": _price(schedule, question.cleaned_data) if asked else None,
            "asked": asked,
        }
        return TemplateResponse(request, "desk/schedule.html", context)

    def import_rates(self, request: HttpRequest, schedule_id: UUID) -> HttpResponse:
        """Preview a file against the schedule; apply it when the preview is confirmed."""
        if not request.user.has_perm("providers.change_chargeschedule"):
            raise PermissionDenied
        schedule = get_object_or_404(ChargeSchedule, pk=schedule_id)
        form = RateFileForm(request.POST or None, request.FILES or None)
        context = {
            **self.admin_site.each_context(request),
            "title": "Import charges",
            "schedule": schedule,
            "form": form,
        }
        if request.method == "POST" and form.is_valid():
            text = form.cleaned_data["text"]
            try:
                plan = plan_import(text.splitlines(), schedule=schedule)
                if "apply" in request.POST and request.POST.get("seen") != plan.seen:
                    context["problem"] = (
                        "The schedule was changed meanwhile. Nothing was imported; this is what the file "
                        "would do now."
                    )
                elif "apply" in request.POST:
                    apply_import(plan)
                    messages.success(request, f"Imported: {plan.summary()}. {GO_ON}")
                    return redirect("admin:providers_chargeschedule_change", schedule_id)
            except ChargeImportError as error:
                context["problem"] = str(error)
            else:
                context |= {"plan": plan, "text": text}
        return TemplateResponse(request, "desk/import.html", context)


def _price(schedule: ChargeSchedule, asked: dict[str, Any]) -> Price | None:
    """The price of a service, as for a provider of this license whom this schedule is about."""
    about = {"practice_id": schedule.practice_id} if schedule.practice_id else {}
    if schedule.partner_id:
        about["partner_id"] = schedule.partner_id
    provider = Provider.objects.filter(**about).order_by("created_at").first()
    if provider is None:
        return None
    modifier = asked["modifier"].strip().upper()
    service = Service(asked["code"].strip().upper(), (modifier,) if modifier else ())
    order = Order(
        services=[service],
        provider=provider,
        payer_id=asked["payer_id"].strip(),
        place_of_service=asked["place"],
        on=asked["on"],
        license_class=asked["license"],
    )
    return price([order])[0][0]


def _day(text: str) -> date | None:
    try:
        return date.fromisoformat(text)
    except ValueError:
        return None


@admin.register(Enrollment)
class EnrollmentAdmin(FindsByName):
    """Who is enrolled with which payer, and how far."""

    form = TypedAlone
    lead = (
        "Keep them for a billing NPI or leave them out: once an NPI has one here, payers without one count "
        "as not enrolled with."
    )
    list_display = ("npi", "payer", "claims", "remittances", "partner", "updated_at")
    list_select_related = ("payer", "partner")
    list_filter = ("claims", "remittances", "partner")
    search_fields = ("npi__exact", "payer__payer_id__exact", "payer__search_text")
    search_help_text = "NPI, payer's name or ID"
    list_per_page = 50
    show_full_result_count = False
    autocomplete_fields = ("payer",)
    fields = (("partner", "npi"), "payer", ("claims", "remittances"), "note")


class NpiRecordForm(TypedAlone):
    """Of the model's sentence about one taxonomy of several, Django's form would show the beginning alone."""

    def clean_taxonomies(self) -> list[str]:
        codes: list[str] = self.cleaned_data["taxonomies"]
        each: Any = NpiRecord._meta.get_field("taxonomies")
        for code in codes:
            each.base_field.run_validators(code)
        return codes


@admin.register(NpiRecord)
class NpiRecordAdmin(ModelAdmin):
    """The NPI registry's word on NPIs: a command loads it, and staff may write down what they looked up."""

    form = NpiRecordForm
    lead = (
        "What the NPI registry says. load_nppes writes it from the registry's files; what you looked up "
        "yourself stays until a newer file comes."
    )
    list_display = ("npi", "found", "deactivated", "listed", "source", "checked_on")
    list_filter = ("found", "deactivated")
    search_fields = ("npi__exact",)
    search_help_text = "NPI"
    list_per_page = 50
    fields = ("npi", ("found", "deactivated"), "taxonomies", ("source", "checked_on"))

    def get_readonly_fields(self, request: HttpRequest, obj: NpiRecord | None = None) -> tuple[str, ...]:
        """Another NPI is another record."""
        return ("npi",) if obj else ()

    @admin.display(description="Taxonomies")
    def listed(self, record: NpiRecord) -> str:
        return ", ".join(record.taxonomies)


class ChargedNoMoreFilter(admin.SimpleListFilter):
    """Charges that were allowed in full."""

    title = "charge"
    parameter_name = "charge"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [("low", "Allowed in full: perhaps too low")]

    def queryset(
        self, request: HttpRequest, queryset: QuerySet[AllowedAmount]
    ) -> QuerySet[AllowedAmount] | None:
        return queryset.filter(charged__lte=F("allowed")) if self.value() == "low" else None


@admin.register(AllowedAmount)
class AllowedAmountAdmin(LookedAt):
    """What payers allowed, beside what was charged."""

    lead = (
        "The last word of each payer on each service, from its remittances. Where it allowed all that was "
        "charged, compare the rate with the contract: many pay the lesser of the two."
    )
    list_display = ("practice", "payer_id", "procedure_code", "charged", "allowed", "paid_on", "partner")
    list_select_related = ("practice", "partner")
    list_filter = (ChargedNoMoreFilter, "partner")
    search_fields = ("payer_id__exact", "procedure_code__exact", "practice__name__istartswith")
    search_help_text = "Practice, payer ID or procedure code"
