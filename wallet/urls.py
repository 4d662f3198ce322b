"""The addresses of the wallet and of the fees."""

from django.urls import path

from wallet import views

app_name = "wallet"
urlpatterns = [
    path("wallet/", views.home, name="home"),
    path("wallet/deposit/", views.deposit, name="deposit"),
    path("wallet/chips/", views.refill, name="refill"),
    path("wallet/statement.csv", views.statement_file, name="statement_file"),
    path("fees/", views.fees_page, name="fees"),
]
