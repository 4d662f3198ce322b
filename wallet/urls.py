"""The addresses of the wallet and of the fees."""

from django.urls import path

from wallet import limits_page, payments_page, promotions_page, views

app_name = "wallet"
urlpatterns = [
    path("wallet/", views.home, name="home"),
    path("wallet/deposit/", payments_page.deposit, name="deposit"),
    path("wallet/withdraw/", payments_page.withdraw, name="withdraw"),
    path(
        "wallet/withdraw/<uuid:withdrawal_id>/cancel/",
        payments_page.cancel_withdrawal,
        name="cancel_withdrawal",
    ),
    path("wallet/events/<slug:provider>/", payments_page.event, name="event"),
    path("wallet/chips/", views.refill, name="refill"),
    path("wallet/statement.csv", views.statement_file, name="statement_file"),
    path("wallet/limits/", limits_page.page, name="limits"),
    path("wallet/limits/reminder/", limits_page.remind, name="remind"),
    path("wallet/limits/break/", limits_page.take_break, name="break"),
    path("wallet/reminder/", limits_page.reminder_due, name="reminder"),
    path("promotions/", promotions_page.page, name="promotions"),
    path("promotions/exchange/", promotions_page.exchange, name="exchange"),
    path("fees/", views.fees_page, name="fees"),
]
