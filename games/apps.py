from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class GamesConfig(AppConfig):
    name = "games"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from accounts import desk
        from games import closings, laws, promoted, selectors, stakes

        laws.register()
        closings.register()
        desk.register_work(
            desk.Work(
                _("abandoned matches to settle"),
                "games.settle_match",
                "admin:games_adjudication_changelist",
                selectors.with_moderators,
            )
        )
        stakes.register_captions(selectors.captions)
        stakes.register_promotions(promoted.played)
