"""The four roles of staff, as groups with permissions; `create_roles` writes them."""

from dataclasses import dataclass

from django.contrib.auth.models import Group, Permission
from django.db import transaction

READ_SESSIONS = (
    "sessions_app.view_session",
    "claims.view_workitem",
    "claims.view_claim",
    "claims.view_remittance",
    "claims.view_inboundfile",
)
READ_SETUP = (
    "partners.view_partner",
    "providers.view_practice",
    "providers.view_provider",
    "billing.view_payer",
    "billing.view_payeralias",
    "billing.view_payerprofile",
    "billing.view_codesetrelease",
    "billing.view_diagnosiscode",
    "billing.view_npirecord",
    "billing.view_nccipair",
    "billing.view_ncciunits",
    "providers.view_enrollment",
    "claims.view_finding",
)
WORK_ON_SESSIONS = (
    "claims.correct_session",
    "claims.resend_claim",
    "claims.message_partner",
    "claims.open_note",
    "claims.read_raw_file",
    "claims.export_rows",
    "providers.view_chargeschedule",
    "providers.view_chargerate",
    "providers.view_allowedamount",
)
LEAD = (
    "claims.resend_in_bulk",
    "claims.override_finding",
    "claims.void_claim",
    "claims.type_remittance",
    "claims.hand_out_work",
    "claims.change_finding",
    "claims.view_audit",
    "providers.change_chargeschedule",
    "providers.change_provider",
    "billing.change_payer",
    "billing.add_payeralias",
    "billing.change_payeralias",
    "billing.delete_payeralias",
    "billing.add_payerprofile",
    "billing.change_payerprofile",
    "billing.add_npirecord",
    "billing.change_npirecord",
    "providers.add_enrollment",
    "providers.change_enrollment",
    "providers.delete_enrollment",
)
ADMINISTER = (
    "partners.add_partner",
    "partners.change_partner",
    "partners.view_apikey",
    "partners.add_apikey",
    "partners.change_apikey",
    "auth.view_user",
    "auth.add_user",
    "auth.change_user",
    "auth.view_group",
    "billing.add_payer",
    "billing.change_payer",
    "billing.add_payeralias",
    "billing.change_payeralias",
    "billing.delete_payeralias",
    "billing.add_payerprofile",
    "billing.change_payerprofile",
    "billing.change_codesetrelease",
    "claims.change_finding",
    "claims.view_audit",
)


@dataclass(frozen=True, slots=True)
class Role:
    """A group's name and all that its members may do, as `app.permission`."""

    name: str
    permissions: tuple[str, ...]


SUPPORT = Role("support", (*READ_SESSIONS, *READ_SETUP, "claims.message_partner"))
BILLING = Role("billing", (*READ_SESSIONS, *READ_SETUP, *WORK_ON_SESSIONS))
BILLING_LEAD = Role("billing lead", (*BILLING.permissions, *LEAD))
ADMINISTRATOR = Role("administrator", (*READ_SETUP, *ADMINISTER))
ROLES = (BILLING, BILLING_LEAD, SUPPORT, ADMINISTRATOR)


class UnknownPermission(Exception):
    """A role names a permission that no model has."""


@transaction.atomic
def create_roles() -> list[str]:
    """Create the groups, or give them exactly their permissions again; returns their names."""
    known = {
        f"{app}.{code}": pk
        for pk, app, code in Permission.objects.values_list("pk", "content_type__app_label", "codename")
    }
    for role in ROLES:
        if missing := [name for name in role.permissions if name not in known]:
            raise UnknownPermission(f"No such permission: {', '.join(missing)}.")
        group, _ = Group.objects.get_or_create(name=role.name)
        group.permissions.set({known[name] for name in role.permissions})
    return [role.name for role in ROLES]
