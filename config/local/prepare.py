"""Fills a demonstration's database: migrations, code sets, charges, an admin user, three partners.

Runs as a process of its own, since reading the code sets takes memory that nothing else should keep.
"""

import io
import json
import os
import sys
import time
from pathlib import Path

import django
from django.apps import apps
from django.contrib.auth import get_user_model
from django.core.management import CommandError, call_command
from django.db import OperationalError

from config.local.memory import ADMIN_NAME, AT_ONCE_LABEL, DEFAULT_WINDOW_LABEL, Memory, RememberedPartner

# By name, the seconds in which a session may be corrected; None is the service's default.
PARTNERS = {
    "Riverside Therapy": None,
    "Lakeside Counseling": None,
    "Harbor Wellness": 0,
}
COMMANDS = {
    "migrate": ("database", "migrations applied"),
    "create_roles": ("roles", "the staff's roles are there"),
    "keep_months": ("months", "the coming months are there"),
    "load_icd10cm": ("codes", "ICD-10-CM release loaded"),
    "load_sample_charges": ("charges", "sample charge schedule loaded"),
}


def main() -> None:
    memory = Memory.read(Path(sys.argv[1]))
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    django.setup()
    for command, (topic, sentence) in COMMANDS.items():
        started = time.monotonic()
        answer_of(command)
        report(topic, sentence, started)
    started = time.monotonic()
    ensure_admin(memory)
    for name, delay in PARTNERS.items():
        ensure_partner(memory, name=name, submission_delay=delay)
    memory.write()
    report("access", "admin user and three test partners", started)


def report(topic: str, sentence: str, started: float) -> None:
    print(f"{topic:<10} {sentence} ({time.monotonic() - started:.1f} s)", flush=True)


def answer_of(command: str, *arguments: str) -> str:
    """Run a management command and return what it prints."""
    answer = io.StringIO()
    call_command(command, *arguments, stdout=answer, verbosity=0)
    return answer.getvalue()


def ensure_admin(memory: Memory) -> None:
    users = get_user_model()
    user, _created = users.objects.get_or_create(
        username=ADMIN_NAME, defaults={"is_staff": True, "is_superuser": True}
    )
    if not user.check_password(memory.admin_password):
        user.set_password(memory.admin_password)
        user.save(update_fields=["password"])


def ensure_partner(memory: Memory, *, name: str, submission_delay: int | None) -> None:
    """Create a test partner and its key, unless an earlier run made both."""
    known = memory.partners.get(name)
    if known and apps.get_model("partners", "Partner").objects.filter(pk=known.partner_id).exists():
        return
    delay = [] if submission_delay is None else ["--submission-delay", str(submission_delay)]
    partner = json.loads(answer_of("create_partner", name, "--mode", "test", *delay, "--json"))
    key = json.loads(answer_of("issue_api_key", partner["partnerId"], "--json"))
    memory.partners[name] = RememberedPartner(
        name=name,
        partner_id=partner["partnerId"],
        api_key=key["apiKey"],
        label=DEFAULT_WINDOW_LABEL if submission_delay is None else AT_ONCE_LABEL,
    )


if __name__ == "__main__":
    try:
        main()
    except (CommandError, OperationalError) as error:
        sys.exit(str(error).strip())
