from django.apps import AppConfig


class RoomsConfig(AppConfig):
    name = "rooms"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from games import rematches
        from rooms import estates, services

        rematches.register(gate=services.require_welcome, seated=services.withdraw_all)
        estates.register()
