"""The back office's pages about the claims process, one module a page."""

from claims.admin import files, staff
from claims.provider_changes import after_rename
from providers.admin import ProviderAdmin

__all__ = ["files", "staff"]

ProviderAdmin.after_rename = staticmethod(after_rename)
