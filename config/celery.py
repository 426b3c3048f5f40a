"""The Celery application: `celery -A config worker`, `celery -A config beat`."""

import os

from celery import Celery
from django.conf import settings

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
app = Celery("billing")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()


@app.on_after_finalize.connect
def schedule(sender: Celery, **_: object) -> None:
    """What beat starts, and how often; every entry only looks for work that waits in the database."""
    sender.conf.beat_schedule = {
        "poll": {"task": "claims.poll", "schedule": settings.POLL_SECONDS},
        "sweep": {"task": "claims.sweep", "schedule": settings.SWEEP_SECONDS},
        "watch": {"task": "claims.watch", "schedule": settings.WATCH_SECONDS},
    }
