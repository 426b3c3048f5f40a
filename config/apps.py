"""Django's admin, with the back office as its site."""

from django.contrib.admin.apps import AdminConfig


class BackOfficeConfig(AdminConfig):
    """Makes `django.contrib.admin.site` the back office."""

    default_site = "config.admin_site.BackOfficeSite"
