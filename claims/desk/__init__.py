"""What billing staff and administrators do: the pages of the admin and some commands call it."""
