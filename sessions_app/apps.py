from django.apps import AppConfig


class SessionsAppConfig(AppConfig):
    """The label is not `sessions`: Django has that one."""

    name = "sessions_app"
    verbose_name = "Therapy sessions"
