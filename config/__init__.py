"""The wiring: settings, addresses, Celery, WSGI; imported by the processes themselves and nobody else."""

from config.celery import app as celery_app

__all__ = ["celery_app"]
