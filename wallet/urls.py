"""The addresses of the wallet and of the fees."""

from django.urls import path

from wallet import limits_page, views

app_name = "wallet"
urlpatterns = [
    path("wallet/", views.home, name="home"),
    path("wallet/deposit/", views.deposit, name="deposit"),
    path("wallet/chips/", views.refill, name="refill"),
    path("wallet/statement.csv", views.statement_file, name="statement_file"),
    path("wallet/limits/", limits_page.page, name="limits"),
    path("wallet/limits/reminder/", limits_page.remind, name="remind"),
    path("wallet/limits/break/", limits_page.take_break, name="break"),
    path("wallet/reminder/", limits_page.reminder_due, name="reminder"),
    path("fees/", views.fees_page, name="fees"),
]
