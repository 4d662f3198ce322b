from django.apps import AppConfig
from django.contrib.staticfiles.apps import StaticFilesConfig
from django.core import checks


class NardysiteConfig(AppConfig):
    name = "nardysite"

    def ready(self) -> None:
        from nardysite import metrics
        from nardysite.checks import settings_are_safe

        checks.register(settings_are_safe, checks.Tags.security)
        metrics.serve()


class SiteFilesConfig(StaticFilesConfig):
    """What stands beside the browser modules for their authors is not published."""

    ignore_patterns = [*StaticFilesConfig.ignore_patterns, "*.test.js", "*.d.ts"]
