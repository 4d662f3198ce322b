"""Addresses of the pages about people; allauth's own hang beside them."""

from django.urls import path

from accounts import views

app_name = "accounts"
urlpatterns = [
    # Before allauth's of the same address, which therefore keeps its name account_signup.
    path("accounts/signup/", views.SignupView.as_view(), name="signup"),
    path("profile/", views.profile, name="profile"),
    path("preferences/", views.set_preferences, name="preferences"),
]
