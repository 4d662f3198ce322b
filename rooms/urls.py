"""Pages of the lobby."""

from django.urls import path

from rooms import views

app_name = "rooms"
urlpatterns = [
    path("", views.lobby, name="lobby"),
    path("<slug:room>/", views.lobby, name="lobby"),
    path("<slug:room>/new/", views.create, name="create"),
    path("<slug:room>/quote", views.quote, name="quote"),
    path("<slug:room>/bot/", views.play_bot, name="play_bot"),
    path("<slug:room>/join/", views.join, name="join"),
    path("<slug:room>/close/", views.withdraw, name="withdraw"),
]
