"""The application of knowledge: true with no partner in the database."""

from django.apps import AppConfig


class BillingConfig(AppConfig):
    name = "billing"
    verbose_name = "Billing knowledge"
