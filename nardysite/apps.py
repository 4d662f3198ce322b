from django.apps import AppConfig, apps
from django.contrib.admin.apps import AdminConfig
from django.contrib.staticfiles.apps import StaticFilesConfig
from django.core import checks
from django.db.models.signals import post_migrate


class NardysiteConfig(AppConfig):
    name = "nardysite"

    def ready(self) -> None:
        from nardysite import metrics, roles
        from nardysite.checks import settings_are_safe

        checks.register(settings_are_safe, checks.Tags.security)
        metrics.serve()
        # Sent for apps that have tables; this one has none.
        post_migrate.connect(roles.grant, sender=apps.get_app_config("accounts"))


class StaffSiteConfig(AdminConfig):
    """Django's admin, on the site that accounts.desk makes of it."""

    default_site = "accounts.desk.StaffSite"


class SiteFilesConfig(StaticFilesConfig):
    """What stands beside the browser modules for their authors is not published."""

    ignore_patterns = [*StaticFilesConfig.ignore_patterns, "*.test.js", "*.d.ts"]
