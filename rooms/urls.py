"""Pages of the lobby, of private tables and of friends."""

from django.urls import path

from rooms import friends_pages, private_pages, views

app_name = "rooms"
urlpatterns = [
    path("lobby/", views.lobby, name="lobby"),
    path("lobby/<slug:room>/", views.lobby, name="lobby"),
    path("lobby/<slug:room>/new/", views.create, name="create"),
    path("lobby/<slug:room>/quote", views.quote, name="quote"),
    path("lobby/<slug:room>/bot/", views.play_bot, name="play_bot"),
    path("lobby/<slug:room>/join/", views.join, name="join"),
    path("lobby/<slug:room>/close/", views.withdraw, name="withdraw"),
    path("tables/", private_pages.mine, name="mine"),
    path("tables/<str:key>/", private_pages.private, name="private"),
    path("tables/<str:key>/join/", private_pages.join_private, name="join_private"),
    path("tables/<str:key>/decline/", private_pages.decline, name="decline"),
    path("friends/", friends_pages.friends, name="friends"),
    path("friends/ask/", friends_pages.befriend, name="befriend"),
    path("friends/end/", friends_pages.unfriend, name="unfriend"),
    path("friends/block/", friends_pages.block, name="block"),
    path("friends/unblock/", friends_pages.unblock, name="unblock"),
]
