"""What is billed, how sure that is, and what is asked about instead."""
