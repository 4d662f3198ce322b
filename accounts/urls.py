"""Addresses of the pages about people; allauth's own hang beside them."""

from django.urls import path

from accounts import own_account, report_pages, views

app_name = "accounts"
urlpatterns = [
    # Before allauth's of the same address, which therefore keeps its name account_signup.
    path("accounts/signup/", views.SignupView.as_view(), name="signup"),
    path("profile/", views.profile, name="profile"),
    path("profile/address/", own_account.address, name="address"),
    path("profile/sessions/<int:pk>/end/", own_account.end_session, name="end_session"),
    path("profile/data/", own_account.download, name="export"),
    path("profile/close/", own_account.close, name="close"),
    path("profile/appeal/<int:pk>/", own_account.appeal_sanction, name="appeal_sanction"),
    path("appeal/<str:token>/", own_account.appeal, name="appeal"),
    path("report/match/<uuid:match_id>/<str:side>/", report_pages.at_table, name="report_at_table"),
    path("report/chat/<int:line_id>/", report_pages.in_chat, name="report_in_chat"),
    path("report/player/<str:screen_name>/", report_pages.on_profile, name="report_on_profile"),
    path("conduct/", report_pages.conduct, name="conduct"),
    path("preferences/", views.set_preferences, name="preferences"),
]
