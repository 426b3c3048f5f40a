"""X12: the 837P is written here, and TA1, 999, 277 and 835 are read; values in, values out, no Django."""
