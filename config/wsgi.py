"""The web process's entry point; in production it does not start with a setting that a check refuses."""

import gc
import os

from django.conf import settings
from django.core.management import call_command
from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
django_application = get_wsgi_application()

from config.admission import Admission  # noqa: E402 (it counts in the folder that the settings name)

application = Admission(django_application, places=max(settings.WEB_THREADS - 1, 1))
if settings.PRODUCTION:
    call_command("check", "--deploy", "--fail-level", "ERROR")
gc.freeze()  # what is loaded now stays; no collection looks through it again
