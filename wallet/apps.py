from django.apps import AppConfig


class WalletConfig(AppConfig):
    name = "wallet"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from wallet import estates, laws, works

        estates.register()
        laws.register()
        works.register()
