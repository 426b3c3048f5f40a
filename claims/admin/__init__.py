"""The back office's pages about the claims process, one module a page."""

from claims.admin import files, staff

__all__ = ["files", "staff"]
