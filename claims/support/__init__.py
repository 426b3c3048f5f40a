"""What support engineers ask and do; the management commands are its only doors."""
