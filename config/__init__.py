"""The wiring: settings, addresses, Celery, WSGI. Nothing imports this package but the processes themselves."""

from config.celery import app as celery_app

__all__ = ["celery_app"]
