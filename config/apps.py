"""Django's admin, with the back office as its site."""

import gc
from typing import Any

from django.conf import settings
from django.contrib.admin.apps import AdminConfig
from django.core import checks

gc.disable()  # until the apps are ready: what is loaded stays; looking for garbage took a third of the start

from config import celery, metrics_folder  # noqa: E402


class BackOfficeConfig(AdminConfig):
    """Makes `django.contrib.admin.site` the back office."""

    default_site = "config.admin_site.BackOfficeSite"
    celery = celery.app  # made here, not by `import config`: what only starts servers needs none

    def ready(self) -> None:
        """Have the folder of counts checked; what is loaded now stays, no collection looks through it."""
        super().ready()
        gc.freeze()
        gc.enable()
        checks.register(counts_have_room)


def counts_have_room(app_configs: Any, **_: Any) -> list[checks.CheckMessage]:
    """Processes that start now can count together."""
    if metrics_folder.has_room(settings.METRICS_DIR):
        return []
    words = "METRICS_DIR is on a file system that is full: a process that starts now counts by itself alone."
    hint = (
        "Make room there, or choose another folder, then restart the processes: docs/runbook/bad-deploy.md."
    )
    return [checks.Warning(words, hint=hint, id="config.W001")]
