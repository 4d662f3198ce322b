from django.apps import AppConfig
from django.core import checks


class NardysiteConfig(AppConfig):
    name = "nardysite"

    def ready(self) -> None:
        from nardysite.checks import settings_are_safe

        checks.register(settings_are_safe, checks.Tags.security)
