"""The wiring: settings, addresses, Celery, WSGI; imported by the processes themselves and nobody else."""
