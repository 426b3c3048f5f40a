"""Two administrators for whoever may see patients: one sets an account up, another makes it active.

An administrator sees no patients, and knows the password and the second factor of whoever they set up. By
themselves they could sign in as that person.
"""

from collections.abc import Collection

from django.contrib.auth.models import User
from django.db import transaction

from claims.desk.roles import ROLES
from claims.models import Unconfirmed

SEES_PATIENTS = frozenset(role.name for role in ROLES if "sessions_app.view_session" in role.permissions)


def is_given_a_role(*, had: Collection[str], has: Collection[str]) -> bool:
    """Whether somebody who saw no patients gets a role, whichever: an administrator's gives away others."""
    return bool(set(has) - set(had)) and not SEES_PATIENTS & set(had)


@transaction.atomic
def hold(user: User, *, by: User) -> bool:
    """Let the person in no more until somebody else than `by` makes them active; nobody holds themselves.

    The newest secret counts: who gave an older one has no longer all that a sign-in takes. What a superuser
    does is no administrator's: who can make one rules the host.
    """
    if by.is_superuser or user.pk == by.pk:
        return False
    User.objects.filter(pk=user.pk).update(is_active=False)
    Unconfirmed.objects.update_or_create(user=user, defaults={"by": by})
    user.is_active = False
    return True


def is_held(user: User) -> bool:
    """Whether the person waits for another administrator: a save that began before leaves them active."""
    return not user.is_superuser and Unconfirmed.objects.filter(user=user).exists()


def set_up_alone_by(user: User) -> User | None:
    """Who set the account up, where nobody else has confirmed it."""
    found = Unconfirmed.objects.filter(user=user).select_related("by").first()
    return found.by if found is not None else None


@transaction.atomic
def confirm(user: User) -> None:
    """Let the person in, if it was that which they waited for."""
    waiting, _ = Unconfirmed.objects.filter(user=user).delete()
    if waiting:
        User.objects.filter(pk=user.pk).update(is_active=True)
