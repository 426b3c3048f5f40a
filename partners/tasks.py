"""Celery tasks of partners: the access record is sealed, tables by month have their months."""

from celery import shared_task

from partners import months
from partners.audit_chain import seal_records


@shared_task(name="partners.seal_access_records", queue="periodic")
def seal_access_records() -> None:
    """Seal what was recorded since the last time."""
    seal_records()


@shared_task(name="partners.keep_months", queue="periodic")
def keep_months() -> None:
    """Make the months that tables by month will need, and drop those that are empty."""
    months.keep()
